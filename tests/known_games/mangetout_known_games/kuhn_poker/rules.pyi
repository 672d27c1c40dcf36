"""Kuhn poker: building positions and reading them. A card is 0, 1 or 2, -1 not dealt, -2 not known; a bet is 1."""

from collections.abc import Sequence

from mangetout_solver.games.position import Position

def view(position: Position) -> tuple[tuple[int, int], tuple[int, ...]]:
    """The cards by seat, and the moves made. TypeError for a position of another game."""

def build(hands: Sequence[int], moves: Sequence[int]) -> Position:
    """A position. Raises PositionError (``hands``, ``moves``) for one that no order of play leads to."""
