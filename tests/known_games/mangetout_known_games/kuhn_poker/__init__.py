"""Kuhn poker: three cards, a card and an ante of one each, a bet of one. A begins."""

from __future__ import annotations

from mangetout_solver.games.position import Position
from mangetout_solver.games.reader import Reader

from mangetout_known_games.kuhn_poker.rules import build, view
from mangetout_known_games.poker import UNDEALT, PokerGame


class KuhnPoker(PokerGame):
    """See `Game`."""

    name = "kuhn_poker"
    title = "Kuhn poker"
    notation_help = "kuhn_poker CARD_A CARD_B PLAYED [: MOVES]; cards J Q K, ? not known, - not dealt; p passes, b bets"
    example = "kuhn_poker J ? p : b p"
    deck = ("J", "Q", "K")
    move_letters = "pb"
    move_words = ("pass", "bet")

    def start(self) -> Position:
        return build((UNDEALT, UNDEALT), ())

    def read_fields(self, reader: Reader) -> Position:
        hands = self.read_hands(reader)
        reader.blanks("the moves")
        return build(hands, [] if reader.optional("-") else self.read_moves(reader))

    def format_position(self, position: Position) -> str:
        hands, moves = view(position)
        return f"{self.name} {self.card_text(hands[0])} {self.card_text(hands[1])} {self.moves_text(moves)}"

    def hands(self, position: Position) -> tuple[int, int]:
        return view(position)[0]

    def score_bounds(self, position: Position) -> tuple[float, float]:
        return -2.0, 2.0
