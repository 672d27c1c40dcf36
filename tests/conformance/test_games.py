"""What a game says of itself, its options and its deals."""

from __future__ import annotations

import re
from random import Random

import pytest
from mangetout_solver.errors import InputError, UnknownNameError
from mangetout_solver.games.game import Game
from mangetout_solver.games.options import IntsOption
from mangetout_solver.games.registry import parse_record

from tests.conformance.subjects import Variant, accepted, features, refusals, single_variants, values, variants


def test_a_game_says_what_it_is(game: Game) -> None:
    assert re.fullmatch("[a-z_]+", game.name)
    assert game.title
    assert game.score_unit
    assert game.notation_help.startswith(game.name)
    assert 2 <= game.min_players <= game.max_players <= 6


def test_the_example_is_read_and_canonical(game: Game) -> None:
    record = parse_record(game.example, game.name)
    assert record.game is game
    assert record.moves
    assert record.format() == game.example


def test_options_say_what_they_are(game: Game) -> None:
    assert len({option.name for option in game.options}) == len(game.options)
    for option in game.options:
        assert re.fullmatch("[a-z_]+", option.name)
        assert option.type in ("int", "bool", "choice", "ints")
        assert option.range
        assert option.description.endswith(".")
        option.read(option.default)
        assert option.default not in values(option, Random(0)), "the default is tried by itself"


def test_the_options_of_a_game_are_tried(game: Game) -> None:
    """Every option has values to try besides its default; at least one of some option is accepted."""
    for option in game.options:
        assert values(option, Random(0)), option
    assert len(single_variants(game)) > bool(game.options)
    assert len({variant.name for variant in variants(game)}) == len(variants(game))


def test_every_value_of_an_option_is_accepted_in_some_variant(game: Game) -> None:
    """Of lists, the shortest and the longest: no option says that it takes more than it does."""
    possible = {feature for variant in accepted(game) for feature in features(variant)}
    for option in game.options:
        if isinstance(option, IntsOption):
            expected = [str(option.min_length), str(option.max_length)]
        else:
            expected = [option.default, *values(option, Random(0))]
        assert possible.issuperset((option.name, value) for value in expected), option


def test_a_refused_set_of_options_is_refused_by_the_name_of_one(game: Game) -> None:
    for refusal in refusals(game):
        fields = [f"options.{option.name}" for option in game.options]
        assert refusal.error.field in fields, refusal
        assert refusal.error.reason.startswith("found "), refusal
        assert len(str(refusal.error)) < 200


def test_a_value_outside_of_its_range_is_refused_by_the_name_of_its_option(game: Game) -> None:
    texts = ["", " ", "x", "-1000", "99999999999", "1.5", "\u00b2", "\u0661", "1,,2", ",", "nan", "TRUE", "y" * 5000]
    for option in game.options:
        for text in [*texts, ",".join(["1"] * 5000)]:
            with pytest.raises(InputError) as caught:
                game.deal(1, {option.name: text})
            assert caught.value.field == f"options.{option.name}"
            assert caught.value.reason.startswith("found ")
            assert len(str(caught.value)) < 200


def test_an_unknown_option_is_refused_with_the_names_known(game: Game) -> None:
    for name in ("no such", "", "X", "x" * 5000):
        with pytest.raises(UnknownNameError) as caught:
            game.deal(1, {name: "1"})
        assert caught.value.field == f"options.{name[:40]}"
        assert caught.value.known == [option.name for option in game.options]
        assert len(str(caught.value)) < 400


def test_a_deal_with_the_defaults_written_out_is_the_deal_without_options(game: Game) -> None:
    defaults = {option.name: option.default for option in game.options}
    for seed in range(20):
        assert game.deal(seed, defaults) == game.deal(seed, {})
    for name, value in defaults.items():
        assert game.deal(5, {name: value}) == game.deal(5, {})


@pytest.mark.every_variant
def test_a_deal_is_a_start_that_follows_from_its_seed(variant: Variant) -> None:
    for seed in range(20):
        position = variant.deal(seed)
        assert position == variant.deal(seed)
        assert position.game_name == variant.game.name
        assert variant.game.min_players <= position.players <= variant.game.max_players
        assert not position.is_terminal
        assert position.count_worlds() == 1


def test_only_players_of_the_game_have_a_seat(variant: Variant) -> None:
    position = variant.deal(1)
    for seat in range(position.players):
        variant.game.check_seat(position, seat)
    for seat in (-1, position.players, 10**9):
        with pytest.raises(InputError) as caught:
            variant.game.check_seat(position, seat, "viewer")
        assert caught.value.field == "viewer"
        with pytest.raises(ValueError, match="does not exist"):
            position.redacted(seat)
        with pytest.raises(ValueError, match="does not exist"):
            position.observe(0, seat)
        with pytest.raises(ValueError, match="does not exist"):
            position.follow(0, seat)
    for seat in (-2, position.players):
        with pytest.raises(ValueError, match="does not exist"):
            position.information_key(seat)
