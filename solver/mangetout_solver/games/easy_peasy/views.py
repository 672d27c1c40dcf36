"""A match of Easy Peasy in Python terms. Cards are numbers, see cards.py; seats are 0 to players - 1."""

from __future__ import annotations

from dataclasses import dataclass

from mangetout_solver.games.easy_peasy.settings import Settings

# As in state.pxd, in the order of their numbers.
PHASES = ("deal", "lot", "draw", "reveal", "score", "begin", "turn", "flipped", "bonus", "end")
DIRECTIONS = ("-", "up", "down")
UNKNOWN = -2  # a card beneath that nobody has seen


@dataclass(frozen=True)
class PileView:
    """A pile of a row: the open card and the one beneath, UNKNOWN if nobody has seen it; None: no such card."""

    open: int | None
    beneath: int | None


@dataclass(frozen=True)
class HandView:
    """cards: the known ones, ascending. unknown: number of further ones by era, as long as there are eras."""

    cards: tuple[int, ...]
    unknown: tuple[int, ...]


@dataclass(frozen=True)
class Showing:
    """`seat` was stuck: its cards of eras before `era`, and all but `free` of its cards of that era, are above `rank`,
    or below it."""

    seat: int
    above: bool
    rank: int
    era: int
    free: int


@dataclass(frozen=True)
class GameView:
    """rows, hands, scores, last_scores: by seat. tops: of the discard piles, None before they are dealt. discards: all
    under the tops. eras: the hidden cards of era 0, 1, ... draw_pile: number of its cards. showings: oldest first.
    last_scores: of the last round scored, or of the hands shown so far; cut_off: whether that round was cut off. round:
    from 1. turns: finished in it. direction: one of DIRECTIONS. phase: one of PHASES. seat: to move, drawing or turning
    up; that has ended the round while it is scored. number: cards dealt, draws left, row pile turned up, hands shown or
    discard pile of the bonus action; again: whether the seat has flipped twice. beginners: seats that may begin."""

    settings: Settings
    rows: tuple[tuple[PileView, ...], ...]
    hands: tuple[HandView, ...]
    tops: tuple[int | None, int | None]
    discards: tuple[int, ...]
    eras: tuple[tuple[int, ...], ...]
    draw_pile: int
    showings: tuple[Showing, ...]
    scores: tuple[int, ...]
    last_scores: tuple[int, ...]
    cut_off: bool
    round: int
    turns: int
    direction: str
    phase: str
    seat: int | None
    number: int
    again: bool
    beginners: tuple[int, ...]
