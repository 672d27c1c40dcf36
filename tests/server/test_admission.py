"""The queue before the search threads."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

import pytest
from mangetout_server.admission import Admission, QueueFullError


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        await asyncio.wait_for(test(), 30)

    asyncio.run(bounded())


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_first_come_first_served() -> None:
    async def test() -> None:
        admission = Admission(slots=1, queue_size=10)
        order: list[int] = []

        async def search(number: int) -> None:
            async with admission.slots(1):
                order.append(number)
                assert admission.running == 1
                await asyncio.sleep(0)

        await asyncio.gather(*(search(number) for number in range(5)))
        assert order == [0, 1, 2, 3, 4]
        assert (admission.running, admission.waiting) == (0, 0)

    run(test)


def test_the_queue_is_bounded() -> None:
    async def test() -> None:
        admission = Admission(slots=2, queue_size=2)
        refused = admitted = 0
        go = asyncio.Event()

        async def search() -> None:
            nonlocal refused, admitted
            try:
                async with admission.slots(1):
                    admitted += 1
                    await go.wait()
            except QueueFullError:
                refused += 1

        tasks = [asyncio.create_task(search()) for _ in range(8)]
        await settle()
        assert (admitted, refused, admission.waiting) == (2, 4, 2)
        go.set()
        await asyncio.gather(*tasks)
        assert admitted == 4
        assert admission.running == 0

    run(test)


def test_a_cancelled_waiter_leaves_the_queue() -> None:
    async def test() -> None:
        admission = Admission(slots=1, queue_size=1)
        async with AsyncExitStack() as held:
            await held.enter_async_context(admission.slots(1))
            waiter = asyncio.create_task(held.enter_async_context(admission.slots(1)))
            await settle()
            assert admission.waiting == 1
            waiter.cancel()
            await settle()
            assert admission.waiting == 0
        assert admission.running == 0

    run(test)


def test_a_waiter_cancelled_in_the_moment_of_its_turn_gives_the_slot_back() -> None:
    async def test() -> None:
        admission = Admission(slots=1, queue_size=1)

        async def search() -> None:
            async with admission.slots(1):
                raise AssertionError("was cancelled before its turn was seen")

        async with admission.slots(1):
            waiter = asyncio.create_task(search())
            await settle()
        assert admission.running == 1
        waiter.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiter
        assert admission.running == 0

    run(test)


def test_a_wide_search_waits_for_all_its_slots_and_is_not_overtaken() -> None:
    async def test() -> None:
        admission = Admission(slots=2, queue_size=5)
        order: list[str] = []

        async def search(name: str, count: int) -> None:
            async with admission.slots(count):
                order.append(name)
                await settle()

        async with admission.slots(1):
            tasks = [asyncio.create_task(search("wide", 64)), asyncio.create_task(search("narrow", 1))]
            await settle()
            assert order == []
            assert admission.waiting == 2
        await asyncio.gather(*tasks)
        assert order == ["wide", "narrow"]
        assert admission.running == 0

    run(test)


def test_a_cancelled_wide_search_lets_the_next_one_go() -> None:
    async def test() -> None:
        admission = Admission(slots=2, queue_size=5)
        admitted = asyncio.Event()

        async def search(count: int) -> None:
            async with admission.slots(count):
                admitted.set()

        async with admission.slots(1):
            wide = asyncio.create_task(search(2))
            narrow = asyncio.create_task(search(1))
            await settle()
            assert not admitted.is_set()
            wide.cancel()
            await settle()
            assert admitted.is_set()
        await narrow

    run(test)


@pytest.mark.parametrize("others", [0, 1, 2])
def test_a_deadline_that_passes_as_a_slot_comes_free_loses_no_slot(others: int) -> None:
    """Cancelled in the same turn of the loop in which the slot before is given back."""

    async def test() -> None:
        admission = Admission(slots=1, queue_size=10)
        go = asyncio.Event()
        done = 0

        async def hold() -> None:
            async with admission.slots(1):
                await go.wait()

        async def search() -> None:
            nonlocal done
            async with admission.slots(1):
                done += 1

        holder = asyncio.create_task(hold())
        await settle()
        late = asyncio.create_task(search())
        waiting = [asyncio.create_task(search()) for _ in range(others)]
        await settle()
        go.set()
        late.cancel()
        results = await asyncio.gather(holder, late, *waiting, return_exceptions=True)
        assert [type(result) for result in results] == [type(None), asyncio.CancelledError, *[type(None)] * others]
        assert (admission.running, admission.waiting, done) == (0, 0, others)
        await search()

    run(test)
