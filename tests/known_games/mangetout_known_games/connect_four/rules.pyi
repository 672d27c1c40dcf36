"""Connect four: building positions and reading them. Rows are texts of A, B and `.`, from the top."""

from collections.abc import Sequence

from mangetout_solver.games.position import Position

def view(position: Position) -> tuple[tuple[str, ...], int]:
    """The rows of the board, and the stones in a line that win. TypeError for a position of another game."""

def build(rows: Sequence[str], connect: int) -> Position:
    """A position; all rows are of one length.

    Raises PositionError (``board``, ``connect``) for a board out of range or one that no order of play leads to.
    """
