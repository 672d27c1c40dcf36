"""What a search answers. Every value is from the view of the player it belongs to."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from mangetout_solver.limits import Utility


class SolutionConcept(Enum):
    """How the search treats what is not known."""

    PERFECT_INFORMATION = "perfect information"
    INFORMATION_SET_SEARCH = "information-set search"
    MIXED_STRATEGY = "mixed strategy"


class StopReason(Enum):
    """Why a search ended."""

    SOLVED = "solved"
    LIMIT = "limit"
    DEADLINE = "deadline"
    STOPPED = "stopped"
    SHUTDOWN = "shutdown"


@dataclass(frozen=True)
class Exact:
    """A proven value."""

    value: float


@dataclass(frozen=True)
class Interval:
    """A value proven to lie in [low, high]."""

    low: float
    high: float


@dataclass(frozen=True)
class Estimate:
    """A sampled mean, or a value that rests on an assumption (`Game.stakes`).

    The standard error covers sampling noise only, not a search that has not converged or an assumption that fails.
    """

    mean: float
    standard_error: float


Value = Exact | Interval | Estimate


def match_share(round_share: Value, lost: float, won: float) -> Value:
    """The share of the match's win that comes of a share of the round at hand; lost, won: what it is worth to lose the
    round and to win it (`Game.stakes`).

    A worth between 0 and 1 rests on an assumption: what is proven of the round then proves nothing of the match.
    """
    match round_share:
        case Estimate(mean, error):
            return Estimate(lost + (won - lost) * mean, (won - lost) * error)
        case Exact(share):
            mean = lost + (won - lost) * share
            is_decided = (share == 0.0 or won in (0.0, 1.0)) and (share == 1.0 or lost in (0.0, 1.0))
            return Exact(mean) if is_decided else Estimate(mean, 0.0)
        case Interval(low, high):
            return Interval(
                math.floor(lost) + (math.floor(won) - math.floor(lost)) * low,
                math.ceil(lost) + (math.ceil(won) - math.ceil(lost)) * high,
            )


@dataclass(frozen=True)
class PlayerValue:
    """What one seat gets: its share of the win, in [0, 1], and the game's own score where something is known of it.

    utility: whether win and score are those of the round at hand or those of the match.
    margin: where it is proven on demand, how much more the seat scores than the other of two, both playing for it; in
    PEAS to take all pods counts 120 in place of the points.
    """

    seat: int
    win_share: Value
    score: Value | None
    utility: Utility
    margin: Value | None = None


@dataclass(frozen=True)
class HiddenHands:
    """What is proven of a root move against the hands that the other of two seats may hold, for the seat to move.

    sure: True where the seat wins the round after it by one strategy of what it sees, whatever the other holds and
    plays; False where no strategy is sure of that; None where neither is proven.
    looked_at: how many of the hands were solved, each by itself: both then play their best with open cards. That is
    more than they know, so a move that is never beaten need not be sure, and a beaten one may win. 0 where it is sure.
    beaten: against how many of these hands the seat loses so.
    needed: cards that all hands which beat the move hold. enough: cards that only such hands hold. In notation.
    """

    sure: bool | None
    looked_at: int
    beaten: int
    needed: tuple[str, ...] = ()
    enough: tuple[str, ...] = ()


@dataclass(frozen=True)
class Line:
    """A root move and what it is worth.

    principal_variation: move texts, the root move first. visits: simulations that played the move; availability:
    simulations in which it was legal. probability: share of the mixed strategy, at simultaneous decisions only.
    worlds_won: estimate of the number of worlds in which it wins for the seat that searches, as
    `search.mcts.worlds_won` counts them; None where nothing is hidden or too little was seen.
    hidden_hands: where a game's exact engine answers about few cards that are left, beside the simulations.
    equal_moves: where values are proven, further root moves that lead to equivalent positions; they have no lines.

    At a simultaneous decision that an exact search answers a line is a whole turn: the variation holds all its moves
    and the reply that is best against it, the values are what it is sure of if it is foreseen.
    """

    rank: int
    move: str
    principal_variation: tuple[str, ...]
    values: tuple[PlayerValue, ...]
    visits: int
    availability: int
    probability: float | None
    worlds_won: int | None
    equal_moves: tuple[str, ...] = ()
    hidden_hands: HiddenHands | None = None


@dataclass(frozen=True)
class Counters:
    """Work done. nodes: moves made in simulations, or positions of an exact search; tree_bytes: its table's size then;
    worlds: ways the other hands can be, as the seat knows."""

    simulations: int
    nodes: int
    tree_nodes: int
    tree_bytes: int
    worlds: int
    worlds_enumerated: bool


@dataclass(frozen=True)
class Analysis:
    """An answer, or a partial one while `is_final` is false (its stop_reason is then None).

    position: canonical notation of what was searched; key: its canonical key.
    seat: whose knowledge was used, None with perfect information.
    best_move, turn_plan: move texts. When another seat than `seat` is to move: the move expected of it.
    utility: what the values are about; MATCH in a match.
    values: one a player, when the best move is played; in a match that is searched by rounds those of the match and
    after them those of the round that they come from. lines: root moves, best first. An exact search that is stopped
    may know more of the values than of any single move. At a simultaneous decision an exact search gives the values of
    the best mixed strategies; the mixture of the lines is one once stop_reason is SOLVED, and before that an estimate.
    search_seconds: time in the search alone.
    """

    is_final: bool
    game: str
    position: str
    key: str
    seat_to_move: int
    seat: int | None
    concept: SolutionConcept
    utility: Utility
    best_move: str
    turn_plan: tuple[str, ...]
    values: tuple[PlayerValue, ...]
    lines: tuple[Line, ...]
    counters: Counters
    stop_reason: StopReason | None
    seed: int
    search_seconds: float
