"""The client library, for threads and for asyncio, against a real server."""

from __future__ import annotations

import asyncio
import inspect
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any, TypeVar

import grpc
import pytest
from mangetout.v1 import analysis_pb2
from mangetout_client import AsyncClient, Client, FieldViolation, MangetoutError, requests

SMALL = "peas +1/-2/+3 B1B2B3 R1R2R3 A"
DEAL = "peas +1/+1/-2/+3/-2/+1/+2/-3/+1/-2 B1B2B3R4R5V1V6Y2Y3Y4 B4B5B6R1R2R3R6V2V3V4 A"
PATIENCE = 60.0
# A port that no server listens on: it is reserved, and bound by nothing here.
NOBODY = "127.0.0.1:1"

T = TypeVar("T")


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "waited for too long"
        time.sleep(0.002)


def with_async_client(server: Any, use: Callable[[AsyncClient], Awaitable[T]]) -> T:
    async def run() -> T:
        async with AsyncClient(server.target) as client:
            return await asyncio.wait_for(use(client), PATIENCE)

    return server.run(run())  # type: ignore[no-any-return]


def test_both_clients_give_the_same_answers(server: Any, client: Client) -> None:
    calls: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
        "server_info": ((), {}),
        "list_games": ((), {}),
        "get_game": (("peas",), {}),
        "deal": (("peas",), {"options": {"ranks": "5"}, "seed": 5, "seat": 1}),
        "get_position": ((SMALL,), {"moves": ["B1@0"], "seat": 0}),
        "list_moves": ((SMALL,), {"moves": ["B1@0"]}),
        "play_moves": ((SMALL, ["B1@0"]), {"seat": 1}),
        "count_moves": ((SMALL, 3), {"moves": ["B1@0"], "max_nodes": 10_000}),
        "choose_move": ((SMALL, 3), {"moves": ["B1@0"], "seed": 9}),
        "hint": ((SMALL,), {"simulations": 50, "seed": 4}),
        "wait_until_healthy": ((), {"timeout": PATIENCE}),
    }
    public = {name for name, _ in inspect.getmembers(Client, inspect.isfunction) if not name.startswith("_")}
    assert public == {*calls, "analyze", "stream_analysis", "close"}

    async def use(other: AsyncClient) -> dict[str, Any]:
        return {name: await getattr(other, name)(*args, **options) for name, (args, options) in calls.items()}

    answers = {name: getattr(client, name)(*args, **options) for name, (args, options) in calls.items()}
    async_answers = with_async_client(server, use)
    for hint in (answers["hint"], async_answers["hint"]):
        hint.ClearField("search_time")
    assert async_answers == answers
    analysis = client.analyze(SMALL, simulations=50, seed=4).analysis
    analysis.ClearField("search_time")
    assert answers["hint"] == analysis


@pytest.mark.parametrize("name", ["analyze", "hint", "stream_analysis", "deal", "count_moves", "wait_until_healthy"])
def test_both_clients_take_the_same_arguments(name: str) -> None:
    ours, theirs = (inspect.signature(getattr(kind, name)) for kind in (Client, AsyncClient))
    assert ours.parameters == theirs.parameters


def test_every_argument_of_a_search_is_sent() -> None:
    request = requests.analyze(
        SMALL,
        {
            "moves": ["B1@0"],
            "game": "peas",
            "seat": 0,
            "perfect_information": True,
            "time": 1.25,
            "simulations": 2**40,
            "nodes": 2**41,
            "until_solved": True,
            "memory_bytes": 2**33,
            "lines": 0,
            "margin": True,
            "chosen_moves": ["R1@0"],
            "avoided_moves": ["R2@0"],
            "seed": 2**64 - 1,
            "trees": 3,
            "threads": 2,
        },
    )
    assert request.HasField("seat")
    assert request.HasField("state")
    assert request.options.HasField("lines")
    assert (request.limits.time.seconds, request.limits.time.nanos) == (1, 250_000_000)
    assert (request.limits.simulations, request.limits.nodes) == (2**40, 2**41)
    assert request.limits.memory_bytes == 2**33
    assert request.limits.until_solved
    assert request.options.margin
    assert request.perfect_information
    assert (request.state.game, request.state.notation, list(request.state.moves)) == ("peas", SMALL, ["B1@0"])
    options = request.options
    assert (options.seed, options.trees, options.threads) == (2**64 - 1, 3, 2)
    assert (list(options.chosen_moves), list(options.avoided_moves)) == (["R1@0"], ["R2@0"])


def test_what_is_left_out_is_not_sent() -> None:
    request = requests.analyze(SMALL, {})
    for name in ("time", "simulations", "nodes", "memory_bytes"):
        assert not request.limits.HasField(name)
    for name in ("lines", "seed", "trees", "threads"):
        assert not request.options.HasField(name)
    assert not request.HasField("seat")


@pytest.mark.parametrize(
    "wrong", [{"seat": 2**40}, {"seed": -1}, {"seed": 2**64}, {"time": float("nan")}, {"time": float("inf")}]
)
def test_values_that_fit_no_message(client: Client, wrong: dict[str, Any]) -> None:
    with pytest.raises((ValueError, OverflowError)):
        client.analyze(SMALL, **wrong)


def test_a_text_is_not_taken_for_moves(client: Client) -> None:
    with pytest.raises(TypeError, match="moves"):
        client.get_position(SMALL, moves="B1@0")


def test_errors_carry_the_fields(server: Any, client: Client) -> None:
    with pytest.raises(MangetoutError) as caught:
        client.play_moves(SMALL, ["B1@0", "R1@9"])
    error = caught.value
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    (violation,) = error.violations
    assert isinstance(violation, FieldViolation)
    assert violation.field == "state.moves[1]"
    assert violation.description in error.message
    assert str(error) == f"INVALID_ARGUMENT: {error.message}"
    assert error.retry_after is None
    # Nothing of grpc's own error is shown with it.
    assert error.__suppress_context__

    async def use(other: AsyncClient) -> MangetoutError:
        with pytest.raises(MangetoutError) as caught_there:
            await other.play_moves(SMALL, ["B1@0", "R1@9"])
        return caught_there.value

    there = with_async_client(server, use)
    assert (there.code, there.message, there.violations) == (error.code, error.message, error.violations)


def test_errors_of_a_stream(server: Any, client: Client) -> None:
    with pytest.raises(MangetoutError) as caught:
        next(client.stream_analysis("peas +1"))
    assert caught.value.violations[0].field == "request.state.notation"

    async def use(other: AsyncClient) -> None:
        async for _ in other.stream_analysis("peas +1"):
            pass

    with pytest.raises(MangetoutError) as caught_there:
        with_async_client(server, use)
    assert caught_there.value.violations == caught.value.violations


def test_a_stream_ends_with_the_final_answer(server: Any, client: Client) -> None:
    answers = list(client.stream_analysis(DEAL, time=0.2, report_interval=0.02))
    assert [a.analysis.is_final for a in answers] == [False] * (len(answers) - 1) + [True]

    async def use(other: AsyncClient) -> list[analysis_pb2.StreamAnalysisResponse]:
        return [a async for a in other.stream_analysis(DEAL, time=0.2, report_interval=0.02)]

    answers = with_async_client(server, use)
    assert [a.analysis.is_final for a in answers] == [False] * (len(answers) - 1) + [True]


def test_closing_a_stream_ends_the_search(start_server: Callable[..., Any]) -> None:
    server = start_server(search_threads=1)
    with Client(server.target) as client:
        answers = client.stream_analysis(DEAL, time=3600, report_interval=0.02)
        next(answers)
        assert server.workers.admission.running == 1
        answers.close()
        wait_until(lambda: server.workers.admission.running == 0)

    async def use(other: AsyncClient) -> None:
        async with aclosing(other.stream_analysis(DEAL, time=3600, report_interval=0.02)) as partial:
            async for _ in partial:
                break
        assert server.workers.admission.running <= 1

    with_async_client(server, use)
    wait_until(lambda: server.workers.admission.running == 0)


def test_closing_the_client_ends_its_calls(start_server: Callable[..., Any]) -> None:
    server = start_server(search_threads=1)
    client = Client(server.target)
    answers = client.stream_analysis(DEAL, time=3600, report_interval=0.02)
    next(answers)
    client.close()
    with pytest.raises(MangetoutError) as caught:
        list(answers)
    assert caught.value.code is grpc.StatusCode.CANCELLED
    wait_until(lambda: server.workers.admission.running == 0)


def test_threads_share_a_client(client: Client) -> None:
    seeds = range(8)
    found: dict[int, str] = {}

    def work(seed: int) -> None:
        found[seed] = client.deal("peas", seed=seed).position.notation

    threads = [threading.Thread(target=work, args=(seed,)) for seed in seeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert found == {seed: client.deal("peas", seed=seed).position.notation for seed in seeds}


def test_no_server(server: Any) -> None:
    with Client(NOBODY) as client:
        with pytest.raises(MangetoutError) as caught:
            client.server_info(timeout=PATIENCE)
        assert caught.value.code is grpc.StatusCode.UNAVAILABLE
        with pytest.raises(MangetoutError):
            client.wait_until_healthy(0.2)

    async def use(_: AsyncClient) -> None:
        async with AsyncClient(NOBODY) as other:
            with pytest.raises(MangetoutError) as caught_there:
                await other.server_info(timeout=PATIENCE)
            assert caught_there.value.code is grpc.StatusCode.UNAVAILABLE
            with pytest.raises(MangetoutError):
                await other.wait_until_healthy(0.2)

    with_async_client(server, use)


def test_the_library_needs_neither_server_nor_solver() -> None:
    program = """
import sys
import mangetout_client
print([name for name in sys.modules if name.startswith(("mangetout_server", "mangetout_solver", "mangetout_cli."))])
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert run.stdout.strip() == "[]"
