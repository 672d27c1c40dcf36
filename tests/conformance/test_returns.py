"""Results, scores and lengths stay within what the game declares."""

from __future__ import annotations

import math

import pytest

from tests.conformance.budgets import STEPS
from tests.conformance.play import complete_games, random_game
from tests.conformance.subjects import Variant, spread


@pytest.mark.every_variant
def test_the_win_is_shared_out_at_the_end(variant: Variant) -> None:
    for end in (record.current for record in complete_games(variant)):
        shares = end.win_shares()
        assert len(shares) == len(end.scores()) == end.players
        assert all(0 <= share <= 1 for share in shares)
        assert math.fsum(shares) == pytest.approx(1, abs=1e-12)


def test_there_is_no_result_before_the_end(variant: Variant) -> None:
    under_way = random_game(variant, 1).positions[:-1]
    for position in (under_way[index] for index in spread(0, len(under_way) - 1, STEPS)):
        for ask in (position.win_shares, position.scores):
            with pytest.raises(ValueError, match="not over"):
                ask()


@pytest.mark.every_variant
def test_scores_stay_within_their_bounds_which_the_rules_fix(variant: Variant) -> None:
    for record in complete_games(variant):
        low, high = variant.game.score_bounds(record.current)
        assert math.isfinite(low)
        assert math.isfinite(high)
        assert all(low <= score <= high for score in record.current.scores())
        assert all(
            variant.game.score_bounds(position) == (low, high) for position in record.positions[:: len(record.moves)]
        )


@pytest.mark.every_variant
def test_no_game_has_more_steps_than_the_most(variant: Variant) -> None:
    for record in complete_games(variant):
        most = record.current.max_steps
        assert 1 <= len(record.moves) <= most
        assert all(position.max_steps == most for position in record.positions)
