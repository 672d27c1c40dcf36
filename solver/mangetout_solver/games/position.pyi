"""A position of any game: the game's rules and state behind one Python type."""

class Position:
    """Immutable. Built by the games' own modules only; moves are the game's move numbers."""

    @property
    def game_name(self) -> str: ...
    @property
    def players(self) -> int: ...
    @property
    def max_steps(self) -> int:
        """Most moves and chance events, together, that any game by these rules has."""
    @property
    def seat_to_move(self) -> int | None:
        """None at chance events and when the game is over."""
    @property
    def is_terminal(self) -> bool: ...
    @property
    def is_chance(self) -> bool: ...
    @property
    def is_open(self) -> bool:
        """Whether nothing is hidden from any player, now or later."""
    @property
    def is_secret(self) -> bool:
        """Whether the decision is taken at the same time as another seat's, which does not see it."""
    @property
    def opens_turn(self) -> bool:
        """Whether the decision is the first of its turn, by the kind of its moves. Later in a turn the moves to search
        continue those that were searched before; after other moves they need not suffice."""
    def legal_moves(self) -> list[int]:
        """Ascending; every move legal in at least one world where the mover's cards are not all known."""
    def search_moves(self) -> list[int]:
        """A subset of the legal moves that is sufficient for best play."""
    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Outcomes and their probabilities at a chance event."""
    def play(self, move: int) -> Position:
        """Plays a legal move, a chance outcome or one of `unseen_tokens`. Raises ValueError for any other number."""
    def unseen_tokens(self) -> set[int]:
        """Where the position is what some seat knows: tokens of events here of which that seat sees less than all."""
    def follow(self, move: int, seat: int) -> Position:
        """What `seat` makes of a legal move or chance outcome: its view of this position, taken on by its token.

        Equals `play(move).redacted(seat)` by rule 8 of the contract. Raises ValueError for any other number.
        """
    def win_shares(self) -> tuple[float, ...]:
        """Per player, in [0, 1], when the game is over; ValueError otherwise."""
    def scores(self) -> tuple[float, ...]:
        """The game's own score per player when the game is over; ValueError otherwise."""
    def round_returns(self) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
        """Win shares and scores of the round that has just ended, where the game is one of rounds; else None."""
    def redacted(self, seat: int) -> Position:
        """What `seat` knows of the position."""
    def count_worlds(self) -> int:
        """Number of complete positions that fit what this one shows; saturates at 2**63 - 1. 1: nothing is hidden."""
    def worlds(self) -> list[Position]:
        """All of them. ValueError beyond 100,000."""
    def determinize(self, seed: int) -> Position:
        """One of them, uniformly at random."""
    def observe(self, move: int, seat: int) -> int:
        """What `seat` sees of a move: the move itself, or a coarser token."""
    def information_key(self, seat: int) -> int:
        """128-bit key of what `seat` knows; -1 stands for all of the position."""
    def random_step(self, seed: int) -> int:
        """A uniformly random one of the search moves, or a chance outcome drawn with its probability.

        ValueError when the game is over or cards are not known.
        """
    def policy_step(self, seed: int) -> int:
        """As `random_step`, but a move by the playout policy of the game, if it has one."""
    def random_playout(self, seed: int) -> Position:
        """The end of a game played on by uniformly random search moves. ValueError where cards are not known."""
    def count_sequences(self, depth: int, max_nodes: int) -> int:
        """Move sequences of this depth (perft), -1 when more than max_nodes nodes would be visited.

        A game that ends sooner counts once. ValueError for a negative depth.
        """
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[object, ...]: ...
