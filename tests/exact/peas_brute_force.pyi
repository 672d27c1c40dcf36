"""PEAS with open hands by trying everything: what the exact engine is held against.

The few rules are written down here once more, from the rulings, and share no code with those of the game. Every order
of play is tried; equal positions are looked at once, and nothing else is left out.
"""

from mangetout_solver.games.position import Position

MAX_CARDS: int

def margins(position: Position) -> dict[int, int]:
    """The margin after each legal move, by number of the move, when both play their best from there.

    The margin is A's pod points less B's at the end of the round, 120 where A takes all pods and -120 where B does. Of
    a match only the round at hand counts. ValueError unless a move is to be made, all cards are known and each hand has
    at most MAX_CARDS.
    """

def margin(position: Position) -> int:
    """The margin under best play of both. Raises as `margins` does."""
