"""Play while cards lie face down, against brute force; what limits, stops and full tables leave of an answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from mangetout_solver.exact.pepper_corn.reveals import MOST_ORDERS, Reveals, count_orders, in_reveals
from mangetout_solver.exact.stage import Payoff
from mangetout_solver.search.control import Control

from tests.exact.asking import SMALL, is_margin, margin_of
from tests.exact.pepper_corn.hidden_row import check_instance, random_board, scaled, value
from tests.exact.pepper_corn.instances import RULES

START = RULES.parse_position(
    "pepper_corn 2WL,9MS,-/?,?,7SK/XK,XL,5YK|3MW8YK 4WL6LK4YK AS5SWXY 57-57 play/A", "position"
)
MOST = 2 * 198


@pytest.mark.parametrize("first", range(0, 240, 20))
def test_against_brute_force(first: int) -> None:
    for seed in range(first, first + 20):
        check_instance(seed)


def test_positions_after_a_pass() -> None:
    for seed in range(400, 430):
        board = random_board(seed)
        if board.passed:
            continue
        position = board.position()
        after = position.play(RULES.parse_move(position, "pass"))
        for payoff in Payoff:
            expected = scaled(payoff, after, value(replace(board, seat=1 - board.seat, passed=True), payoff))
            assert is_margin(Reveals(payoff, SMALL), after, expected)


def test_in_every_step_of_a_turn_the_best_move_keeps_the_value() -> None:
    position = START
    expected = margin_of(Reveals(Payoff.MARGIN, SMALL), position, MOST)
    while not position.is_chance and not position.is_terminal:
        pick = max if position.seat_to_move == 0 else min
        after = {
            move: margin_of(Reveals(Payoff.MARGIN, SMALL), position.play(move), MOST) for move in position.legal_moves()
        }
        assert pick(after.values()) == expected
        position = position.play(next(move for move, found in after.items() if found == expected))
    assert position.is_chance


def test_limits_of_nodes_and_memory_change_no_answer() -> None:
    expected = margin_of(Reveals(Payoff.MARGIN, SMALL), START, MOST)
    assert is_margin(Reveals(Payoff.MARGIN, 1 << 13), START, expected)
    limited = Reveals(Payoff.MARGIN, SMALL)
    most, before, refused = 1, 0, 0
    while limited.at_least(START, expected, Control(), most) is None:
        assert 0 < limited.nodes - before <= most
        most, before, refused = 2 * most, limited.nodes, refused + 1
    assert refused > 3


def test_stopped_before_it_begins() -> None:
    control = Control()
    control.stop()
    solver = Reveals(Payoff.SHARE, SMALL)
    assert solver.at_least(START, 2, control) is None
    assert solver.nodes == 0


def test_the_same_questions_take_the_same_nodes() -> None:
    solvers = [Reveals(Payoff.MARGIN, SMALL) for _ in range(2)]
    assert margin_of(solvers[0], START, MOST) == margin_of(solvers[1], START, MOST)
    assert solvers[0].nodes == solvers[1].nodes


def test_few_cards_face_down_are_covered() -> None:
    assert count_orders(START) == 2
    assert in_reveals(START)
    dealt = RULES.deal(1, {"hidden_row": "true"})
    while dealt.is_secret or dealt.is_chance:
        dealt = dealt.play((dealt.legal_moves() or [move for move, _ in dealt.chance_outcomes()])[0])
    assert count_orders(dealt) == 40320 > MOST_ORDERS
    assert not in_reveals(dealt)
