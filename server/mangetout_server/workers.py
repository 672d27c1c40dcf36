"""Threads for all that computes, so that the event loop never waits for it."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from mangetout_solver.analysis import StopReason
from mangetout_solver.search.control import Control

from mangetout_server.admission import Admission

T = TypeVar("T")

_RULES_THREADS = 2
_NICENESS = 10


class StoppedError(Exception):
    """Work was stopped before it had anything to answer."""


class Workers:
    """Search threads behind an admission queue, and a few threads for the rules. For one event loop."""

    def __init__(self, search_threads: int, queue_size: int) -> None:
        self.admission = Admission(search_threads, queue_size)
        self._search = ThreadPoolExecutor(search_threads, "search", initializer=_give_way)
        self._rules = ThreadPoolExecutor(_RULES_THREADS, "rules")
        self._controls: set[Control] = set()
        self._stopping: StopReason | None = None

    async def check(self, work: Callable[[], T]) -> T:
        """Runs work that takes milliseconds, such as reading a record, apart from the searches."""
        return await asyncio.get_running_loop().run_in_executor(self._rules, work)

    async def run(self, work: Callable[[], T], control: Control, threads: int = 1) -> T:
        """Runs work that polls `control` in a search thread, once there are slots for its `threads`.

        Raises QueueFullError, and whatever work does. When cancelled, the work is stopped, and its slots are free once
        it has ended.
        """
        with self._registered(control):
            async with self.admission.slots(threads):
                future = asyncio.get_running_loop().run_in_executor(self._search, work)
                try:
                    return await asyncio.shield(future)
                except asyncio.CancelledError:
                    control.stop(StopReason.STOPPED)
                    # Nobody asks any more what came of it.
                    await asyncio.gather(future, return_exceptions=True)
                    raise

    async def stream(
        self, items: Callable[[], Iterator[T]], control: Control, threads: int = 1
    ) -> AsyncGenerator[T, None]:
        """Iterates in a search thread and hands the items on; otherwise as `run`.

        A slow reader misses items rather than have them pile up, but never the last one.
        """
        loop = asyncio.get_running_loop()
        newest: list[T] = []
        changed = asyncio.Event()

        def publish(item: T) -> None:
            newest[:] = [item]
            changed.set()

        def iterate() -> None:
            for item in items():
                loop.call_soon_threadsafe(publish, item)

        task = asyncio.create_task(self.run(iterate, control, threads))
        task.add_done_callback(lambda _: changed.set())
        try:
            while newest or not task.done():
                await changed.wait()
                changed.clear()
                if newest:
                    yield newest.pop()
            await task
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def stop_searches(self, reason: StopReason) -> None:
        """Asks all searches to end with what they have, those that wait and those yet to come included."""
        self._stopping = reason
        for control in self._controls:
            control.stop(reason)

    def close(self) -> None:
        """Lets the threads end. Work that still runs is not waited for."""
        self._search.shutdown(wait=False)
        self._rules.shutdown(wait=False)

    @contextmanager
    def _registered(self, control: Control) -> Iterator[None]:
        if self._stopping is not None:
            control.stop(self._stopping)
        self._controls.add(control)
        try:
            yield
        finally:
            self._controls.discard(control)


def _give_way() -> None:
    """Lowers the calling thread's priority: the event loop answers first, searches take what is left."""
    # Elsewhere than on Linux priorities belong to the process, and lowering that would slow down the event loop.
    if sys.platform == "linux":
        thread = threading.get_native_id()
        niceness = os.getpriority(os.PRIO_PROCESS, thread)
        os.setpriority(os.PRIO_PROCESS, thread, max(niceness, _NICENESS))
