"""PEAS: building positions and reading them from Python. A card is the number 8 * colour + rank - 1."""

from collections.abc import Sequence
from dataclasses import dataclass

from mangetout_solver.games.position import Position

COLOUR_LETTERS: str

@dataclass(frozen=True)
class PodView:
    """value: pod points. plays: (seat, card text) in the order played. winner: once the round is over."""

    value: int
    plays: tuple[tuple[int, str], ...]
    winner: int | None

@dataclass(frozen=True)
class HandView:
    """cards: known card texts. unknown: number of further cards. voids: colours shown not to be held."""

    cards: tuple[str, ...]
    unknown: int
    voids: tuple[str, ...]

@dataclass(frozen=True)
class DealView:
    """A round while it is dealt. undrawn: values of the pods to be drawn, ascending. dealt: number of cards dealt.
    placed: whether it is known where all of them lie."""

    undrawn: tuple[int, ...]
    dealt: int
    placed: bool

@dataclass(frozen=True)
class RoundView:
    """pods: Bottom first, as far as drawn. hands: by seat. pea: seat of the holder of the first-player pea.

    wins: rounds won by each seat, None in a single round. deal: while a round of a match is dealt.
    """

    pods: tuple[PodView, ...]
    hands: tuple[HandView, ...]
    pea: int
    colours: int
    ranks: int
    wins: tuple[int, int] | None
    deal: DealView | None

    def values(self) -> list[int]:
        """Values of all pods of the game, ascending."""

def card_text(card: int) -> str:
    """Such as "B2"."""

def view(position: Position) -> RoundView:
    """The round in Python terms. TypeError for a position of another game."""

def why_illegal(position: Position, move: int) -> str:
    """Why a move that is not legal is not."""

def build(
    pods: Sequence[int],
    plays: Sequence[Sequence[tuple[int, int]]],
    hands: Sequence[Sequence[int]],
    unknown: Sequence[int],
    pea: int,
    colours: int,
    ranks: int,
    *,
    wins: tuple[int, int] | None = None,
    undrawn: Sequence[int] = (),
    dealt: int | None = None,
    placed: bool = True,
) -> Position:
    """A position. plays: for each pod (seat, card) in the order played; unknown: further cards in each hand.

    wins: rounds won by each seat, in a match. undrawn, dealt, placed: while a round of it is dealt, see `DealView`.

    Raises InputError (``options.<name>``) or PositionError (``pods``, ``pods[i]``, ``hands.A``, ``hands``, ``wins``,
    ``deal``) for a position that no order of play leads to.
    """
