"""The compiled rules and the plain twin play the same game."""

from __future__ import annotations

from itertools import zip_longest

import pytest

from tests.conformance import lockstep
from tests.conformance.budgets import LOCKSTEP_STEPS
from tests.conformance.play import stretches
from tests.conformance.subjects import Variant


@pytest.mark.every_variant
def test_random_games_are_the_same_by_the_twin(variant: Variant) -> None:
    """Turns, moves, chances, views and results; `python -m tests.conformance.lockstep` plays as many as asked for."""
    for record in stretches(variant, LOCKSTEP_STEPS):
        assert lockstep.follow(variant, zip_longest(record.positions, record.moves)) == len(record.moves)
