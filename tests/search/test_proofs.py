"""Proven shares against brute force on random games: right when the root is proven, never wrong before."""

from __future__ import annotations

import random
from collections.abc import Callable

import mangetout_toys as toys
import pytest
from mangetout_solver.analysis import Exact, SolutionConcept, StopReason
from mangetout_solver.engine import analyze
from mangetout_solver.errors import InputError
from mangetout_solver.games.game import Record
from mangetout_solver.games.position import Position
from mangetout_solver.limits import Limits, SearchOptions
from mangetout_solver.search.control import Control
from mangetout_solver.search.mcts import TreeSearch

# Proven shares are kept in single precision and compared to one part in 100,000.
SAME = 2e-5
ENOUGH = 200_000


def certain(position: Position, seat: int) -> float:
    """The share that the seat can make sure of, in expectation over chance, when all others play against it."""
    if position.is_terminal:
        return position.win_shares()[seat]
    if position.is_chance:
        return sum(p * certain(position.play(outcome), seat) for outcome, p in position.chance_outcomes())
    best = max if position.seat_to_move == seat else min
    return best(certain(position.play(move), seat) for move in position.legal_moves())


def new_tree(position: Position, seed: int, **options: object) -> TreeSearch:
    return TreeSearch(position, observer=None, seed=seed, memory_bytes=1 << 20, **options)  # type: ignore[arg-type]


def check_bounds(tree: TreeSearch, truth: dict[int, list[float]], mover: int) -> None:
    """What the tree holds for proven does not contradict the truth; a proven root has the value and a move for it."""
    found = tree.root_moves()
    for move in found:
        for low, value in zip(move.guaranteed, truth[move.move], strict=True):
            assert low <= value + SAME, (move, truth[move.move])
    if tree.proven:
        value = max(values[mover] for values in truth.values())
        best = max(found, key=lambda move: move.guaranteed[mover])
        assert best.guaranteed[mover] == pytest.approx(value, abs=SAME)
        assert truth[best.move][mover] == pytest.approx(value, abs=SAME)


def run_and_check(position: Position, seed: int, simulations: int = ENOUGH, **options: object) -> TreeSearch:
    """Stops a search after every few simulations, with growing steps, and checks it at each stop."""
    players = range(position.players)
    truth = {move: [certain(position.play(move), seat) for seat in players] for move in position.legal_moves()}
    tree = new_tree(position, seed, **options)
    step = 1
    while tree.simulations < simulations and not tree.proven:
        tree.run(Control(), step)
        check_bounds(tree, truth, position.seat_to_move or 0)
        step += 1 + step // 8
    return tree


@pytest.mark.parametrize("block", range(4))
def test_two_players(block: int) -> None:
    """All is proven in the end, and right at every stop before."""
    chooser = random.Random(block)
    values = set()
    for case in range(500):
        position = toys.random_tree(
            chooser.getrandbits(60), depth=chooser.randint(1, 5), branching=chooser.randint(1, 4), ties=25
        )
        tree = run_and_check(position, case)
        assert tree.proven
        assert tree.simulations < ENOUGH
        values.add(max(move.guaranteed[position.seat_to_move or 0] for move in tree.root_moves()))
    assert values == {0.0, 0.5, 1.0}


def test_every_seed_proves_the_same_value() -> None:
    for case in range(40):
        position = toys.random_tree(case, depth=5, branching=3)
        for seed in range(25):
            assert run_and_check(position, seed).proven


def test_many_moves() -> None:
    """Nodes with more edges than are tried blindly, and roots of one move."""
    for case in range(60):
        assert run_and_check(toys.random_tree(case, depth=2, branching=31, ties=40), case).proven
        assert run_and_check(toys.random_tree(case, depth=7, branching=1), case).proven


@pytest.mark.parametrize("block", range(4))
def test_chance(block: int) -> None:
    """Chance events weigh what is proven after each outcome."""
    chooser = random.Random(100 + block)
    between = 0
    for case in range(250):
        position = toys.random_tree(
            chooser.getrandbits(60), depth=chooser.randint(2, 5), branching=chooser.randint(2, 3), chance=40
        )
        tree = run_and_check(position, case)
        assert tree.proven
        best = max(move.guaranteed[position.seat_to_move or 0] for move in tree.root_moves())
        between += best not in (0.0, 0.5, 1.0)
    assert between > 50


def test_unlisted_chance_proves_nothing() -> None:
    """Where outcomes cannot be listed there may always be one more, so nothing after them counts."""
    for case in range(200):
        options = {"depth": 4, "chance": 50, "ends": 0}
        listed, unlisted = (toys.random_tree(case, listed=flag, **options) for flag in (True, False))
        truth = {move: [worst(listed.play(move), seat) for seat in (0, 1)] for move in listed.legal_moves()}
        tree = new_tree(unlisted, case)
        for _ in range(40):
            tree.run(Control(), 25)
            check_bounds(tree, truth, unlisted.seat_to_move or 0)


def worst(position: Position, seat: int) -> float:
    """What the seat is certain of when nothing is taken for granted after a chance event."""
    if position.is_terminal:
        return position.win_shares()[seat]
    if position.is_chance:
        return 0.0
    best = max if position.seat_to_move == seat else min
    return best(worst(position.play(move), seat) for move in position.legal_moves())


@pytest.mark.parametrize("players", [3, 4, 6])
@pytest.mark.parametrize("chance", [0, 30])
def test_several_players(players: int, chance: int) -> None:
    """What is proven of a share holds even if all others play against that seat."""
    chooser = random.Random(players)
    proven = positive = 0
    for case in range(150):
        position = toys.random_tree(
            chooser.getrandbits(60), players=players, depth=chooser.randint(1, 4), chance=chance, ties=40
        )
        tree = run_and_check(position, case, 1_500)
        proven += tree.proven
        positive += tree.proven and max(move.guaranteed[position.seat_to_move or 0] for move in tree.root_moves()) > 0
    assert proven > 20
    assert positive > 20


def test_small_memory() -> None:
    """A full tree goes on searching; what it could not store is never taken for proven."""
    full = proven = 0
    for case in range(150):
        position = toys.random_tree(case, depth=5, branching=5, ends=5, chance=10 * (case % 3))
        memory = 800 + 97 * case
        truth = {move: [certain(position.play(move), seat) for seat in (0, 1)] for move in position.legal_moves()}
        tree = TreeSearch(position, observer=None, seed=case, memory_bytes=memory)
        for _ in range(30):
            tree.run(Control(), 40)
            assert tree.tree_bytes <= memory
            check_bounds(tree, truth, position.seat_to_move or 0)
        assert tree.proven or tree.simulations == 30 * 40
        full += tree.tree_bytes > memory - 500
        proven += tree.proven
    assert full > 50
    assert proven > 5


def test_moves_left_out_of_the_search() -> None:
    """The subset of moves to search gives the value of all moves; the others never appear at the root."""
    for case in range(300):
        position = toys.random_tree(case, depth=3, twins=True)
        tree = run_and_check(position, case)
        assert tree.proven
        assert {move.move for move in tree.root_moves()} <= set(position.search_moves())


def test_allowed_moves() -> None:
    """Only these are searched, also those that the search would leave out, and the value is the best among them."""
    chooser = random.Random(11)
    for case in range(300):
        position = toys.random_tree(case, depth=3, branching=5, twins=case % 2 == 1)
        legal = position.legal_moves()
        allowed = chooser.sample(legal, chooser.randint(1, len(legal)))
        tree = new_tree(position, case, allowed=allowed)
        tree.run(Control(), ENOUGH)
        assert tree.proven
        found = tree.root_moves()
        assert {move.move for move in found} <= set(allowed)
        mover = position.seat_to_move or 0
        value = max(certain(position.play(move), mover) for move in allowed)
        assert max(move.guaranteed[mover] for move in found) == pytest.approx(value, abs=SAME)


def test_a_proven_root_is_not_searched_on() -> None:
    tree = new_tree(toys.random_tree(1), 1)
    tree.run(Control(), ENOUGH)
    assert tree.proven
    before = tree.simulations, tree.root_moves()
    tree.run(Control(), 100)
    assert (tree.simulations, tree.root_moves()) == before


def test_nothing_is_proven_under_hidden_information() -> None:
    """Not even of games in which every world is won, and not when a single world is left."""
    roots = [
        toys.tricks([[7, 8, 9], [0, 1, 2]], cards=10).redacted(0),
        toys.tricks([[0, 1], [2, 3]], cards=4).redacted(0),
        toys.matrix([[[1.0, 1.0], [0.0, 0.0]]]).redacted(0),
    ]
    assert roots[1].count_worlds() == 1
    for root in roots:
        tree = TreeSearch(root, observer=0, seed=1, memory_bytes=1 << 20)
        tree.run(Control(), 5_000)
        assert tree.simulations == 5_000
        assert not tree.proven
        assert {share for move in tree.root_moves() for share in move.guaranteed} == {0.0}


@pytest.mark.parametrize("tail", ["", "swap", "guess", "coin, guess", "nod, guess"])
def test_simultaneous_choices_are_never_proven(tail: str) -> None:
    """Open cards leave the other's choice unseen, so that nothing is certain before both have chosen."""
    tree = new_tree(toys.matrix([[[1.0, 0.0], [0.0, 1.0]]] * 2, tail=tail), 1)
    tree.run(Control(), 5_000)
    assert tree.simulations == 5_000
    assert not tree.proven
    assert {share for move in tree.root_moves() for share in move.guaranteed} == {0.0}


@pytest.mark.parametrize("trees", [1, 3])
def test_engine_reports_the_proven_value(toy_record: Callable[[Position], Record], trees: int) -> None:
    """The first line is a best move with its exact share, and no line's exact share is wrong."""
    for case in range(150):
        position = toys.random_tree(case, depth=4, ties=30, chance=30 * (case % 2))
        options = SearchOptions(seed=case, lines=0, trees=trees)
        analysis = analyze(toy_record(position), limits=Limits(until_solved=True), options=options)
        assert analysis.stop_reason is StopReason.SOLVED
        assert analysis.concept is SolutionConcept.PERFECT_INFORMATION
        assert analysis.seat is None
        mover = position.seat_to_move or 0
        truth = {str(move): certain(position.play(move), mover) for move in position.legal_moves()}
        best = max(truth.values())
        assert analysis.values[mover].win_share == Exact(pytest.approx(best, abs=1e-4))
        assert truth[analysis.best_move] == pytest.approx(best, abs=SAME)
        for line in analysis.lines:
            share = line.values[mover].win_share
            if isinstance(share, Exact):
                assert share.value == pytest.approx(truth[line.move], abs=1e-4)
                assert line.values[1 - mover].win_share == Exact(pytest.approx(1.0 - share.value, abs=2e-4))


def test_engine_refuses_to_prove_hidden_information(toy_record: Callable[[Position], Record]) -> None:
    record = toy_record(toys.tricks([[0, 1], [2, 3]], cards=4))
    with pytest.raises(InputError) as caught:
        analyze(record, limits=Limits(until_solved=True), options=SearchOptions())
    assert caught.value.field == "limits.until_solved"
    solved = analyze(record, perfect_information=True, limits=Limits(until_solved=True), options=SearchOptions())
    assert solved.stop_reason is StopReason.SOLVED
    assert solved.values[0].win_share == Exact(0.0)
