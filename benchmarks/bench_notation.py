"""Positions and moves to text and back."""

from __future__ import annotations

from mangetout_solver.games.game import Game
from mangetout_solver.games.position import Position
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.cases import each_case


@each_case
def test_format_position(benchmark: BenchmarkFixture, game: Game, position: Position) -> None:
    assert game.parse_position(benchmark(game.format_position, position)) == position


@each_case
def test_parse_position(benchmark: BenchmarkFixture, game: Game, position: Position) -> None:
    assert benchmark(game.parse_position, game.format_position(position)) == position


@each_case
def test_moves_to_text_and_back(benchmark: BenchmarkFixture, game: Game, position: Position) -> None:
    """All legal moves of the position."""
    moves = position.legal_moves()

    def there_and_back() -> list[int]:
        return [game.parse_move(position, game.format_move(position, move)) for move in moves]

    assert benchmark(there_and_back) == moves
