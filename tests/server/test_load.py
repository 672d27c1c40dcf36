"""Many callers, impatient callers, and faults inside: the server stays responsive and loses no thread."""

from __future__ import annotations

import asyncio
import itertools
import logging
import random
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from typing import Any

import grpc
import pytest
from mangetout.v1 import analysis_pb2, analysis_pb2_grpc, common_pb2
from mangetout_client import AsyncClient, Client, MangetoutError
from mangetout_solver import engine

DEAL = "peas +1/+1/-2/+3/-2/+1/+2/-3/+1/-2 B1B2B3R4R5V1V6Y2Y3Y4 B4B5B6R1R2R3R6V2V3V4 A"
PATIENCE = 60.0


def wait_until(condition: Callable[[], bool]) -> float:
    """Seconds until the condition held."""
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() < begun + PATIENCE, "waited for too long"
        time.sleep(0.002)
    return time.monotonic() - begun


def idle(server: Any) -> bool:
    admission = server.workers.admission
    return admission.running == 0 and admission.waiting == 0


def long_request() -> analysis_pb2.AnalyzeRequest:
    request = analysis_pb2.AnalyzeRequest(state=common_pb2.GameState(notation=DEAL))
    request.limits.time.FromSeconds(3600)
    return request


@pytest.fixture
def endless(start_server: Callable[..., Any]) -> Iterator[tuple[Any, Callable[[], Generator[Any, None, None]]]]:
    """A server with one search thread and one place to wait, and a way to begin searches that do not end."""
    server = start_server(search_threads=1, queue_size=1)
    with Client(server.target) as client:
        yield server, lambda: client.stream_analysis(DEAL, time=3600, report_interval=0.01)


def test_cancel_frees_the_thread_soon(endless: tuple[Any, Callable[[], Generator[Any, None, None]]]) -> None:
    server, search = endless
    took = []
    for _ in range(5):
        answers = search()
        next(answers)
        assert server.workers.admission.running == 1
        answers.close()
        took.append(wait_until(lambda: idle(server)))
    # The best of some, as other processes may hold any of them up.
    assert min(took) < 0.1


def test_cancel_during_silence_frees_the_thread(start_server: Callable[..., Any]) -> None:
    """No partial answer is due when the caller leaves, so nothing fails by being sent."""
    server = start_server(search_threads=1, queue_size=1)
    with grpc.insecure_channel(server.target) as channel:
        stub = analysis_pb2_grpc.AnalysisServiceStub(channel)
        request = long_request()
        stream = analysis_pb2.StreamAnalysisRequest(request=request)
        stream.report_interval.FromSeconds(3600)
        for call in (lambda: stub.Analyze.future(request), lambda: stub.StreamAnalysis(stream)):
            running = call()
            wait_until(lambda: server.workers.admission.running == 1)
            running.cancel()
            wait_until(lambda: idle(server))


def test_cancel_at_any_moment_leaves_nothing_behind(
    start_server: Callable[..., Any], caplog: pytest.LogCaptureFixture
) -> None:
    server = start_server(search_threads=2, queue_size=100)
    moments = random.Random(1)

    async def leave(client: AsyncClient, seconds: float) -> None:
        async def follow() -> None:
            async for _ in client.stream_analysis(DEAL, time=3600, report_interval=0.01):
                pass

        task = asyncio.create_task(follow())
        await asyncio.sleep(seconds)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    async def many() -> None:
        async with AsyncClient(server.target) as client:
            await asyncio.gather(*(leave(client, moments.uniform(0, 0.4)) for _ in range(60)))

    server.run(many())
    wait_until(lambda: idle(server))
    assert not server.workers._controls
    assert not [record for record in caplog.records if record.name.startswith("mangetout_server")]
    with Client(server.target) as client:
        assert client.analyze(DEAL, simulations=10).analysis.is_final


def test_a_full_queue_refuses_and_says_when_to_come_back(
    endless: tuple[Any, Callable[[], Generator[Any, None, None]]],
) -> None:
    server, search = endless
    admission = server.workers.admission
    with ExitStack() as stack:
        client = stack.enter_context(Client(server.target))
        running = search()
        stack.callback(running.close)
        next(running)
        channel = stack.enter_context(grpc.insecure_channel(server.target))
        stub = analysis_pb2_grpc.AnalysisServiceStub(channel)
        request = analysis_pb2.AnalyzeRequest(state=common_pb2.GameState(notation=DEAL))
        request.limits.simulations = 10
        waiting = stub.Analyze.future(request)
        wait_until(lambda: admission.waiting == 1)
        for call in (
            lambda: client.analyze(DEAL, simulations=10),
            lambda: next(search()),
            lambda: client.choose_move(DEAL, 1),
            lambda: client.count_moves(DEAL, 2),
        ):
            with pytest.raises(MangetoutError) as caught:
                call()
            assert caught.value.code is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert caught.value.retry_after is not None
            assert caught.value.retry_after > 0
        with pytest.raises(grpc.RpcError) as refused:
            stub.Analyze(request)
        assert dict(refused.value.trailing_metadata())["grpc-retry-pushback-ms"].isdigit()
        # What needs no search is answered all the same.
        client.wait_until_healthy(PATIENCE)
        assert client.list_moves(DEAL, timeout=PATIENCE).moves
        assert not waiting.done()
        running.close()
        assert waiting.result(PATIENCE).analysis.counters.simulations == 10


def test_a_deadline_that_passes_in_the_queue(endless: tuple[Any, Callable[[], Generator[Any, None, None]]]) -> None:
    server, search = endless
    running = search()
    next(running)
    with Client(server.target) as client:
        with pytest.raises(MangetoutError) as caught:
            client.analyze(DEAL, simulations=10, timeout=0.3)
        assert caught.value.code is grpc.StatusCode.DEADLINE_EXCEEDED
    wait_until(lambda: server.workers.admission.waiting == 0)
    running.close()
    wait_until(lambda: idle(server))


def test_a_search_with_more_threads_than_the_server_has(
    endless: tuple[Any, Callable[[], Generator[Any, None, None]]],
) -> None:
    server, _ = endless
    with Client(server.target) as client:
        assert client.analyze(DEAL, simulations=64, trees=8, threads=8).analysis.counters.simulations == 64
    assert idle(server)


def test_the_event_loop_runs_while_searches_do(start_server: Callable[..., Any]) -> None:
    """One search step that kept the interpreter's lock would stop every other call."""
    server = start_server(search_threads=2)
    seconds = 3.0

    async def longest_pause() -> float:
        ticks = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            ticks.append(time.monotonic())
            await asyncio.sleep(0.005)
        return max(after - before for before, after in itertools.pairwise(ticks))

    request = long_request()
    with grpc.insecure_channel(server.target) as channel:
        stub = analysis_pb2_grpc.AnalysisServiceStub(channel)
        calls = [stub.Analyze.future(request) for _ in range(2)]
        wait_until(lambda: server.workers.admission.running == 2)
        pause = asyncio.run_coroutine_threadsafe(longest_pause(), server.loop).result(PATIENCE)
        for call in calls:
            call.cancel()
    assert pause < seconds / 2


class Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("cannot be printed")


@pytest.mark.parametrize("error", [RuntimeError("B1B2 is a secret"), Unprintable(), MemoryError("B1B2")])
def test_a_fault_inside_tells_the_caller_nothing(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(engine, "analyze", fail)
    monkeypatch.setattr(engine, "search", fail)
    for call in (lambda: client.analyze(DEAL), lambda: list(client.stream_analysis(DEAL))):
        caplog.clear()
        with pytest.raises(MangetoutError) as caught:
            call()
        assert "B1B2" not in str(caught.value)
        assert "B1B2" not in caplog.text
        if isinstance(error, MemoryError):
            assert caught.value.code is grpc.StatusCode.RESOURCE_EXHAUSTED
            continue
        assert caught.value.code is grpc.StatusCode.INTERNAL
        error_id = caught.value.message.split()[-1]
        assert caught.value.message == f"internal error {error_id}"
        assert error_id in caplog.text
        assert type(error).__name__ in caplog.text
        assert "in fail" in caplog.text
    monkeypatch.undo()
    assert client.analyze(DEAL, simulations=10).analysis.is_final


def test_logs_hold_no_cards(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    client.analyze(DEAL, simulations=10)
    client.choose_move(DEAL, 1)
    for wrong in (DEAL + " : B1@77", DEAL.replace("V4 A", "V9 A"), "peas B1B2B3R4"):
        with pytest.raises(MangetoutError):
            client.get_position(wrong)
    assert "B1B2" not in caplog.text
    assert "R4R5" not in caplog.text
