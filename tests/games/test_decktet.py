"""Facts of the Decktet."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from mangetout_solver.games.decktet import BASIC_CARDS, CARD_NUMBERS, CARDS, SUIT_LETTERS

NUMBER_CARDS = [card for card in BASIC_CARDS if card.id[0].isdigit()]


def test_there_are_six_aces_24_number_cards_and_six_crowns() -> None:
    assert len(BASIC_CARDS) == len({card.name for card in BASIC_CARDS}) == 36
    assert Counter(card.id[0] for card in BASIC_CARDS) == {"A": 6, "X": 6} | dict.fromkeys("23456789", 3)
    assert [card.id for card in CARDS if card.is_ace] == ["A" + suit for suit in SUIT_LETTERS]


def test_each_number_shows_each_suit_once_and_each_suit_is_on_ten_cards() -> None:
    for rank in "23456789":
        assert sorted("".join(card.suits for card in NUMBER_CARDS if card.id[0] == rank)) == sorted(SUIT_LETTERS)
    for suit in SUIT_LETTERS:
        assert sum(suit in card.suits for card in BASIC_CARDS) == 10
    assert sum(len(card.suits) for card in BASIC_CARDS) == 60


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
    assert [card.points for card in BASIC_CARDS] == sorted(card.points for card in BASIC_CARDS)
    assert all(card.id[1:] == card.suits for card in CARDS if card.id != "EX")


def test_four_pawns_four_courts_and_the_excuse_extend_the_deck() -> None:
    extended = CARDS[len(BASIC_CARDS) :]
    assert CARDS[: len(BASIC_CARDS)] == BASIC_CARDS
    assert len(CARDS) == len(CARD_NUMBERS) == len({card.name for card in CARDS}) == 45
    assert Counter(card.id[0] for card in extended) == {"P": 4, "C": 4, "E": 1}
    assert all(card.points == 0 and not card.is_ace for card in extended)
    for rank in "PC":
        assert Counter("".join(card.suits for card in extended if card.id[0] == rank)) == dict.fromkeys(SUIT_LETTERS, 2)
    assert CARDS[CARD_NUMBERS["EX"]].suits == ""


def test_pairs_of_suits_that_no_number_has_are_on_a_court_and_the_commonest_on_none() -> None:
    courts = [set(card.suits) for card in CARDS if card.id[0] == "C"]
    assert all(any(set(pair) <= suits for suits in courts) for pair in ("MY", "SL", "WK"))
    assert not any(set(pair) <= suits for pair in ("MS", "WL", "YK") for suits in courts)


@pytest.mark.parametrize(
    ("id_", "words"),
    [
        ("AS", "Ace of Suns"),
        ("9MS", "9 Pact"),
        ("7ML", "7 Chance Meeting"),
        ("XS", "Bard (Crown of Suns)"),
        ("PMSL", "Harvest (Pawn of Moons, Suns, Leaves)"),
        ("CSLK", "Window (Court of Suns, Leaves, Knots)"),
        ("EX", "Excuse"),
    ],
)
def test_cards_in_words(id_: str, words: str) -> None:
    assert CARDS[CARD_NUMBERS[id_]].words == words
