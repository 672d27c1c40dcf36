"""`mangetout serve`."""

from __future__ import annotations

import asyncio
import signal
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from mangetout_cli import output
from mangetout_cli.connection import LOCAL_HOST, LOCAL_PORT
from mangetout_cli.demo import run_demo
from mangetout_cli.errors import Failure
from mangetout_cli.options import JsonOption

if TYPE_CHECKING:
    from mangetout_server import Settings


def serve(
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = LOCAL_HOST,
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="Port; 0 takes a free one.")
    ] = LOCAL_PORT,
    search_threads: Annotated[
        int | None,
        typer.Option("--search-threads", metavar="N", min=1, help="Searches at the same time. Default: the server's."),
    ] = None,
    demo: Annotated[bool, typer.Option("--demo", help="Ask for one hint a game first, then serve.")] = False,
    json: JsonOption = False,
) -> None:
    """Run the service until Ctrl-C."""
    from mangetout_server import Settings

    settings = Settings(host=host, port=port)
    try:
        if search_threads is not None:
            settings = replace(settings, search_threads=search_threads)
    except ValueError as error:
        field, _, reason = str(error).partition(": ")
        raise Failure.bad_input(field, reason) from error
    asyncio.run(_serve(settings, demo, json))


async def _serve(settings: Settings, demo: bool, json: bool) -> None:
    from mangetout_server import Server

    server = Server(settings)
    port = await server.start()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    try:
        address = f"{settings.host}:{port}"
        if json:
            output.print_json({"address": address})
        if demo:
            await asyncio.to_thread(run_demo, address, output.console(stderr=json))
        if not json:
            output.show_line(f"Serving on {address}. Ctrl-C ends it.")
        await stop.wait()
    finally:
        # A second signal ends a stop that takes too long.
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
        await server.stop()
