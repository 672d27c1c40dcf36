"""Cards face down in Pepper. Corn!, as analyses: expectations held to brute force, limits, and what is estimated."""

from __future__ import annotations

import itertools
import time
from dataclasses import replace

import pytest
from mangetout_solver.analysis import Analysis, Estimate, Exact, Interval, SolutionConcept, StopReason, Value
from mangetout_solver.engine import analyze, search
from mangetout_solver.errors import InputError
from mangetout_solver.exact.stage import Payoff
from mangetout_solver.games.game import Record
from mangetout_solver.games.pepper_corn import PepperCorn
from mangetout_solver.games.position import Position
from mangetout_solver.limits import Limits, SearchOptions
from mangetout_solver.search.control import Control

from tests.exact.pepper_corn.hidden_row import random_board, value

GAME = PepperCorn()
MEMORY = 16 << 20
START = "pepper_corn 2WL,9MS,-/?,?,7SK/XK,XL,5YK|3MW8YK 4WL6LK4YK AS5SWXY 57-57 play/A"
# More than is solved in the moments that the tests wait.
HARD = (
    "pepper_corn 5ML,XY,7SK,AW,XM,6SY/?,-,AK,?,8MS,?/3SK,9MS,3LY,6MW,4WL,2WL|XSXWXL "
    "2MK4MS4YK5SW7WY AL9LK8WL5YK 22-26 play/A"
)


def record_of(position: Position) -> Record:
    return Record(GAME, (position,), ())


def read(text: str) -> Record:
    return record_of(GAME.parse_position(text, "position"))


def searched(record: Record, limits: Limits | None = None, **options: object) -> Analysis:
    return analyze(
        record,
        perfect_information=True,
        limits=limits or Limits(until_solved=True, memory_bytes=MEMORY),
        options=SearchOptions(**options),  # type: ignore[arg-type]
    )


def ends(found: Value | None) -> tuple[float, float]:
    if isinstance(found, Exact):
        return found.value, found.value
    assert isinstance(found, Interval)
    return found.low, found.high


@pytest.mark.parametrize("first", range(1000, 1060, 10))
def test_against_brute_force(first: int) -> None:
    for seed in range(first, first + 10):
        board = random_board(seed)
        analysis = searched(record_of(board.position()), margin=True)
        assert analysis.stop_reason is StopReason.SOLVED
        assert analysis.concept is SolutionConcept.PERFECT_INFORMATION
        a, b = analysis.values
        for found, payoff, total in ((a.win_share, Payoff.SHARE, 1.0), (a.margin, Payoff.MARGIN, 0.0)):
            expected = float(value(board, payoff))
            assert found == Exact(pytest.approx(expected))
            assert (b.win_share if payoff is Payoff.SHARE else b.margin) == Exact(pytest.approx(total - expected))
        # The best move keeps the expected margin.
        assert analysis.lines[0].values[0].margin == a.margin


def test_every_line_is_proven_where_all_are_asked_for() -> None:
    board = next(
        board for board in map(random_board, itertools.count(2000)) if len(board.unseen) > 1 and not board.passed
    )
    analysis = searched(record_of(board.position()), lines=0)
    shares = {line.move: line.values[0].win_share for line in analysis.lines}
    assert sorted(shares) == sorted(GAME.format_move(board.position(), move) for move in board.position().legal_moves())
    passed = value(replace(board, seat=1 - board.seat, passed=True), Payoff.SHARE)
    assert shares["pass"] == Exact(pytest.approx(float(passed)))
    pick = max if board.seat == 0 else min
    assert analysis.values[0].win_share == Exact(pick(ends(share)[0] for share in shares.values()))
    for move, share in shares.items():
        alone = searched(record_of(board.position()), chosen_moves=(move,))
        assert alone.best_move == move
        assert alone.values[0].win_share == share


def test_simulations_come_to_the_same() -> None:
    boards = (board for board in map(random_board, itertools.count(2000)) if value(board, Payoff.SHARE).denominator > 2)
    for board in itertools.islice(boards, 3):
        record = record_of(board.position())
        (low, high), by_hand = ends(searched(record).values[0].win_share), float(value(board, Payoff.SHARE))
        assert low == high == pytest.approx(by_hand)
        found = analyze(record, limits=Limits(simulations=20_000), options=SearchOptions(seed=1)).values[0].win_share
        mean = found.mean if isinstance(found, Estimate) else ends(found)[0]
        assert mean == pytest.approx(by_hand, abs=0.05)
    assert isinstance(searched(read(HARD), Limits(simulations=500)).values[0].win_share, Estimate)


def test_the_interval_narrows() -> None:
    answers = list(
        search(
            read(HARD),
            perfect_information=True,
            limits=Limits(time=1.5, memory_bytes=MEMORY),
            options=SearchOptions(margin=True, lines=0),
            report_interval=0.1,
        )
    )
    assert len(answers) > 3
    assert answers[-1].stop_reason is StopReason.LIMIT
    for one, later in itertools.pairwise(answers):
        for before, after in zip(one.values, later.values, strict=True):
            for wide, narrow in ((before.win_share, after.win_share), (before.margin, after.margin)):
                assert ends(wide)[0] <= ends(narrow)[0] <= ends(narrow)[1] <= ends(wide)[1]


def test_the_same_nodes_give_the_same_answer() -> None:
    limits = Limits(nodes=3000, memory_bytes=MEMORY)
    answers = [searched(read(HARD), limits, margin=True, lines=0, seed=1) for _ in range(2)]
    assert answers[0].stop_reason is StopReason.LIMIT
    assert 0 < answers[0].counters.nodes <= 3000
    assert answers[0] == replace(answers[1], search_seconds=answers[0].search_seconds)


def test_a_stop_is_obeyed() -> None:
    control = Control(deadline=time.monotonic() + 0.2)
    analysis = analyze(
        read(HARD),
        perfect_information=True,
        limits=Limits(until_solved=True, memory_bytes=MEMORY),
        options=SearchOptions(),
        control=control,
    )
    assert analysis.stop_reason is StopReason.DEADLINE
    assert isinstance(analysis.values[0].win_share, Interval)


def test_many_cards_face_down_are_estimated() -> None:
    position = GAME.deal(1, {"hidden_row": "true"})
    while position.is_secret or position.is_chance:
        position = position.play((position.legal_moves() or [move for move, _ in position.chance_outcomes()])[0])
    record = record_of(position)
    analysis = searched(record, Limits(time=0.2))
    assert isinstance(analysis.values[0].win_share, Estimate)
    assert analysis.counters.simulations > 0
    with pytest.raises(InputError, match="no margin is proven here") as caught:
        searched(record, Limits(time=0.2), margin=True)
    assert caught.value.field == "options.margin"
