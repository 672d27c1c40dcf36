"""Erbsenzählen: two to five players build rows of peas, steal, and exchange by force. Open play with chance."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping
from typing import Any

from mangetout_solver.errors import InputError
from mangetout_solver.games.erbsenzaehlen import notation, words
from mangetout_solver.games.erbsenzaehlen.notation import CARDS, OPTIONS, check_options
from mangetout_solver.games.erbsenzaehlen.positions import KINDS, SEATS, GameView, build, view, why_illegal
from mangetout_solver.games.game import Game, MoveParts, Record
from mangetout_solver.games.options import ChoiceOption, IntOption, check_names
from mangetout_solver.games.position import Position

__all__ = ["KINDS", "Erbsenzaehlen", "GameView", "view"]

# The rulebook does not tell how the 87 point cards are split: both are proposals.
PRESETS = {"falling": CARDS.default, "flat": "15,15,15,14,14,14"}
CARDS_TURNED_UP = 4
_PLAYERS = IntOption("players", "2", "Number of players.", low=2, high=5)
_STARTER = ChoiceOption("starter", "A", "Who begins.", choices=("A", "B", "C", "D", "E", "random"))
_PRESET = ChoiceOption(
    "preset",
    "falling",
    "Point cards of the values 1 to 6 where they are not listed: 17 down to 12, or 15 of 1 to 3 and 14 of 4 to 6.",
    choices=tuple(PRESETS),
)


class Erbsenzaehlen(Game):
    """See `Game`."""

    name = "erbsenzaehlen"
    title = "Erbsenzählen"
    min_players = 2
    max_players = 5
    score_unit = "giant peas, higher is better"
    hidden_information = False
    options = (_PLAYERS, _STARTER, _PRESET, *OPTIONS)
    notation_help = (
        "erbsenzaehlen PLAYERS CENTRE HAND STAGE [: MOVES]; a player is six columns of R and G from bottom to top and "
        "giant peas, mush, thieves, bad luck peas, turns to miss; steps are 4R, bonus, thief@B4, luck@B, end, and an "
        "exchange is xB-5+3+2."
    )
    example = (
        "erbsenzaehlen GG,G,-,R,GR,G;1,3,0,0,0/-,GG,RG,G,-,GG;1,2,1,0,0 11+2,9+2,9+1,8+2,7+2,5+2;16,4,4,3 3R+ play/A "
        ": bonus *mush *2G *luck luck@B 2G xB-6+4+2. end"
    )

    def deal(self, seed: int, options: Mapping[str, str]) -> Position:
        check_names(options, [option.name for option in self.options])
        players, starter, preset = _PLAYERS.of(options), _STARTER.of(options), _PRESET.of(options)
        chosen: dict[str, Any] = {option.name: option.of(options) for option in OPTIONS}
        cards = CARDS.read(PRESETS[preset])
        if "preset" in options and "cards" in options and chosen["cards"] != cards:
            raise InputError("options.cards", f"found a list besides preset {preset}, expected one of the two")
        if "cards" not in options:
            chosen["cards"] = cards
        check_options(chosen)
        seat = random.Random(seed).randrange(players) if starter == "random" else SEATS.index(starter)
        if seat >= players:
            raise InputError("options.starter", f"found {starter}, expected one of the {players} players or random")
        reds = zip(chosen["cards"], chosen["red"], strict=True)
        centre = [count for cards, red in reds for count in (cards - red, red)]
        centre += [chosen["mush"], chosen["thieves"], chosen["bad_luck"], chosen["bonus"]]
        if not any(centre):
            raise InputError("options.cards", "found no card of any kind, expected one or more in the centre")
        return build(
            [[""] * 6] * players,
            [[0] * 5] * players,
            centre,
            phase="draw",
            seat=seat,
            to_turn_up=min(CARDS_TURNED_UP, sum(centre)),
            options=chosen,
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
        return notation.parse_step(text, field)

    def format_move(self, position: Position, move: int) -> str:
        return notation.format_step(move)

    def describe_move(self, position: Position, move: int) -> str:
        return words.describe_step(position, move)

    def move_parts(self, position: Position, move: int) -> MoveParts:
        return notation.step_parts(move)

    def describe_turn(self, turn: Record) -> str:
        return words.describe_turn(turn)

    def describe_next(self, position: Position) -> str:
        return words.describe_next(position)

    def why_illegal(self, position: Position, move: int) -> str:
        return why_illegal(position, move)

    def score_bounds(self, position: Position) -> tuple[float, float]:
        options = view(position).options
        return 0, min(*options["cards"], options["giant_peas"] or max(options["cards"]))

    def key(self, position: Position) -> str:
        return hashlib.blake2b(self.format_position(position).encode(), digest_size=16).hexdigest()
