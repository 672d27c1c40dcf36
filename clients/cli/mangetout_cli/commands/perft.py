"""`mangetout perft`."""

from __future__ import annotations

from typing import Annotated

import typer
from rich import box
from rich.table import Table

from mangetout_cli import output
from mangetout_cli.connection import connect
from mangetout_cli.errors import explained
from mangetout_cli.options import MAX_INT32, MAX_INT64, JsonOption, MovesArgument, RecordArgument, ServerOption
from mangetout_cli.source import read_notation


def perft(
    depth: Annotated[int, typer.Argument(metavar="DEPTH", min=0, max=MAX_INT32, help="Number of moves ahead.")],
    record: RecordArgument,
    moves: MovesArgument = None,
    max_nodes: Annotated[
        int,
        typer.Option(
            "--max-nodes",
            metavar="N",
            min=0,
            max=MAX_INT64,
            help="Refuse to visit more nodes. Default: the server's limit.",
        ),
    ] = 0,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Count the ways to play on to a depth, in all and below each first move."""
    notation = read_notation(record)
    with explained(notation), connect(server) as client:
        response = client.count_moves(notation, depth, moves=moves or (), max_nodes=max_nodes)
    if json:
        output.print_message(response)
        return
    table = Table(box=box.SIMPLE_HEAD, show_footer=True)
    table.add_column("Move", "all")
    table.add_column(f"Ways to play {depth} ahead", f"{response.count:,}", justify="right")
    for divided in response.divided:
        table.add_row(divided.move, f"{divided.count:,}")
    output.show(table)
