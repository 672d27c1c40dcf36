"""What holds for every registered game: its example, its options, its deals, and play by the common interface."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest
from mangetout_solver.errors import InputError, UnknownNameError
from mangetout_solver.games import registry
from mangetout_solver.games.game import Game
from mangetout_solver.games.peas import STANDARD_PODS, Peas, view
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import parse_record

GAMES = registry.games()
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)

# Most steps from deal to end, and longest lists of moves with the mover's cards known and unknown, default options.
BOUNDS = {"peas": (20, 100, 240), "pepper_corn": (138, 72, 72)}


def steps(game: Game, seed: int) -> Iterator[tuple[Position, int]]:
    """Random play from a deal: each position with the step taken from it, chance included."""
    rng = Random(seed)
    position = game.deal(seed, {})
    while not position.is_terminal:
        if position.is_chance:
            outcomes = position.chance_outcomes()
            step = rng.choices([move for move, _ in outcomes], [p for _, p in outcomes])[0]
        else:
            step = rng.choice(position.legal_moves())
        yield position, step
        position = position.play(step)


def end_of(game: Game, seed: int) -> Position:
    position, step = list(steps(game, seed))[-1]
    return position.play(step)


# ---------------------------------------------------------------- names, examples, options


def test_games_stand_by_name() -> None:
    names = [game.name for game in GAMES]
    assert names == sorted(set(names))
    assert names
    for game in GAMES:
        assert registry.game(game.name) is game
        assert re.fullmatch("[a-z_]+", game.name)
        assert set(BOUNDS) == set(names)


def test_an_unknown_game_is_refused_with_the_names_known() -> None:
    with pytest.raises(UnknownNameError) as caught:
        registry.game("pease", "game_name")
    assert caught.value.field == "game_name"
    assert caught.value.name == "pease"
    assert caught.value.known == [game.name for game in GAMES]
    with pytest.raises(UnknownNameError) as long:
        registry.game("x" * 5000)
    assert len(str(long.value)) < 200


@each_game
def test_the_example_is_read_and_canonical(game: Game) -> None:
    record = parse_record(game.example, game.name)
    assert record.game is game
    assert record.moves
    assert record.format() == game.example


@each_game
def test_a_game_says_what_it_is(game: Game) -> None:
    assert game.title
    assert game.score_unit
    assert game.notation_help.startswith(game.name)
    assert 2 <= game.min_players <= game.max_players <= 6
    assert len({option.name for option in game.options}) == len(game.options)
    for option in game.options:
        assert option.type in ("int", "bool", "choice", "ints")
        assert option.default
        assert option.range
        assert option.description.endswith(".")


# ---------------------------------------------------------------- deals


@each_game
def test_a_deal_with_the_defaults_written_out_is_the_deal_without_options(game: Game) -> None:
    defaults = {option.name: option.default for option in game.options}
    for seed in range(20):
        assert game.deal(seed, defaults) == game.deal(seed, {})
    for name, value in defaults.items():
        assert game.deal(5, {name: value}) == game.deal(5, {})


@each_game
def test_a_deal_follows_from_its_seed(game: Game) -> None:
    deals = [game.format_position(game.deal(seed, {})) for seed in range(100)]
    assert deals == [game.format_position(game.deal(seed, {})) for seed in range(100)]
    assert len(set(deals)) == 100


def test_a_deal_of_peas_is_the_same_on_every_machine() -> None:
    text = "peas -2/+1/-3/-2/+1/+3/+1/+2/+1/-2 B1B2B5B6R3V6Y1Y2Y5Y6 B3B4R1R2R4R5V1V3V5Y4 B"
    assert Peas().format_position(Peas().deal(2024, {})) == text


@each_game
def test_a_deal_reads_back_and_is_a_start(game: Game) -> None:
    for seed in range(50):
        position = game.deal(seed, {})
        assert position.game_name == game.name
        assert game.min_players <= position.players <= game.max_players
        assert not position.is_terminal
        assert game.parse_position(game.format_position(position)) == position


@each_game
def test_an_unknown_option_is_refused_with_the_names_known(game: Game) -> None:
    for name in ("size", "", "Pods", "x" * 5000):
        with pytest.raises(UnknownNameError) as caught:
            game.deal(1, {name: "1"})
        assert caught.value.field == f"options.{name[:40]}"
        assert caught.value.known == [option.name for option in game.options]
        assert len(str(caught.value)) < 300


@each_game
def test_a_value_out_of_range_is_refused_by_the_name_of_its_option(game: Game) -> None:
    for option in game.options:
        for value in ("", " ", "x", "-1000", "99999999999", "1.5", "\u00b2", "\u0661", "1,,2", ",", "nan", "y" * 5000):
            with pytest.raises(InputError) as caught:
                game.deal(1, {option.name: value})
            assert caught.value.field == f"options.{option.name}"
            assert len(str(caught.value)) < 200


@each_game
def test_only_players_of_the_game_have_a_seat(game: Game) -> None:
    position = game.deal(1, {})
    for seat in range(position.players):
        game.check_seat(position, seat)
    for seat in (-1, position.players, 10**9):
        with pytest.raises(InputError) as caught:
            game.check_seat(position, seat, "viewer")
        assert caught.value.field == "viewer"
        with pytest.raises(ValueError, match="does not exist"):
            position.redacted(seat)
    with pytest.raises(ValueError, match="does not exist"):
        position.information_key(-2)
    with pytest.raises(ValueError, match="does not exist"):
        position.observe(0, position.players)


def test_peas_pods_are_shuffled_or_left_in_the_order_given() -> None:
    values = (3, -2, 0, 9, -9)
    given = {"pods": "3,-2, 0 ,+9,-9", "order": "given"}
    for seed in range(20):
        assert tuple(pod.value for pod in view(Peas().deal(seed, given)).pods) == values
    shuffled = {
        tuple(pod.value for pod in view(Peas().deal(seed, given | {"order": "shuffled"})).pods) for seed in range(60)
    }
    assert len(shuffled) > 30
    assert {tuple(sorted(pods)) for pods in shuffled} == {tuple(sorted(values))}
    in_order = view(Peas().deal(1, {"order": "given"})).pods
    assert tuple(pod.value for pod in in_order) == STANDARD_PODS


@pytest.mark.parametrize("pods", [1, 2, 9, 12])
def test_peas_deals_as_many_cards_as_pods(pods: int) -> None:
    round_ = view(Peas().deal(4, {"pods": ",".join(["1"] * pods)}))
    assert len(round_.pods) == pods
    assert [len(hand.cards) for hand in round_.hands] == [pods, pods]
    assert len({card for hand in round_.hands for card in hand.cards}) == 2 * pods


@pytest.mark.parametrize(("colours", "ranks"), [(1, 8), (2, 4), (3, 5), (4, 8), (4, 1)])
def test_peas_deals_from_the_deck_asked_for_and_every_card_of_it(colours: int, ranks: int) -> None:
    options = {"colours": str(colours), "ranks": str(ranks), "pods": "1,-1"}
    dealt: set[str] = set()
    for seed in range(200):
        round_ = view(Peas().deal(seed, options))
        assert (round_.colours, round_.ranks) == (colours, ranks)
        dealt.update(card for hand in round_.hands for card in hand.cards)
    assert dealt == {f"{colour}{rank}" for colour in "BRVY"[:colours] for rank in range(1, ranks + 1)}


def test_peas_gives_the_pea_as_asked() -> None:
    for seed in range(20):
        assert view(Peas().deal(seed, {"pea": "A"})).pea == 0
        assert view(Peas().deal(seed, {"pea": "B"})).pea == 1
    assert {view(Peas().deal(seed, {"pea": "random"})).pea for seed in range(20)} == {0, 1}


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"colours": "0"}, "colours"),
        ({"colours": "5"}, "colours"),
        ({"ranks": "0"}, "ranks"),
        ({"ranks": "9"}, "ranks"),
        ({"pods": "10"}, "pods"),
        ({"pods": "1,-10"}, "pods"),
        ({"pods": ",".join(["1"] * 13)}, "pods"),
        ({"pods": ",".join(["1"] * 13), "ranks": "8"}, "pods"),
        ({"pods": ",".join(["1"] * 5000)}, "pods"),
        # The deck is too small for ten pods, or for those given.
        ({"ranks": "4"}, "pods"),
        ({"colours": "3"}, "pods"),
        ({"colours": "1", "ranks": "3", "pods": "1,1"}, "pods"),
        ({"order": "Given"}, "order"),
        ({"order": "random"}, "order"),
        ({"pea": "a"}, "pea"),
        ({"pea": "C"}, "pea"),
        ({"pea": "0"}, "pea"),
    ],
)
def test_peas_refuses_options_by_name(options: dict[str, str], field: str) -> None:
    with pytest.raises(InputError) as caught:
        Peas().deal(1, options)
    assert caught.value.field == f"options.{field}"
    assert caught.value.reason.startswith("found ")


def test_peas_takes_options_at_the_ends_of_their_ranges() -> None:
    assert view(Peas().deal(1, {"pods": ",".join(["-9", "+9"] * 6)})).colours == 4
    assert view(Peas().deal(1, {"ranks": "5"})).ranks == 5
    assert view(Peas().deal(1, {"colours": "1", "ranks": "2", "pods": "0"})).colours == 1


# ---------------------------------------------------------------- play by the common interface


@each_game
def test_random_play_of_any_game_keeps_to_its_bounds_and_ends(game: Game) -> None:
    longest, most, most_unknown = BOUNDS[game.name]
    for seed in range(80):
        count = 0
        for position, step in steps(game, seed):
            count += 1
            assert position.is_chance == (position.seat_to_move is None)
            legal = position.legal_moves()
            assert all(a < b for a, b in pairwise(legal))
            assert set(position.search_moves()) <= set(legal)
            if position.is_chance:
                assert legal == position.search_moves() == []
                assert sum(p for _, p in position.chance_outcomes()) == pytest.approx(1)
                continue
            assert position.chance_outcomes() == []
            assert 1 <= len(legal) <= most
            assert position.search_moves()
            assert game.parse_move(position, game.format_move(position, step)) == step
            assert game.describe_move(position, step)
            for seat in range(position.players):
                unknown = position.redacted(seat).legal_moves()
                assert all(a < b for a, b in pairwise(unknown))
                assert set(legal) <= set(unknown)
                assert len(unknown) <= most_unknown
        assert 1 <= count <= longest


@each_game
def test_the_win_is_shared_out_at_the_end_and_not_before(game: Game) -> None:
    for seed in range(60):
        end = end_of(game, seed)
        assert end.is_terminal
        assert end.seat_to_move is None
        assert end.legal_moves() == end.search_moves() == end.chance_outcomes() == []
        shares = end.win_shares()
        assert len(shares) == len(end.scores()) == end.players
        assert all(0 <= share <= 1 for share in shares)
        assert sum(shares) == pytest.approx(1)
        with pytest.raises(ValueError, match="not legal"):
            end.play(0)
    start = game.deal(1, {})
    for ask in (start.win_shares, start.scores):
        with pytest.raises(ValueError, match="not over"):
            ask()


@each_game
def test_views_of_any_game_are_played_on_by_what_the_seat_sees(game: Game) -> None:
    """Playing and then redacting is redacting and then playing what the seat saw of it."""
    for seed in range(40):
        for position, step in steps(game, seed):
            for seat in range(position.players):
                token = position.observe(step, seat)
                assert position.redacted(seat).play(token).redacted(seat) == position.play(step).redacted(seat)


@each_game
def test_random_worlds_of_any_view_look_like_the_view(game: Game) -> None:
    for seed in range(40):
        for position, _ in steps(game, seed):
            for seat in range(position.players):
                seen = position.redacted(seat)
                assert seen.count_worlds() >= 1
                world = seen.determinize(seed)
                assert world.count_worlds() == 1
                assert world.redacted(seat) == seen
                assert game.parse_position(game.format_position(seen)) == seen


@each_game
def test_a_game_hides_something_exactly_if_it_says_so(game: Game) -> None:
    assert game.deal(1, {}).is_open == (not game.hidden_information)
    for position, _ in steps(game, 1):
        views = [position.redacted(seat) for seat in range(position.players)]
        assert not position.is_open or views == [position] * position.players
