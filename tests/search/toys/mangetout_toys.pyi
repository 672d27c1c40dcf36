"""Small games whose truth a few lines of Python can work out. Only for the tests of the search.

They keep the contract of a game, except that states do not take the tokens of moves that a seat cannot see.
"""

from collections.abc import Sequence

from mangetout_solver.games.position import Position

UNSEEN: int

def random_tree(
    seed: int,
    *,
    players: int = 2,
    depth: int = 4,
    branching: int = 3,
    chance: int = 0,
    ties: int = 20,
    ends: int = 10,
    listed: bool = True,
    twins: bool = False,
) -> Position:
    """A game tree with everything open, made up by hashing the path: who moves, which moves there are, who wins.

    chance, ends: of a hundred positions after the first, the number that are chance events, and ends. ties: of a
    hundred ends, the number that several players share. listed: whether chance events list their outcomes; the games
    are the same. twins: each move has a second number, 32 higher, that the moves to search leave out.
    """

def matrix(
    shares: Sequence[Sequence[Sequence[float]]], *, steps: int = 1, tail: str = "", cards: bool = False
) -> Position:
    """Two players choose at the same time, seat 0 a row and seat 1 a column; seat 0 gets that share of the win.

    shares: up to four tables of up to 4 x 4 shares. steps: 2 makes each choice of four in two steps, by halves.
    cards: seat 1 is first dealt the number of a table, which nobody else sees, and that table counts.

    tail "swap": both choices are shown, and seat 0 decides whether the first table counts (0) or the second (1).
    tail "guess", "coin, guess", "nod, guess": nothing is shown; at once, after a chance event or after a move of
    seat 1 without effect, seat 0 guesses the column and wins everything if it is right, otherwise nothing.
    """

def matrix_stage_start(position: Position) -> tuple[Position, tuple[int, ...]]:
    """See `Game.stage_start`."""

def tricks(hands: Sequence[Sequence[int]], *, cards: int, draws: int = 0, unknown: Sequence[int] = (0, 0)) -> Position:
    """Two players and cards 0 to `cards` - 1, at most 24. Seat 0 leads any card and seat 1 answers with any; the higher
    takes the trick and leads the next. More tricks win, as many each share.

    After each of the first `draws` tricks first seat 0 and then seat 1 draws a card that only its owner sees.
    unknown: further cards of each hand.
    """
