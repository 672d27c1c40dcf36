"""How a server starts and ends."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from mangetout.v1 import analysis_pb2
from mangetout_client import Client, MangetoutError
from mangetout_server import Server, Settings

DEAL = "peas +1/+1/-2/+3/-2/+1/+2/-3/+1/-2 B1B2B3R4R5V1V6Y2Y3Y4 B4B5B6R1R2R3R6V2V3V4 A"
PATIENCE = 60.0
PROGRAM = """
import asyncio, logging
from mangetout_server import Settings, serve
logging.basicConfig(level=logging.INFO)
asyncio.run(serve(Settings(port=0, search_threads=2, shutdown_grace=30.0)))
"""


class Follower:
    """Follows an endless search on a thread of its own and keeps what came last."""

    def __init__(self, client: Client) -> None:
        self.begun = threading.Event()
        self.finals: list[analysis_pb2.Analysis] = []
        self._client = client
        self._thread = threading.Thread(target=self._follow)
        self._thread.start()

    def _follow(self) -> None:
        for answer in self._client.stream_analysis(DEAL, time=3600, report_interval=0.02):
            self.begun.set()
            if answer.analysis.is_final:
                self.finals.append(answer.analysis)

    def join(self) -> None:
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


@contextmanager
def process() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process of its own, and its address."""
    with subprocess.Popen([sys.executable, "-c", PROGRAM], stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stderr is not None
            match = next(m for line in running.stderr if (m := re.search(r"serving on (\S+)", line)))
            yield running, match[1]
        finally:
            running.kill()


def test_stopping_answers_searches_that_run_and_that_wait(start_server: Callable[..., Any]) -> None:
    server = start_server(search_threads=1, queue_size=5, shutdown_grace=30.0)
    with Client(server.target) as client:
        first = Follower(client)
        assert first.begun.wait(PATIENCE)
        second = Follower(client)
        end = time.monotonic() + PATIENCE
        while server.workers.admission.waiting == 0 and time.monotonic() < end:
            time.sleep(0.005)
        server.stop_serving()
        for follower in (first, second):
            follower.join()
            (final,) = follower.finals
            assert final.stop_reason == analysis_pb2.STOP_REASON_SHUTDOWN
            assert final.best_move.notation
        with pytest.raises(MangetoutError) as caught:
            client.server_info(timeout=PATIENCE)
        assert caught.value.code is grpc.StatusCode.UNAVAILABLE


def test_health_watchers_hear_of_the_stop(start_server: Callable[..., Any]) -> None:
    server = start_server(shutdown_grace=1.0)
    with grpc.insecure_channel(server.target) as channel:
        watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
        assert next(watch).status == health_pb2.HealthCheckResponse.SERVING
        stopping = threading.Thread(target=server.stop_serving)
        stopping.start()
        assert next(watch).status == health_pb2.HealthCheckResponse.NOT_SERVING
        stopping.join(PATIENCE)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("busy", [False, True])
def test_a_signal_ends_the_process(number: signal.Signals, busy: bool) -> None:
    with process() as (running, target), Client(target) as client:
        client.wait_until_healthy(PATIENCE)
        followers = [Follower(client) for _ in range(2)] if busy else []
        for follower in followers:
            assert follower.begun.wait(PATIENCE)
        running.send_signal(number)
        for follower in followers:
            follower.join()
            (final,) = follower.finals
            assert final.stop_reason == analysis_pb2.STOP_REASON_SHUTDOWN
        assert running.wait(PATIENCE) == 0


def test_a_second_signal_ends_the_process_at_once() -> None:
    with process() as (running, target), grpc.insecure_channel(target) as channel:
        # A watcher holds a graceful stop up for the whole of its grace.
        watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
        assert next(watch).status == health_pb2.HealthCheckResponse.SERVING
        running.send_signal(signal.SIGTERM)
        assert next(watch).status == health_pb2.HealthCheckResponse.NOT_SERVING
        assert running.poll() is None
        running.send_signal(signal.SIGTERM)
        assert running.wait(PATIENCE) == 128 + signal.SIGTERM


def test_waiting_ends_with_the_stop() -> None:
    async def run() -> None:
        server = Server(Settings(port=0))
        await server.start()
        waiting = asyncio.create_task(server.wait())
        await asyncio.sleep(0.05)
        assert not waiting.done()
        await server.stop()
        await asyncio.wait_for(waiting, PATIENCE)

    asyncio.run(run())


def test_a_port_in_use_is_refused(start_server: Callable[..., Any]) -> None:
    port = int(start_server().target.rpartition(":")[2])

    async def start() -> None:
        await Server(Settings(port=port)).start()

    with pytest.raises(OSError, match=f"cannot listen on 127.0.0.1:{port}"):
        asyncio.run(start())


@pytest.mark.parametrize(
    "wrong",
    [
        {"port": -1},
        {"port": 65536},
        {"search_threads": 0},
        {"queue_size": -1},
        {"default_time": 0.0},
        {"default_time": 7200.0},
        {"max_time": float("inf")},
        {"max_memory_bytes": 10**13},
        {"max_message_bytes": 0},
        {"shutdown_grace": -1.0},
    ],
)
def test_settings_out_of_range(wrong: dict[str, float]) -> None:
    (name,) = wrong
    with pytest.raises(ValueError, match=name):
        Settings(**wrong)  # type: ignore[arg-type]
