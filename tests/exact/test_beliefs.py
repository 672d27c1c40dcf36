"""The hands that a seat of PEAS holds possible."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from mangetout_solver.errors import PositionError
from mangetout_solver.exact.peas.beliefs import uniform
from mangetout_solver.games.peas import view
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game

from tests.exact.instances import random_midgame, real_deal, real_midgame

PEAS = game("peas")


def hands_by_eye(position: Position, seat: int) -> list[tuple[str, ...]]:
    """What the other hand can be by the cards on the table, ascending."""
    round_ = view(position)
    plays = [pod.plays for pod in round_.pods]
    seen = {*round_.hands[seat].cards, *(card for pod in plays for _, card in pod)}
    voids = {pod[0][1][0] for pod in plays if len(pod) == 2 and pod[1][0] == 1 - seat and pod[0][1][0] != pod[1][1][0]}
    deck = [f"{colour}{rank + 1}" for colour in "BRVY"[: round_.colours] for rank in range(round_.ranks)]
    unseen = [card for card in deck if card not in seen and card[0] not in voids]
    return list(combinations(unseen, len(round_.hands[1 - seat].cards)))


def test_a_deal_leaves_1001_hands() -> None:
    position = real_deal(Random(1))
    for seat in (0, 1):
        belief = uniform(position, seat)
        assert len(belief.worlds) == len(set(belief.worlds)) == 1001
        assert position in belief.worlds
        assert [belief.hand(index) for index in range(len(belief.worlds))] == hands_by_eye(position, seat)
        assert belief.weights == (1 / 1001,) * 1001


def test_hands_are_those_that_the_table_allows() -> None:
    with_voids = 0
    for seed in range(100):
        position = (real_midgame, random_midgame)[seed % 2](4 + seed % 9, seed)
        for seat in (0, 1):
            belief = uniform(position, seat)
            assert [belief.hand(index) for index in range(len(belief.worlds))] == hands_by_eye(position, seat), (
                PEAS.format_position(position)
            )
            assert sum(belief.weights) == pytest.approx(1.0)
            with_voids += bool(view(position).hands[1 - seat].voids)
    assert with_voids > 40


def test_what_the_seat_does_not_see_makes_no_difference() -> None:
    for seed in range(20):
        position = real_midgame(9, seed)
        other = position.redacted(0).determinize(seed)
        assert uniform(position, 0) == uniform(other, 0) == uniform(position.redacted(0), 0)


def test_the_hand_of_the_seat_itself_must_be_known() -> None:
    with pytest.raises(PositionError, match=r"hands\.A: found 2 cards that are not known") as raised:
        uniform(PEAS.parse_position("peas +1/+2 ?? B1B2 A"), 0)
    assert raised.value.field == "hands.A"
    with pytest.raises(ValueError, match="dealt"):
        uniform(PEAS.parse_position("peas{scope=match} +1|+2 - - A 1-0 deal/0"), 0)
