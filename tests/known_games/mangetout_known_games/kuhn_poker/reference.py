"""The twin of Kuhn poker: OpenSpiel's game."""

from __future__ import annotations

from typing import Self

import pyspiel

from mangetout_known_games.poker_reference import PokerReference


class ReferencePosition(PokerReference):
    """See `PokerReference`."""

    game = pyspiel.load_game("kuhn_poker")
    deck = ("J", "Q", "K")
    letters = "pb"

    @classmethod
    def from_text(cls, text: str) -> Self:
        _, *cards, bets = text.split()
        return cls.checked(tuple(event for event in (*cards, *bets) if event != "-"))

    def text(self) -> str:
        cards = [*self._events[:2], "-", "-"][:2]
        return f"kuhn_poker {' '.join(cards)} {''.join(self._events[2:]) or '-'}"
