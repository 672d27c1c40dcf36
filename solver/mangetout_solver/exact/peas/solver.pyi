"""PEAS, exact search by null windows over the reduced state (docs/exact/peas.md)."""

from mangetout_solver.exact.context import Context
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control

SWEEP: int
"""The margin that stands for taking all pods; points alone never reach it."""

TECHNIQUES: tuple[str, ...]
"""What the search can do without, at a price in nodes."""

class DoubleDummy(Context):
    """Tests of one round after the other, with both hands known, or one of them hidden as a whole.

    A's margin is A's pod points less B's at the end of the round at hand, SWEEP where A takes all pods and -SWEEP where
    B does. A wins the round exactly where the margin is above 0, or 0 with A holding the pea (PEAS-13 to PEAS-15).
    With open hands both maximise their own. With a hidden hand it is the margin that the player who does not see it is
    sure of: by one strategy of what it sees, against all hands that the hidden one can be and all that they can play.
    """

    def at_least(self, position: Position, margin: int, control: Control, max_nodes: int | None = None) -> bool | None:
        """Whether A's margin is at least `margin`; None where `control` or the limit of nodes for this test stopped it.
        Releases the GIL. Where A's hand is hidden, no is what B is sure of.

        Raises TypeError for another game; ValueError where both hands are hidden, one is in part, or they are dealt.
        """

    def groups(self, position: Position) -> list[tuple[int, ...]]:
        """The legal moves, those together that lead to equivalent positions and equal margins; ascending."""
