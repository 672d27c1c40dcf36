"""The cards of Easy Peasy: 6 * (rank - 1) + colour, so ordered by rank, then by colour."""

from __future__ import annotations

COLOUR_LETTERS = "RPGXYZ"
MAX_RANK = 10
# Three colours of the game are nowhere named.
_COLOUR_WORDS = ("red", "purple", "green", "X", "Y", "Z")


def card_text(card: int) -> str:
    """Such as R9."""
    return f"{COLOUR_LETTERS[card % 6]}{card // 6 + 1}"


def card_words(card: int) -> str:
    """Such as red 9."""
    return f"{_COLOUR_WORDS[card % 6]} {card // 6 + 1}"


def card_number(text: str) -> int:
    """The card of a text such as R9."""
    return 6 * (int(text[1:]) - 1) + COLOUR_LETTERS.index(text[0])
