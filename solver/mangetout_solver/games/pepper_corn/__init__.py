"""Pepper. Corn!: two players split the pie and capture cards from a tableau of the Decktet, with all variants."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping
from typing import Any

from mangetout_solver.games.decktet import CARDS
from mangetout_solver.games.game import Game, MoveParts, Record
from mangetout_solver.games.options import check_names
from mangetout_solver.games.pepper_corn import notation
from mangetout_solver.games.pepper_corn.deals import OPTIONS, draw
from mangetout_solver.games.pepper_corn.notation import ACCESS, CONVERSION, DEALT_HANDS_KNOWN, DECK, EMPTY_PILES, EXCUSE
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


class PepperCorn(Game):
    """See `Game`."""

    name = "pepper_corn"
    title = "Pepper. Corn!"
    min_players = max_players = 2
    score_unit = "points, higher is better"
    hidden_information = True
    simultaneous_decisions = True
    options = (*OPTIONS, ACCESS, EMPTY_PILES, DEALT_HANDS_KNOWN, DECK, CONVERSION, EXCUSE)
    notation_help = (
        "pepper_corn TABLEAU HAND_A HAND_B POINTS STAGE [: MOVES]; rows from A's side, cells as cards, - for gaps, ? "
        "for cards face down; cards are a rank A 2-9 X P C and suits MSWLYK, or EX, ? for each card not known; a "
        "capture is x9MS+AS+8MS., with a converter x9MS~PMSL+3LY+8YK."
    )
    example = (
        "pepper_corn 7ML,2MK,-,8YK,AW,6SY,5YK,3SK/9WY,XL,4WL,-,7SK,AM,8MS,2WL/5ML,-,XW,6LK,4YK,3MW,-,9LK "
        "AL4MS7WYXM 5SW6MWXSXY 12-17 play/A : x2MK+4MS."
    )

    def deal(self, seed: int, options: Mapping[str, str]) -> Position:
        check_names(options, [option.name for option in self.options])
        values: dict[str, Any] = {option.name: option.of(options) for option in self.options}
        notation.check_deck(values)
        tableau, hands = draw(random.Random(seed), values)
        # A single card needs no division.
        first = 0 if len(hands[0]) > 1 else 1
        divides = max(map(len, hands)) > 1
        return build(
            tableau,
            hands,
            phase="split" if divides else "show",
            seat=first if divides else None,
            restricted=values[ACCESS.name] == "restricted",
            empty_piles=values[EMPTY_PILES.name],
            hands_known=values[DEALT_HANDS_KNOWN.name],
            extended=values[DECK.name] == "extended",
            matching=values[CONVERSION.name] == "matching",
            excuse=values[EXCUSE.name],
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

    def move_parts(self, position: Position, move: int) -> MoveParts:
        return notation.step_parts(position, move)

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
