"""The toys are what they claim to be: otherwise the tests of the search would judge it by a broken game."""

from __future__ import annotations

import math
import pickle
import random
from itertools import combinations

import mangetout_toys as toys
import pytest
from mangetout_solver.games.position import Position

MATCHING = [[[1.0, 0.0], [0.0, 1.0]]]


def walk(position: Position, chooser: random.Random) -> list[Position]:
    """The positions of a random game."""
    path = [position]
    while not path[-1].is_terminal:
        here = path[-1]
        moves = [move for move, _ in here.chance_outcomes()] if here.is_chance else here.legal_moves()
        path.append(here.play(chooser.choice(moves)))
    return path


def games() -> list[Position]:
    return [
        toys.random_tree(1, depth=5, chance=30),
        toys.random_tree(2, players=3, depth=4),
        toys.random_tree(3, twins=True),
        toys.matrix(MATCHING),
        toys.matrix([[[0.5] * 4] * 4, [[0.25] * 4] * 4], steps=2, cards=True),
        toys.matrix(MATCHING * 2, tail="swap"),
        toys.matrix(MATCHING, tail="guess"),
        toys.matrix(MATCHING, tail="coin, guess"),
        toys.matrix(MATCHING, tail="nod, guess"),
        toys.tricks([[0, 3, 7], [1, 4, 5]], cards=9),
        toys.tricks([[0, 3], [2, 5]], cards=9, draws=1),
    ]


@pytest.mark.parametrize("start", games(), ids=lambda position: position.game_name)
def test_each_seat_knows_its_worlds(start: Position) -> None:
    """The full position is one of its seat's worlds, all of which the seat sees alike and which offer it one list."""
    chooser = random.Random(5)
    for _ in range(20):
        for position in walk(start, chooser):
            assert position.count_worlds() == 1
            assert position.worlds() == [position]
            for seat in range(position.players):
                seen = position.redacted(seat)
                worlds = seen.worlds()
                assert len(worlds) == seen.count_worlds()
                assert position in worlds
                assert {world.redacted(seat) for world in worlds} == {seen}
                assert {world.information_key(seat) for world in worlds} == {position.information_key(seat)}
                assert seen.determinize(chooser.getrandbits(32)) in worlds
                if position.seat_to_move == seat:
                    assert {tuple(world.legal_moves()) for world in worlds} == {tuple(position.legal_moves())}


@pytest.mark.parametrize("start", games(), ids=lambda position: position.game_name)
def test_chance_and_shares_add_up(start: Position) -> None:
    chooser = random.Random(6)
    for _ in range(50):
        *before, end = walk(start, chooser)
        assert math.isclose(sum(end.win_shares()), 1.0)
        assert all(0.0 <= share <= 1.0 for share in end.win_shares())
        for position in before:
            if position.is_chance:
                assert math.isclose(sum(p for _, p in position.chance_outcomes()), 1.0)
            assert pickle.loads(pickle.dumps(position)) == position
        assert before[0].random_playout(chooser.getrandbits(32)).is_terminal


def test_random_trees_vary() -> None:
    """Both seats move, games end early and late, wins and ties occur, and seeds differ."""
    chooser = random.Random(7)
    paths = [walk(toys.random_tree(seed, chance=20), chooser) for seed in range(300)]
    assert {position.seat_to_move for path in paths for position in path} == {0, 1, None}
    assert {len(path) for path in paths} == {2, 3, 4, 5}
    assert {path[-1].win_shares() for path in paths} == {(1.0, 0.0), (0.0, 1.0), (0.5, 0.5)}
    assert any(position.is_chance for path in paths for position in path)
    three = [walk(toys.random_tree(seed, players=3), chooser)[-1].win_shares() for seed in range(300)]
    assert len(set(three)) == 7


def test_twins_are_equal_and_left_out_of_the_search() -> None:
    start = toys.random_tree(4, twins=True)
    moves = start.search_moves()
    assert start.legal_moves() == moves + [move + 32 for move in moves]
    assert all(start.play(move) == start.play(move + 32) for move in moves)


def test_unlisted_chance_is_the_same_game() -> None:
    listed, unlisted = (toys.random_tree(9, depth=3, chance=100, ends=0, listed=flag) for flag in (True, False))
    below = listed.play(listed.legal_moves()[0])
    assert below.is_chance
    assert len(below.chance_outcomes()) > 1
    with pytest.raises(ValueError, match="too many"):
        unlisted.play(listed.legal_moves()[0]).chance_outcomes()
    assert {unlisted.random_playout(seed).win_shares() for seed in range(200)} == {
        listed.random_playout(seed).win_shares() for seed in range(200)
    }


def test_worlds_of_tricks_are_all_hands() -> None:
    """As many as there are hands, each once, also when neither hand is known."""
    seen = toys.tricks([[0, 3, 7], [1, 4, 5]], cards=9).redacted(0)
    assert len(set(seen.worlds())) == math.comb(6, 3)
    both = toys.tricks([[8], []], cards=9, unknown=(1, 2))
    rest = range(8)
    expected = {
        toys.tricks([[8, one], pair], cards=9) for one in rest for pair in combinations(sorted({*rest} - {one}), 2)
    }
    assert set(both.worlds()) == expected
    assert both.count_worlds() == len(expected) == 8 * 21
    assert toys.tricks([range(8), range(8, 16)], cards=24).redacted(0).count_worlds() == math.comb(16, 8) > 5_000


def test_tokens_hide_what_they_must() -> None:
    """Draws, deals and choices are seen by their owner only."""
    drawing = toys.tricks([[0, 3], [2, 5]], cards=9, draws=1).play(0).play(2)
    draws = [move for move, _ in drawing.chance_outcomes()]
    assert [drawing.observe(move, 0) for move in draws] == draws
    assert {drawing.observe(move, 1) for move in draws} == {toys.UNSEEN}
    dealing = toys.matrix(MATCHING * 2, cards=True)
    assert {dealing.observe(move, 0) for move, _ in dealing.chance_outcomes()} == {toys.UNSEEN}
    choosing = toys.matrix(MATCHING)
    assert len({choosing.observe(move, 1) for move in choosing.legal_moves()}) == 1
    assert choosing.observe(1, 0) == 1
