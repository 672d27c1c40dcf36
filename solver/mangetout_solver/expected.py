"""Answers by proof where chance is to come and both players know the same: expectations, from the exact engine."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

from mangetout_solver.analysis import Analysis, Exact, Interval, PlayerValue, StopReason, Value
from mangetout_solver.exact.registry import ENGINES
from mangetout_solver.exact.solution import Bounds, Choice
from mangetout_solver.exact.solving import Solving
from mangetout_solver.exact.stage import Payoff
from mangetout_solver.limits import Limits, SearchOptions
from mangetout_solver.question import Question
from mangetout_solver.search.control import Control
from mangetout_solver.solved import IMPRESSION_BYTES, Impression, analysis_of, follow


def search(
    question: Question, limits: Limits, options: SearchOptions, control: Control, report_interval: float | None
) -> Iterator[Analysis]:
    """See `engine.search`. With `options.margin` both play for the expected margin; then the win share is proven that
    comes of play for the win."""
    engine = ENGINES[question.game.name].chance
    assert engine is not None
    started = time.monotonic()
    own = control.limited(math.inf if limits.time is None else started + limits.time)
    payoffs = [Payoff.MARGIN, Payoff.SHARE] if options.margin else [Payoff.SHARE]
    memory = (limits.memory_bytes - IMPRESSION_BYTES) // len(payoffs)
    kernels = {payoff: engine.kernel(payoff, memory, options.threads) for payoff in payoffs}
    impression = Impression(question, options.seed)

    def solving_of(payoff: Payoff, max_nodes: int | None) -> Solving:
        return Solving(
            kernels[payoff],
            question.position,
            own,
            margin=False,
            lines=options.lines,
            promise=lambda: impression.promises,
            allowed=question.allowed,
            max_nodes=max_nodes,
        )

    # Those that are not begun know what is seen at sight.
    solvings = {payoff: solving_of(payoff, limits.nodes) for payoff in payoffs}

    def run() -> None:
        for payoff in payoffs:
            used = sum(kernel.nodes for kernel in kernels.values())
            if limits.nodes is not None and used:
                solvings[payoff] = solving_of(payoff, max(0, limits.nodes - used))
            solvings[payoff].run()

    def answer(reason: StopReason | None) -> Analysis:
        solutions = {payoff: solvings[payoff].solution() for payoff in payoffs}
        if reason is not None and all(solution.solved for solution in solutions.values()):
            reason = StopReason.SOLVED

        def values(choice: Choice | None) -> tuple[PlayerValue, ...]:
            proven = {}
            for payoff, solution in solutions.items():
                bounds = solution.bounds
                if choice is not None:
                    bounds = next(each.bounds for each in solution.choices if each.moves == choice.moves)
                proven[payoff] = _of_both(bounds, payoff, engine.units(question.position, payoff))
            margins = proven.get(Payoff.MARGIN, (None, None))
            return tuple(
                PlayerValue(seat, proven[Payoff.SHARE][seat], None, question.searched, margins[seat])
                for seat in range(2)
            )

        work = (
            sum(kernel.nodes for kernel in kernels.values()),
            sum(kernel.table_bytes for kernel in kernels.values()),
        )
        first = solutions[payoffs[0]]
        return analysis_of(question, options, first, values, impression, work, reason, time.monotonic() - started)

    yield from follow(run, answer, own, report_interval)


def _of_both(bounds: Bounds, payoff: Payoff, units: int) -> tuple[Value, Value]:
    """A value as A and as B see it."""
    total = units if payoff is Payoff.SHARE else 0
    return (
        _value(bounds.low / units, bounds.high / units),
        _value((total - bounds.high) / units, (total - bounds.low) / units),
    )


def _value(low: float, high: float) -> Value:
    return Exact(low) if low == high else Interval(low, high)
