"""The brute force itself: by hand, and by the compiled rules."""

from __future__ import annotations

from functools import cache

import pytest
from mangetout_solver.games.position import Position
from pepper_corn_brute_force import margin, margins

from tests.exact.pepper_corn.instances import RULES, random_position


def after_steps(text: str) -> dict[str, int]:
    """The margin after each step, by its text."""
    position = RULES.parse_position(f"pepper_corn{text}")
    return {RULES.format_move(position, move): found for move, found in margins(position).items()}


def test_a_card_too_far_and_one_that_is_not() -> None:
    # 4MS needs 4: A has AM + 2MK = 3 only. A takes AM with nothing less than AS; what is left then ends the game.
    assert after_steps(" 4MS AM2MK - 3-1 play/A") == {"pass": 5}
    assert after_steps(" 4MS AM2MK3MW - 3-1 play/A") == {"pass": 8, "x4MS": 12}
