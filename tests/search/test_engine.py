"""The engine around the trees: limits and stop reasons, reports, threads, chosen moves, lines, and secrecy."""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections.abc import Callable
from dataclasses import replace

import mangetout_toys as toys
import pytest
from mangetout_solver.analysis import Analysis, Estimate, Exact, SolutionConcept, StopReason
from mangetout_solver.engine import analyze, search
from mangetout_solver.errors import InputError, PositionError, PreconditionError
from mangetout_solver.games.game import Record
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game, parse_record
from mangetout_solver.limits import MIN_MEMORY_BYTES, Limits, SearchOptions
from mangetout_solver.search.control import Control

PEAS = game("peas")
ToyRecord = Callable[[Position], Record]


def deal(seed: int, **options: str) -> Record:
    return Record(PEAS, (PEAS.deal(seed, options),), ())


def played(seed: int, plies: int) -> Record:
    """A deal after some random moves."""
    record, chooser = deal(seed), random.Random(seed)
    for _ in range(plies):
        position = record.current
        record = record.play(PEAS.format_move(position, chooser.choice(position.legal_moves())))
    return record


def timeless(analysis: Analysis) -> Analysis:
    return replace(analysis, search_seconds=0.0)


# -- when it ends


def test_simulation_limit() -> None:
    for simulations, trees in ((1, 1), (3, 4), (1_000, 1), (1_001, 4)):
        limits = Limits(simulations=simulations)
        analysis = analyze(deal(1), limits=limits, options=SearchOptions(trees=trees))
        assert analysis.stop_reason is StopReason.LIMIT
        assert analysis.is_final
        assert analysis.counters.simulations == simulations


def test_time_limit() -> None:
    analysis = analyze(deal(1), limits=Limits(time=0.05), options=SearchOptions())
    assert analysis.stop_reason is StopReason.LIMIT
    assert analysis.search_seconds >= 0.05
    assert analysis.counters.simulations >= 1


def test_deadline_comes_before_the_time_limit() -> None:
    control = Control(deadline=time.monotonic() + 0.05)
    analysis = analyze(deal(1), limits=Limits(time=600.0), options=SearchOptions(), control=control)
    assert analysis.stop_reason is StopReason.DEADLINE
    assert analysis.counters.simulations >= 1


@pytest.mark.parametrize("trees", [1, 4])
@pytest.mark.parametrize("perfect_information", [False, True])
def test_stopped_before_the_start(trees: int, perfect_information: bool) -> None:
    """There is an answer all the same."""
    control = Control()
    control.stop()
    analysis = analyze(
        deal(1),
        perfect_information=perfect_information,
        limits=Limits(simulations=10**12),
        options=SearchOptions(trees=trees),
        control=control,
    )
    assert analysis.is_final
    assert analysis.stop_reason is StopReason.STOPPED
    assert trees <= analysis.counters.simulations <= 100
    assert PEAS.parse_move(deal(1).current, analysis.best_move) in deal(1).current.legal_moves()


@pytest.mark.parametrize("reason", [StopReason.STOPPED, StopReason.SHUTDOWN])
def test_stopped_from_another_thread(reason: StopReason) -> None:
    control = Control()
    timer = threading.Timer(0.05, control.stop, [reason])
    timer.start()
    analysis = analyze(deal(1), limits=Limits(time=600.0), options=SearchOptions(trees=2, threads=2), control=control)
    timer.join()
    assert analysis.stop_reason is reason


def test_a_proof_ends_the_search_whatever_the_limit(toy_record: ToyRecord) -> None:
    record = toy_record(toys.random_tree(1))
    for limits in (Limits(simulations=10**9), Limits(time=600.0), Limits(until_solved=True)):
        assert analyze(record, limits=limits, options=SearchOptions()).stop_reason is StopReason.SOLVED


def test_least_memory_is_shared_by_all_trees() -> None:
    limits = Limits(simulations=40_000, memory_bytes=MIN_MEMORY_BYTES)
    analyses = [analyze(played(1, 4), limits=limits, options=SearchOptions(trees=8, threads=n)) for n in (1, 2)]
    assert timeless(analyses[0]) == timeless(analyses[1])
    assert 0.9 * MIN_MEMORY_BYTES < analyses[0].counters.tree_bytes <= MIN_MEMORY_BYTES
    assert analyses[0].counters.simulations == 40_000


# -- reports on the way


def test_reports() -> None:
    """Partial ones that grow, then exactly one final one, which says no more than it would have said without them."""
    limits = Limits(simulations=150_000)
    options = SearchOptions(trees=2, threads=2, seed=3)
    reports = list(search(deal(1), limits=limits, options=options, report_interval=0.01))
    assert len(reports) > 2
    assert [report.is_final for report in reports] == [False] * (len(reports) - 1) + [True]
    assert [report.stop_reason for report in reports] == [None] * (len(reports) - 1) + [StopReason.LIMIT]
    for one, next_one in itertools.pairwise(reports):
        assert one.counters.simulations < next_one.counters.simulations
        assert one.counters.nodes < next_one.counters.nodes
        assert one.search_seconds <= next_one.search_seconds
    assert all(report.best_move and report.lines for report in reports)
    assert timeless(reports[-1]) == timeless(analyze(deal(1), limits=limits, options=options))


def test_reports_do_not_change_what_is_proven(toy_record: ToyRecord) -> None:
    """Under a simulation limit trees that are proven at different times give one answer, asked for early or late."""
    limits, options = Limits(simulations=100_000), SearchOptions(trees=4, threads=2, lines=0)
    solved = 0
    for case in range(6):
        record = toy_record(toys.random_tree(case, depth=8, branching=5, ends=0))
        plain = analyze(record, limits=limits, options=options)
        *_, last = search(record, limits=limits, options=options, report_interval=0.001)
        assert timeless(last) == timeless(plain)
        solved += plain.stop_reason is StopReason.SOLVED
    assert solved > 2


def test_without_an_interval_there_is_only_the_final_report() -> None:
    (report,) = search(deal(1), limits=Limits(simulations=100), options=SearchOptions())
    assert report.is_final


def test_stopping_between_reports() -> None:
    control = Control()
    reports = search(deal(1), limits=Limits(time=600.0), options=SearchOptions(), control=control, report_interval=0.01)
    assert not next(reports).is_final
    control.stop()
    (last,) = reports
    assert last.stop_reason is StopReason.STOPPED


def test_abandoned_reports_leave_nothing_running() -> None:
    before = threading.active_count()
    reports = search(
        deal(1), limits=Limits(time=600.0), options=SearchOptions(threads=2, trees=2), report_interval=0.01
    )
    next(reports)
    reports.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before


# -- the same on any number of threads


@pytest.mark.parametrize("perfect_information", [False, True])
@pytest.mark.parametrize("plies", [0, 9, 14])
def test_threads_do_not_matter(perfect_information: bool, plies: int) -> None:
    def run(threads: int, seed: int = 5, trees: int = 4) -> Analysis:
        return timeless(
            analyze(
                played(2, plies),
                perfect_information=perfect_information,
                limits=Limits(simulations=6_000),
                options=SearchOptions(trees=trees, threads=threads, seed=seed, lines=0),
            )
        )

    first = run(1)
    assert run(1) == run(2) == run(4) == first
    assert run(1, seed=6) != first
    assert run(1, trees=3) != first


def test_trees_of_one_search_differ() -> None:
    """More trees are more samples, not the same ones again."""
    one, four = (
        analyze(deal(1), limits=Limits(simulations=500 * trees), options=SearchOptions(trees=trees, lines=0))
        for trees in (1, 4)
    )
    visits = {line.move: line.visits for line in one.lines}
    assert any(line.visits % 4 for line in four.lines)
    assert {line.move: line.visits for line in four.lines} != {move: 4 * n for move, n in visits.items()}


def test_searching_releases_the_interpreter() -> None:
    """A thread of Python goes on while a search runs."""
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.wait(0.002):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    analyze(deal(1), limits=Limits(time=0.5), options=SearchOptions())
    seen = ticks
    done.set()
    thread.join()
    assert seen >= 10  # of 250; one or two if the search kept the lock


# -- what it answers


def test_lines_are_ordered_and_complete() -> None:
    record = played(3, 6)
    legal = {PEAS.format_move(record.current, move) for move in record.current.legal_moves()}
    limits = Limits(simulations=20_000)
    everything = analyze(record, limits=limits, options=SearchOptions(lines=0))
    assert {line.move for line in everything.lines} == legal
    assert [line.rank for line in everything.lines] == list(range(1, len(legal) + 1))
    assert [line.visits for line in everything.lines] == sorted(
        (line.visits for line in everything.lines), reverse=True
    )
    assert everything.best_move == everything.lines[0].move == everything.turn_plan[0]
    assert everything.values == everything.lines[0].values
    three = analyze(record, limits=limits, options=SearchOptions(lines=3))
    assert three.lines == everything.lines[:3]
    assert len(analyze(record, limits=limits, options=SearchOptions(lines=9_999)).lines) == len(legal)


@pytest.mark.parametrize("perfect_information", [False, True])
@pytest.mark.parametrize("plies", [0, 7, 12, 19])
def test_principal_variations_are_legal(perfect_information: bool, plies: int) -> None:
    """Each can be played, move by move, by what the seat knows."""
    record = played(4, plies)
    analysis = analyze(
        record,
        perfect_information=perfect_information,
        limits=Limits(simulations=20_000),
        options=SearchOptions(lines=0),
    )
    mover = record.current.seat_to_move
    assert mover is not None
    start = record if perfect_information else Record(PEAS, (record.current.redacted(mover),), ())
    for line in analysis.lines:
        assert line.principal_variation[0] == line.move
        following = start
        for text in line.principal_variation:
            following = following.play(text)
    assert analysis.turn_plan == (analysis.best_move,)  # players alternate
    if plies < 19:
        assert len(analysis.lines[0].principal_variation) > 1


def test_values_are_shares_of_one_win() -> None:
    for seed in range(5):
        analysis = analyze(deal(seed), limits=Limits(simulations=2_000), options=SearchOptions(lines=0))
        assert analysis.concept is SolutionConcept.INFORMATION_SET_SEARCH
        for line in analysis.lines:
            a, b = (value.win_share for value in line.values)
            assert isinstance(a, Estimate)
            assert isinstance(b, Estimate)
            assert a.mean + b.mean == pytest.approx(1.0)
            assert 0.0 <= a.mean <= 1.0
            assert a.standard_error == pytest.approx(b.standard_error)
            assert 0.0 <= a.standard_error <= 1.0
            scores = [value.score for value in line.values]
            assert all(isinstance(score, Estimate) for score in scores)
            assert sum(score.mean for score in scores if isinstance(score, Estimate)) == pytest.approx(
                0.0
            )  # the standard pods add up to nothing


def test_standard_error_shrinks_with_visits() -> None:
    def run(simulations: int) -> float:
        share = analyze(deal(7), limits=Limits(simulations=simulations), options=SearchOptions()).values[0].win_share
        assert isinstance(share, Estimate)
        return share.standard_error

    assert run(1) >= 0.5
    assert run(100) > 2 * run(20_000)


def test_chosen_and_avoided_moves() -> None:
    record = played(5, 4)
    limits = Limits(simulations=3_000)
    everything = analyze(record, limits=limits, options=SearchOptions(lines=0))
    legal = [line.move for line in everything.lines]
    chosen = tuple(legal[-3:])
    analysis = analyze(record, limits=limits, options=SearchOptions(lines=0, chosen_moves=chosen))
    assert {line.move for line in analysis.lines} == set(chosen)
    assert sum(line.visits for line in analysis.lines) == 3_000
    avoided = tuple(legal[:3])
    analysis = analyze(record, limits=limits, options=SearchOptions(lines=0, avoided_moves=avoided))
    assert {line.move for line in analysis.lines} == set(legal) - set(avoided)
    both = SearchOptions(lines=0, chosen_moves=chosen, avoided_moves=chosen[:2])
    assert analyze(record, limits=limits, options=both).best_move == chosen[2]


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"chosen_moves": ("B1@0", "B2@0")}, "options.chosen_moves[1]"),
        ({"avoided_moves": ("V1@0",)}, "options.avoided_moves[0]"),
        ({"chosen_moves": ("nonsense",)}, "options.chosen_moves[0]"),
        ({"chosen_moves": ("B1@0",), "avoided_moves": ("B1@0",)}, "options.avoided_moves"),
    ],
)
def test_moves_that_cannot_be_chosen(options: dict[str, tuple[str, ...]], field: str) -> None:
    record = parse_record("peas +1/-2/+3 B1B5R2 V1V3Y5 A")
    with pytest.raises(InputError) as caught:
        analyze(record, limits=Limits(simulations=10), options=SearchOptions(**options))
    assert caught.value.field == field


def test_questions_that_cannot_be_asked() -> None:
    limits, options = Limits(simulations=10), SearchOptions()
    over = parse_record("peas +1 B1 V1 A : B1@0 V1@0")
    unknown = parse_record("peas +1/-2/+3 B1B5R2 ??? A")
    mover_unknown = parse_record("peas +1/-2/+3 ??? B1B5R2 A")
    with pytest.raises(PreconditionError):
        analyze(over, limits=limits, options=options)
    with pytest.raises(PositionError) as caught:
        analyze(unknown, perfect_information=True, limits=limits, options=options)
    assert caught.value.field == "notation"
    with pytest.raises(PositionError) as caught:
        analyze(mover_unknown, limits=limits, options=options)
    assert caught.value.field == "notation"
    with pytest.raises(InputError) as caught:
        analyze(unknown, seat=2, limits=limits, options=options)
    assert caught.value.field == "seat"
    with pytest.raises(InputError) as caught:
        analyze(deal(1), seat=0, perfect_information=True, limits=limits, options=options)
    assert caught.value.field == "seat"
    assert analyze(unknown, limits=limits, options=options).seat == 0
    assert analyze(mover_unknown, seat=1, limits=limits, options=options).seat == 1


# -- what a seat may not know


@pytest.mark.parametrize("plies", [0, 5, 10])
@pytest.mark.parametrize("seat", [None, 0, 1])
def test_no_peeking(plies: int, seat: int | None) -> None:
    """Other cards in the hand of the opponent, and another history of them, give the same answer."""
    record = played(6, plies)
    mover = record.current.seat_to_move if seat is None else seat
    assert mover is not None
    seen = record.current.redacted(mover)
    limits, options = Limits(simulations=2_000), SearchOptions(lines=0, trees=2, seed=9)
    answer = analyze(record, seat=seat, limits=limits, options=options)
    assert answer.seat == mover
    worlds = {seen.determinize(case) for case in range(8)}
    assert len(worlds) > 3
    for world in worlds:
        other = analyze(Record(PEAS, (world,), ()), seat=seat, limits=limits, options=options)
        assert timeless(other) == timeless(answer)
    assert timeless(analyze(record.redacted(mover), seat=seat, limits=limits, options=options)) == timeless(answer)
    assert "?" in answer.position


def test_peeking_is_told_apart() -> None:
    """With open cards the same exchange does change the answer, so the test above can fail."""
    seen = played(6, 5).current.redacted(1)
    answers = {
        timeless(
            analyze(
                Record(PEAS, (seen.determinize(case),), ()),
                perfect_information=True,
                limits=Limits(simulations=2_000),
                options=SearchOptions(seed=9),
            )
        ).values
        for case in range(8)
    }
    assert len(answers) > 1


def test_the_second_to_choose_does_not_peek(toy_record: ToyRecord) -> None:
    """What the first has chosen in secret is not searched for the second."""
    root = toys.matrix([[[1.0, 0.0], [0.0, 1.0]]])
    answers = [
        timeless(
            analyze(toy_record(root.play(choice)), limits=Limits(simulations=5_000), options=SearchOptions(lines=0))
        )
        for choice in (0, 1)
    ]
    assert answers[0] == answers[1]


def test_toys_of_every_kind_are_answered(toy_record: ToyRecord) -> None:
    """Several players, chance, unlisted chance, more moves than are searched, hidden draws."""
    positions = [
        toys.random_tree(5, players=4, depth=9, ends=0),
        toys.random_tree(6, depth=9, chance=40, ends=0),
        toys.random_tree(7, depth=9, chance=40, listed=False, ends=0),
        toys.random_tree(8, depth=9, branching=20, twins=True, ends=0),
        toys.tricks([[0, 3, 6], [1, 4, 7]], cards=12, draws=2),
    ]
    for position in positions:
        analysis = analyze(toy_record(position), limits=Limits(simulations=2_000), options=SearchOptions(lines=0))
        assert int(analysis.best_move) in position.search_moves()
        assert len(analysis.values) == position.players
        for line in analysis.lines:
            shares = [value.win_share for value in line.values]
            if not any(isinstance(share, Exact) for share in shares):
                assert sum(share.mean for share in shares if isinstance(share, Estimate)) == pytest.approx(1.0)
        # A move that the search would leave out can be asked for.
        for move in position.legal_moves():
            options = SearchOptions(chosen_moves=(str(move),))
            assert analyze(toy_record(position), limits=Limits(simulations=5), options=options).best_move == str(move)
