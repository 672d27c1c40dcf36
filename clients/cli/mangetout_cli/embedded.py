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
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
