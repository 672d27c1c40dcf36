"""`mangetout hint`."""

from __future__ import annotations

from typing import Annotated

import typer
from mangetout.v1 import analysis_pb2

from mangetout_cli import output, seats
from mangetout_cli.analysis_view import analysis_parts
from mangetout_cli.connection import connect
from mangetout_cli.errors import explained
from mangetout_cli.options import (
    MAX_INT32,
    MAX_INT64,
    JsonOption,
    MovesArgument,
    RecordArgument,
    SeedOption,
    ServerOption,
    parse_memory,
    parse_seconds,
)
from mangetout_cli.searching import REPORT_SECONDS, follow
from mangetout_cli.source import read_notation


def hint(
    record: RecordArgument,
    moves: MovesArgument = None,
    seat: Annotated[
        str | None, typer.Option("--seat", metavar="A|B|...", help="Seat that asks. Default: the one to move.")
    ] = None,
    perfect_information: Annotated[
        bool, typer.Option("--perfect-information", help="Search with all cards open, instead of for a seat.")
    ] = False,
    time: Annotated[float | None, typer.Option("--time", metavar="SECONDS", help="Longest search time.")] = None,
    simulations: Annotated[
        int | None, typer.Option("--simulations", metavar="N", min=1, max=MAX_INT64, help="Most simulations.")
    ] = None,
    until_solved: Annotated[
        bool, typer.Option("--until-solved", help="Search until the value is proven; with perfect information.")
    ] = False,
    memory: Annotated[
        str | None, typer.Option("--memory", metavar="BYTES", help="Memory for search trees, such as 512M or 2G.")
    ] = None,
    lines: Annotated[
        int,
        typer.Option("--lines", metavar="N", min=0, max=MAX_INT32, help="Moves to report, best first; 0 reports all."),
    ] = 3,
    choose: Annotated[
        list[str] | None, typer.Option("--choose", metavar="MOVE", help="Move to choose from. May be repeated.")
    ] = None,
    avoid: Annotated[
        list[str] | None, typer.Option("--avoid", metavar="MOVE", help="Move not to choose. May be repeated.")
    ] = None,
    seed: SeedOption = None,
    trees: Annotated[
        int | None,
        typer.Option("--trees", metavar="N", min=1, max=MAX_INT32, help="Independent search trees, added up."),
    ] = None,
    threads: Annotated[
        int | None, typer.Option("--threads", metavar="N", min=1, max=MAX_INT32, help="Threads to run the trees on.")
    ] = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Find the best move. Ctrl-C ends the search and shows the best answer so far."""
    asking, memory_bytes, notation = seats.parse_optional(seat), parse_memory(memory), read_notation(record)
    with explained(notation), connect(server) as client:
        answers = client.stream_analysis(
            notation,
            moves=moves or (),
            seat=asking,
            perfect_information=perfect_information,
            time=parse_seconds(time),
            simulations=simulations,
            until_solved=until_solved,
            memory_bytes=memory_bytes,
            lines=lines,
            chosen_moves=choose or (),
            avoided_moves=avoid or (),
            seed=seed,
            trees=trees,
            threads=threads,
            report_interval=REPORT_SECONDS,
        )
        analysis = follow(answers, output.console(stderr=True))
        unit = "" if json else client.get_game(analysis.game).game.score_unit
    if json:
        output.print_message(analysis_pb2.AnalyzeResponse(analysis=analysis))
    else:
        output.show(*analysis_parts(analysis, unit))
