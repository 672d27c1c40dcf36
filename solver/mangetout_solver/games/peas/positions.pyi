"""PEAS, one round: building positions and reading them from Python. A card is the number 8 * colour + rank - 1."""

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
class RoundView:
    """pods: Bottom first. hands: by seat. pea: seat of the holder of the first-player pea."""

    pods: tuple[PodView, ...]
    hands: tuple[HandView, ...]
    pea: int
    colours: int
    ranks: int

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
) -> Position:
    """A position. plays: for each pod (seat, card) in the order played; unknown: further cards in each hand.

    Raises InputError (``options.<name>``) or PositionError (``pods``, ``pods[i]``, ``hands.A``, ``hands``) for a
    position that no order of play leads to.
    """
