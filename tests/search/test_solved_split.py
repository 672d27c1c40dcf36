"""The split of Pepper. Corn! with open cards, as analyses: held to minimax, and to what both players may know."""

from __future__ import annotations

import itertools
import time
from dataclasses import replace
from functools import cache

import pytest
from mangetout_solver.analysis import Analysis, Exact, Interval, SolutionConcept, StopReason, Value
from mangetout_solver.engine import analyze, search
from mangetout_solver.errors import InputError, PositionError
from mangetout_solver.explanation import explain
from mangetout_solver.games.game import Record
from mangetout_solver.games.pepper_corn import PepperCorn
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import parse_record
from mangetout_solver.limits import Limits, SearchOptions
from mangetout_solver.search.control import Control

from benchmarks.split_loss import (
    Matrix,
    choice_game,
    divisions,
    matrix_value,
    secured,
    shown,
    solved_splits,
    turned,
)

GAME = PepperCorn()
SPLIT = "pepper_corn 9MS,XY,2WL,6LK AS4MS8MS 5YK9WYXM 0-0 split/A/0"
# More than is solved in the moments that the tests wait.
HARD = (
    "pepper_corn XY,7SK,AW,XM,6SY,9MS,7WY,5YK/XL,3SK,3LY,6MW,AK,AS,3MW,XW/XK,9LK,7ML,4WL,8YK,AM,9WY,AL "
    "2MK4MS4YK5ML6LK8WL AY2SY2WL5SW8MSXS 0-0 split/A/0"
)
MEMORY = 16 << 20


def record_of(position: Position) -> Record:
    return Record(GAME, (position,), ())


def solve(record: Record, **options: object) -> Analysis:
    analysis = analyze(
        record,
        perfect_information=True,
        limits=Limits(until_solved=True, memory_bytes=MEMORY),
        options=SearchOptions(**{"lines": 0} | options),  # type: ignore[arg-type]
    )
    assert analysis.stop_reason is StopReason.SOLVED
    assert analysis.concept is SolutionConcept.MIXED_STRATEGY
    return analysis


def searched(record: Record, nodes: int, **options: object) -> Analysis:
    return analyze(
        record,
        perfect_information=True,
        limits=Limits(nodes=nodes, memory_bytes=MEMORY),
        options=SearchOptions(**{"lines": 0} | options),  # type: ignore[arg-type]
    )


def ends(value: Value | None) -> tuple[float, float]:
    if isinstance(value, Exact):
        return value.value, value.value
    assert isinstance(value, Interval)
    return value.low, value.high


def share(analysis: Analysis) -> float:
    """The proven one of the seat to move."""
    value = analysis.values[analysis.seat_to_move].win_share
    assert isinstance(value, Exact)
    return value.value


@cache
def splits() -> list[tuple[Position, Matrix, float]]:
    return list(solved_splits())


def number_of(moves: tuple[str, ...]) -> int:
    """Of the division that the moves make, in the order of `divisions`; the first would leave pile 1 empty."""
    return int("".join(move[-1] for move in moves), 2) - 1


def mixture(analysis: Analysis) -> list[float]:
    """How often each division is chosen, in the order of `divisions`."""
    steps = len(analysis.turn_plan)
    chances = {number_of(line.principal_variation[:steps]): line.probability or 0.0 for line in analysis.lines}
    return [chances[number] for number in sorted(chances)]


@pytest.mark.parametrize("case", range(8))
def test_values_and_mixtures_are_those_of_minimax(case: int) -> None:
    position, shares, value = splits()[case]
    analysis = solve(record_of(position))
    assert share(analysis) == pytest.approx(value)
    assert len(analysis.lines) == len(shares)
    mix = mixture(analysis)
    assert sum(mix) == pytest.approx(1.0)
    assert secured(shares, mix) == pytest.approx(value)
    for line in analysis.lines:
        low, high = ends(line.values[analysis.seat_to_move].win_share)
        worth = min(shares[number_of(line.principal_variation[: len(analysis.turn_plan)])])
        assert low - 1e-6 <= worth <= high + 1e-6
    assert [line.probability for line in analysis.lines] == sorted(mix, reverse=True)
    assert analysis.best_move == analysis.lines[0].move


@pytest.mark.parametrize("case", [0, 1])
def test_a_division_alone_is_worth_the_best_reply_to_it(case: int) -> None:
    """All steps but the last are made, and one move is allowed for that: what is left is a single division."""
    position, shares, value = splits()[case]
    whole = solve(record_of(position))
    steps = len(whole.turn_plan)
    for line in whole.lines:
        *begun, last = line.principal_variation[:steps]
        record = record_of(position)
        for text in begun:
            record = record.play(text)
        alone = solve(record, chosen_moves=(last,))
        number = number_of((*begun, last))
        assert share(alone) == pytest.approx(min(shares[number]))
        assert share(alone) <= value + 1e-6
        (only,) = alone.lines
        assert only.probability == 1.0
        assert only.move == last
        # The reply, as it is made or shown, leaves it no more.
        played = parse_record(alone.position)
        for text in only.principal_variation:
            played = played.play(text)
        of_a = matrix_value(choice_game(shown(played.current)))
        assert share(alone) == pytest.approx(of_a if alone.seat_to_move == 0 else 1.0 - of_a)


@pytest.mark.parametrize("case", [0, 1, 6, 7])
def test_later_steps_are_drawn_from_the_mixture_of_the_whole(case: int) -> None:
    """A seat that asks at each step divides as the mixture of the first step says."""
    position, _, value = splits()[case]
    whole = solve(record_of(position))
    firsts = {line.move for line in whole.lines}
    assert len(firsts) == 2
    for first in firsts:
        record = record_of(position).play(first)
        later = solve(record)
        assert share(later) == pytest.approx(value)
        total = sum(line.probability or 0.0 for line in whole.lines if line.move == first)
        before = {line.principal_variation[: len(whole.turn_plan)]: line.probability for line in whole.lines}
        assert sum(line.probability or 0.0 for line in later.lines) == pytest.approx(1.0)
        for line in later.lines if total else ():
            plan = (first, *line.principal_variation[: len(whole.turn_plan) - 1])
            assert (line.probability or 0.0) * total == pytest.approx(before[plan])


def test_choices_are_those_of_minimax() -> None:
    for divided in divisions(parse_record(SPLIT).current):
        start = shown(divisions(divided)[1])
        shares = choice_game(start)
        for seat in (0, 1):
            answers = []
            for position in [start] if seat == 0 else [start.play(move) for move in start.legal_moves()]:
                answers.append(solve(record_of(position)))
                mix = {line.move: line.probability or 0.0 for line in answers[-1].lines}
                table = shares if seat == 0 else turned(shares)
                worth = matrix_value(shares) if seat == 0 else 1.0 - matrix_value(shares)
                assert share(answers[-1]) == pytest.approx(worth)
                assert secured(table, [mix["take0"], mix["take1"]]) == pytest.approx(worth)
            # What A has chosen changes nothing for B.
            assert len({replace(answer, search_seconds=0.0) for answer in answers}) == 1


def test_what_the_first_has_decided_changes_nothing() -> None:
    answers = {
        replace(searched(record_of(divided), 50, margin=True), search_seconds=0.0)
        for divided in divisions(parse_record(SPLIT).current)
    }
    assert len(answers) == 1
    assert parse_record(answers.pop().position).current.count_worlds() == 3


def test_cards_that_follow_from_those_in_view_are_known() -> None:
    for moves in ("", "4MS>0 4YK>1 5ML>1 6LK>0 8WL>0 2SY>1"):
        position = parse_record(f"{HARD} : {moves}").current
        assert position.seat_to_move is not None
        seen = position.redacted(position.seat_to_move)
        assert seen != position
        answers = [replace(searched(record_of(each), 1_000), search_seconds=0.0) for each in (position, seen)]
        assert answers[0] == answers[1]


@pytest.mark.parametrize("margin", [False, True])
def test_the_same_nodes_give_the_same_answer(margin: bool) -> None:
    answers = [searched(parse_record(HARD), 100_000, margin=margin, seed=3) for _ in range(2)]
    for answer in answers:
        assert answer.stop_reason is StopReason.LIMIT
        assert 0 < answer.counters.nodes <= 100_000
        assert answer.seed == 3
    assert replace(answers[0], search_seconds=0.0) == replace(answers[1], search_seconds=0.0)


def test_values_are_streamed_and_narrow() -> None:
    record = record_of(GAME.deal(1, {"rows": "3", "columns": "4", "hand_a": "6", "hand_b": "6"}))
    answers = list(
        search(
            record,
            perfect_information=True,
            limits=Limits(nodes=400_000, memory_bytes=MEMORY),
            options=SearchOptions(margin=True, lines=0),
            report_interval=0.01,
        )
    )
    assert len(answers) > 2
    assert [answer.is_final for answer in answers] == [False] * (len(answers) - 1) + [True]
    for answer in answers:
        assert sum(line.probability or 0.0 for line in answer.lines) == pytest.approx(1.0)
        a, b = answer.values
        assert ends(b.margin) == (-ends(a.margin)[1] + 0.0, -ends(a.margin)[0] + 0.0)
        assert ends(b.win_share) == pytest.approx((1.0 - ends(a.win_share)[1], 1.0 - ends(a.win_share)[0]))
    for one, later in itertools.pairwise(answers):
        for before, after in zip(one.values, later.values, strict=True):
            for old, new in ((before.margin, after.margin), (before.win_share, after.win_share)):
                assert ends(old)[0] <= ends(new)[0] <= ends(new)[1] <= ends(old)[1]
    first, last = (ends(answer.values[0].margin) for answer in (answers[0], answers[-1]))
    assert last[1] - last[0] < first[1] - first[0]


@pytest.mark.parametrize("text", [SPLIT, HARD, f"{SPLIT} : 4MS>0 8MS>1"])
def test_stopped_at_once_nothing_is_proven_and_a_legal_move_is_named(text: str) -> None:
    control = Control()
    control.stop()
    record = parse_record(text)
    analysis = analyze(
        record, perfect_information=True, limits=Limits(until_solved=True), options=SearchOptions(), control=control
    )
    assert analysis.stop_reason is StopReason.STOPPED
    assert [value.win_share for value in analysis.values] == [Interval(0.0, 1.0)] * 2
    assert analysis.counters.nodes == 0
    assert record.game.parse_move(record.current, analysis.best_move) in record.current.legal_moves()


@pytest.mark.parametrize("seconds", [0.01, 0.5])
def test_time_and_deadline_end_it(seconds: float) -> None:
    """Within the first look at all openings, and after it."""
    for limits, control, reason in (
        (Limits(time=seconds), Control(), StopReason.LIMIT),
        (Limits(until_solved=True), Control(time.monotonic() + seconds), StopReason.DEADLINE),
    ):
        analysis = analyze(
            parse_record(HARD), perfect_information=True, limits=limits, options=SearchOptions(), control=control
        )
        assert analysis.stop_reason is reason
        assert len(analysis.lines) == 1


def test_simulations_are_made_where_they_are_asked_for() -> None:
    analysis = analyze(
        parse_record(SPLIT), perfect_information=True, limits=Limits(simulations=50), options=SearchOptions()
    )
    assert analysis.counters.simulations == 50


def test_what_is_said_of_a_mixture() -> None:
    position, _, value = next(case for case in splits() if 0.0 < case[2] < 1.0)
    analysis = solve(record_of(position))
    turn = parse_record(analysis.position)
    for text in analysis.turn_plan:
        turn = turn.play(text)
    said = explain(analysis, turn)
    probability = analysis.lines[0].probability
    assert probability is not None
    assert f"in the mixed strategy of A, at {100 * probability:.0f} %: offer " in said
    assert f"The best mixed strategy gives A a win share of the round of {round(100 * value, 4):g} % (proven)" in said
    assert "; this alone, foreseen, " in said
    assert " The reply found best, by B: offer " in said


LARGE = record_of(GAME.deal(1, {"rows": "1", "columns": "4", "hand_a": "9", "hand_b": "3"}))
HIDDEN_ROW = record_of(
    GAME.deal(
        1,
        {
            "rows": "3",
            "columns": "3",
            "hidden_row": "true",
            "dealt_hands_known": "true",
            "hand_a": "3",
            "hand_b": "3",
        },
    )
)


def test_a_split_that_is_too_large_is_refused_by_name() -> None:
    with pytest.raises(PositionError) as caught:
        searched(LARGE, 10)
    assert caught.value.field == "notation"
    assert "found 255 ways to divide the cards for A and 3 for B, expected at most 128" in str(caught.value)
    analysis = analyze(LARGE, perfect_information=True, limits=Limits(simulations=10), options=SearchOptions())
    assert analysis.counters.simulations == 10


def test_the_largest_hands_are_not_refused() -> None:
    record = record_of(GAME.deal(1, {"rows": "1", "columns": "4", "hand_a": "8", "hand_b": "2", "empty_piles": "true"}))
    assert len(searched(record, 1).lines) == 128


@pytest.mark.parametrize(
    ("record", "perfect", "limits", "options", "field"),
    [
        (HIDDEN_ROW, True, Limits(until_solved=True), SearchOptions(), "limits.until_solved"),
        (HIDDEN_ROW, True, Limits(nodes=1), SearchOptions(), "limits.nodes"),
        (parse_record(SPLIT), False, Limits(until_solved=True), SearchOptions(), "limits.until_solved"),
        (parse_record(SPLIT), False, Limits(nodes=1), SearchOptions(), "limits.nodes"),
        (parse_record(SPLIT), False, Limits(time=1.0), SearchOptions(margin=True), "options.margin"),
        (parse_record(SPLIT), True, Limits(simulations=1), SearchOptions(margin=True), "options.margin"),
        (parse_record(SPLIT), True, Limits(nodes=1), SearchOptions(trees=2), "options.trees"),
        (parse_record(SPLIT), True, Limits(nodes=1), SearchOptions(threads=2), "options.threads"),
        (parse_record(SPLIT.replace("AS4MS8MS", "???")), True, Limits(nodes=1), SearchOptions(), "notation"),
        (parse_record(SPLIT), True, Limits(nodes=1), SearchOptions(chosen_moves=("9WY>0",)), "options.chosen_moves[0]"),
    ],
)
def test_bad_questions_are_refused_by_name(
    record: Record, perfect: bool, limits: Limits, options: SearchOptions, field: str
) -> None:
    with pytest.raises(InputError) as caught:
        analyze(record, perfect_information=perfect, limits=limits, options=options)
    assert caught.value.field == field
