"""The brute force itself: by the compiled rules, and by answers of another solver."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from mangetout_solver.games.peas import view
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game
from peas_brute_force import MAX_CARDS, MAX_HANDS, margin, margins

from benchmarks.known_cases import read
from tests.exact.instances import hidden_with, position_with, real_midgame

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


@cache
def margin_in_all(worlds: frozenset[Position]) -> int:
    """The margin where a player does not know which of the worlds it is: it plays alike in all those in which the other
    could have played as it did."""
    after: dict[int, set[Position]] = {}
    for world in worlds:
        if world.seat_to_move is None:
            return margin_by_the_rules(world)
        for move in world.legal_moves():
            after.setdefault(move, set()).add(world.play(move))
    best = min if world.seat_to_move else max
    return best(margin_in_all(frozenset(left)) for left in after.values())


@pytest.mark.parametrize(("cards", "positions"), [(1, 100), (2, 200), (3, 40)])
def test_the_rules_of_the_game_give_the_same(cards: int, positions: int) -> None:
    for seed in range(positions):
        position = position_with(cards, seed)
        expected = {move: margin_by_the_rules(position.play(move)) for move in position.legal_moves()}
        assert margins(position) == expected
        assert margin(position) == margin_by_the_rules(position)
    margin_by_the_rules.cache_clear()


@pytest.mark.parametrize(("cards", "positions", "hands"), [(1, 100, MAX_HANDS), (2, 100, MAX_HANDS), (3, 40, 20)])
def test_the_rules_of_the_game_give_the_same_with_a_hand_hidden(cards: int, positions: int, hands: int) -> None:
    other = 0
    for seed in range(positions):
        position = hidden_with(cards, seed, hands)
        worlds = position.worlds()
        after = {
            move: margin_in_all(frozenset(world.play(move) for world in worlds if move in world.legal_moves()))
            for move in position.legal_moves()
        }
        assert margins(position) == after
        assert margin(position) == margin_in_all(frozenset(worlds))
        other += margin(position) not in [margin_by_the_rules(world) for world in worlds]
    assert other or cards < 3  # no world by itself has told it
    margin_in_all.cache_clear()
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
    with pytest.raises(ValueError, match="one hand hidden"):
        margins(position_with(2, 0).redacted(0).redacted(1))
    with pytest.raises(ValueError, match="as a whole"):
        margins(PEAS.parse_position("peas +1/+2 B1B2 B3? A"))
    with pytest.raises(ValueError, match=f"found 70 hands .* at most {MAX_HANDS}"):
        margins(real_midgame(8, 0).redacted(0))
