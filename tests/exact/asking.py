"""Questions to the exact engine that the tests ask in common."""

from __future__ import annotations

from mangetout_solver.exact.peas.solver import SWEEP, DoubleDummy
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control

# Enough for the positions of the suite, and little to clear.
SMALL = 1 << 20


def at_least(context: DoubleDummy, position: Position, margin: int) -> bool:
    """As `DoubleDummy.at_least`, with all the time it takes."""
    found = context.at_least(position, margin, Control())
    assert found is not None
    return found


def margin_of(context: DoubleDummy, position: Position) -> int:
    """The margin, by halving what it can be."""
    low, high = -SWEEP, SWEEP
    while low < high:
        middle = (low + high + 1) // 2
        if at_least(context, position, middle):
            low = middle
        else:
            high = middle - 1
    return low


def is_margin(context: DoubleDummy, position: Position, margin: int) -> bool:
    """Whether the engine finds just this margin, in two questions."""
    return at_least(context, position, margin) and not at_least(context, position, margin + 1)
