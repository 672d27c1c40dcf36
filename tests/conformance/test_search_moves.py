"""The moves that searches try are enough for best play."""

from __future__ import annotations

from itertools import pairwise

import pytest
from mangetout_solver.games.position import Position

from tests.conformance.budgets import MANY
from tests.conformance.exact import guaranteed
from tests.conformance.play import last_states, sights, whole_games
from tests.conformance.subjects import Variant


def test_search_moves_are_legal_moves_in_their_order(variant: Variant) -> None:
    for position in whole_games(variant, MANY):
        for shown in sights(position):
            assert set(shown.search_moves()) <= set(shown.legal_moves())
            assert all(a < b for a, b in pairwise(shown.search_moves()))


def test_every_legal_move_has_a_search_move_as_good(variant: Variant) -> None:
    """At the beginning of every turn that follows from small positions: for the mover, and so for the value."""
    for root in last_states(variant, 600):
        for seat in range(root.players):
            known: dict[Position, float] = {}
            searched: dict[Position, float] = {}
            guaranteed(root, seat, Position.legal_moves, known)
            for position in [position for position in known if position.opens_turn]:
                value = pytest.approx(known[position])
                if position.seat_to_move == seat:
                    best = max(
                        guaranteed(position.play(move), seat, Position.search_moves, searched)
                        for move in position.search_moves()
                    )
                    assert best == value, variant.game.format_position(position)
                assert guaranteed(position, seat, Position.search_moves, searched) == value
