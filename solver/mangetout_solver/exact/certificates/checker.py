"""Checks certificates: proofs of how a game of two seats and open hands ends when both play as well as can be.

    python3 -m mangetout_solver.exact.certificates FILE ...

`-` reads standard input; exits with 1 unless every claim is proven. This file and `certificate_rules.py` of the game
need no other: they know the rules and nothing of how a proof was found. A certificate is a position, then for each
claim "margin >= N" or "margin < N" a plan for the seat that the claim favours: its moves, in the order in which the
walk below asks for them. The walk tries every reply of the other seat. It goes no further where nothing that can still
be played breaks the claim, or where it has been in a position that differs in nothing that can still matter (`look`).
docs/certificates.md has the format and the arguments.
"""

from __future__ import annotations

import hashlib
import math
import re
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, cast


class Invalid(Exception):
    """Why a certificate proves nothing, and where."""


class Look(NamedTuple):
    """What can still come of a position: no play ends below `low` or above `high`. From two positions with one key the
    same play leads to margins that differ as the scores do, or to one and the same margin. All from the view of one
    seat."""

    low: int
    high: int
    score: int
    key: tuple[object, ...]


class Placed(Protocol):
    """A position of any game. mover: seat to move, 0 for A, 1 for B."""

    @property
    def mover(self) -> int: ...


P = TypeVar("P", bound=Placed)


class Rules(Protocol[P]):
    """`certificate_rules` of a game. MOST_LEFT: with more cards left, plans may be very long."""

    MOST_LEFT: int

    def parse(self, text: str) -> P:
        """Reads a position with a move to be made, in the game's notation. Raises Invalid."""

    def left(self, position: P) -> int:
        """How many cards are still to be played or taken."""

    def moves(self, position: P) -> list[str]:
        """Words for the legal moves, always in one order; none at the end. What is left out is no better for the seat
        to move than one that is there."""

    def play(self, position: P, move: str) -> P:
        """The position after one of these moves."""

    def look(self, position: P) -> Look:
        """What can still come, from A's view."""


def rules_of(name: str) -> Rules[Any]:
    """Those of a game by its name. Raises Invalid."""
    try:
        return cast(Rules[Any], import_module(f"mangetout_solver.exact.{name}.certificate_rules"))
    except ModuleNotFoundError:
        raise Invalid(f"there are no certificates of {name[:40]!r}") from None


class Walk(Generic[P]):
    """Shows that the margin of a seat, 0 for A or 1 for B, is at least `need`, by the moves that `choose` gives it. The
    margin of B is that of A negated. `choose` gets the position and the moves that led there."""

    def __init__(self, rules: Rules[P], seat: int, need: int, choose: Callable[[P, list[str]], str]) -> None:
        self.rules, self.seat, self.need, self.choose = rules, seat, need, choose
        self.least: dict[tuple[object, ...], int] = {}  # by key, the least score from which the claim is shown

    def look(self, position: P) -> Look:
        """What the seat can see coming."""
        low, high, score, key = self.rules.look(position)
        return Look(low, high, score, key) if self.seat == 0 else Look(-high, -low, -score, key)

    def is_shown(self, seen: Look) -> bool:
        """Whether the claim needs no more moves here."""
        return seen.low >= self.need or seen.score >= self.least.get(seen.key, math.inf)

    def walk(self, position: P, path: list[str]) -> None:
        """Raises Invalid where the claim does not hold."""
        seen = self.look(position)
        if self.is_shown(seen):
            return
        if seen.high < self.need:
            raise Invalid(f"{place(path)}: the claim can no longer come true")
        own = position.mover == self.seat
        for move in [self.choose(position, path)] if own else self.rules.moves(position):
            self.walk(self.rules.play(position, move), [*path, move])
        self.least[seen.key] = seen.score


def place(path: list[str]) -> str:
    """Where a path leads, in words."""
    return "after " + " ".join(path) if path else "at the start"


def check_claim(rules: Rules[P], position: P, seat: int, need: int, plan: Iterator[str]) -> None:
    """Raises Invalid unless the plan shows that the margin of the seat is at least `need`."""

    def choose(at: P, path: list[str]) -> str:
        move = next(plan, "nothing")
        if move not in rules.moves(at):
            raise Invalid(f"{place(path)}: the plan has {move}, which is not a move to be made there")
        return move

    Walk(rules, seat, need, choose).walk(position, [])
    if unused := next(plan, ""):
        raise Invalid(f"the plan goes on with {unused} when all is shown")


def header(game: str) -> str:
    """The first line of a certificate."""
    return f"{game}-certificate 1"


def seal(text: str) -> str:
    """The last line of a certificate: a digest of the lines before, against damage."""
    return f"sha256 {hashlib.sha256(text.encode()).hexdigest()}\n"


def check(text: str) -> list[str]:
    """The claims of a certificate, each of them proven. Raises Invalid: which claim, where and why."""
    lines = text.splitlines(keepends=True)
    name = re.fullmatch(header("([a-z_]+)") + "\n", lines[0]) if len(lines) >= 4 else None
    if not name:
        raise Invalid(f"not the line {header('GAME')!r}, then a position, a line for each claim and a digest")
    if lines[-1] != seal("".join(lines[:-1])):
        raise Invalid("the digest is not that of the text, which has been changed or damaged")
    rules = rules_of(name[1])
    position, claims = rules.parse(lines[1].removesuffix("\n")), []
    for line in lines[2:-1]:
        claim, _, plan = line.partition(":")
        found = re.fullmatch(r"margin (>=|<) (0|-?[1-9]\d{0,2})", claim)
        if not found:
            raise Invalid(f"not a claim: {claim[:40]!r}")
        seat, need = (0, int(found[2])) if found[1] == ">=" else (1, 1 - int(found[2]))
        try:
            check_claim(rules, position, seat, need, iter(plan.split()))
        except Invalid as reason:
            raise Invalid(f"{claim}: {reason}") from None
        claims.append(claim)
    return claims


def main(names: list[str]) -> int:
    """Checks files and says what they prove."""
    wrong = not names
    for name in names:
        try:
            text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="ascii")
            print(f"{name}: valid: {', '.join(check(text))}")
        except (Invalid, OSError, UnicodeDecodeError) as reason:
            wrong = True
            print(f"{name}: invalid: {reason}")
    return int(wrong)
