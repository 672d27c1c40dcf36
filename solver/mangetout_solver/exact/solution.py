"""What is proven of a position of two players with open cards, and what a game's exact engine offers to prove it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control


@dataclass(frozen=True)
class Bounds:
    """The margin is proven to lie in [low, high]."""

    low: int
    high: int

    def turned(self) -> Bounds:
        """The same from the other player's view."""
        return Bounds(-self.high, -self.low)


@dataclass(frozen=True)
class Outcome:
    """One way in which play may end. margin: of seat A; shares, scores: of seat A and seat B; scores None where the
    margin does not tell them."""

    margin: int
    shares: tuple[float, float]
    scores: tuple[float, float] | None


@dataclass(frozen=True)
class Choice:
    """Root moves that lead to equivalent positions, ascending.

    bounds: of A's margin after them. variation: moves that both may make from there on, the first of `moves` first: its
    end lies within the bounds, and no player could leave them to the better. It may break off where time ran out.
    """

    moves: tuple[int, ...]
    bounds: Bounds
    variation: tuple[int, ...]


@dataclass(frozen=True)
class Solution:
    """What is proven so far. bounds: of A's margin, best play of both; choices: best first for the seat to move.

    promised: what is proven does not tell the first choice from the second, a promise does (`Solving`). solved: all
    that was asked for is proven.
    """

    bounds: Bounds
    choices: tuple[Choice, ...]
    promised: bool
    solved: bool


class Kernel(Protocol):
    """A game's exact engine for one question after the other; it remembers what it has proven."""

    def outcomes(self, position: Position) -> Sequence[Outcome]:
        """All outcomes that play may still have, perhaps more, by ascending margin. A's share never falls with it."""

    def at_least(self, position: Position, margin: int, control: Control, max_nodes: int | None) -> bool | None:
        """Whether A's margin is at least `margin` when both play their best; None when stopped before that is proven.

        The position may be one at the end. max_nodes: of this call, no limit where None.
        """

    def groups(self, position: Position) -> Sequence[tuple[int, ...]]:
        """The legal moves in groups that lead to equivalent positions."""

    @property
    def nodes(self) -> int:
        """Positions searched, of all calls."""

    @property
    def table_bytes(self) -> int:
        """Memory in use."""
