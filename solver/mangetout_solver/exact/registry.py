"""The games that have an exact engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mangetout_solver.analysis import HiddenHands
from mangetout_solver.exact.peas import worlds
from mangetout_solver.exact.peas.leaves import ExactLeaves
from mangetout_solver.exact.peas.rounds import Rounds
from mangetout_solver.exact.pepper_corn import split
from mangetout_solver.exact.pepper_corn.plays import Plays, in_play
from mangetout_solver.exact.pepper_corn.reveals import Reveals, count_units, in_reveals
from mangetout_solver.exact.pepper_corn.solver import PlaySolver
from mangetout_solver.exact.solution import Kernel
from mangetout_solver.exact.stage import Payoff
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control
from mangetout_solver.search.evaluator import Evaluator


@dataclass(frozen=True)
class StageEngine:
    """For decisions that both players take at the same time. Positions have all cards known.

    covers: whether it can be asked about the stage that begins at a position. count_plans: how many ways through that
    stage each seat has; there may be `most_plans`. first_decision: where a seat begins to decide, without what it
    cannot have seen of the stage. context: makes one with so many bytes of memory and threads, for `solving`.
    """

    covers: Callable[[Position], bool]
    count_plans: Callable[[Position], tuple[int, int]]
    most_plans: int
    first_decision: Callable[[Position, int], Position]
    context: Callable[[int, int], PlaySolver]
    solving: type[split.Split]


@dataclass(frozen=True)
class ChanceEngine:
    """For decisions with chance to come, of which both players know the same.

    covers: whether it can be asked about a position. kernel: makes one for a payoff, with so many bytes of memory and
    threads; its margins are the payoff in units of which each unit of the payoff has `units(position, payoff)`.
    """

    covers: Callable[[Position], bool]
    kernel: Callable[[Payoff, int, int], Kernel]
    units: Callable[[Position, Payoff], int]


@dataclass(frozen=True)
class LeafEngine:
    """For the late states of a tree search. evaluator: makes one for states in which each player holds at most so many
    cards, with so many bytes of memory. cards: how many pay (docs/strength/peas.md)."""

    evaluator: Callable[[int, int], Evaluator]
    cards: int


@dataclass(frozen=True)
class HiddenHandEngine:
    """For decisions of a seat that does not see the other's hand. covers: whether it can be asked about a position as
    the seat to move sees it. prove: what can be said of each root move, with so many bytes of memory, until the control
    or, where given, a number of nodes ends it; the seed decides what is looked at first."""

    covers: Callable[[Position], bool]
    prove: Callable[[Position, int, Control, int, int | None], Mapping[int, HiddenHands]]


@dataclass(frozen=True)
class ExactEngine:
    """kernel: makes one with so many bytes of memory and threads. margin_unit: what its margins count, for people.
    covers: whether it can be asked about a position whose cards are all known. Where it answers these too: leaves, for
    tree search; hidden_hands; stage, for simultaneous decisions; chance, for those with chance to come."""

    kernel: Callable[[int, int], Kernel]
    margin_unit: str
    covers: Callable[[Position], bool]
    leaves: LeafEngine | None = None
    hidden_hands: HiddenHandEngine | None = None
    stage: StageEngine | None = None
    chance: ChanceEngine | None = None


# By name of the game.
ENGINES: Mapping[str, ExactEngine] = {
    "peas": ExactEngine(
        lambda memory, threads: Rounds(memory, threads=threads),
        "pod points, 120 for all pods",
        lambda _: True,
        LeafEngine(ExactLeaves, 4),
        HiddenHandEngine(worlds.covers, worlds.against_hidden_hands),
    ),
    "pepper_corn": ExactEngine(
        lambda memory, threads: Plays(memory, threads=threads),
        "points",
        in_play,
        stage=StageEngine(
            split.covers,
            split.count_divisions,
            split.MOST_DIVISIONS,
            split.first_decision,
            lambda memory, threads: PlaySolver(memory, threads=threads),
            split.Split,
        ),
        chance=ChanceEngine(
            in_reveals, lambda payoff, memory, threads: Reveals(payoff, memory, threads=threads), count_units
        ),
    ),
}
