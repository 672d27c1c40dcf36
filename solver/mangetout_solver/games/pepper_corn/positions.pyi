"""Pepper. Corn!: building positions and reading them. A card is its number in `decktet.CARDS`."""

from collections.abc import Sequence
from dataclasses import dataclass

from mangetout_solver.games.position import Position

PHASES: tuple[str, ...]
EXCUSES: tuple[str, ...]
HIDDEN: int
MOST_CELLS: int
GAP_CELL: int
FACE_DOWN_CELL: int

@dataclass(frozen=True)
class HandView:
    """cards: known card ids, ascending. unknown: number of further cards. deduced: these cards, where no others are
    left for them (PC-25); else empty. piles: the cards whose pile is known, before the hands are made up; None while
    that is nothing but the lowest card."""

    cards: tuple[str, ...]
    unknown: int
    deduced: tuple[str, ...]
    piles: tuple[tuple[str, ...], tuple[str, ...]] | None

@dataclass(frozen=True)
class GameView:
    """tableau: rows of card ids from A's side, None for a gap, "?" for a face-down card. unseen: from the lot on, while
    cards lie face down, those that do or are out of play. points: ranks in the discards, by seat. phase: one of PHASES.
    seat: to move. next_seat: while cards are turned up, whose turn it is then. steps: decisions made in the division
    under way, or dealt cards shown. choices: pile 0 or 1 that each seat takes, HIDDEN if it is not known, None if not
    made. target, converter, laid: the capture under way, laid being the cards beside the converter. deck: basic or
    extended; conversion: any or matching (PC-37); excuse: one of EXCUSES (PC-40)."""

    tableau: tuple[tuple[str | None, ...], ...]
    unseen: tuple[str, ...]
    hands: tuple[HandView, HandView]
    points: tuple[int, int]
    phase: str
    seat: int | None
    next_seat: int | None
    steps: int
    choices: tuple[int | None, int | None]
    passed: bool
    target: str | None
    converter: str | None
    laid: tuple[str, ...]
    access: str
    empty_piles: bool
    dealt_hands_known: bool
    deck: str
    conversion: str
    excuse: str

def view(position: Position) -> GameView:
    """The game in Python terms. TypeError for a position of another game."""

def next_card(position: Position) -> int | None:
    """The dealt card whose pile is decided next; None where there is none or it is not known."""

def knows_own_cards(position: Position, seat: int) -> bool:
    """Whether the position says what the seat was dealt and all that it has decided."""

def stage_start(position: Position) -> tuple[Position, tuple[int, ...]]:
    """See `Game.stage_start`."""

def card_at(position: Position, cell: int) -> int | None:
    """The card on a cell, row * columns + column; None for a gap, a face-down card or a cell off the board."""

def why_illegal(position: Position, move: int) -> str:
    """Why a step that is not legal is not."""

def build(
    tableau: Sequence[Sequence[int]],
    hands: Sequence[Sequence[int]],
    *,
    unseen: Sequence[int] = (),
    unknown: Sequence[int] = (0, 0),
    piles: Sequence[tuple[Sequence[int], Sequence[int]] | None] = (None, None),
    points: tuple[int, int] = (0, 0),
    phase: str = "play",
    seat: int | None = None,
    steps: int = 0,
    choices: Sequence[int | None] = (None, None),
    passed: bool = False,
    target: int | None = None,
    converter: int | None = None,
    laid: Sequence[int] = (),
    restricted: bool = False,
    empty_piles: bool = False,
    hands_known: bool = False,
    extended: bool = False,
    matching: bool = False,
    excuse: str = "gap",
) -> Position:
    """A position. tableau: rows of cards from A's side, GAP_CELL or FACE_DOWN_CELL. The rest is as in `GameView`, cards
    by number.

    Raises PositionError (``tableau``, ``tableau[r][c]``, ``hands``, ``hands.A``, ``points``, ``stage``).
    """
