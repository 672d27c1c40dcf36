"""The twin of Leduc poker: OpenSpiel's game."""

from __future__ import annotations

from typing import Self

import pyspiel

from mangetout_known_games.poker_reference import PokerReference


class ReferencePosition(PokerReference):
    """See `PokerReference`."""

    game = pyspiel.load_game("leduc_poker")
    deck = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
    letters = "fcr"

    @classmethod
    def from_text(cls, text: str) -> Self:
        _, *hands, board, bets = text.split()
        first, _, second = bets.partition("/")
        return cls.checked(tuple(event for event in (*hands, *first, board, *second) if event != "-"))

    def text(self) -> str:
        hands = [*self._events[:2], "-", "-"][:2]
        later = self._events[2:]
        board = next((event for event in later if event in self.deck), "-")
        first, _, second = "".join(later).partition(board) if board != "-" else ("".join(later), "", "")
        return f"leduc_poker {' '.join(hands)} {board} {first or '-'}" + (f"/{second}" if second else "")
