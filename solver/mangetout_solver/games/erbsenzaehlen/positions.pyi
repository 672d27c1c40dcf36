"""Erbsenzählen: building positions and reading them. Seats are numbers, values of cards 1 to 6.

A list by kinds of cards has 16 numbers, in the order of KINDS; a list by sorts has the first 12 of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mangetout_solver.games.position import Position

PHASES: tuple[str, ...]
SEATS: str
KINDS: tuple[str, ...]

@dataclass(frozen=True)
class PlayerView:
    """columns: the colours of the cards of each value from bottom to top, such as "GRG". thieves, bad_luck: kept.
    missed: turns to be missed."""

    columns: tuple[str, ...]
    giant_peas: int
    mush: int
    thieves: int
    bad_luck: int
    missed: int

@dataclass(frozen=True)
class TradeView:
    """What a partner of an exchange is given and what is taken from it: values, descending."""

    partner: int
    given: tuple[int, ...]
    taken: tuple[int, ...]

@dataclass(frozen=True)
class GameView:
    """centre, box: by kinds. drawn: point cards to be placed, by sorts; bonus: bonus peas to be used. phase: one of
    PHASES. seat: whose turn it is; None at the end. traded: seats exchanged with in this turn. barred: positions that
    must not come back, as (seat, value, unprotected cards more than now). partners: those of an exchange under way;
    trades: with those reached so far. completing: the seat that chooses a card of a completed sequence, and its column.
    options: by their names, as in notation."""

    players: tuple[PlayerView, ...]
    centre: tuple[int, ...]
    box: tuple[int, ...]
    drawn: tuple[int, ...]
    bonus: int
    phase: str
    seat: int | None
    to_turn_up: int
    traded: tuple[int, ...]
    barred: tuple[tuple[tuple[int, int, int], ...], ...]
    partners: tuple[int, ...]
    trades: tuple[TradeView, ...]
    completing: tuple[int, int] | None
    options: dict[str, Any]

def view(position: Position) -> GameView:
    """The game in Python terms. TypeError for a position of another game."""

def card_above(position: Position, value: int, above: int) -> str:
    """The colour of the card with `above` cards on it in the column of a value (0 to 5 here) of the seat to move; empty
    where there is none."""

def why_illegal(position: Position, move: int) -> str:
    """Why a step that is not legal is not."""

def build(
    columns: Sequence[Sequence[str]],
    counts: Sequence[Sequence[int]],
    centre: Sequence[int],
    *,
    drawn: Sequence[int] = (),
    bonus: int = 0,
    phase: str = "play",
    seat: int = 0,
    to_turn_up: int = 0,
    traded: Sequence[int] = (),
    barred: Sequence[Sequence[tuple[int, int, int]]] = (),
    partners: Sequence[int] = (),
    trades: Sequence[int] = (),
    completing: tuple[int, int] | None = None,
    options: Mapping[str, Any],
) -> Position:
    """A position. columns: by seat, as in `PlayerView`; counts: by seat, its numbers in the order of `PlayerView`.
    drawn: the sorts of the point cards to be placed. trades: the steps of the exchange under way, by their numbers.
    options: all of them, within their ranges. The rest is as in `GameView`.

    Raises PositionError (``players``, ``players.A``, ``centre``, ``hand``, ``stage``).
    """
