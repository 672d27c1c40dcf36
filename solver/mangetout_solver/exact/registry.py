"""The games that have an exact engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mangetout_solver.exact.peas.rounds import Rounds
from mangetout_solver.exact.solution import Kernel


@dataclass(frozen=True)
class ExactEngine:
    """kernel: made from the bytes of memory and the number of threads to use. margin_unit: what its margins count, for
    people."""

    kernel: Callable[[int, int], Kernel]
    margin_unit: str


# By name of the game.
ENGINES: Mapping[str, ExactEngine] = {"peas": ExactEngine(Rounds, "pod points, 120 for all pods")}
