"""The brute force itself: by the compiled rules, and by answers of another solver."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from mangetout_solver.games.peas import view
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game
from peas_brute_force import MAX_CARDS, margin, margins

from benchmarks.known_cases import read
from tests.exact.instances import position_with, real_midgame

PEAS = game("peas")
KNOWN = Path(__file__).parents[1] / "data/peas_positions.jsonl"


@cache
def margin_by_the_rules(position: Position) -> int:
    """The margin by the rules of the game."""
    returns = position.round_returns()
    if returns is not None:
        taken = {pod.winner for pod in view(position).pods}
        if len(taken) == 1:
            return 120 if taken == {0} else -120
        return int(returns[1][0] - returns[1][1])
    best = min if position.seat_to_move else max
    return best(margin_by_the_rules(position.play(move)) for move in position.legal_moves())


@pytest.mark.parametrize(("cards", "positions"), [(1, 100), (2, 200), (3, 40)])
def test_the_rules_of_the_game_give_the_same(cards: int, positions: int) -> None:
    for seed in range(positions):
        position = position_with(cards, seed)
        expected = {move: margin_by_the_rules(position.play(move)) for move in position.legal_moves()}
        assert margins(position) == expected
        assert margin(position) == margin_by_the_rules(position)
    margin_by_the_rules.cache_clear()


def test_answers_of_another_solver() -> None:
    compared = 0
    for case in read(KNOWN):
        round_ = view(case.position)
        if case.margin is None or case.moves is None or max(len(hand.cards) for hand in round_.hands) > 4:
            continue
        after = margins(case.position)
        assert margin(case.position) == case.margin, case.id
        letters = {move: "A" if value > 0 or value == round_.pea == 0 else "B" for move, value in after.items()}
        assert {PEAS.format_move(case.position, move): letter for move, letter in letters.items()} == case.moves
        compared += 1
    assert compared > 150


def test_refused() -> None:
    with pytest.raises(ValueError, match="a move to make"):
        margin(PEAS.parse_position("peas +1[A=B2,B=B3] - - A"))
    with pytest.raises(ValueError, match=f"at most {MAX_CARDS} cards"):
        margins(real_midgame(14, 0))
    with pytest.raises(ValueError, match="all known"):
        margins(position_with(2, 0).redacted(0))
