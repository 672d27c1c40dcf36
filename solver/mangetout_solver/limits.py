"""What a search is asked to do: when to stop and how to search."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mangetout_solver.errors import InputError

DEFAULT_MEMORY_BYTES = 256 << 20
MIN_MEMORY_BYTES = 1 << 20
# Holds the root moves of any game.
MIN_TREE_BYTES = 1 << 16
MAX_MEMORY_BYTES = 16 << 30
MAX_SIMULATIONS = 10**12
MAX_NODES = 10**15
MAX_TIME_SECONDS = 7 * 24 * 3600.0
MAX_TREES = 64
# More take milliseconds in which no stop flag is looked at.
MAX_EXACT_CARDS = 5
MAX_THREADS = 64
MAX_SEED = 2**64 - 1


class Utility(Enum):
    """What a share of the win is one of."""

    ROUND = "round"
    MATCH = "match"


def _check_range(field: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise InputError(field, f"found {value}, expected {low} to {high}")


@dataclass(frozen=True)
class Limits:
    """When to stop: the first limit reached ends the search; so does a proven value.

    time: seconds of search, above 0.
    simulations: over all trees, at least 1. Where a value could be proven, simulations are made instead.
    nodes: positions of an exact search, at least 1: same position, nodes and memory, same answer. Only where the value
        is proven: perfect information in a game with an exact engine, and no limit of simulations.
    until_solved: search until the value is proven; only with perfect information. With more than two players a proof
        may never come, as only what each can guarantee against all others is proven.
    memory_bytes: for all trees together, or for the table of an exact search; a full tree keeps searching without
        growing, a full table forgets what took the least work.

    At least one of time, simulations, nodes and until_solved must be given.
    Raises InputError naming the field for a value out of range.
    """

    time: float | None = None
    simulations: int | None = None
    nodes: int | None = None
    until_solved: bool = False
    memory_bytes: int = DEFAULT_MEMORY_BYTES

    def __post_init__(self) -> None:
        if self.time is None and self.simulations is None and self.nodes is None and not self.until_solved:
            raise InputError("limits", "found no limit, expected time, simulations, nodes or until_solved")
        if self.time is not None:
            _check_range("limits.time", self.time, 1e-3, MAX_TIME_SECONDS)
        if self.simulations is not None:
            _check_range("limits.simulations", self.simulations, 1, MAX_SIMULATIONS)
        if self.nodes is not None:
            _check_range("limits.nodes", self.nodes, 1, MAX_NODES)
        _check_range("limits.memory_bytes", self.memory_bytes, MIN_MEMORY_BYTES, MAX_MEMORY_BYTES)


@dataclass(frozen=True)
class SearchOptions:
    """How to search.

    utility: the win shares asked for, by default MATCH in a match. Where the match is searched by rounds
    (`Game.stakes`), MATCH asks for those of the match and those of the round at hand that they come from, ROUND for the
    latter alone; the best move is the same.
    lines: root moves to report, best first; 0 reports all. An exact search proves the lines that it reports, and equal
        moves share one; at a simultaneous decision it proves the mixed strategy, whose lines are whole turns.
    margin: prove the greatest margin too, not the win alone; an exact search only. At a simultaneous decision both then
        play for the margin, and win shares are proven as far as that tells. Where chance is to come, lines are of play
        for the expected margin, and the win share, of play for the win, is proven after that.
    chosen_moves: move texts to choose from; all where empty. avoided_moves: move texts not to choose. At a simultaneous
        decision that an exact search answers the other seat knows that there are no others.
    seed: 0 to 2**64 - 1. Same position, seed, trees and simulation limit: same answer on any number of threads.
    exact_cards: with how few cards a player, 0 to 5, an exact engine takes the place of playouts in a game that has one
        for late states (docs/strength): as many as pay where None, nowhere where 0.
    trees: independent trees, 1 to 64, whose results are added up. threads: 1 to 64, to run the trees on. An exact
        search has no trees; its threads share a table and prove the same values, but do not go with `Limits.nodes`.

    Raises InputError naming the field for a value out of range.
    """

    utility: Utility | None = None
    lines: int = 1
    margin: bool = False
    chosen_moves: tuple[str, ...] = ()
    avoided_moves: tuple[str, ...] = ()
    seed: int = 0
    exact_cards: int | None = None
    trees: int = 1
    threads: int = 1

    def __post_init__(self) -> None:
        _check_range("options.lines", self.lines, 0, 10_000)
        _check_range("options.seed", self.seed, 0, MAX_SEED)
        if self.exact_cards is not None:
            _check_range("options.exact_cards", self.exact_cards, 0, MAX_EXACT_CARDS)
        _check_range("options.trees", self.trees, 1, MAX_TREES)
        _check_range("options.threads", self.threads, 1, MAX_THREADS)
