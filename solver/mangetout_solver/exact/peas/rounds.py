"""Rounds of PEAS for the solving of whole positions: how they may end, and `DoubleDummy` up to their last card."""

from __future__ import annotations

from mangetout_solver.exact.peas.solver import SWEEP, DoubleDummy
from mangetout_solver.exact.solution import Outcome
from mangetout_solver.games.peas import view
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control


class Rounds(DoubleDummy):
    """See `exact.solution.Kernel`."""

    def outcomes(self, position: Position) -> tuple[Outcome, ...]:
        """See `Kernel`."""
        return outcomes(position)

    def at_least(self, position: Position, margin: int, control: Control, max_nodes: int | None = None) -> bool | None:
        """See `Kernel`."""
        if position.round_returns() is not None:
            return final_margin(position) >= margin
        return super().at_least(position, margin, control, max_nodes)


def outcomes(position: Position) -> tuple[Outcome, ...]:
    """How a round may end, by ascending margin. All pods taken win, whatever they count; a level score is the pea
    holder's (PEAS-13 to PEAS-15)."""
    round_ = view(position)
    values = [pod.value for pod in round_.pods]
    total = sum(values)
    # Margin and takers; points count only where both players take pods.
    reached = {(0, frozenset[int]())}
    for value in values:
        reached = {(margin + sign * value, takers | {sign}) for margin, takers in reached for sign in (1, -1)}
    found = [
        Outcome(
            margin,
            (1.0, 0.0) if margin > 0 or (margin == 0 and round_.pea == 0) else (0.0, 1.0),
            ((total + margin) / 2, (total - margin) / 2),
        )
        for margin in sorted({margin for margin, takers in reached if len(takers) == 2})
    ]
    return (
        Outcome(-SWEEP, (0.0, 1.0), (0.0, float(total))),
        *found,
        Outcome(SWEEP, (1.0, 0.0), (float(total), 0.0)),
    )


def final_margin(position: Position) -> int:
    """A's margin at the end of a round: points, or `SWEEP` with the sign of who takes all pods."""
    pods = view(position).pods
    winners = {pod.winner for pod in pods}
    if len(winners) == 1:
        return SWEEP if winners == {0} else -SWEEP
    return sum(pod.value if pod.winner == 0 else -pod.value for pod in pods)
