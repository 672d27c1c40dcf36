"""The games that have an exact engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mangetout_solver.exact.peas.rounds import Rounds
from mangetout_solver.exact.pepper_corn.plays import Plays, in_play
from mangetout_solver.exact.solution import Kernel
from mangetout_solver.games.position import Position


@dataclass(frozen=True)
class ExactEngine:
    """kernel: makes one with so many bytes of memory and threads. margin_unit: what its margins count, for
    people. covers: whether it can be asked about a position whose cards are all known."""

    kernel: Callable[[int, int], Kernel]
    margin_unit: str
    covers: Callable[[Position], bool]


# By name of the game.
ENGINES: Mapping[str, ExactEngine] = {
    "peas": ExactEngine(
        lambda memory, threads: Rounds(memory, threads=threads), "pod points, 120 for all pods", lambda _: True
    ),
    "pepper_corn": ExactEngine(lambda memory, threads: Plays(memory, threads=threads), "points", in_play),
}
