"""A server inside this process, for commands that find no service. Besides `serve`, only this may import the server."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from mangetout_server import Server, Settings


@contextmanager
def embedded_server() -> Iterator[int]:
    """Runs a server on a free local port, on an event loop and a thread of its own; yields the port."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="embedded server", daemon=True)
    thread.start()
    try:
        # Whoever asked is gone once this ends, so nothing is worth waiting for.
        server = Server(Settings(host="127.0.0.1", port=0, shutdown_grace=1.0))
        port = asyncio.run_coroutine_threadsafe(server.start(), loop).result()
        try:
            yield port
        finally:
            asyncio.run_coroutine_threadsafe(server.stop(), loop).result()
    finally:
        asyncio.run_coroutine_threadsafe(_end_tasks(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _end_tasks() -> None:
    """Calls that were cut off may still be on their way out: a loop is closed after its tasks, as asyncio.run does."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
