"""Answers by proof where both players decide at the same time: a mixed strategy, from the game's exact engine."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping

from mangetout_solver.analysis import Analysis, Counters, Exact, Interval, Line, PlayerValue, StopReason, Value
from mangetout_solver.exact.registry import ENGINES
from mangetout_solver.exact.stage import Ends, Payoff, Plan
from mangetout_solver.limits import Limits, SearchOptions
from mangetout_solver.question import Question
from mangetout_solver.search.control import Control
from mangetout_solver.solved import follow

# Decimals of a proven value, which comes of linear programs.
_DIGITS = 8


def search(
    question: Question, limits: Limits, options: SearchOptions, control: Control, report_interval: float | None
) -> Iterator[Analysis]:
    """See `engine.search`."""
    engine = ENGINES[question.game.name].stage
    assert engine is not None
    assert question.stage is not None
    started = time.monotonic()
    own = control.limited(math.inf if limits.time is None else started + limits.time)
    context = engine.context(limits.memory_bytes, options.threads)
    start, begun = question.stage
    payoff = Payoff.MARGIN if options.margin else Payoff.SHARE
    solving = engine.solving(start, context, payoff, seat=question.mover, begun=begun, allowed=question.allowed)

    def answer(reason: StopReason | None) -> Analysis:
        solution = solving.solution()
        if reason is not None and solution.solved:
            reason = StopReason.SOLVED
        plans = solution.plans[question.mover][: options.lines or None]
        return question.analysis(
            _values(question, solution.values),
            tuple(_line(question, rank, plan) for rank, plan in enumerate(plans, start=1)),
            Counters(
                simulations=0,
                nodes=context.nodes,
                tree_nodes=0,
                tree_bytes=context.table_bytes,
                worlds=1,
                worlds_enumerated=True,
            ),
            reason,
            options.seed,
            time.monotonic() - started,
        )

    yield from follow(lambda: solving.run(own, limits.nodes), answer, own, report_interval)


def _line(question: Question, rank: int, plan: Plan) -> Line:
    variation = _variation(question, plan)
    return Line(
        rank=rank,
        move=variation[0],
        principal_variation=variation,
        values=_values(question, plan.sure),
        visits=0,
        availability=0,
        probability=plan.probability,
        worlds_won=None,
    )


def _variation(question: Question, plan: Plan) -> tuple[str, ...]:
    """The plan, then the reply to it: as the moves that follow, or where it has been made by then as it is shown."""
    assert question.stage is not None
    (start, begun), mover = question.stage, question.mover
    plans = (*begun, *plan.moves), plan.reply
    position, texts = start, []
    for move in plans[mover] + plans[1 - mover]:
        texts.append(question.game.format_move(position, move))
        position = position.play(move)
    if mover == 0:
        return tuple(texts[len(begun) :])
    texts = texts[len(plan.reply) + len(begun) :]
    while position.is_chance and len(outcomes := position.chance_outcomes()) == 1:
        texts.append(question.game.format_move(position, outcomes[0][0]))
        position = position.play(outcomes[0][0])
    return tuple(texts)


def _values(question: Question, proven: Mapping[Payoff, Ends]) -> tuple[PlayerValue, ...]:
    shares = _of_both(proven[Payoff.SHARE], 1.0)
    margins = _of_both(proven[Payoff.MARGIN], 0.0) if Payoff.MARGIN in proven else (None, None)
    return tuple(PlayerValue(seat, shares[seat], None, question.searched, margins[seat]) for seat in range(2))


def _of_both(ends: Ends, total: float) -> tuple[Value, Value]:
    """A value as A and as B see it, which add up to `total`."""
    return _value(ends.low, ends.high, ends.closed), _value(total - ends.high, total - ends.low, ends.closed)


def _value(low: float, high: float, closed: bool) -> Value:
    # Adding zero makes -0.0 a 0.0.
    low, high = round(low, _DIGITS) + 0.0, round(high, _DIGITS) + 0.0
    return Exact(low) if closed else Interval(low, high)
