"""Answers of the exact engine through the one door: what is asked and refused, limits, reports, values."""

from __future__ import annotations

import itertools
import threading
import time
from dataclasses import replace

import pytest
from mangetout_solver.analysis import Analysis, Estimate, Exact, Interval, SolutionConcept, StopReason, Value
from mangetout_solver.engine import analyze, search
from mangetout_solver.errors import InputError, PositionError
from mangetout_solver.games.game import Record
from mangetout_solver.games.registry import game, parse_record
from mangetout_solver.limits import MIN_MEMORY_BYTES, Limits, SearchOptions, Utility
from mangetout_solver.search.control import Control

PEAS = game("peas")
PROOF = Limits(until_solved=True, memory_bytes=16 << 20)
# A has the last word of each pod, and the first pod decides who wins the others.
SMALL = parse_record("peas +1/-2/+3 B1B5R2 V1V3Y5 A")


def deal(seed: int, **options: str) -> Record:
    return Record(PEAS, (PEAS.deal(seed, options),), ())


def hard() -> Record:
    """More cards than the real game has: not solved in the moments that the tests wait."""
    return deal(1, pods="1,-2,3,-4,5,-6,7,-8,9,-5,4,-3", ranks="8")


def solve(record: Record, limits: Limits = PROOF, control: Control | None = None, **options: object) -> Analysis:
    chosen = SearchOptions(**options)  # type: ignore[arg-type]
    return analyze(record, perfect_information=True, limits=limits, options=chosen, control=control)


def timeless(analysis: Analysis) -> Analysis:
    return replace(analysis, search_seconds=0.0)


def ends(value: Value | None) -> tuple[float, float]:
    match value:
        case Exact(exact):
            return exact, exact
        case Interval(low, high):
            return low, high
    raise AssertionError(f"not proven: {value}")


# -- what it answers


def test_a_round_is_solved_as_far_as_it_is_asked() -> None:
    analysis = solve(SMALL)
    assert analysis.stop_reason is StopReason.SOLVED
    assert analysis.is_final
    assert analysis.concept is SolutionConcept.PERFECT_INFORMATION
    assert analysis.seat is None
    assert len(analysis.lines) == 1
    assert analysis.best_move == analysis.lines[0].move == analysis.turn_plan[0]
    assert [type(value.win_share) for value in analysis.values] == [Exact, Exact]
    assert all(value.score is None and value.margin is None for value in analysis.values)
    assert analysis.counters.nodes > 0
    assert analysis.counters.tree_nodes == 0
    assert 0 < analysis.counters.tree_bytes <= PROOF.memory_bytes


def test_a_margin_is_each_players_own_and_goes_with_the_score() -> None:
    for seed in range(20):
        analysis = solve(deal(seed, pods="1,-2,4"), margin=True)
        (a, b) = analysis.values
        assert isinstance(a.margin, Exact)
        assert b.margin == Exact(-a.margin.value)
        assert isinstance(a.score, Exact)
        assert isinstance(b.score, Exact)
        assert a.score.value + b.score.value == 3
        if abs(a.margin.value) == 120:
            assert {a.score.value, b.score.value} == {0, 3}
        else:
            assert a.score.value - b.score.value == a.margin.value
        # The variation is played by both for the margin.
        record = deal(seed, pods="1,-2,4")
        for text in analysis.lines[0].principal_variation:
            record = record.play(text)
        assert record.current.is_terminal
        assert record.current.scores() == (a.score.value, b.score.value)
        assert record.current.win_shares() == tuple(ends(value.win_share)[0] for value in analysis.values)


def test_a_match_is_worth_what_its_round_is() -> None:
    single = deal(2, pods="1,-2,4")
    match = parse_record(single.format().replace("peas{", "peas{").replace("peas ", "peas{scope=match} ") + " 1-0")
    alone, both = solve(single, margin=True), solve(match, margin=True)
    assert both.utility is Utility.MATCH
    assert both.values[2:] == alone.values
    assert [value.margin for value in both.values[:2]] == [None, None]
    assert [value.utility for value in both.values] == [Utility.MATCH] * 2 + [Utility.ROUND] * 2
    expected = Exact(1.0) if alone.values[0].win_share == Exact(1.0) else Estimate(0.5, 0.0)
    assert both.values[0].win_share == expected
    assert solve(match, utility=Utility.ROUND).values == solve(single).values


def test_equal_moves_share_a_line() -> None:
    """Nothing tells V1 and Y1 apart: neither is led or answered by the other hand."""
    analysis = solve(parse_record("peas +1/-2 V1Y1 B1B2 A"), lines=0)
    moves = [{line.move, *line.equal_moves} for line in analysis.lines]
    assert sorted(text for group in moves for text in group) == ["V1@0", "V1@1", "Y1@0", "Y1@1"]
    assert {"V1@0", "Y1@0"} in moves


def test_only_chosen_moves_count() -> None:
    every = solve(SMALL, lines=0, margin=True)
    worst = every.lines[-1]
    analysis = solve(SMALL, lines=0, margin=True, chosen_moves=(worst.move,))
    assert [line.move for line in analysis.lines] == [worst.move]
    assert analysis.values == analysis.lines[0].values == worst.values
    best = {line.move for line in every.lines if line.values == every.values}
    avoided = tuple(text for line in every.lines if line.move in best for text in (line.move, *line.equal_moves))
    assert avoided
    left = solve(SMALL, lines=0, margin=True, avoided_moves=avoided)
    assert ends(left.values[0].margin) < ends(every.values[0].margin)


# -- when it ends


def test_time_nodes_and_deadline_leave_what_is_proven_then() -> None:
    for limits, control, reason in (
        (Limits(time=0.05), Control(), StopReason.LIMIT),
        (Limits(nodes=2_000), Control(), StopReason.LIMIT),
        (Limits(until_solved=True), Control(time.monotonic() + 0.05), StopReason.DEADLINE),
    ):
        started = time.monotonic()
        analysis = solve(hard(), limits, control, margin=True, lines=3)
        assert analysis.stop_reason is reason
        assert time.monotonic() - started < 20
        for value in analysis.values:
            assert ends(value.win_share) == (0.0, 1.0)
            low, high = ends(value.margin)
            assert -120 <= low < high <= 120
        # Nothing proven tells the moves apart, so a moment of tree search does.
        assert analysis.counters.simulations == 500
        assert len(analysis.lines) == 3
        assert analysis.lines[0].visits > 0
        position = hard().current
        assert PEAS.parse_move(position, analysis.best_move) in position.legal_moves()


def test_stopped_before_the_start_there_is_an_answer_all_the_same() -> None:
    control = Control()
    control.stop(StopReason.SHUTDOWN)
    analysis = solve(hard(), control=control)
    assert analysis.is_final
    assert analysis.stop_reason is StopReason.SHUTDOWN
    assert ends(analysis.values[0].win_share) == (0.0, 1.0)


def test_stopped_from_another_thread() -> None:
    control = Control()
    timer = threading.Timer(0.05, control.stop)
    timer.start()
    analysis = solve(hard(), control=control)
    timer.join()
    assert analysis.stop_reason is StopReason.STOPPED


def test_a_time_limit_leaves_the_callers_control_alone() -> None:
    control = Control()
    assert solve(hard(), Limits(time=0.01), control).stop_reason is StopReason.LIMIT
    assert control.stop_reason is None
    assert solve(SMALL, control=control).stop_reason is StopReason.SOLVED


@pytest.mark.parametrize("nodes", [1, 500, 20_000])
def test_the_same_nodes_give_the_same_answer(nodes: int) -> None:
    record = deal(5)
    limits = Limits(nodes=nodes, memory_bytes=MIN_MEMORY_BYTES)
    answers = [timeless(solve(record, limits, margin=True, lines=0, seed=3)) for _ in range(2)]
    assert answers[0] == answers[1]
    assert answers[0].counters.nodes <= nodes


# -- reports on the way


def test_reports_narrow_and_only_the_last_is_final() -> None:
    # The winner is proven about half-way.
    record, limits = deal(1, pods="1,-2,3,-2,1,1,-2"), Limits(nodes=120_000)
    options = SearchOptions(margin=True, lines=0)
    reports = list(search(record, perfect_information=True, limits=limits, options=options, report_interval=0.001))
    assert [report.is_final for report in reports] == [False] * (len(reports) - 1) + [True]
    assert all(report.stop_reason is None for report in reports[:-1])
    for one, later in itertools.pairwise(reports):
        assert one.counters.nodes <= later.counters.nodes
        for before, after in zip(one.values, later.values, strict=True):
            for name in ("win_share", "score", "margin"):
                low, high = ends(getattr(before, name))
                assert low <= ends(getattr(after, name))[0] <= ends(getattr(after, name))[1] <= high
    assert len({report.values for report in reports}) > 2
    assert isinstance(reports[0].values[0].win_share, Interval)
    assert isinstance(reports[-1].values[0].win_share, Exact)


def test_reports_do_not_change_the_answer() -> None:
    record, options = deal(5), SearchOptions(margin=True, lines=0)
    limits = Limits(nodes=20_000)
    *_, last = search(record, perfect_information=True, limits=limits, options=options, report_interval=0.001)
    assert timeless(last) == timeless(solve(record, limits, margin=True, lines=0))


def test_abandoned_reports_leave_nothing_running() -> None:
    before = threading.active_count()
    reports = search(hard(), perfect_information=True, limits=PROOF, options=SearchOptions(), report_interval=0.01)
    next(reports)
    reports.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before


# -- who answers, and what is refused


def test_a_limit_of_simulations_asks_for_simulations() -> None:
    analysis = solve(deal(1), Limits(simulations=100), trees=2, threads=2)
    assert analysis.counters.simulations == 100
    assert analysis.counters.tree_nodes > 0
    assert isinstance(analysis.values[0].win_share, Estimate)


@pytest.mark.parametrize(
    ("limits", "options", "field"),
    [
        (PROOF, {"trees": 2}, "options.trees"),
        (Limits(nodes=100), {"threads": 2}, "options.threads"),
        (Limits(simulations=10, nodes=10), {}, "limits.nodes"),
        (Limits(simulations=10), {"margin": True}, "options.margin"),
    ],
)
def test_what_means_nothing_to_the_one_that_answers_is_refused(
    limits: Limits, options: dict[str, object], field: str
) -> None:
    with pytest.raises(InputError) as caught:
        solve(SMALL, limits, **options)
    assert caught.value.field == field


@pytest.mark.parametrize(
    "notation", ["peas +1/-2/+3 B1B5R2 V1V3Y5 A", "pepper_corn 9MS,XY/2WL,6LK AS4MS8MS 5YK 0-15 play/A"]
)
@pytest.mark.parametrize(
    ("limits", "options", "field"),
    [
        (Limits(nodes=10), SearchOptions(), "limits.nodes"),
        (Limits(simulations=10), SearchOptions(margin=True), "options.margin"),
    ],
)
def test_nodes_and_margins_are_for_proofs(notation: str, limits: Limits, options: SearchOptions, field: str) -> None:
    with pytest.raises(InputError) as caught:
        analyze(parse_record(notation), limits=limits, options=options)
    assert caught.value.field == field


def test_unknown_hands_are_refused() -> None:
    for hands in ("B1B5R2 ???", "??? V1V3Y5", "B1?? V1V3Y5"):
        with pytest.raises(PositionError) as caught:
            solve(parse_record(f"peas +1/-2/+3 {hands} A"))
        assert caught.value.field == "notation"


def test_a_hand_that_can_only_be_one_is_no_secret() -> None:
    record = parse_record("peas{colours=1,ranks=6} +1/-2/+3 B1B2B3 ??? A")
    assert solve(record).stop_reason is StopReason.SOLVED
