"""Monte Carlo tree search over the contract of a game."""

from collections.abc import Sequence
from dataclasses import dataclass

from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control
from mangetout_solver.search.evaluator import Evaluator

MAX_WORLDS_ENUMERATED: int
MIN_WORLD_VISITS: int
MAX_SIMULATIONS_PER_TREE: int

@dataclass(frozen=True)
class RootMove:
    """Statistics of a root move, as sums so that trees can be added up. Per-player tuples are in seat order.

    guaranteed: shares of the win proven for each player after the move; all 0 outside perfect-information trees.
    probability: share of the average strategy at a secret decision, None elsewhere.
    """

    move: int
    visits: int
    availability: int
    share_sum: tuple[float, ...]
    share_square_sum: tuple[float, ...]
    score_sum: tuple[float, ...]
    score_square_sum: tuple[float, ...]
    guaranteed: tuple[float, ...]
    probability: float | None

class TreeSearch:
    """One tree, searched by one thread at a time.

    The tree is single-observer (Cowling, Powley and Whitehouse 2012): each simulation takes one of the worlds that fit
    the root, all equally likely, and nodes count how often a move was available. Moves are chosen by UCT with each
    player maximising its own share of the win (max^n), by regret matching where the decision is secret, and at random
    where chance decides. Playouts are uniformly random, or by the playout policy of the game.

    Where a game is a match of rounds (`Position.round_returns`), the round at hand is searched: shares, scores and
    proofs are those of the round. To win it is never worse for the match, and the rounds to come are new deals.

    With perfect information each edge also carries the share every player is proven to get against all others; a root
    whose values are proven ends the search.
    """

    def __init__(
        self,
        root: Position,
        *,
        observer: int | None,
        seed: int,
        stream: int = 0,
        memory_bytes: int = ...,
        allowed: Sequence[int] | None = None,
        stage: tuple[Position, Sequence[int]] | None = None,
        exploration: float = 0.7,
        evaluator: Evaluator | None = None,
    ) -> None:
        """root: a decision, redacted for the seat that searches. observer: that seat, None with perfect information.
        allowed: root moves to search, all where None.
        stage: for a secret root, the position in which the stage of simultaneous decisions opened, as the searching
        seat knows it, and the moves that the root's mover has made since. The search then starts there, so that what
        others have decided unseen is played by their strategy, and answers for the root. Half of the simulations repeat
        the moves made and teach only the mover; in the others the mover's hidden cards are dealt anew as another seat
        must reckon with them (information-set targeting after Lisy, Lanctot and Bowling 2015).

        evaluator: of late states of the game. Who wins a playout is told at the first such state; it goes on to the end
        for the score alone.

        Raises ValueError where no world fits, where cards are unknown in a perfect-information search, or where
        nothing is allowed; MemoryError.
        """
    def run(self, control: Control, simulations: int, seconds: float | None = None) -> None:
        """Searches until that many more simulations are done, the time is over, the root is proven or `control` says
        stop. Releases the GIL; runs at least one simulation unless the root is proven."""
    @property
    def proven(self) -> bool:
        """Whether the best root move and its value for the mover are proven."""
    @property
    def simulations(self) -> int: ...
    @property
    def nodes(self) -> int:
        """Moves made in simulations, in the tree and after it."""
    @property
    def tree_nodes(self) -> int: ...
    @property
    def tree_bytes(self) -> int:
        """With those of the evaluator."""
    @property
    def worlds(self) -> int: ...
    @property
    def worlds_enumerated(self) -> bool: ...
    def root_moves(self) -> list[RootMove]:
        """Every root move tried so far, ascending."""
    def principal_variation(self, move: int) -> list[int]:
        """The most visited moves after a root move, that move first. Tokens as the searching seat sees them."""

def worlds_won(trees: Sequence[TreeSearch], move: int) -> int | None:
    """In how many of the listed worlds a root move wins for the searching seat: an estimate, never a proof.

    trees: of the same root; their simulations are added up. A world counts where the simulations of the move that were
    played in it, after the first `worlds` ones of the move in a tree, average above half a win. None unless each world
    had MIN_WORLD_VISITS of them; None where worlds are not listed or there is but one, at secret decisions, and where
    the memory for it, at most an eighth of the tree's, is used up.
    """
