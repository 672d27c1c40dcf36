"""Information sets: which worlds are searched, which moves share a node, and what stays out of the tree."""

from __future__ import annotations

import math
import random

import mangetout_toys as toys
import pytest
from mangetout_solver.games.position import Position
from mangetout_solver.search import mcts
from mangetout_solver.search.control import Control
from mangetout_solver.search.mcts import RootMove, TreeSearch, worlds_won

# Standard errors that a sampled mean may be away: one in three million if nothing is wrong.
FAR = 5.1


def search(position: Position, observer: int, simulations: int, seed: int = 1, exploration: float = 0.7) -> TreeSearch:
    tree = TreeSearch(
        position.redacted(observer), observer=observer, seed=seed, memory_bytes=1 << 23, exploration=exploration
    )
    tree.run(Control(), simulations)
    return tree


def chance_of(successes: int, trials: int, probability: float) -> bool:
    """Whether a number of successes fits a probability."""
    spread = math.sqrt(trials * probability * (1.0 - probability))
    return abs(successes - trials * probability) <= FAR * spread + 1e-9


def mean(move: RootMove) -> float:
    return move.share_sum[0] / move.visits


def tokens_to_decisions(position: Position, observer: int) -> set[tuple[int, ...]]:
    """What the observer can have seen on the way to every position that is not an end, whatever is hidden."""
    found = set()

    def visit(here: Position, seen: tuple[int, ...]) -> None:
        if here.is_terminal:
            return
        found.add(seen)
        moves = [move for move, _ in here.chance_outcomes()] if here.is_chance else here.legal_moves()
        for move in moves:
            visit(here.play(move), (*seen, here.observe(move, observer)))

    for world in position.redacted(observer).worlds():
        visit(world, ())
    return found


@pytest.mark.parametrize(
    ("hands", "cards", "draws"),
    [
        ([[0, 3], [1, 2]], 5, 0),
        ([[2], [1]], 5, 1),
        ([[4], [0]], 6, 1),
        ([[1, 5], [2, 3]], 6, 0),
    ],
)
@pytest.mark.parametrize("observer", [0, 1])
def test_one_node_for_each_thing_that_can_be_seen(
    hands: list[list[int]], cards: int, draws: int, observer: int
) -> None:
    """Searched to the end, a tree has a node for each sequence of tokens: no fewer, and no more for hidden draws."""
    position = toys.tricks(hands, cards=cards, draws=draws)
    expected = tokens_to_decisions(position, observer)
    tree = search(position, observer, 400_000, exploration=5.0)
    assert tree.tree_nodes == len(expected)


def test_value_is_the_mean_over_worlds() -> None:
    """With one card each nothing is to be decided: the share is the part of the unseen cards that are lower."""
    for card in range(9):
        other = 0 if card else 1
        (move,) = search(toys.tricks([[card], [other]], cards=9), 0, 20_000).root_moves()
        assert move.move == card
        assert chance_of(round(move.share_sum[0]), move.visits, card / 8)
        assert move.share_sum[0] + move.share_sum[1] == pytest.approx(move.visits)
        assert move.score_sum == move.share_sum == move.share_square_sum


def test_hidden_cards_do_not_matter() -> None:
    """The tree depends on what the observer sees only."""
    chooser = random.Random(4)
    for case in range(30):
        order = chooser.sample(range(10), 10)
        hand, rest = order[:3], order[3:]
        results = []
        for _ in range(2):
            chooser.shuffle(rest)
            tree = search(toys.tricks([hand, rest[:3]], cards=10, draws=case % 2), 0, 2_000, seed=case)
            won = [worlds_won([tree], move) for move in hand]
            results.append((tree.root_moves(), tree.nodes, tree.tree_nodes, won))
        assert results[0] == results[1]


def test_availability_of_own_moves() -> None:
    """Own moves are there in every world: each is weighed in every simulation from its first one on."""
    tree = search(toys.tricks([[0, 2, 4, 6], [1, 3, 5, 7]], cards=12), 0, 1_000)
    found = tree.root_moves()
    assert sorted(move.availability for move in found) == [997, 998, 999, 1_000]
    assert sum(move.visits for move in found) == 1_000


def test_availability_of_moves_of_another() -> None:
    """A move of another seat is weighed only in the worlds in which that seat holds the card."""
    simulations = 40_000
    position = toys.tricks([[1, 4, 8], [0, 5, 9]], cards=10)
    tree = search(position, 1, simulations)
    found = tree.root_moves()
    assert [move.move for move in found] == [1, 2, 3, 4, 6, 7, 8]
    assert sum(move.visits for move in found) == simulations
    for move in found:
        assert chance_of(move.availability, simulations, 3 / 7)
        assert 0 < move.visits <= move.availability
    assert sum(move.availability for move in found) <= 3 * simulations
    # All six ways to hold two of four cards: over pairs, too, worlds are drawn alike.
    pair = search(toys.tricks([[0, 1], [4, 5]], cards=6), 1, simulations)
    assert pair.worlds == 6
    assert all(chance_of(move.availability, simulations, 1 / 2) for move in pair.root_moves())


def test_many_worlds_are_sampled() -> None:
    """More worlds than are listed: drawn alike from all of them."""
    simulations = 30_000
    position = toys.tricks([list(range(8)), list(range(8, 16))], cards=24)
    tree = search(position, 1, simulations)
    assert tree.worlds == math.comb(16, 8) > mcts.MAX_WORLDS_ENUMERATED
    assert not tree.worlds_enumerated
    found = tree.root_moves()
    assert len(found) == 16
    assert all(chance_of(move.availability, simulations, 1 / 2) for move in found)


def test_worlds_are_listed_up_to_the_limit() -> None:
    few = search(toys.tricks([list(range(6)), list(range(6, 12))], cards=20), 0, 1)
    assert few.worlds == math.comb(14, 6) == 3_003 <= mcts.MAX_WORLDS_ENUMERATED
    assert few.worlds_enumerated


def test_listed_and_sampled_worlds_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same position searched both ways: the same availabilities, and the same means."""
    simulations = 40_000
    position = toys.tricks([[1, 4, 8], [0, 5, 9]], cards=10)
    blind = toys.tricks([[4], [7]], cards=9)
    listed = search(position, 1, simulations), search(blind, 0, simulations)
    monkeypatch.setattr(mcts, "MAX_WORLDS_ENUMERATED", 0)
    sampled = search(position, 1, simulations, seed=2), search(blind, 0, simulations, seed=2)
    assert [tree.worlds_enumerated for tree in listed + sampled] == [True, True, False, False]
    assert [tree.worlds for tree in listed] == [tree.worlds for tree in sampled]
    for one, other in zip(listed[0].root_moves(), sampled[0].root_moves(), strict=True):
        assert one.move == other.move
        spread = math.sqrt(2 * simulations * 3 / 7 * 4 / 7)
        assert abs(one.availability - other.availability) <= FAR * spread
    shares = [sum(move.share_sum[0] for move in tree.root_moves()) / simulations for tree in (listed[0], sampled[0])]
    assert shares[0] == pytest.approx(shares[1], abs=0.03)
    (one,), (other,) = listed[1].root_moves(), sampled[1].root_moves()
    assert abs(mean(one) - mean(other)) <= FAR * math.sqrt(2 * 0.25 / simulations)


def test_unlisted_chance_is_sampled_alike() -> None:
    """A move before a chance event of unknown outcomes is worth what the listed outcomes say."""
    checked = 0
    for case in range(60):
        options = {"depth": 2, "branching": 5, "chance": 100, "ends": 0}
        listed = toys.random_tree(case, **options)
        unlisted = toys.random_tree(case, listed=False, **options)
        tree = TreeSearch(unlisted, observer=None, seed=case, memory_bytes=1 << 20)
        tree.run(Control(), 10_000)
        assert not tree.proven
        for move in tree.root_moves():
            outcomes = [
                (listed.play(move.move).play(outcome).win_shares()[0], probability)
                for outcome, probability in listed.play(move.move).chance_outcomes()
            ]
            value = sum(share * probability for share, probability in outcomes)
            variance = sum((share - value) ** 2 * probability for share, probability in outcomes)
            assert abs(mean(move) - value) <= FAR * math.sqrt(variance / move.visits) + 1e-9
            checked += variance > 0
    assert checked > 60


def test_roots_that_cannot_be_searched() -> None:
    position = toys.tricks([[0, 3], [2, 5]], cards=9, draws=1)
    with pytest.raises(ValueError, match="not a decision"):
        TreeSearch(position.play(0).play(2), observer=0, seed=1)
    with pytest.raises(ValueError, match="not known"):
        TreeSearch(position.redacted(0), observer=None, seed=1)
    with pytest.raises(ValueError, match="allowed"):
        TreeSearch(position.redacted(0), observer=0, seed=1, allowed=[2])
    # More cards in hand than are unseen.
    with pytest.raises(ValueError, match="no world"):
        TreeSearch(toys.tricks([[0, 1], []], cards=3, unknown=(0, 2)), observer=0, seed=1)


@pytest.mark.parametrize("hands", [[[9, 0, 1], [2, 3, 4]], [[8, 7, 1], [2, 3, 4]]])
def test_sure_tricks_are_found(hands: list[list[int]]) -> None:
    """A hand that wins in every world, if it is played well, is valued and played as won."""
    position = toys.tricks(hands, cards=10)
    tree = search(position, 0, 60_000)
    best = max(tree.root_moves(), key=lambda move: move.visits)
    worth = {move: sum(certain_after(world.play(move)) for world in position.redacted(0).worlds()) for move in hands[0]}
    assert worth[best.move] == max(worth.values())


def certain_after(position: Position) -> float:
    """Seat 0's share with all cards open."""
    if position.is_terminal:
        return position.win_shares()[0]
    shares = [certain_after(position.play(move)) for move in position.legal_moves()]
    return max(shares) if position.seat_to_move == 0 else min(shares)


# -- in how many worlds a move wins


def test_worlds_won_are_counted_where_play_is_forced() -> None:
    """A single card each: the lead wins against the four lower ones of the eight unseen."""
    tree = search(toys.tricks([[4], [7]], cards=9), 0, 1_000)
    assert tree.worlds == 8
    assert worlds_won([tree], 4) == 4
    # Seen by the one who waits: in no world is a card that it holds itself played, and others are not always there.
    waiting = search(toys.tricks([[4], [7]], cards=9), 1, 5_000)
    assert [worlds_won([waiting], move.move) for move in waiting.root_moves()] == [None] * 8


def test_half_a_win_is_no_win() -> None:
    """The highest card and the lowest take one trick of two, whatever the others are."""
    tree = search(toys.tricks([[0, 8], [1, 2]], cards=9), 0, 10_000)
    assert [mean(move) for move in tree.root_moves()] == [0.5, 0.5]
    assert [worlds_won([tree], move) for move in (0, 8)] == [0, 0]


def test_worlds_won_need_enough_simulations_in_every_world() -> None:
    """Two worlds: one simulation a world passes by, then each needs its ten."""
    first = []
    for seed in range(1, 41):
        tree = search(toys.tricks([[1], [0]], cards=3), 0, 1, seed)
        while worlds_won([tree], 1) is None:
            tree.run(Control(), 1)
        first.append(tree.simulations)
        assert worlds_won([tree], 1) == 1
    assert min(first) == 2 + 2 * mcts.MIN_WORLD_VISITS == 22
    assert max(first) > 24
    # A move that was never searched.
    assert worlds_won([tree], 2) is None


def test_worlds_won_of_several_trees_add_up() -> None:
    position = toys.tricks([[4], [7]], cards=9)
    trees = [search(position, 0, 60, seed) for seed in range(1, 9)]
    assert [worlds_won([tree], 4) for tree in trees] == [None] * 8
    assert worlds_won(trees, 4) == 4


def test_worlds_won_are_not_told_where_worlds_are_not_listed_or_only_one(monkeypatch: pytest.MonkeyPatch) -> None:
    last = toys.tricks([[4], [1]], cards=2 + 3).play(4)
    assert worlds_won([search(last, 1, 500)], 1) is None
    monkeypatch.setattr(mcts, "MAX_WORLDS_ENUMERATED", 0)
    assert worlds_won([search(toys.tricks([[4], [7]], cards=9), 0, 1_000)], 4) is None


def test_results_by_world_are_part_of_the_memory() -> None:
    position = toys.tricks([[4], [7]], cards=9)
    tree = search(position, 0, 8)
    before = tree.tree_bytes
    tree.run(Control(), 1)
    assert tree.tree_bytes - before == 8 * 16
    # 231 worlds at 16 bytes: an eighth of the memory holds two such rows, one or none.
    pair = toys.tricks([[4, 9], [1, 2]], cards=24).redacted(0)
    for memory, rows in ((1 << 16, 2), (1 << 15, 1), (1 << 14, 0)):
        small = TreeSearch(pair, observer=0, seed=1, memory_bytes=memory)
        small.run(Control(), 20_000)
        assert small.worlds == 231
        assert small.tree_bytes <= memory
        assert sum(worlds_won([small], move) is not None for move in (4, 9)) == rows
