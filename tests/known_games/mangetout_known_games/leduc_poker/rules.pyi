"""Leduc poker: building positions and reading them.

A card is 2 * rank + suit, -1 not dealt, -2 not known; a move is 0 to fold, 1 to call or check, 2 to raise.
"""

from collections.abc import Sequence

from mangetout_solver.games.position import Position

def view(position: Position) -> tuple[tuple[int, int], int, tuple[tuple[int, ...], tuple[int, ...]]]:
    """The cards by seat, the card on the board, the moves of both rounds. TypeError for a position of another game."""

def build(hands: Sequence[int], board: int, rounds: Sequence[Sequence[int]]) -> Position:
    """A position. Raises PositionError (``hands``, ``board``, ``moves``) for one that no order of play leads to."""
