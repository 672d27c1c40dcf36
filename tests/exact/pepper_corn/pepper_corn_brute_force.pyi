"""Pepper. Corn! by trying everything: what the exact engine is held against.

The few rules are written down here once more, from the rulings, and share no code with those of the game. Every set of
cards that takes a card is tried, with and without a converter and however many cards too many, and every pass; equal
positions are looked at once, and nothing else is left out.
"""

from mangetout_solver.games.position import Position

MAX_TABLEAU: int
MAX_CARDS: int

def margins(position: Position) -> dict[int, int]:
    """The margin after each legal step, by its move number, when both play their best from there.

    The margin is A's score less B's: ranks in the discards and the hand at the end (PC-23, PC-24). ValueError unless a
    step of play is to be made, no card lies face down, at most MAX_TABLEAU cards are on the tableau and at most
    MAX_CARDS there and in the hands.
    """

def margin(position: Position) -> int:
    """The margin under best play of both. Raises as `margins` does."""
