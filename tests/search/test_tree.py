"""The tree as such: what it finds, how it spends its memory and its simulations, and that it repeats itself exactly."""

from __future__ import annotations

import random
import time

import mangetout_toys as toys
import pytest
from mangetout_solver.analysis import StopReason
from mangetout_solver.games.position import Position
from mangetout_solver.limits import MIN_MEMORY_BYTES
from mangetout_solver.search.control import Control
from mangetout_solver.search.mcts import TreeSearch


def roots() -> list[tuple[Position, int | None]]:
    """One of each kind of search: open, with chance, several players, listed and sampled worlds, secret choices."""
    many = toys.tricks([list(range(8)), list(range(8, 16))], cards=24, draws=2)
    return [
        (toys.random_tree(1, depth=14, branching=4, ends=0), None),
        (toys.random_tree(2, depth=12, branching=31, chance=30, ends=0), None),
        (toys.random_tree(3, depth=12, branching=4, players=4, ends=0), None),
        (toys.random_tree(4, depth=12, branching=5, chance=30, ends=0, listed=False, twins=True), None),
        (toys.tricks([[0, 2, 4, 6], [1, 3, 5, 7]], cards=14, draws=2).redacted(0), 0),
        (many.redacted(0), 0),
        (many.redacted(1), 1),
        (toys.matrix([[[0.3] * 4, [0.1] * 4, [0.6, 0.2, 0.9, 0.4], [0.5] * 4]], steps=2).redacted(0), 0),
    ]


def new_tree(root: tuple[Position, int | None], seed: int = 1, memory_bytes: int = 1 << 23) -> TreeSearch:
    return TreeSearch(root[0], observer=root[1], seed=seed, memory_bytes=memory_bytes)


def results(tree: TreeSearch) -> tuple[object, ...]:
    found = tree.root_moves()
    lines = [tree.principal_variation(move.move) for move in found]
    return found, lines, tree.simulations, tree.nodes, tree.tree_nodes, tree.tree_bytes, tree.proven


@pytest.mark.parametrize("root", roots(), ids=lambda root: f"{root[0].game_name}-{root[1]}")
def test_same_seed_same_tree(root: tuple[Position, int | None]) -> None:
    """Also when the simulations are run in several parts; another seed or stream gives another tree."""
    whole, parts, seed, stream = (
        new_tree(root),
        new_tree(root),
        new_tree(root, seed=2),
        TreeSearch(root[0], observer=root[1], seed=1, stream=1, memory_bytes=1 << 23),
    )
    for tree in (whole, seed, stream):
        tree.run(Control(), 3_000)
    for part in (1, 2, 997, 2_000):
        parts.run(Control(), part)
    assert results(parts) == results(whole)
    assert results(seed) != results(whole)
    assert results(stream) != results(whole)
    assert results(stream) != results(seed)


@pytest.mark.parametrize("root", roots(), ids=lambda root: f"{root[0].game_name}-{root[1]}")
def test_sums_add_up(root: tuple[Position, int | None]) -> None:
    """Every simulation plays one root move and shares one win."""
    tree = new_tree(root)
    tree.run(Control(), 5_000)
    found = tree.root_moves()
    assert tree.simulations == 5_000
    assert [move.move for move in found] == sorted(root[0].search_moves())
    assert sum(move.visits for move in found) == 5_000
    assert max(move.availability for move in found) <= 5_000
    assert tree.tree_nodes <= 5_001 + len(found)
    assert tree.nodes >= 5_000
    for move in found:
        assert move.visits <= move.availability
        assert sum(move.share_sum) == pytest.approx(move.visits)
        for total, squares in zip(move.share_sum, move.share_square_sum, strict=True):
            assert -1e-9 <= squares <= total + 1e-9
        for total, squares in zip(move.score_sum, move.score_square_sum, strict=True):
            assert total * total <= squares * move.visits + 1e-6


@pytest.mark.parametrize("root", roots()[:7], ids=lambda root: f"{root[0].game_name}-{root[1]}")
def test_least_memory(root: tuple[Position, int | None]) -> None:
    """A full tree keeps searching in the memory it has, the same way each time."""
    memory = MIN_MEMORY_BYTES // 16
    trees = [new_tree(root, memory_bytes=memory) for _ in range(2)]
    for _ in range(10):
        for tree in trees:
            tree.run(Control(), 3_000)
            assert tree.tree_bytes <= memory
    assert trees[0].tree_bytes > memory - 16_384
    assert trees[0].simulations == 30_000
    assert sum(move.visits for move in trees[0].root_moves()) == 30_000
    assert results(trees[0]) == results(trees[1])
    larger = new_tree(root)
    larger.run(Control(), 30_000)
    assert larger.tree_nodes > trees[0].tree_nodes


@pytest.mark.parametrize("root", roots(), ids=lambda root: f"{root[0].game_name}-{root[1]}")
def test_hardly_any_memory(root: tuple[Position, int | None]) -> None:
    """Whatever fits: a tree of a few edges counts what it does, and one without room for its root is refused."""
    refused = searched = 0
    for memory in range(0, 4_000, 56):
        try:
            tree = new_tree(root, memory_bytes=memory)
        except MemoryError:
            refused += 1
            continue
        tree.run(Control(), 200)
        searched += 1
        assert tree.tree_bytes <= memory
        assert tree.simulations == 200
        # A world none of whose moves has room is played out from the root.
        assert sum(move.visits for move in tree.root_moves()) <= 200
    assert refused <= 2 < searched


def value(position: Position, seat: int) -> float:
    """The seat's share, in a game of two, when both play their best."""
    if position.is_terminal:
        return position.win_shares()[seat]
    if position.is_chance:
        return sum(p * value(position.play(outcome), seat) for outcome, p in position.chance_outcomes())
    best = max if position.seat_to_move == seat else min
    return best(value(position.play(move), seat) for move in position.legal_moves())


@pytest.mark.parametrize("listed", [True, False])
def test_visits_go_to_the_best_move(listed: bool) -> None:
    """By visits and means alone where chance events are not listed, so that they prove nothing."""
    checked = right = 0
    for case in range(400):
        options = {"depth": 4, "branching": 4, "chance": 50, "ends": 0, "ties": 30}
        game = toys.random_tree(case, **options)
        mover = game.seat_to_move or 0
        worth = {move: value(game.play(move), mover) for move in game.legal_moves()}
        ranked = sorted(worth.values(), reverse=True)
        if len(ranked) < 2 or ranked[0] - ranked[1] < 0.1:
            continue
        searched = toys.random_tree(case, listed=listed, **options)
        tree = TreeSearch(searched, observer=None, seed=case, memory_bytes=1 << 22)
        tree.run(Control(), 10_000)
        if tree.proven:
            continue
        best = max(tree.root_moves(), key=lambda move: move.visits)
        checked += 1
        mean = best.share_sum[mover] / best.visits
        right += worth[best.move] == ranked[0] and mean == pytest.approx(ranked[0], abs=0.1)
    # A few good moves look bad for longer than this.
    assert right >= 0.95 * checked
    assert checked > 100 or listed


def test_closed_moves_of_the_opponent_count() -> None:
    """A reply that is proven for the opponent is what it will play, however often the search has tried others.

    After each move seat 0's share is what seat 1's best reply leaves; no mean may stay above it.
    """
    for case in range(300):
        options = {"depth": 3, "branching": 4, "chance": 60, "ends": 0, "ties": 40}
        game = toys.random_tree(case, **options)
        mover = game.seat_to_move or 0
        tree = TreeSearch(
            toys.random_tree(case, listed=False, **options), observer=None, seed=case, memory_bytes=1 << 22
        )
        tree.run(Control(), 20_000)
        for move in tree.root_moves():
            if move.visits > 5_000:
                truth = value(game.play(move.move), mover)
                assert move.share_sum[mover] / move.visits == pytest.approx(truth, abs=0.05)


def test_more_simulations_find_better_moves() -> None:
    """Over many deep games, fewer and fewer moves chosen by visits are worth less than the best."""
    chooser = random.Random(1)
    lost = dict.fromkeys((5, 100, 4_000), 0.0)
    for _ in range(150):
        game = toys.random_tree(chooser.getrandbits(60), depth=7, branching=4, ends=0)
        mover = game.seat_to_move or 0
        worth = {move: value(game.play(move), mover) for move in game.legal_moves()}
        for simulations in lost:
            tree = TreeSearch(game, observer=None, seed=5, memory_bytes=1 << 20)
            tree.run(Control(), simulations)
            found = tree.root_moves()
            chosen = max(found, key=lambda move: (move.guaranteed[mover], move.visits))
            lost[simulations] += max(worth.values()) - worth[chosen.move]
    few, some, many = lost.values()
    assert few > some > many


def test_principal_variation_can_be_played() -> None:
    """From the root to wherever the tree ends; in open games every move of it is legal."""
    for case in range(100):
        root = toys.random_tree(case, depth=8, branching=4, chance=10 * (case % 3), ends=3)
        tree = TreeSearch(root, observer=None, seed=case, memory_bytes=1 << 20)
        tree.run(Control(), 500)
        for move in tree.root_moves():
            variation = tree.principal_variation(move.move)
            assert variation[0] == move.move
            position = root
            for step in variation:
                position = position.play(step)
    assert tree.principal_variation(999) == []


def test_principal_variation_of_a_solved_game_keeps_its_value() -> None:
    """Where the end is in the tree, the line of a best move leads to the value that is proven."""
    reached = 0
    for case in range(200):
        root = toys.random_tree(case, depth=4, branching=3)
        tree = TreeSearch(root, observer=None, seed=case, memory_bytes=1 << 20)
        tree.run(Control(), 10**6)
        mover = root.seat_to_move or 0
        best = max(tree.root_moves(), key=lambda move: move.guaranteed[mover])
        position = root
        for step in tree.principal_variation(best.move):
            position = position.play(step)
            assert value(position, mover) == best.guaranteed[mover]
        reached += position.is_terminal
    assert reached > 50


def test_principal_variation_follows_best_play() -> None:
    """The most visited moves of both sides; nothing is proven for a seat that searches by what it sees."""
    kept = 0
    for case in range(100):
        root = toys.random_tree(case, depth=4, branching=4, ties=0, ends=0)
        tree = TreeSearch(root, observer=0, seed=case, memory_bytes=1 << 22)
        tree.run(Control(), 5_000)
        mover = root.seat_to_move or 0
        best = max(tree.root_moves(), key=lambda move: move.visits)
        variation = tree.principal_variation(best.move)
        assert len(variation) >= 3
        position = root
        for step in variation:
            position = position.play(step)
        kept += value(position, mover) == value(root, mover)
    assert kept >= 95


def test_stop_before_the_start() -> None:
    control = Control()
    control.stop()
    tree = new_tree(roots()[0])
    tree.run(control, 10**9)
    assert tree.simulations == 1
    assert control.stop_reason is StopReason.STOPPED


def test_deadline_and_first_reason() -> None:
    """A deadline in the past lets one simulation through; the first reason given stays."""
    control = Control(deadline=time.monotonic() - 1.0)
    assert control.stop_reason is None
    tree = new_tree(roots()[0])
    tree.run(control, 10**9)
    assert tree.simulations == 1
    assert control.stop_reason is StopReason.DEADLINE
    control.stop(StopReason.SHUTDOWN)
    assert control.stop_reason is StopReason.DEADLINE
    for reason in StopReason:
        control = Control()
        control.stop(reason)
        control.stop(StopReason.STOPPED)
        assert control.stop_reason is reason


def test_no_time_is_enough_for_one_simulation() -> None:
    tree = new_tree(roots()[4])
    for expected in (1, 2, 3):
        tree.run(Control(), 10**9, 0.0)
        assert tree.simulations == expected
