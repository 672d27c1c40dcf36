"""PEAS by trying everything, with open hands or with one hidden: what the exact engine is held against.

The few rules are written down here once more, from the rulings, and share no code with those of the game. Every order
of play is tried; equal positions are looked at once, and nothing else is left out. A hidden hand is a list of hands:
its owner plays in each of them, and the other player, who sees the plays alone, in all of them alike.
"""

from mangetout_solver.games.position import Position

MAX_CARDS: int
MAX_HANDS: int

def margins(position: Position) -> dict[int, int]:
    """The margin after each move that is legal for some hand, by number of the move, when both play their best from
    there; where a hand is hidden, what the other player is sure of against all hands and all that they can play.

    The margin is A's pod points less B's at the end of the round, 120 where A takes all pods and -120 where B does. Of
    a match only the round at hand counts. ValueError unless a move is to be made, one hand is known, the other known or
    hidden as a whole, each has at most MAX_CARDS, and there are at most MAX_HANDS hands that the hidden one can be.
    """

def margin(position: Position) -> int:
    """The margin under best play of both. Raises as `margins` does."""
