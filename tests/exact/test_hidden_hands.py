"""What a player is sure of who does not see the other hand, beyond the reach of brute force, and what is refused."""

from __future__ import annotations

import pytest
from mangetout_solver.exact.peas.solver import DoubleDummy
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game
from mangetout_solver.search.control import Control

from tests.exact.asking import SMALL, is_margin, margin_of
from tests.exact.instances import real_midgame

PEAS = game("peas")


def own(context: DoubleDummy, position: Position, seat: int) -> int:
    """The margin from the view of the seat."""
    margin = margin_of(context, position)
    return margin if seat == 0 else -margin


def test_no_more_is_sure_than_each_hand_allows() -> None:
    less = 0
    for seed in range(80):
        position = real_midgame(9 + seed % 2, seed)
        for seat in (0, 1):
            seen = position.redacted(seat)
            context = DoubleDummy(SMALL)
            sure, least = own(context, seen, seat), min(own(context, world, seat) for world in seen.worlds())
            assert sure <= least, PEAS.format_position(seen)
            less += sure < least
    assert less > 0  # what wins against each hand by itself need not win against all


def test_a_step_deeper_the_same_is_sure() -> None:
    for seed in range(24):
        position = real_midgame(8 + seed % 4, seed)
        for seat in (0, 1):
            seen = position.redacted(seat)
            best = min if seen.seat_to_move else max
            context = DoubleDummy(SMALL)
            margin = best(margin_of(context, seen.play(move)) for move in seen.legal_moves())
            assert is_margin(DoubleDummy(SMALL), seen, margin), PEAS.format_position(seen)


def test_a_hidden_hand_that_can_be_one_only_is_as_good_as_open() -> None:
    # All cards of the deck are dealt: those not seen are the other's.
    for seed in range(10):
        position = PEAS.deal(seed, {"colours": "3", "ranks": "4", "pods": "+1,-2,+3,-1,+2,-3"})
        for seat in (0, 1):
            context = DoubleDummy(SMALL)
            assert is_margin(DoubleDummy(SMALL), position.redacted(seat), margin_of(context, position))


@pytest.mark.parametrize(
    ("notation", "reason"),
    [
        ("peas +1/+2 ?? ?? A", "both hands"),
        ("peas +1/+2 B1B2 B3? A", "known in part"),
        ("peas{scope=match} +1|+2 - - A 1-0 deal/0", "dealt"),
    ],
)
def test_what_cannot_be_asked(notation: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        DoubleDummy(SMALL).at_least(PEAS.parse_position(notation), 0, Control())
