"""Servers for the tests: in this process, on a thread and a port of their own, talked to over a real socket."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

import grpc
import pytest
from mangetout_client import Client
from mangetout_server import Server, Settings

T = TypeVar("T")

# A shell that starts the tests in the background has them ignore Ctrl-C, and so would the programs they interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Longer than anything here should take on a slow and busy machine: what waits this long is taken to hang.
PATIENCE = 60.0


class RunningServer:
    """A server on an event loop in a thread of its own."""

    def __init__(self, settings: Settings) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, name="server", daemon=True)
        self._thread.start()
        self._server = Server(settings)
        self.workers = self._server.workers
        self.target = f"{settings.host}:{self.run(self._server.start())}"

    def stop_serving(self) -> None:
        """Stops the server; harmless when repeated."""
        self.run(self._server.stop())

    def close(self) -> None:
        """Stops the server and its loop."""
        self.stop_serving()
        self.run(self._end_tasks())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        self.loop.close()

    @staticmethod
    async def _end_tasks() -> None:
        """Ends what grpc leaves behind, as asyncio.run would."""
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs work on the loop of the server. An asyncio client in this process belongs there: grpc keeps one queue of
        events for all loops of a process, and loses some of the others' when a loop closes."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)


@pytest.fixture
def start_server() -> Iterator[Callable[..., RunningServer]]:
    """Starts servers with the given settings and stops them after the test."""
    running: list[RunningServer] = []

    def start(**settings: int | float) -> RunningServer:
        running.append(RunningServer(Settings(port=0, **settings)))  # type: ignore[arg-type]
        return running[-1]

    yield start
    for server in running:
        server.close()


@pytest.fixture(scope="session")
def server() -> Iterator[RunningServer]:
    """One server for all tests that need nothing special of it."""
    running = RunningServer(Settings(port=0, search_threads=2))
    yield running
    running.close()


@pytest.fixture
def client(server: RunningServer) -> Iterator[Client]:
    """A client of the common server."""
    with Client(server.target) as connected:
        yield connected


@pytest.fixture
def channel(server: RunningServer) -> Iterator[grpc.Channel]:
    """A bare channel to the common server, for requests that the client library would not send."""
    with grpc.insecure_channel(server.target) as connected:
        yield connected
