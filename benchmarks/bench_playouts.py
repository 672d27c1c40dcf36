"""Random games to the end, 10,000 in a call."""

from __future__ import annotations

from mangetout_solver.games.game import Game
from mangetout_solver.games.position import Position
from playout_loop import random_playouts
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.cases import each_case

PLAYOUTS = 10_000


@each_case
def test_playouts(benchmark: BenchmarkFixture, game: Game, position: Position) -> None:
    total = benchmark(random_playouts, position, 1, PLAYOUTS)
    assert 0 < total < PLAYOUTS
