"""Questions to the exact engines that the tests ask in common."""

from __future__ import annotations

from typing import Protocol

from mangetout_solver.exact.peas.solver import SWEEP
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control

# Enough for the positions of the suite, and little to clear.
SMALL = 1 << 20


class Engine(Protocol):
    """The exact engine of any game."""

    def at_least(self, position: Position, margin: int, control: Control) -> bool | None: ...


def at_least(context: Engine, position: Position, margin: int) -> bool:
    """The answer with all the time it takes."""
    found = context.at_least(position, margin, Control())
    assert found is not None
    return found


def margin_of(context: Engine, position: Position, most: int = SWEEP) -> int:
    """The margin, by halving what it can be: `most` for either."""
    low, high = -most, most
    while low < high:
        middle = (low + high + 1) // 2
        if at_least(context, position, middle):
            low = middle
        else:
            high = middle - 1
    return low


def is_margin(context: Engine, position: Position, margin: int) -> bool:
    """Whether the engine finds just this margin, in two questions."""
    return at_least(context, position, margin) and not at_least(context, position, margin + 1)
