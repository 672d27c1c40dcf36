"""Keys merge what they promise to merge, and nothing else."""

from __future__ import annotations

import re
from collections import defaultdict
from contextlib import suppress
from random import Random

import pytest
from mangetout_solver.errors import InputError
from mangetout_solver.games.position import Position

from tests.conformance.budgets import ALIKE, EFFORT, FEW, SOME, for_seats
from tests.conformance.exact import values
from tests.conformance.play import last_states, random_states, sights, steps, views
from tests.conformance.subjects import Variant

EDITS = 40 * EFFORT

# Moves from the deal to positions that are nearly the same.
MOVES = 8


def near_states(variant: Variant, count: int) -> list[Position]:
    """Positions from few deals and with few choices, so that many are reached in several ways or nearly alike."""
    rng = Random(5)
    found = []
    for seed in range(for_seats(count, variant.deal(0).players) // MOVES):
        position = variant.deal(seed % 5)
        for _ in range(MOVES):
            if position.is_terminal:
                break
            position = position.play(rng.choice(steps(position)[:3]))
            found.append(position)
    return found


def test_the_key_of_a_seat_is_that_of_its_view(variant: Variant) -> None:
    for position, _ in random_states(variant, SOME):
        for seat, seen in enumerate(views(position)):
            assert position.information_key(seat) == seen.information_key(seat)
            assert 0 <= position.information_key(seat) < 2**128


def test_equal_keys_of_a_seat_mean_equal_views_and_moves(variant: Variant) -> None:
    """And equal views equal keys; over positions that are often nearly the same."""
    view_by_key: dict[tuple[int, int], Position] = {}
    moves_by_key: dict[tuple[int, int], list[int]] = {}
    key_by_view: dict[tuple[int, Position], int] = {}
    positions = [*near_states(variant, ALIKE), *(position for position, _ in random_states(variant, SOME))]
    for position in positions:
        for seat, seen in [(-1, position), *enumerate(views(position))]:
            key = position.information_key(seat)
            assert view_by_key.setdefault((seat, key), seen) == seen
            assert key_by_view.setdefault((seat, seen), key) == key
            if seat in (-1, position.seat_to_move):
                assert moves_by_key.setdefault((seat, key), position.legal_moves()) == position.legal_moves()


def test_positions_that_a_symmetry_relates_have_one_key(variant: Variant) -> None:
    game = variant.game
    for position, rng in random_states(variant, FEW):
        for shown in sights(position):
            key = game.key(shown)
            assert re.fullmatch("[0-9a-f]{32}", key)
            related = list(game.symmetries(shown).items())
            for name, other in rng.sample(related, min(6, len(related))):
                assert game.key(other) == key, f"{name}: {game.format_position(shown)}"
                assert other.seat_to_move is not None or shown.seat_to_move is None
                assert len(other.legal_moves()) == len(shown.legal_moves())


def test_positions_that_no_symmetry_relates_have_keys_of_their_own(variant: Variant) -> None:
    game = variant.game
    by_key: defaultdict[str, set[Position]] = defaultdict(set)
    for shown in {shown for position in near_states(variant, ALIKE // 3) for shown in sights(position)}:
        by_key[game.key(shown)].add(shown)
    for first, *others in map(list, by_key.values()):
        related = {first, *game.symmetries(first).values()} if others else {first}
        assert related.issuperset(others), [game.format_position(position) for position in (first, *others)]


def differing_little(variant: Variant, position: Position, rng: Random) -> set[Position]:
    """Positions whose texts differ from that of a position in one character or in two that are exchanged."""
    text = variant.game.format_position(position)
    found = set()
    for _ in range(EDITS):
        at, other = rng.randrange(len(text)), rng.randrange(len(text))
        letter = rng.choice(text + "AB01")
        changed = [text[:at] + letter + text[at + 1 :]]
        low, high = sorted((at, other))
        changed.append(text[:low] + text[high] + text[low + 1 : high] + text[low] + text[high + 1 :])
        for edited in changed:
            with suppress(InputError):
                found.add(variant.game.parse_position(edited))
    return found - {position}


def test_keys_tell_apart_positions_that_differ_little(variant: Variant) -> None:
    game = variant.game
    for start, rng in [(variant.deal(6), Random(6)), *random_states(variant, FEW)]:
        for position in {start, start.redacted(rng.randrange(start.players))}:
            related = set(game.symmetries(position).values())
            for other in differing_little(variant, position, rng):
                where = f"{game.format_position(position)} and {game.format_position(other)}"
                assert other in related or game.key(other) != game.key(position), where
                assert other.information_key(-1) != position.information_key(-1), where


def test_positions_that_a_symmetry_relates_have_one_value(variant: Variant) -> None:
    """Also where the symmetry exchanges seats: the mover can guarantee the same, and so can the seats in some order."""
    for position in last_states(variant, 150):
        expected = values(position)
        for name, other in list(variant.game.symmetries(position).items())[:6]:
            where = f"{name}: {variant.game.format_position(position)}"
            found = values(other)
            assert sorted(found) == pytest.approx(sorted(expected)), where
            if position.seat_to_move is not None and other.seat_to_move is not None:
                assert found[other.seat_to_move] == pytest.approx(expected[position.seat_to_move]), where
