"""What a deal of Pepper. Corn! lays out: the tableau and both hands, by size of the board and variant."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from mangetout_solver.errors import InputError
from mangetout_solver.games.decktet import BASIC_CARDS, CARDS
from mangetout_solver.games.options import BoolOption, ChoiceOption, IntOption
from mangetout_solver.games.pepper_corn.notation import DECK, EMPTY_PILES
from mangetout_solver.games.pepper_corn.positions import FACE_DOWN_CELL, GAP_CELL, MOST_CELLS

INITIAL_GAPS = len(CARDS) - len(BASIC_CARDS)
ROWS = IntOption("rows", "3", "Rows of the tableau, between the two players.", low=1, high=8)
COLUMNS = IntOption("columns", "8", "Columns of the tableau.", low=1, high=12)
HAND_A = IntOption("hand_a", "0", "Cards dealt to A; 0: half of those not on the tableau.", low=0, high=18)
HAND_B = IntOption("hand_b", "0", "Cards dealt to B; 0: half of those not on the tableau.", low=0, high=18)
ODD_CARD = ChoiceOption(
    "odd_card",
    "usual",
    "Where equal hands leave a card over: it is out of play, or goes to A, to B or by lot to either; usual is out "
    "with the basic deck, lot with the extended one.",
    choices=("usual", "out", "A", "B", "lot"),
)
GAPS = BoolOption("initial_gaps", "false", "Whether nine further cards are dealt to the tableau and leave gaps there.")
HIDDEN_ROW = BoolOption("hidden_row", "false", "Whether the middle row lies face down until it is within reach.")
OPTIONS = (ROWS, COLUMNS, HAND_A, HAND_B, ODD_CARD, GAPS, HIDDEN_ROW)


def draw(rng: Random, options: Mapping[str, Any]) -> tuple[list[list[int]], tuple[list[int], list[int]]]:
    """Rows of the tableau, as for `positions.build`, and the cards dealt to A and to B.

    options: the values of all options of the game. Raises InputError (``options.<name>``) for values that contradict
    each other or need more cards than there are.
    """
    rows, columns = options[ROWS.name], options[COLUMNS.name]
    cells = rows * columns
    _check_variant(options, cells)
    gaps = INITIAL_GAPS if options[GAPS.name] else 0
    # PC-31: hands are dealt from the basic deck where the others make gaps.
    deck = list(range(len(BASIC_CARDS if options[DECK.name] == "basic" else CARDS)))
    # Each player is dealt a card at least.
    most = min(MOST_CELLS, len(deck) + gaps - 2)
    if cells > most:
        raise InputError("options.columns", f"found {rows} x {columns} cells, expected at most {most}")
    on_tableau = cells - gaps
    sizes = _hand_sizes(rng, options, len(deck) - on_tableau)
    rng.shuffle(deck)
    end_a = on_tableau + sizes[0]
    hands = (deck[on_tableau:end_a], deck[end_a : end_a + sizes[1]])
    cards = deck[:on_tableau] + [GAP_CELL] * gaps
    if gaps:
        rng.shuffle(cards)
    tableau = [cards[row * columns : (row + 1) * columns] for row in range(rows)]
    if options[HIDDEN_ROW.name]:
        tableau[rows // 2] = [FACE_DOWN_CELL] * columns
    return tableau, hands


def _check_variant(options: Mapping[str, Any], cells: int) -> None:
    extended = options[DECK.name] == "extended"
    if options[GAPS.name]:
        if extended:
            raise InputError("options.initial_gaps", "found true with the extended deck, expected the basic one")
        if cells <= INITIAL_GAPS:
            reason = f"found {INITIAL_GAPS} gaps on {cells} cells, expected room for a card"
            raise InputError("options.initial_gaps", reason)
    if options[HIDDEN_ROW.name]:
        rows = options[ROWS.name]
        if rows < 3 or rows % 2 == 0:
            reason = f"found true with {rows} rows, expected an odd number from 3 on, for a single middle row"
            raise InputError("options.hidden_row", reason)
        if extended:
            raise InputError("options.hidden_row", "found true with the extended deck, expected the basic one")
        if options[GAPS.name]:
            reason = "found true with initial gaps, expected none: face-down cards would have to be looked at"
            raise InputError("options.hidden_row", reason)


def _hand_sizes(rng: Random, options: Mapping[str, Any], left: int) -> list[int]:
    """Numbers of cards for A and B (PC-26, PC-33). left: cards that are not on the tableau."""
    given = [options[HAND_A.name], options[HAND_B.name]]
    odd_card = options[ODD_CARD.name]
    if odd_card != ODD_CARD.default and any(given):
        raise InputError("options.odd_card", f"found {odd_card} with a given size of a hand, expected none given")
    if odd_card not in (ODD_CARD.default, "out") and left % 2 == 0:
        raise InputError("options.odd_card", f"found {odd_card}, but no card is left over, expected out or usual")
    if odd_card == ODD_CARD.default:
        odd_card = "lot" if options[DECK.name] == "extended" else "out"
    sizes = [size or left // 2 for size in given]
    if odd_card != "out" and not any(given):
        sizes["AB".index(odd_card) if odd_card != "lot" else rng.randrange(2)] += left % 2
    least = 1 if options[EMPTY_PILES.name] else 2
    for option, size in zip((HAND_A, HAND_B), sizes, strict=True):
        if size < least:
            reason = f"found {size} cards to divide into two piles, expected {least} or more"
            raise InputError(f"options.{option.name}", reason)
    if sum(sizes) > left:
        reason = f"found {sizes[0]} + {sizes[1]} cards, expected at most the {left} that are not on the tableau"
        raise InputError("options.hand_b" if given[1] else "options.hand_a", reason)
    return sizes
