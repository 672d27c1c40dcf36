"""The games that have an exact engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mangetout_solver.exact.peas.rounds import Rounds
from mangetout_solver.exact.solution import Kernel

# By name of the game; called with the bytes of memory to use.
KERNELS: Mapping[str, Callable[[int], Kernel]] = {"peas": Rounds}
