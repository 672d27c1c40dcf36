"""The search of one tree, 20,000 simulations from an empty one: as the mover sees the position, and with all open."""

from __future__ import annotations

from mangetout_solver.games.game import Game
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control
from mangetout_solver.search.mcts import TreeSearch
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.cases import each_case

SIMULATIONS = 20_000
ROUNDS = 10


def _measure(benchmark: BenchmarkFixture, root: Position, observer: int | None) -> None:
    def new_tree() -> tuple[tuple[TreeSearch], dict[str, object]]:
        return (TreeSearch(root, observer=observer, seed=1),), {}

    def search(tree: TreeSearch) -> TreeSearch:
        tree.run(Control(), SIMULATIONS)
        return tree

    tree = benchmark.pedantic(search, setup=new_tree, rounds=ROUNDS, warmup_rounds=1)
    assert tree.proven or tree.simulations == SIMULATIONS


@each_case
def test_search_for_a_seat(benchmark: BenchmarkFixture, game: Game, position: Position) -> None:
    mover = position.seat_to_move
    assert mover is not None
    _measure(benchmark, position.redacted(mover), mover)


@each_case
def test_search_with_open_cards(benchmark: BenchmarkFixture, game: Game, position: Position) -> None:
    _measure(benchmark, position, None)
