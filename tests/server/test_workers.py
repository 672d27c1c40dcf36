"""Search threads, without a search: what reaches the event loop, and when the threads are free again."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import aclosing

import pytest
from mangetout_server.workers import Workers
from mangetout_solver.analysis import StopReason
from mangetout_solver.search.control import Control


def run(test: Callable[[Workers], Awaitable[None]]) -> None:
    async def bounded() -> None:
        workers = Workers(search_threads=1, queue_size=2)
        await asyncio.wait_for(test(workers), 30)
        assert workers.admission.running == 0
        workers.close()

    asyncio.run(bounded())


def until_stopped(control: Control) -> StopReason:
    while control.stop_reason is None:
        time.sleep(0.001)
    return control.stop_reason


def test_a_result_and_an_error_come_through() -> None:
    async def test(workers: Workers) -> None:
        assert await workers.run(lambda: 7, Control()) == 7
        with pytest.raises(ZeroDivisionError):
            await workers.run(lambda: 1 // 0, Control())
        assert await workers.check(lambda: 8) == 8

    run(test)


def test_cancel_stops_the_work_and_waits_for_its_thread() -> None:
    async def test(workers: Workers) -> None:
        control, ended = Control(), threading.Event()

        def work() -> None:
            until_stopped(control)
            ended.set()

        task = asyncio.create_task(workers.run(work, control))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended.is_set()
        assert control.stop_reason is StopReason.STOPPED

    run(test)


def test_work_cancelled_in_the_queue_is_never_begun() -> None:
    async def test(workers: Workers) -> None:
        control, begun = Control(), threading.Event()
        running = asyncio.create_task(workers.run(lambda: until_stopped(control), control))
        waiting = asyncio.create_task(workers.run(begun.set, Control()))
        await asyncio.sleep(0.01)
        assert workers.admission.waiting == 1
        waiting.cancel()
        control.stop()
        assert await running is StopReason.STOPPED
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert not begun.is_set()

    run(test)


def test_a_stream_hands_items_on_while_they_come() -> None:
    async def test(workers: Workers) -> None:
        step = threading.Semaphore(0)

        def items() -> Iterator[int]:
            for number in range(4):
                yield number
                step.acquire()

        seen = []
        async with aclosing(workers.stream(items, Control())) as stream:
            async for item in stream:
                seen.append(item)
                step.release()
        assert seen == [0, 1, 2, 3]

    run(test)


def test_a_slow_reader_gets_the_newest_item_and_the_last() -> None:
    async def test(workers: Workers) -> None:
        done = threading.Event()

        def items() -> Iterator[int]:
            yield from range(1000)
            done.set()

        seen = []
        async with aclosing(workers.stream(items, Control())) as stream:
            async for item in stream:
                seen.append(item)
                while not done.is_set():
                    await asyncio.sleep(0.001)
        assert seen[-1] == 999
        assert len(seen) <= 3

    run(test)


def test_a_stream_ends_with_its_error() -> None:
    async def test(workers: Workers) -> None:
        def items() -> Iterator[int]:
            yield 1
            raise LookupError

        seen = []

        async def read() -> None:
            async with aclosing(workers.stream(items, Control())) as stream:
                async for item in stream:
                    seen.append(item)

        with pytest.raises(LookupError):
            await read()
        assert seen == [1]

    run(test)


def test_closing_a_stream_stops_its_work() -> None:
    async def test(workers: Workers) -> None:
        control = Control()

        def items() -> Iterator[int]:
            yield 1
            until_stopped(control)

        async with aclosing(workers.stream(items, control)) as stream:
            async for _ in stream:
                break
        assert control.stop_reason is StopReason.STOPPED

    run(test)


def test_shutdown_reaches_work_that_runs_that_waits_and_that_comes_later() -> None:
    async def test(workers: Workers) -> None:
        controls = [Control() for _ in range(3)]
        tasks = [asyncio.create_task(workers.run(lambda c=c: until_stopped(c), c)) for c in controls[:2]]  # type: ignore[misc]
        await asyncio.sleep(0.01)
        workers.stop_searches(StopReason.SHUTDOWN)
        late = await workers.run(lambda: until_stopped(controls[2]), controls[2])
        assert [*await asyncio.gather(*tasks), late] == [StopReason.SHUTDOWN] * 3

    run(test)
