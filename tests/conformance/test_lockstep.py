"""The compiled rules and the plain twin play the same game."""

from __future__ import annotations

from tests.conformance import lockstep
from tests.conformance.subjects import Variant

STEPS = 100


def test_random_games_are_the_same_by_the_twin(variant: Variant) -> None:
    """Turns, moves, chances, views and results; `python -m tests.conformance.lockstep` plays as many as asked for."""
    steps = seed = 0
    while steps < STEPS:
        steps += lockstep.play(variant, seed)
        seed += 1
