"""Late rounds of PEAS for tree search: who wins with all cards known."""

from mangetout_solver.search.evaluator import Evaluator

class ExactLeaves(Evaluator):
    """Double-dummy winners of rounds with few cards left (docs/exact/peas.md)."""

    def __init__(self, cards: int, memory_bytes: int) -> None:
        """cards: how many each player holds at most. memory_bytes: for the table."""
