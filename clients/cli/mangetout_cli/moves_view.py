"""Lists of moves for people."""

from __future__ import annotations

from collections.abc import Iterable

from mangetout.v1 import common_pb2, game_pb2
from rich import box
from rich.columns import Columns
from rich.table import Table


def moves_table(moves: Iterable[common_pb2.Move]) -> Table:
    """Moves numbered from 1, in the order given."""
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("#", justify="right")
    table.add_column("Move", no_wrap=True)
    table.add_column("In words")
    for number, move in enumerate(moves, start=1):
        table.add_row(str(number), move.notation, move.description)
    return table


def turns_table(turns: Iterable[game_pb2.Turn]) -> Table:
    """Whole turns numbered from 1, in the order given."""
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("#", justify="right")
    table.add_column("Whole turn")
    table.add_column("In words")
    for number, turn in enumerate(turns, start=1):
        table.add_row(str(number), " ".join(turn.words), turn.description)
    return table


def outcomes_table(outcomes: Iterable[game_pb2.ChanceOutcome]) -> Table:
    """Outcomes of a chance event, in the order given."""
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("Outcome", no_wrap=True)
    table.add_column("Probability", justify="right")
    table.add_column("In words")
    for outcome in outcomes:
        table.add_row(outcome.move.notation, f"{outcome.probability:.4f}", outcome.move.description)
    return table


def moves_columns(moves: Iterable[common_pb2.Move]) -> Columns:
    """As moves_table, without words and in as many columns as fit."""
    return Columns([f"{number:3} {move.notation}" for number, move in enumerate(moves, start=1)], padding=(0, 2))
