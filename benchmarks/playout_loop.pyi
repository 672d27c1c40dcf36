"""Many random games of any game in one call, so that the speed of playouts is measured and not that of Python."""

from mangetout_solver.games.position import Position

def random_playouts(position: Position, seed: int, count: int) -> float:
    """Plays on from a position by random moves, through the game's table; returns the sum of seat 0's win shares.

    Releases the GIL. ValueError where cards are unknown.
    """

def state_size(position: Position) -> int:
    """Bytes of a state of the game."""
