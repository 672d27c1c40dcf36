"""Easy Peasy: building positions and reading them. Cards are numbers, see cards.py; seats are 0 to players - 1."""

from collections.abc import Sequence

from mangetout_solver.games.easy_peasy.settings import Settings
from mangetout_solver.games.easy_peasy.views import GameView, HandView, PileView, Showing
from mangetout_solver.games.position import Position

def view(position: Position) -> GameView:
    """The game in Python terms. TypeError for a position of another game."""

def why_illegal(position: Position, move: int) -> str:
    """Why a step that is not legal is not."""

def build(
    settings: Settings,
    rows: Sequence[Sequence[PileView]],
    hands: Sequence[HandView],
    *,
    tops: tuple[int | None, int | None],
    discards: Sequence[int] = (),
    eras: Sequence[Sequence[int]] = (),
    showings: Sequence[Showing] = (),
    scores: Sequence[int],
    last_scores: Sequence[int],
    cut_off: bool = False,
    round: int = 1,
    turns: int = 0,
    direction: str = "-",
    phase: str,
    seat: int | None = None,
    number: int = 0,
    again: bool = False,
    beginners: Sequence[int] = (),
) -> Position:
    """A position. eras: from era 1 on; `number` of cards dealt is not asked for. The rest is as in `GameView`.

    Raises PositionError (``rows``, ``rows.A``, ``hands.A``, ``tops``, ``discards``, ``eras``, ``stuck``, ``scores``,
    ``last``, ``clock``, ``direction``, ``stage``).
    """
