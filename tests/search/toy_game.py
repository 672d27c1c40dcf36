"""A toy as a game of the engine, so that the engine searches and plays toys as it does real games."""

from __future__ import annotations

import math
from collections.abc import Mapping

import mangetout_toys as toys
from mangetout_solver.errors import NotationError
from mangetout_solver.games.game import Game, MoveParts
from mangetout_solver.games.position import Position


class Toy(Game):
    """Any toy, by numbers: moves are their numbers, and positions have no notation to read back."""

    name = "toy"
    title = "Toy"
    min_players, max_players = 2, 6
    score_unit = "points"
    hidden_information = True
    options = ()
    notation_help = example = ""

    def deal(self, seed: int, options: Mapping[str, str]) -> Position:
        raise NotImplementedError

    def parse_position(self, text: str, field: str = "notation") -> Position:
        raise NotImplementedError

    def format_position(self, position: Position) -> str:
        return f"{position.game_name} {position.rules.hex()} {position.state.hex()}"

    def parse_move(self, position: Position, text: str, field: str = "move") -> int:
        if not text.isdigit():
            raise NotationError(field, 1, text, "a number")
        return int(text)

    def format_move(self, position: Position, move: int) -> str:
        return str(move)

    def describe_move(self, position: Position, move: int) -> str:
        return f"move {move}"

    def move_parts(self, position: Position, move: int) -> MoveParts:
        return MoveParts("move", number=move)

    def why_illegal(self, position: Position, move: int) -> str:
        return "not among the legal moves"

    def score_bounds(self, position: Position) -> tuple[float, float]:
        return -math.inf, math.inf

    def stage_start(self, position: Position) -> tuple[Position, tuple[int, ...]]:
        return toys.matrix_stage_start(position)

    def key(self, position: Position) -> str:
        return f"{position.information_key(-1):032x}"
