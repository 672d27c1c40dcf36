"""PEAS by hand: the information-set search and random rounds without the contract of games in between.

What somebody would write who wants PEAS alone, to see what the generality of the contract costs.
"""

from mangetout_solver.games.position import Position

class InlinedSearch:
    """The search of `TreeSearch` with hidden cards, written for PEAS: same worlds, random numbers, choices and tree."""

    def __init__(self, root: Position, seed: int, memory_bytes: int = ..., exploration: float = 0.7) -> None:
        """root: a decision, redacted for the seat to move. TypeError for another game, ValueError where it is over."""
    def run(self, simulations: int) -> None:
        """Searches for that many more simulations. Releases the GIL."""
    @property
    def simulations(self) -> int: ...
    @property
    def tree_nodes(self) -> int: ...
    def root_visits(self) -> list[tuple[int, int]]:
        """The root moves tried so far, ascending, with their visits."""

def random_rounds(position: Position, seed: int, rounds: int) -> int:
    """Plays rounds on from a position without unknown cards by random moves; returns how many seat A wins.

    The rules are written into the loop. TypeError for another game, ValueError where cards are unknown.
    """
