"""A sample of what `python -m tests.exact.against_brute_force` tries."""

from __future__ import annotations

import pytest
from mangetout_solver.exact.peas.solver import SWEEP

from tests.exact.against_brute_force import check_instance


@pytest.mark.parametrize(("cards", "instances"), [(1, 60), (2, 300), (3, 300), (4, 300)])
def test_margins_and_moves(cards: int, instances: int) -> None:
    found = {check_instance(cards, seed) for seed in range(instances)}
    assert {-SWEEP, SWEEP} < found  # both seats sweep, and points decide too


@pytest.mark.parametrize(("cards", "instances"), [(1, 60), (2, 300), (3, 300), (4, 60)])
def test_margins_and_moves_with_a_hand_hidden(cards: int, instances: int) -> None:
    found = {check_instance(cards, seed, hidden=True) for seed in range(instances)}
    assert {-SWEEP, SWEEP} < found
