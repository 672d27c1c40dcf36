"""`mangetout solve`."""

from __future__ import annotations

from typing import Annotated

import typer
from mangetout.v1 import analysis_pb2
from mangetout_client import MangetoutError
from rich.text import Text

from mangetout_cli import output
from mangetout_cli.analysis_view import analysis_parts
from mangetout_cli.connection import connect
from mangetout_cli.errors import EXIT_BAD_INPUT, Failure
from mangetout_cli.options import (
    MAX_INT64,
    JsonOption,
    MovesArgument,
    ServerOption,
    parse_memory,
    parse_seconds,
)
from mangetout_cli.searching import REPORT_SECONDS, last_of
from mangetout_cli.solving_view import SolvingProgress, result_line, summary_line
from mangetout_cli.source import read_lines

_EXIT_INTERRUPTED = 130


def solve(
    record: Annotated[
        str,
        typer.Argument(
            metavar="RECORD", help="Position or record, a file that holds one a line, or - for standard input."
        ),
    ],
    moves: MovesArgument = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", metavar="S", help="Longest time for a position.")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", metavar="N", min=1, max=MAX_INT64, help="Most nodes for a position.")
    ] = None,
    memory: Annotated[
        str | None, typer.Option("--memory", metavar="BYTES", help="Memory for the table, such as 512M or 2G.")
    ] = None,
    all_moves: Annotated[
        bool, typer.Option("--moves", help="Prove what every move is worth, not the best alone.")
    ] = False,
    winner: Annotated[bool, typer.Option("--winner", help="Prove who wins only, and not by what margin.")] = False,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Prove who wins with all cards open, and by how much. Ctrl-C ends it with what is proven.

    With --json there is one object a line, in the order of the positions: the analysis, or the error.
    """
    records, memory_bytes, time = read_lines(record), parse_memory(memory), parse_seconds(seconds)
    if moves and len(records) > 1:
        raise Failure.bad_input("moves", f"found with {len(records)} positions, expected a single one")
    single = len(records) == 1
    solved: list[analysis_pb2.Analysis] = []
    exit_code = 0
    with connect(server) as client, SolvingProgress(len(records), output.console(stderr=True)) as progress:
        for number, notation in enumerate(records, start=1):
            try:
                analysis = last_of(
                    client.stream_analysis(
                        notation,
                        moves=moves or (),
                        perfect_information=True,
                        until_solved=True,
                        time=time,
                        nodes=nodes,
                        memory_bytes=memory_bytes,
                        lines=0 if all_moves else 1,
                        margin=not winner,
                        seed=0,  # orders moves of which nothing is proven
                        report_interval=REPORT_SECONDS,
                    ),
                    progress.update,
                )
            except MangetoutError as error:
                failure = Failure.from_client(error, notation)
                if single or failure.exit_code != EXIT_BAD_INPUT:
                    raise failure from error
                exit_code = EXIT_BAD_INPUT
                with progress.aside():
                    _show_failure(failure, number, json)
            else:
                solved.append(analysis)
                with progress.aside():
                    if json:
                        output.print_json_line(output.as_dict(analysis_pb2.AnalyzeResponse(analysis=analysis)))
                    elif single:
                        game = client.get_game(analysis.game).game
                        output.show(*analysis_parts(analysis, game.score_unit, game.margin_unit))
                    else:
                        output.show_line(result_line(analysis, number))
                if not (single or analysis.is_final):
                    exit_code = _EXIT_INTERRUPTED
                    break
            progress.next_position()
    if not (json or single):
        output.show_line(summary_line(solved, len(records)))
    if exit_code:
        raise typer.Exit(exit_code)


def _show_failure(failure: Failure, number: int, json: bool) -> None:
    """What is wrong with one of several positions."""
    if json:
        output.print_json_line(failure.as_json())
    else:
        output.console(stderr=True).print(Text(f"position {number}: ").append(failure.as_text()), soft_wrap=True)
