"""Easy Peasy: two to six players shed cards on two discard piles, upwards or downwards. Rounds and matches."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping

from mangetout_solver.games.easy_peasy import notation
from mangetout_solver.games.easy_peasy.cards import card_text
from mangetout_solver.games.easy_peasy.positions import build, view, why_illegal
from mangetout_solver.games.easy_peasy.settings import NAMED, OPTIONS, PILES, PLAYERS, settings_of
from mangetout_solver.games.easy_peasy.views import UNKNOWN, GameView, HandView, PileView
from mangetout_solver.games.game import Game, MoveParts, Record
from mangetout_solver.games.options import check_names
from mangetout_solver.games.position import Position

__all__ = ["UNKNOWN", "EasyPeasy", "GameView", "card_text", "view"]


class EasyPeasy(Game):
    """See `Game`."""

    name = "easy_peasy"
    title = "Easy Peasy"
    min_players, max_players = 2, 6
    score_unit = "penalty points, lower is better"
    hidden_information = True
    options = OPTIONS
    notation_help = (
        "easy_peasy ROWS HANDS TOPS DISCARDS ERAS STUCK SCORES LAST ROUND/TURNS DIRECTION STAGE [: MOVES]; cards are a "
        "colour RPGXYZ and a rank 1-10; R9? lies on a card nobody knows, ? in a hand is a card not known; a turn is "
        "R8>0, with bonus actions G8>1+G9+turn0, or flip"
    )
    example = (
        "easy_peasy R9?,P1(G4)/G8,X5? P2R3G7X10/????? P4,R8 G2G3 - B>6@0+2 0-0 0-0 1/17 up turn/A "
        ": G7>0 G8>0+turn1 *X6 flip *R1 *P9"
    )

    def deal(self, seed: int, options: Mapping[str, str]) -> Position:
        check_names(options, [option.name for option in self.options])
        values = {option.name: option.of(options) for option in NAMED}
        settings = settings_of(values, PLAYERS.of(options), PILES.of(options))
        deck = [6 * rank + colour for rank in range(settings.ranks) for colour in range(settings.colours)]
        shuffle = random.Random(seed)
        shuffle.shuffle(deck)
        seats = range(settings.players)
        rows = [tuple(PileView(deck.pop(), UNKNOWN) for _ in range(settings.piles)) for _ in seats]
        tops = (deck.pop(), deck.pop())
        hands = [HandView(tuple(deck.pop() for _ in range(settings.hand)), ()) for _ in seats]
        sums = [sum((pile.open or 0) // 6 + 1 for pile in row) for row in rows]
        begins = shuffle.choice([seat for seat in seats if sums[seat] == max(sums)])  # EP-03
        nothing = (0,) * settings.players
        return build(settings, rows, hands, tops=tops, scores=nothing, last_scores=nothing, phase="begin", seat=begins)

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
        return notation.format_step(move)

    def describe_move(self, position: Position, move: int) -> str:
        return notation.describe_step(position, move)

    def move_parts(self, position: Position, move: int) -> MoveParts:
        return notation.step_parts(move)

    def describe_turn(self, turn: Record) -> str:
        return notation.describe_turn(turn)

    def describe_next(self, position: Position) -> str:
        return notation.describe_next(position)

    def why_illegal(self, position: Position, move: int) -> str:
        return why_illegal(position, move)

    def score_bounds(self, position: Position) -> tuple[float, float]:
        settings = view(position).settings
        deck = settings.colours * settings.ranks * (settings.ranks + 1) // 2
        most = settings.players * ((settings.points or 1) - 1) // (settings.players - 1) + 1
        return 0, 2 * deck * (settings.rounds or most)

    def is_match(self, position: Position) -> bool:
        return view(position).settings.rounds != 1

    def symmetries(self, position: Position) -> Mapping[str, Position]:
        text = notation.exchanged(self.format_position(position))
        return {} if text is None else {"discard piles exchanged": self.parse_position(text)}

    def knows_own_cards(self, position: Position, seat: int) -> bool:
        return not sum(view(position).hands[seat].unknown)

    def key(self, position: Position) -> str:
        text = self.format_position(position)
        canonical = min(text, notation.exchanged(text) or text)
        return hashlib.blake2b(canonical.encode(), digest_size=16).hexdigest()
