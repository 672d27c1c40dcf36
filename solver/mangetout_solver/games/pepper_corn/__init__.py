"""Pepper. Corn!: two players split the pie and capture cards from a tableau of the Decktet. Base game."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping

from mangetout_solver.errors import InputError
from mangetout_solver.games.decktet import CARDS
from mangetout_solver.games.game import Game, Record
from mangetout_solver.games.options import IntOption, check_names
from mangetout_solver.games.pepper_corn import notation
from mangetout_solver.games.pepper_corn.notation import ACCESS, DEALT_HANDS_KNOWN, EMPTY_PILES
from mangetout_solver.games.pepper_corn.positions import (
    HIDDEN,
    GameView,
    build,
    knows_own_cards,
    stage_start,
    view,
    why_illegal,
)
from mangetout_solver.games.position import Position

__all__ = ["HIDDEN", "GameView", "PepperCorn", "view"]

MAX_CELLS = 34  # leaves each player a card
_ROWS = IntOption("rows", "3", "Rows of the tableau, between the two players.", low=1, high=8)
_COLUMNS = IntOption("columns", "8", "Columns of the tableau.", low=1, high=12)
_HAND_A = IntOption("hand_a", "0", "Cards dealt to A; 0: half of those not on the tableau.", low=0, high=18)
_HAND_B = IntOption("hand_b", "0", "Cards dealt to B; 0: half of those not on the tableau.", low=0, high=18)


class PepperCorn(Game):
    """See `Game`."""

    name = "pepper_corn"
    title = "Pepper. Corn!"
    min_players = max_players = 2
    score_unit = "points, higher is better"
    hidden_information = True
    simultaneous_decisions = True
    options = (_ROWS, _COLUMNS, _HAND_A, _HAND_B, ACCESS, EMPTY_PILES, DEALT_HANDS_KNOWN)
    notation_help = (
        "pepper_corn TABLEAU HAND_A HAND_B POINTS STAGE [: MOVES]; rows from A's side, cells as cards or - for gaps; "
        "cards are a rank A 2-9 X and suits MSWLYK, ? for each card not known; a capture is x9MS+AS+8MS."
    )
    example = (
        "pepper_corn 7ML,2MK,-,8YK,AW,6SY,5YK,3SK/9WY,XL,4WL,-,7SK,AM,8MS,2WL/5ML,-,XW,6LK,4YK,3MW,-,9LK "
        "AL4MS7WYXM 5SW6MWXSXY 12-17 play/A : x2MK+4MS."
    )

    def deal(self, seed: int, options: Mapping[str, str]) -> Position:
        check_names(options, [option.name for option in self.options])
        rows, columns = _ROWS.of(options), _COLUMNS.of(options)
        empty_piles = EMPTY_PILES.of(options)
        cells = rows * columns
        if cells > MAX_CELLS:
            raise InputError("options.columns", f"found {rows} x {columns} cells, expected at most {MAX_CELLS}")
        sizes = []
        for option in (_HAND_A, _HAND_B):
            size = option.of(options) or (len(CARDS) - cells) // 2
            least = 1 if empty_piles else 2
            if size < least:
                reason = f"found {size} cards to divide into two piles, expected {least} or more"
                raise InputError(f"options.{option.name}", reason)
            sizes.append(size)
        if cells + sum(sizes) > len(CARDS):
            reason = f"found {cells} + {sizes[0]} + {sizes[1]} cards, expected at most the {len(CARDS)} of the deck"
            raise InputError("options.hand_b" if "hand_b" in options else "options.hand_a", reason)
        deck = list(range(len(CARDS)))
        random.Random(seed).shuffle(deck)
        hand_a, hand_b = deck[cells : cells + sizes[0]], deck[cells + sizes[0] : cells + sum(sizes)]
        # A single card needs no division.
        first = 0 if sizes[0] > 1 else 1
        divides = max(sizes) > 1
        return build(
            [deck[row * columns : (row + 1) * columns] for row in range(rows)],
            (hand_a, hand_b),
            phase="split" if divides else "show",
            seat=first if divides else None,
            restricted=ACCESS.of(options) == "restricted",
            empty_piles=empty_piles,
            hands_known=DEALT_HANDS_KNOWN.of(options),
        )

    def parse_position(self, text: str, field: str = "notation") -> Position:
        return notation.parse(text, field)

    def format_position(self, position: Position) -> str:
        return notation.format_game(view(position))

    def steps_of(self, word: str) -> list[str]:
        return notation.steps_of(word)

    def continues_word(self, step: str) -> bool:
        return notation.continues_word(step)

    def parse_move(self, position: Position, text: str, field: str = "move") -> int:
        return notation.parse_step(position, text, field)

    def format_move(self, position: Position, move: int) -> str:
        return notation.format_step(position, move)

    def describe_move(self, position: Position, move: int) -> str:
        return notation.describe_step(position, move)

    def describe_turn(self, turn: Record) -> str:
        return notation.describe_turn(turn)

    def describe_next(self, position: Position) -> str:
        return notation.describe_next(position)

    def why_illegal(self, position: Position, move: int) -> str:
        return why_illegal(position, move)

    def score_bounds(self, position: Position) -> tuple[float, float]:
        return 0, sum(card.points for card in CARDS)

    def symmetries(self, position: Position) -> Mapping[str, Position]:
        return {"columns mirrored": self.parse_position(notation.mirrored(self.format_position(position)))}

    def stage_start(self, position: Position) -> tuple[Position, tuple[int, ...]]:
        return stage_start(position)

    def knows_own_cards(self, position: Position, seat: int) -> bool:
        return knows_own_cards(position, seat)

    def key(self, position: Position) -> str:
        text = self.format_position(position)
        return hashlib.blake2b(min(text, notation.mirrored(text)).encode(), digest_size=16).hexdigest()
