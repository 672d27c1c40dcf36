"""The worlds of a view are all that fits what the seat sees, equally likely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from random import Random

from mangetout_solver.games.game import Game
from mangetout_solver.games.position import Position

from tests.conformance.budgets import MANY, SOME
from tests.conformance.play import random_states, seat_letters
from tests.conformance.samples import assert_fits
from tests.conformance.subjects import Variant, variants

LISTED = 150
FEW = 40


def seen_states(variant: Variant, count: int) -> Iterator[tuple[Position, int, Random]]:
    """Random positions at decisions, each with one seat whose worlds are asked for, and a generator."""
    for position, rng in random_states(variant, count):
        if not position.is_chance:
            yield position, rng.randrange(position.players), rng


def shares(texts: list[str]) -> dict[str, Fraction]:
    """How likely each text is if all places of the list are equally likely."""
    return {text: Fraction(count, len(texts)) for text, count in Counter(texts).items()}


def test_a_world_looks_like_the_view_and_hides_nothing(variant: Variant) -> None:
    for position, seat, rng in seen_states(variant, SOME):
        seen = position.redacted(seat)
        assert seen.count_worlds() >= 1
        world = seen.determinize(rng.getrandbits(32))
        assert world.count_worlds() == 1
        assert world.worlds() == [world] == [world.determinize(seed) for seed in range(1)]
        assert world.redacted(seat) == seen
        assert seen.redacted(seat) == seen


def test_a_complete_position_is_its_only_world(variant: Variant) -> None:
    for position, _ in random_states(variant, SOME):
        assert position.count_worlds() == 1
        assert position.worlds() == [position]
        assert position.determinize(1) == position


def listed_states(variant: Variant) -> Iterator[tuple[Position, int]]:
    """Positions with a seat whose worlds are few enough for the twin to list them."""
    for position, seat, _ in seen_states(variant, MANY):
        if position.redacted(seat).count_worlds() <= LISTED:
            yield position, seat


def test_listed_worlds_are_those_of_the_twin(variant: Variant) -> None:
    game = variant.game
    for position, seat in listed_states(variant):
        seen = position.redacted(seat)
        worlds = seen.worlds()
        assert len(worlds) == seen.count_worlds()
        assert all(world.redacted(seat) == seen for world in worlds)
        assert all(world.count_worlds() == 1 for world in worlds)
        assert position in worlds
        expected = variant.twin(position).seen_by(seat_letters(position)[seat]).worlds()
        assert shares([game.format_position(world) for world in worlds]) == shares(expected), game.format_position(seen)


def test_every_game_has_worlds_to_list(game: Game) -> None:
    """With several worlds, unless nothing is hidden."""
    found = (
        position.redacted(seat).count_worlds()
        for variant in variants(game)
        for position, seat in listed_states(variant)
    )
    assert any(count > 1 or not game.hidden_information for count in found)


def test_a_spectator_has_the_worlds_of_the_twin(variant: Variant) -> None:
    """A view of several seats' views: what none of them shows is unknown."""
    game = variant.game
    for position, _, _ in seen_states(variant, SOME):
        seen, twin = position, variant.twin(position)
        for seat, letter in enumerate(seat_letters(position)):
            seen, twin = seen.redacted(seat), twin.seen_by(letter)
        assert game.format_position(seen) == twin.text()
        if seen.count_worlds() <= LISTED:
            assert shares([game.format_position(world) for world in seen.worlds()]) == shares(twin.worlds())


def test_random_worlds_are_equally_likely(variant: Variant) -> None:
    for position, seat, rng in seen_states(variant, MANY):
        seen = position.redacted(seat)
        if 1 < seen.count_worlds() <= FEW:
            worlds = seen.worlds()
            first = rng.getrandbits(32)
            drawn = [seen.determinize(seed) for seed in range(first, first + 25 * len(worlds))]
            assert drawn[:5] == [seen.determinize(seed) for seed in range(first, first + 5)]
            chances = {world: count / len(worlds) for world, count in Counter(worlds).items()}
            assert_fits(Counter(drawn), chances, variant.game.format_position(seen))
