"""Positions for people."""

from __future__ import annotations

from mangetout.v1 import game_pb2
from rich.console import RenderableType
from rich.text import Text

from mangetout_cli import seats
from mangetout_cli.boards import board_of
from mangetout_cli.words import amount, number


def position_parts(position: game_pb2.Position, viewer: int | None = None) -> list[RenderableType]:
    """What to print of a position: whose turn it is or how it ended, and its board where its game has a drawing."""
    heading = Text(position.game, style="bold").append(f": {_next(position, viewer)}")
    board = board_of(position)
    return [heading, board.draw(position, viewer)] if board else [heading]


def result_parts(position: game_pb2.Position, score_unit: str) -> list[RenderableType]:
    """What to print of a finished game or round: how it was decided, the totals and the winner."""
    board = board_of(position)
    parts: list[RenderableType] = [board.result(position)] if board else []
    returns = position.returns or position.round_returns
    totals = ", ".join(f"{seats.letter(r.seat)} {number(r.score)}" for r in returns)
    return [*parts, Text(f"Total: {totals} ({score_unit})"), Text(outcome(position), style="bold")]


def outcome(position: game_pb2.Position) -> str:
    """Who won a finished game, or the round just finished while the game goes on."""
    returns = position.returns or position.round_returns
    winners = [seats.letter(result.seat) for result in returns if result.win_share > 0]
    if not winners:
        return "over"
    if len(winners) > 1:
        return f"{' and '.join(winners)} share the win{'' if position.returns else ' of the round'}"
    return f"{winners[0]} wins{'' if position.returns else ' the round'}"


def _next(position: game_pb2.Position, viewer: int | None) -> str:
    """Who may do what, what chance does, or who has won."""
    if position.HasField("seat_to_move"):
        you = " (you)" if position.seat_to_move == viewer else ""
        unseen = ", unseen by the others" if position.is_secret else ""
        text, unit = f"{seats.letter(position.seat_to_move)}{you} to move{unseen}", "choice"
    elif position.is_chance:
        over = f"{outcome(position)}; " if position.round_returns else ""
        text, unit = f"{over}chance comes next", "outcome"
    else:
        return outcome(position)
    if position.next:
        text += f": {position.next}"
    return f"{text} ({amount(position.choices, unit)})" if position.HasField("choices") else text
