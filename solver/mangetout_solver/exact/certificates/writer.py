"""Writes certificates of proven margins: plans that `checker`, which knows only the rules, follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol, TextIO

from mangetout_solver.errors import PreconditionError
from mangetout_solver.exact.certificates.checker import Invalid, Look, Placed, Rules, Walk, header, rules_of, seal
from mangetout_solver.games.game import Record
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control

MOST_MOVES = 100_000
# Moves that keep the claim, of which the one is taken that promises the shortest plan.
CANDIDATES = 8


class Engine(Protocol):
    """What a certificate is written with."""

    def at_least(self, position: Position, margin: int, control: Control) -> bool | None:
        """See `exact.solution.Kernel`."""


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
    """game: its name. position: in canonical notation. claims: each proven by its plan."""

    game: str
    position: str
    claims: tuple[Claim, ...]

    @property
    def text(self) -> str:
        """What the checker reads."""
        lines = [header(self.game), self.position, *(" ".join([f"{claim}:", *claim.moves]) for claim in self.claims)]
        body = "".join(f"{line}\n" for line in lines)
        return body + seal(body)

    def write(self, file: TextIO) -> None:
        """Writes the text."""
        file.write(self.text)


class _Stopped(Exception):
    """The control stopped a search."""


class _Writer:
    """What is known about one position: as the engine and as the checker have it."""

    def __init__(self, record: Record, engine: Engine, control: Control) -> None:
        self.rules: Rules[Any] = rules_of(record.game.name)
        self._engine, self._control = engine, control
        self.record = record
        self.text = record.game.format_position(record.current)
        self.start: Placed = self.rules.parse(self.text)

    def after(self, path: Sequence[str]) -> Record:
        """The play that a path stands for."""
        record = self.record
        for move in path:
            record = record.play(move)
        return record

    def at_least(self, position: Position, margin: int) -> bool:
        result = self._engine.at_least(position, margin, self._control)
        if result is None:
            raise _Stopped
        return result

    def margin(self) -> int:
        """A's margin, by halving the interval of what can still be."""
        low, high, _, _ = self.rules.look(self.start)
        while low < high:
            middle = (low + high + 1) // 2
            if self.at_least(self.record.current, middle):
                low = middle
            else:
                high = middle - 1
        return low

    def claim(self, margin: int) -> Claim:
        """On the right side of `margin`."""
        holds = self.at_least(self.record.current, margin)
        return Claim(margin, holds, _Planner(self, margin, holds).plan())


class _Planner:
    """Finds the plan for a claim by walking as the checker will."""

    def __init__(self, writer: _Writer, margin: int, holds: bool) -> None:
        self._writer, self._margin, self._holds = writer, margin, holds
        self._moves: list[str] = []
        seat, need = (0, margin) if holds else (1, 1 - margin)
        self._walk: Walk[Any] = Walk(writer.rules, seat, need, self._choose)

    def plan(self) -> tuple[str, ...]:
        self._walk.walk(self._writer.start, [])
        return tuple(self._moves)

    def _choose(self, position: Placed, path: list[str]) -> str:
        if len(self._moves) == MOST_MOVES:
            raise PreconditionError("position", f"the plan would have more than {MOST_MOVES:,} moves")
        move = self._short(position, path)
        self._moves.append(move)
        return move

    def _short(self, position: Placed, path: list[str]) -> str:
        """A move that keeps the claim, for a short plan one after which nothing need be said or, of a few, one that
        leaves the opponent the least to hope for."""
        open_moves = []
        for move, after, seen in self._after(position):
            if self._walk.is_shown(seen):
                return move
            if seen.high >= self._walk.need:
                open_moves.append((seen.low, move, after))
        open_moves.sort(key=lambda at: -at[0])
        record = self._writer.after(path)
        keeping = (
            (move, after)
            for _, move, after in open_moves
            if self._writer.at_least(record.play(move).current, self._margin) == self._holds
        )
        return min(islice(keeping, CANDIDATES), key=lambda at: self._short_of(at[1]))[0]

    def _short_of(self, position: Placed) -> int:
        """By how much the bounds after the open replies fall short of the claim, in all."""
        after = (seen for _, _, seen in self._after(position) if not self._walk.is_shown(seen))
        return sum(self._walk.need - seen.low for seen in after)

    def _after(self, position: Placed) -> Iterator[tuple[str, Placed, Look]]:
        """Moves to positions that differ in what can still matter, those positions, and what the walk sees there."""
        found = set()
        for move in self._writer.rules.moves(position):
            after = self._writer.rules.play(position, move)
            seen = self._walk.look(after)
            if (seen.score, seen.key) not in found:
                found.add((seen.score, seen.key))
                yield move, after, seen


def certify(
    record: Record,
    engine: Engine,
    control: Control,
    *,
    margins: Sequence[int] | None = None,
    force: bool = False,
) -> Certificate | None:
    """A certificate for what A's margin is where a record ends, or for each of `margins` whether it is as much or more.

    engine: that of the record's game. None where `control` stopped it. The plans hold at most MOST_MOVES moves each,
    so memory is bounded. Raises PreconditionError (`position`) where cards are not known, no move is to be made, more
    than the game's MOST_LEFT cards are left and `force` is not set, a plan has more moves than that, or the game has no
    certificates.
    """
    if record.current.seat_to_move is None:
        raise PreconditionError("position", "no move is to be made")
    try:
        writer = _Writer(record, engine, control)
    except Invalid as reason:
        raise PreconditionError("position", str(reason)) from None
    left = writer.rules.left(writer.start)
    if left > writer.rules.MOST_LEFT and not force:
        raise PreconditionError("position", f"{left} cards are left, at most {writer.rules.MOST_LEFT} unless forced")
    try:
        if margins is None:
            margin = writer.margin()
            margins = (margin, margin + 1)
        claims = tuple(map(writer.claim, margins))
    except _Stopped:
        return None
    return Certificate(record.game.name, writer.text, claims)
