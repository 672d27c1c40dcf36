"""Answers by proof: the game's exact engine, with all cards open."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cached_property

from mangetout_solver.analysis import Analysis, Counters, Exact, Interval, Line, PlayerValue, StopReason, Value
from mangetout_solver.exact.registry import ENGINES
from mangetout_solver.exact.solution import Bounds, Choice, Outcome, Solution
from mangetout_solver.exact.solving import Solving
from mangetout_solver.limits import Limits, SearchOptions
from mangetout_solver.question import Question
from mangetout_solver.sampled import best_first
from mangetout_solver.search.control import Control
from mangetout_solver.search.mcts import RootMove, TreeSearch

_SOON = 0.02  # seconds
_IMPRESSION_SIMULATIONS = 500
IMPRESSION_BYTES = 1 << 18


def search(
    question: Question, limits: Limits, options: SearchOptions, control: Control, report_interval: float | None
) -> Iterator[Analysis]:
    """See `engine.search`."""
    started = time.monotonic()
    own = control.limited(math.inf if limits.time is None else started + limits.time)
    kernel = ENGINES[question.game.name].kernel(limits.memory_bytes - IMPRESSION_BYTES, options.threads)
    outcomes = kernel.outcomes(question.position)
    impression = Impression(question, options.seed)
    solving = Solving(
        kernel,
        question.position,
        own,
        margin=options.margin,
        lines=options.lines,
        promise=lambda: impression.promises,
        allowed=question.allowed,
        max_nodes=limits.nodes,
    )

    def answer(reason: StopReason | None) -> Analysis:
        solution = solving.solution()
        if reason is not None and solution.solved:
            reason = StopReason.SOLVED

        def values(choice: Choice | None) -> tuple[PlayerValue, ...]:
            bounds = solution.bounds if choice is None else choice.bounds
            return question.with_match(_values(question, outcomes, bounds, options.margin))

        work = kernel.nodes, kernel.table_bytes
        return analysis_of(question, options, solution, values, impression, work, reason, time.monotonic() - started)

    yield from follow(solving.run, answer, own, report_interval)


def follow(
    run: Callable[[], None],
    answer: Callable[[StopReason | None], Analysis],
    control: Control,
    report_interval: float | None,
) -> Iterator[Analysis]:
    """Answers while `run` proves, and the last one once it has ended; `control` ends it."""
    with ThreadPoolExecutor(1, thread_name_prefix="solving") as pool:
        try:
            running = pool.submit(run)
            if wait([running], _SOON).not_done:
                # Brings about what else an answer needs, so that the last one is quick once the time is over.
                answer(None)
            while wait([running], report_interval).not_done:
                yield answer(None)
            running.result()
            yield answer(control.stop_reason or StopReason.LIMIT)
        finally:
            # Whoever no longer listens wants no proof either.
            control.stop()


class Impression:
    """Which root moves look best to a short tree search: it orders those among which nothing proven tells.

    Searched once, and only when asked for.
    """

    def __init__(self, question: Question, seed: int) -> None:
        self._question = question
        self._seed = seed

    @cached_property
    def moves(self) -> dict[int, RootMove]:
        """The root moves, best first."""
        tree = TreeSearch(
            self._question.position,
            observer=None,
            seed=self._seed,
            memory_bytes=IMPRESSION_BYTES,
            allowed=self._question.allowed,
        )
        # A moment's work, also when the search as a whole has been stopped.
        tree.run(Control(), _IMPRESSION_SIMULATIONS)
        return {move.move: move for move in best_first(tree.root_moves(), self._question.mover)}

    @cached_property
    def promises(self) -> dict[int, float]:
        """Numbers for the root moves, the greater the better."""
        return {move: -float(rank) for rank, move in enumerate(self.moves)}


def analysis_of(
    question: Question,
    options: SearchOptions,
    solution: Solution,
    values: Callable[[Choice | None], tuple[PlayerValue, ...]],
    impression: Impression,
    work: tuple[int, int],
    reason: StopReason | None,
    seconds: float,
) -> Analysis:
    """The answer that a solution makes. values: of a choice, or of the position where None. work: nodes, and bytes of
    the table."""
    visited = impression.moves if solution.promised else {}

    def line(rank: int, choice: Choice) -> Line:
        texts = [question.game.format_move(question.position, move) for move in choice.moves]
        seen = [visited[move] for move in choice.moves if move in visited]
        return Line(
            rank=rank,
            move=texts[0],
            principal_variation=question.texts(choice.variation),
            values=values(choice),
            visits=sum(move.visits for move in seen),
            availability=max((move.availability for move in seen), default=0),
            probability=None,
            worlds_won=None,
            equal_moves=tuple(texts[1:]),
        )

    choices = solution.choices[: options.lines or None]
    return question.analysis(
        values(None),
        tuple(line(rank, choice) for rank, choice in enumerate(choices, start=1)),
        Counters(
            simulations=sum(move.visits for move in visited.values()),
            nodes=work[0],
            tree_nodes=0,
            tree_bytes=work[1],
            worlds=1,
            worlds_enumerated=True,
        ),
        reason,
        options.seed,
        seconds,
    )


def _values(question: Question, outcomes: Sequence[Outcome], bounds: Bounds, margin: bool) -> tuple[PlayerValue, ...]:
    """What each seat gets when the margin lies within the bounds."""
    left = [outcome for outcome in outcomes if bounds.low <= outcome.margin <= bounds.high]
    values = []
    for seat, seen in enumerate((bounds, bounds.turned())):
        share = _value([outcome.shares[seat] for outcome in left])
        scores = [outcome.scores[seat] for outcome in left if outcome.scores is not None]
        score = _value(scores) if margin and scores else None
        proven = _value([float(seen.low), float(seen.high)]) if margin else None
        values.append(PlayerValue(seat, share, score, question.searched, proven))
    return tuple(values)


def _value(possible: Sequence[float]) -> Value:
    low, high = min(possible), max(possible)
    return Exact(low) if low == high else Interval(low, high)
