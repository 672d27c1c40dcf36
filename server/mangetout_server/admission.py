"""Which searches run, which wait, and which are refused."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class QueueFullError(Exception):
    """Too many searches wait already. retry_after: seconds after which to try again."""

    def __init__(self, retry_after: float) -> None:
        super().__init__("the server is busy and its queue is full")
        self.retry_after = retry_after


class Admission:
    """Hands out a fixed number of search slots, first come, first served. For one event loop."""

    RETRY_AFTER = 1.0

    def __init__(self, slots: int, queue_size: int) -> None:
        self._slots = slots
        self._free = slots
        self._queue_size = queue_size
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()

    @property
    def running(self) -> int:
        """Slots in use."""
        return self._slots - self._free

    @property
    def waiting(self) -> int:
        """Searches in the queue."""
        return len(self._waiting)

    @asynccontextmanager
    async def slots(self, count: int) -> AsyncIterator[None]:
        """Holds `count` slots, at most all there are, and waits for them in the queue.

        Raises QueueFullError at once when the queue is full. A caller that is cancelled while it waits, as grpc does
        when a deadline passes, leaves the queue.
        """
        count = min(count, self._slots)
        await self._acquire(count)
        try:
            yield
        finally:
            self._release(count)

    async def _acquire(self, count: int) -> None:
        if not self._waiting and count <= self._free:
            self._free -= count
            return
        if len(self._waiting) >= self._queue_size:
            raise QueueFullError(self.RETRY_AFTER)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((count, turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                if (count, turn) in self._waiting:
                    self._waiting.remove((count, turn))
                # Behind a search that wanted many slots there may be one that the free ones are enough for.
                self._release(0)
            else:
                # The turn came in the same moment.
                self._release(count)
            raise

    def _release(self, count: int) -> None:
        self._free += count
        # A caller that was cancelled stays in the queue until it gets to know; a slot given to it would be lost.
        while self._waiting and (self._waiting[0][1].cancelled() or self._waiting[0][0] <= self._free):
            wanted, turn = self._waiting.popleft()
            if not turn.cancelled():
                self._free -= wanted
                turn.set_result(None)
