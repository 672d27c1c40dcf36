"""Pepper. Corn! after the split: exact search by null windows over the reduced state (docs/exact/pepper_corn.md)."""

from mangetout_solver.exact.context import Context
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control

TECHNIQUES: tuple[str, ...]
"""What the search can do without, at a price in nodes."""

class PlaySolver(Context):
    """Tests of one position of play after the other, by the same rules or others.

    A's margin is A's score less B's at the end: ranks of the cards in discards and hand (PC-23, PC-24). Both maximise
    their own.
    """

    def at_least(self, position: Position, margin: int, control: Control, max_nodes: int | None = None) -> bool | None:
        """Whether A's margin is at least `margin` when both play best; None where `control` or the limit of nodes for
        this test stopped it. A capture may be under way. Releases the GIL.

        Raises TypeError for another game; ValueError before play and where a card lies face down.
        """
    def groups(self, position: Position) -> list[tuple[int, ...]]:
        """The legal moves, those together after which the same ways to go on are left and equal margins; ascending.

        Raises as `at_least`.
        """
    def most_gains(self, position: Position) -> tuple[int, int]:
        """Bounds of what each seat may still gain: what A's margin grows by is at most the first, and at least less the
        second. Raises as `at_least`."""
