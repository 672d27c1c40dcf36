"""Answers by simulations in late rounds of PEAS, and what is proven beside them against all hands."""

from __future__ import annotations

import pytest
from mangetout_solver.analysis import Analysis, Exact, StopReason
from mangetout_solver.engine import analyze
from mangetout_solver.exact.peas.worlds import MOST_CARDS
from mangetout_solver.games.game import Record
from mangetout_solver.games.peas import view
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game, parse_record
from mangetout_solver.limits import Limits, SearchOptions
from peas_brute_force import MAX_HANDS, margins

from tests.exact.instances import hidden_with, real_midgame

PEAS = game("peas")


def answer(position: Position, simulations: int = 40_000, **options: object) -> Analysis:
    return analyze(
        Record(PEAS, (position,), ()),
        limits=Limits(simulations=simulations),
        options=SearchOptions(**{"seed": 1, "lines": 0} | options),  # type: ignore[arg-type]
    )


def own_turns(cards: int, instances: int) -> list[Position]:
    """Positions whose seat to move sees its own hand and not the other's."""
    found = [hidden_with(cards, instance, MAX_HANDS) for instance in range(instances)]
    return [seen for seen in found if not view(seen).hands[seen.seat_to_move or 0].unknown]


def wins(position: Position, margin: int) -> bool:
    """Whether the seat to move wins the round with this margin of A (PEAS-13 to PEAS-15)."""
    return (margin > 0 or (margin == 0 and view(position).pea == 0)) == (position.seat_to_move == 0)


@pytest.mark.parametrize(("cards", "instances"), [(2, 60), (3, 30)])
def test_moves_that_are_sure_to_win_are_just_those_of_brute_force(cards: int, instances: int) -> None:
    counts = {True: 0, False: 0}
    for seen in own_turns(cards, instances):
        analysis = answer(seen)
        sure = {move for move, margin in margins(seen).items() if wins(seen, margin)}
        counts[bool(sure)] += 1
        for line in analysis.lines:
            assert line.hidden_hands is not None
            is_sure = PEAS.parse_move(seen, line.move) in sure
            assert line.hidden_hands.sure is is_sure
            # Of a match the values of the round come last.
            share = line.values[-2:][seen.seat_to_move or 0].win_share
            assert (share == Exact(1.0)) == is_sure
        assert {PEAS.parse_move(seen, line.move) for line in analysis.lines[: len(sure)]} == sure
        assert (analysis.stop_reason is StopReason.SOLVED) == bool(sure)
    assert min(counts.values()) > 2


def test_counts_are_of_best_play_with_open_cards() -> None:
    compared = 0
    for seen in own_turns(3, 24):
        worlds = [margins(world) for world in seen.worlds()]
        for line in answer(seen).lines:
            hidden, move = line.hidden_hands, PEAS.parse_move(seen, line.move)
            assert hidden is not None
            if not hidden.sure:
                lost = sum(not wins(seen, after[move]) for after in worlds)
                assert (hidden.looked_at, hidden.beaten) == (len(worlds), lost)
                compared += 0 < lost < len(worlds)
    assert compared > 10


SURE = "peas +1/-2/+3 B1B2B3 ??? A : B1@0 R1@0"


def test_a_sure_move_may_be_left_out() -> None:
    position = parse_record(SURE).current
    best = answer(position).best_move
    others = answer(position, avoided_moves=(best,))
    assert best not in [line.move for line in others.lines]


def test_a_proof_ends_the_search_before_its_time() -> None:
    record = parse_record(SURE)
    analysis = analyze(record, limits=Limits(time=20.0), options=SearchOptions(seed=1))
    assert analysis.stop_reason is StopReason.SOLVED
    assert analysis.search_seconds < 20.0
    assert analysis.values[0].win_share == Exact(1.0)


@pytest.mark.parametrize("plies", [7, 8])
def test_what_is_hidden_changes_nothing(plies: int) -> None:
    """The same question with another hand in place of the hidden one."""
    for number in range(6):
        position = real_midgame(plies, number)
        seat_to_move = position.seat_to_move
        assert seat_to_move is not None
        worlds = position.redacted(seat_to_move).worlds()
        first, other = answer(worlds[0], 4_000), answer(worlds[-1], 4_000)
        assert first.lines == other.lines
        assert any(line.hidden_hands for line in first.lines)


@pytest.mark.parametrize(("simulations", "told"), [(800, True), (799, False)])
def test_few_simulations_leave_it_at_that(simulations: int, told: bool) -> None:
    lines = answer(parse_record(SURE).current, simulations).lines
    assert all((line.hidden_hands is not None) == told for line in lines)


@pytest.mark.parametrize("cards", [MOST_CARDS, MOST_CARDS + 1])
def test_more_cards_are_left_to_simulations(cards: int) -> None:
    analysis = answer(real_midgame(2 * cards, 3), 4_000)
    assert all((line.hidden_hands is not None) == (cards == MOST_CARDS) for line in analysis.lines)


def test_the_other_seat_is_told_nothing_of_its_hand() -> None:
    position = real_midgame(6, 1)
    waiting = 1 - (position.seat_to_move or 0)
    analysis = analyze(
        Record(PEAS, (position,), ()), seat=waiting, limits=Limits(simulations=2_000), options=SearchOptions(lines=0)
    )
    assert all(line.hidden_hands is None for line in analysis.lines)
