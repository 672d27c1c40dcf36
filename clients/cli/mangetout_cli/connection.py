"""Finds the server that a command talks to."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from mangetout_client import Client, MangetoutError

from mangetout_cli.errors import Failure

LOCAL_HOST = "127.0.0.1"
LOCAL_PORT = 50151
_PROBE_SECONDS = 0.3


@contextmanager
def connect(server: str | None) -> Iterator[Client]:
    """A client of the named server (HOST:PORT), else of the local service, else of a server inside this process."""
    target = server or local_service()
    if target is not None:
        with Client(target) as client:
            yield client
        return
    # Only a command without a service of its own pays for loading the server and the solver.
    from mangetout_cli.embedded import embedded_server

    with embedded_server() as port, Client(f"{LOCAL_HOST}:{port}") as client:
        yield client


def local_service() -> str | None:
    """The address of a healthy service on the usual local port; None where there is none."""
    # A closed port refuses at once, while a channel would go on trying until its deadline.
    try:
        socket.create_connection((LOCAL_HOST, LOCAL_PORT), _PROBE_SECONDS).close()
    except OSError:
        return None
    target = f"{LOCAL_HOST}:{LOCAL_PORT}"
    try:
        with Client(target) as client:
            client.wait_until_healthy(_PROBE_SECONDS)
    except MangetoutError:
        return None
    return target


def game_or_only_one(client: Client, name: str | None) -> str:
    """The named game, else the server's only one. Failure where a name is needed."""
    if name is not None:
        return name
    games = list(client.server_info().games)
    if len(games) != 1:
        raise Failure.bad_input("game", f"found none, expected one of {', '.join(games)}")
    return games[0]
