"""Results, scores and lengths stay within what the game declares."""

from __future__ import annotations

import math

import pytest

from tests.conformance.play import random_game
from tests.conformance.subjects import Variant


def test_the_win_is_shared_out_at_the_end(variant: Variant) -> None:
    for seed in range(20):
        end = random_game(variant, seed).current
        shares = end.win_shares()
        assert len(shares) == len(end.scores()) == end.players
        assert all(0 <= share <= 1 for share in shares)
        assert math.fsum(shares) == pytest.approx(1, abs=1e-12)


def test_there_is_no_result_before_the_end(variant: Variant) -> None:
    for position in random_game(variant, 1).positions[:-1]:
        for ask in (position.win_shares, position.scores):
            with pytest.raises(ValueError, match="not over"):
                ask()


def test_scores_stay_within_their_bounds_which_the_rules_fix(variant: Variant) -> None:
    for seed in range(20):
        record = random_game(variant, seed)
        low, high = variant.game.score_bounds(record.current)
        assert math.isfinite(low)
        assert math.isfinite(high)
        assert all(low <= score <= high for score in record.current.scores())
        assert all(variant.game.score_bounds(position) == (low, high) for position in record.positions)


def test_no_game_has_more_steps_than_the_most(variant: Variant) -> None:
    for seed in range(20):
        record = random_game(variant, seed)
        most = record.current.max_steps
        assert 1 <= len(record.moves) <= most
        assert all(position.max_steps == most for position in record.positions)
