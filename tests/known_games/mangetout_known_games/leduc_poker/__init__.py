"""Leduc poker: six cards in two suits, a card and an ante of one each, two rounds of betting around a card turned up.

Raises are 2 in the first round and 4 in the second, two at most in each. A begins both.
"""

from __future__ import annotations

from collections.abc import Mapping

from mangetout_solver.games.position import Position
from mangetout_solver.games.reader import Reader

from mangetout_known_games.leduc_poker.rules import build, view
from mangetout_known_games.poker import UNDEALT, PokerGame

_TURN_UP = 129 << 24


class LeducPoker(PokerGame):
    """See `Game`."""

    name = "leduc_poker"
    title = "Leduc poker"
    notation_help = (
        "leduc_poker CARD_A CARD_B BOARD PLAYED [: MOVES]; cards are a rank J Q K and a suit s h, ? not known, - not "
        "dealt; f folds, c calls or checks, r raises; / stands between the rounds"
    )
    example = "leduc_poker Js ? Kh rrc/c : r f"
    deck = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
    move_letters = "fcr"
    move_words = ("fold", "call or check", "raise")

    def start(self) -> Position:
        return build((UNDEALT, UNDEALT), UNDEALT, ((), ()))

    def card_kind(self, position: Position) -> int:
        return super().card_kind(position) if UNDEALT in self.hands(position) else _TURN_UP

    def read_fields(self, reader: Reader) -> Position:
        hands = self.read_hands(reader)
        board = self.read_card(reader, "the card on the board", "-")
        reader.blanks("the moves")
        first = [] if reader.optional("-") else self.read_moves(reader)
        return build(hands, board, (first, self.read_moves(reader) if reader.optional("/") else []))

    def format_position(self, position: Position) -> str:
        hands, board, (first, second) = view(position)
        cards = " ".join(map(self.card_text, (*hands, board)))
        return f"{self.name} {cards} {self.moves_text(first)}" + (f"/{self.moves_text(second)}" if second else "")

    def hands(self, position: Position) -> tuple[int, int]:
        return view(position)[0]

    def score_bounds(self, position: Position) -> tuple[float, float]:
        return -13.0, 13.0

    def symmetries(self, position: Position) -> Mapping[str, Position]:
        """The suits of a rank have no order."""
        hands, board, rounds = view(position)
        found = {}
        for swapped in range(1, 8):
            # Bit r: whether the suits of rank r are exchanged.
            *new_hands, new_board = (
                card ^ (swapped >> card // 2 & 1) if card >= 0 else card for card in (*hands, board)
            )
            names = "".join(rank for index, rank in enumerate("JQK") if swapped >> index & 1)
            found[f"suits of {names} exchanged"] = build(new_hands, new_board, rounds)
        return found
