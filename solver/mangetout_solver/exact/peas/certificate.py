"""Certificates of proven margins: plans that `checker`, which knows only the rules, follows (docs/certificates.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TextIO

from mangetout_solver.errors import PreconditionError
from mangetout_solver.exact.peas import checker
from mangetout_solver.exact.peas.solver import DoubleDummy
from mangetout_solver.games.peas import notation, view
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control

MOST_PLIES = 14
MOST_MOVES = 100_000
# Moves that keep the claim, of which the one is taken that promises the shortest plan.
CANDIDATES = 8


@dataclass(frozen=True)
class Claim:
    """Whether A's margin is at least `margin`, and the plan of the seat that it favours, A or B."""

    margin: int
    holds: bool
    moves: tuple[str, ...]

    def __str__(self) -> str:
        return f"margin {'>=' if self.holds else '<'} {self.margin}"


@dataclass(frozen=True)
class Certificate:
    """position: in canonical notation. claims: each proven by its plan."""

    position: str
    claims: tuple[Claim, ...]

    @property
    def text(self) -> str:
        """What the checker reads."""
        lines = [checker.HEADER, self.position, *(" ".join([f"{claim}:", *claim.moves]) for claim in self.claims)]
        body = "".join(f"{line}\n" for line in lines)
        return body + checker.seal(body)

    def write(self, file: TextIO) -> None:
        """Writes the text."""
        file.write(self.text)


class _Stopped(Exception):
    """The control stopped a search."""


class _Planner:
    """Finds the plan for a claim by walking as the checker will."""

    def __init__(self, position: Position, margin: int, context: DoubleDummy, control: Control) -> None:
        self._start, self._margin, self._context, self._control = position, margin, context, control
        self._moves: list[str] = []
        self.holds = self._at_least(position)
        seat, need = (0, margin) if self.holds else (1, 1 - margin)
        self._walk = checker.Walk(seat, need, self._choose)

    def plan(self) -> tuple[str, ...]:
        self._walk.walk(checker.parse(notation.format_round(view(self._start))), [])
        return tuple(self._moves)

    def _at_least(self, position: Position) -> bool:
        result = self._context.at_least(position, self._margin, self._control)
        if result is None:
            raise _Stopped
        return result

    def _choose(self, position: checker.Position, path: list[checker.Move]) -> checker.Move:
        if len(self._moves) == MOST_MOVES:
            raise PreconditionError("position", f"the plan would have more than {MOST_MOVES:,} moves")
        move = self._short(position, path)
        self._moves.append(_text(move))
        return move

    def _short(self, position: checker.Position, path: list[checker.Move]) -> checker.Move:
        """A move that keeps the claim, for a short plan one after which nothing need be said or, of a few, one that
        leaves the opponent the least to hope for."""
        known = self._start
        for step in path:
            known = _played(known, step)
        open_moves = []
        for move, seen in self._after(known, position):
            if self._walk.is_shown(seen):
                return move
            if seen.high >= self._walk.need:
                open_moves.append((seen.low, move))
        open_moves.sort(key=lambda at: -at[0])
        keeping = (move for _, move in open_moves if self._at_least(_played(known, move)) == self.holds)
        return min(
            islice(keeping, CANDIDATES),
            key=lambda move: self._short_of(_played(known, move), checker.play(position, move)),
        )

    def _short_of(self, known: Position, position: checker.Position) -> int:
        """By how much the bounds after the open replies fall short of the claim, in all."""
        after = (seen for _, seen in self._after(known, position) if not self._walk.is_shown(seen))
        return sum(self._walk.need - seen.low for seen in after)

    def _after(self, known: Position, position: checker.Position) -> Iterator[tuple[checker.Move, checker.Look]]:
        """The moves to different positions, and what the walk sees there."""
        for number, *_ in self._context.groups(known):
            card, pod = notation.format_step(known, number).split("@")
            move = card, int(pod)
            yield move, self._walk.look(checker.play(position, move))


def certify(
    position: Position,
    context: DoubleDummy,
    control: Control,
    *,
    margins: Sequence[int] | None = None,
    force: bool = False,
) -> Certificate | None:
    """A certificate for what A's margin is, or for each of `margins` whether it is at least as much.

    None where `control` stopped it. The plans hold at most MOST_MOVES moves each, so memory is bounded. Raises
    PreconditionError (`position`) where cards are not known, no move is to be made, more than MOST_PLIES cards are left
    and `force` is not set, or a plan has more moves than that.
    """
    _check(position, force)
    try:
        if margins is None:
            margin = _margin(position, context, control)
            margins = (margin, margin + 1)
        claims = []
        for margin in margins:
            planner = _Planner(position, margin, context, control)
            claims.append(Claim(margin, planner.holds, planner.plan()))
    except _Stopped:
        return None
    return Certificate(notation.format_round(view(position)), tuple(claims))


def _check(position: Position, force: bool) -> None:
    round_ = view(position)
    if position.seat_to_move is None:
        raise PreconditionError("position", "no move is to be made")
    for seat, hand in zip("AB", round_.hands, strict=True):
        if hand.unknown:
            raise PreconditionError("position", f"{hand.unknown} cards of {seat} are not known")
    plies = sum(len(hand.cards) for hand in round_.hands)
    if plies > MOST_PLIES and not force:
        raise PreconditionError("position", f"{plies} cards are left, at most {MOST_PLIES} unless forced")


def _margin(position: Position, context: DoubleDummy, control: Control) -> int:
    """A's margin, by halving the interval of what can still be."""
    start = checker.parse(notation.format_round(view(position)))
    low, high, _, _ = checker.look(start)
    while low < high:
        middle = (low + high + 1) // 2
        result = context.at_least(position, middle, control)
        if result is None:
            raise _Stopped
        low, high = (middle, high) if result else (low, middle - 1)
    return low


def _text(move: checker.Move) -> str:
    return f"{move[0]}@{move[1]}"


def _played(position: Position, move: checker.Move) -> Position:
    return position.play(notation.parse_step(position, _text(move), "move"))
