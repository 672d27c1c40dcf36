"""Calls of the client library to a server in the same process, over a real socket on the loopback interface."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from mangetout_cli.embedded import embedded_server
from mangetout_client import Client
from mangetout_solver.games.game import Game
from mangetout_solver.games.position import Position
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.cases import each_case


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with embedded_server() as port, Client(f"127.0.0.1:{port}") as connected:
        yield connected


@each_case
def test_list_moves(benchmark: BenchmarkFixture, client: Client, game: Game, position: Position) -> None:
    answer = benchmark(client.list_moves, game.format_position(position))
    assert len(answer.moves) == len(position.legal_moves())


@each_case
def test_hint_of_one_simulation(benchmark: BenchmarkFixture, client: Client, game: Game, position: Position) -> None:
    """What a hint costs besides its search."""
    answer = benchmark(client.hint, game.format_position(position), simulations=1, seed=1)
    assert answer.best_move.notation
