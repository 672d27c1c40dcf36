"""Facts of the basic Decktet."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from mangetout_solver.games.decktet import CARD_NUMBERS, CARDS, SUIT_LETTERS

NUMBER_CARDS = [card for card in CARDS if card.id[0].isdigit()]


def test_there_are_six_aces_24_number_cards_and_six_crowns() -> None:
    assert len(CARDS) == len(CARD_NUMBERS) == len({card.name for card in CARDS}) == 36
    assert Counter(card.id[0] for card in CARDS) == {"A": 6, "X": 6} | dict.fromkeys("23456789", 3)
    assert [card.id for card in CARDS if card.is_ace] == ["A" + suit for suit in SUIT_LETTERS]


def test_each_number_shows_each_suit_once_and_each_suit_is_on_ten_cards() -> None:
    for rank in "23456789":
        assert sorted("".join(card.suits for card in NUMBER_CARDS if card.id[0] == rank)) == sorted(SUIT_LETTERS)
    for suit in SUIT_LETTERS:
        assert sum(suit in card.suits for card in CARDS) == 10
    assert sum(len(card.suits) for card in CARDS) == 60


def test_pairs_of_suits_are_as_frequent_as_printed() -> None:
    pairs = Counter("".join(sorted(card.suits, key=SUIT_LETTERS.index)) for card in NUMBER_CARDS)
    assert pairs == {
        **dict.fromkeys(("MS", "WL", "YK"), 3),
        **dict.fromkeys(("MW", "SK", "ML", "SY", "LK", "WY"), 2),
        **dict.fromkeys(("MK", "LY", "SW"), 1),
    }
    absent = {a + b for a, b in combinations(SUIT_LETTERS, 2)} - set(pairs)
    assert absent == {"MY", "SL", "WK"}


def test_points_are_198_and_cards_stand_by_rank() -> None:
    assert sum(card.points for card in CARDS) == 198
    assert [card.points for card in CARDS] == sorted(card.points for card in CARDS)
    assert all(card.id[1:] == card.suits for card in CARDS)


@pytest.mark.parametrize(
    ("id_", "words"),
    [("AS", "Ace of Suns"), ("9MS", "9 Pact"), ("7ML", "7 Chance Meeting"), ("XS", "Bard (Crown of Suns)")],
)
def test_cards_in_words(id_: str, words: str) -> None:
    assert CARDS[CARD_NUMBERS[id_]].words == words
