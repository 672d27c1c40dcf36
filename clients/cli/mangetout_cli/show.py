"""Positions for people."""

from __future__ import annotations

from mangetout.v1 import game_pb2
from rich.console import RenderableType
from rich.text import Text

from mangetout_cli import seats
from mangetout_cli.boards import board_of
from mangetout_cli.words import number


def position_parts(position: game_pb2.Position, viewer: int | None = None) -> list[RenderableType]:
    """What to print of a position: whose turn it is or how it ended, and its board where its game has a drawing."""
    heading = Text(position.game, style="bold")
    if position.HasField("seat_to_move"):
        heading.append(f": {seats.letter(position.seat_to_move)} to move")
        heading.append(", unseen by the others" if position.is_secret else "")
    elif position.is_chance:
        heading.append(": chance comes next")
    else:
        heading.append(f": {outcome(position)}")
    board = board_of(position)
    return [heading, board.draw(position, viewer)] if board else [heading]


def result_parts(position: game_pb2.Position) -> list[RenderableType]:
    """What to print of a finished game: how it was decided, the totals and the winner."""
    board = board_of(position)
    parts: list[RenderableType] = [board.result(position)] if board else []
    totals = ", ".join(f"{seats.letter(r.seat)} {number(r.score)}" for r in position.returns)
    return [*parts, Text(f"Total: {totals}"), Text(outcome(position), style="bold")]


def outcome(position: game_pb2.Position) -> str:
    """Who won a finished game."""
    winners = [seats.letter(result.seat) for result in position.returns if result.win_share > 0]
    if not winners:
        return "over"
    return f"{winners[0]} wins" if len(winners) == 1 else f"{' and '.join(winners)} share the win"
