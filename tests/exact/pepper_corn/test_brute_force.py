"""The brute force itself: by hand, and by the compiled rules."""

from __future__ import annotations

from functools import cache

import pytest
from mangetout_solver.games.pepper_corn import view
from mangetout_solver.games.position import Position
from pepper_corn_brute_force import MAX_CARDS, MAX_TABLEAU, margin, margins

from tests.exact.pepper_corn.instances import RULES, random_position

# B often has no cards, so that A's score is its hand and all that it can take in any number of turns.
BY_HAND = {
    # PC-20, 21: A is first, or B is after a pass, unless that pass is the second one.
    "in turn": (" 4MS 5ML 6MW 7-2 play/A", {"pass": 0, "x4MS": 8}),
    "in turn, after a pass": (" 4MS 5ML 6MW 7-2 play/A/passed", {"pass": 4, "x4MS": 8}),
    # PC-09: AM and 2MK come to 3.
    "too low": (" 4MS AM2MK - 3-1 play/A", {"pass": 5}),
    "strong enough": (" 4MS AM2MK3MW - 3-1 play/A", {"pass": 8, "x4MS": 12}),
    # PC-10: with 4MS alone, 5ML stays for 3MW; with both, 2MK is all that stays.
    "surplus": (" 2MK,3MW 4MS5ML - 0-0 play/A/x2MK+4MS", {".": 14, "+5ML": 11}),
    # PC-08, 11: an Ace beside another card; 4WL does not fit.
    "an Ace is wild": (" 5YK AS4YK - 0-0 play/A", {"pass": 5, "x5YK": 10}),
    "only an Ace is": (" 5YK AS4WL - 0-0 play/A", {"pass": 5}),
    # PC-12, 13: AM is taken by AS, and with AK then takes 2SY; 2SY does not take AM.
    "an Ace on the tableau": (" AM,2SY ASAK - 0-0 play/A", {"pass": 2, "xAM": 5, "x2SY": 4}),
    # PC-17: 2MK is reached over the far edge.
    "open": (" -,XM,XS/-,XW,XL/-,XY,2MK 3SK - 0-0 play/A", {"pass": 3, "x2MK": 5}),
    "restricted": ("{access=restricted} -,XM,XS/-,XW,XL/-,XY,2MK 3SK - 0-0 play/A", {"pass": 3}),
    "open to B": (" -,XY,2MK/-,XW,XL/-,XM,XS - 3SK 0-0 play/B", {"pass": -3, "x2MK": -5}),
    "restricted for B": ("{access=restricted} -,XY,2MK/-,XW,XL/-,XM,XS - 3SK 0-0 play/B", {"pass": -3}),
    # Without 2MK, B reaches 8YK over A's edge and takes it; with it B takes nothing.
    "better to pass": (" 2MK,8YK/-,XM 3SK XY 0-0 play/A", {"pass": -7, "x2MK": -13}),
    # PC-36, 37: the Pawn makes Leaves of 8YK, which is not like it.
    "converted": ("{deck=extended} 8WL 8YKPMSL - 0-0 play/A", {"pass": 8, "x8WL": 16}),
    "converted, by steps": ("{deck=extended} 8WL 8YKPMSL - 0-0 play/A/x8WL", {"~PMSL": 16}),
    "not converted": ("{deck=extended,conversion=matching} 8WL 8YKPMSL - 0-0 play/A", {"pass": 8}),
    # PC-39: by itself a converter has no strength.
    "a converter alone": ("{deck=extended} AM,CMLY PMSL - 0-0 play/A", {"pass": 0, "xCMLY": 0}),
    # PC-40; the last: PWLY takes the Excuse, which opens the way for XM.
    "Excuse a gap": ("{deck=extended} EX/9MS XM - 0-0 play/A", {"pass": 10, "x9MS": 19}),
    "Excuse in the way": ("{deck=extended,excuse=blocker} EX/9MS XMPWLY - 0-0 play/A", {"pass": 10}),
    "Excuse taken": ("{deck=extended,excuse=takeable} EX/9MS XM - 0-0 play/A", {"pass": 10, "xEX": 10}),
    "Excuse taken by a Pawn": ("{deck=extended,excuse=takeable} EX/9MS XMPWLY - 0-0 play/A", {"pass": 10, "xEX": 19}),
    "Excuse in hand": ("{deck=extended,excuse=takeable} PMSL EX - 0-0 play/A", {"pass": 0}),
}


@pytest.mark.parametrize(("text", "expected"), BY_HAND.values(), ids=BY_HAND)
def test_by_hand(text: str, expected: dict[str, int]) -> None:
    position = RULES.parse_position(f"pepper_corn{text}")
    assert {RULES.format_move(position, move): found for move, found in margins(position).items()} == expected
    assert margin(position) == (min if position.seat_to_move else max)(expected.values())


@cache
def margin_by_the_rules(position: Position) -> int:
    """The margin by the rules of the game."""
    if position.is_terminal:
        score_a, score_b = position.scores()
        return int(score_a - score_b)
    best = min if position.seat_to_move else max
    return best(margin_by_the_rules(position.play(move)) for move in position.legal_moves())


def test_the_rules_of_the_game_give_the_same() -> None:
    compared = 0
    for seed in range(800):
        position = random_position(seed)
        if cards_in_play(position) <= 9:
            expected = {move: margin_by_the_rules(position.play(move)) for move in position.legal_moves()}
            assert margins(position) == expected, RULES.format_position(position)
            compared += 1
        margin_by_the_rules.cache_clear()
    assert compared > 100


def cards_in_play(position: Position) -> int:
    found = view(position)
    return sum(card is not None for row in found.tableau for card in row) + sum(len(hand.cards) for hand in found.hands)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (" 4MS - - 0-0 end", "a step of play"),
        (" AM AS|AW AL|AY 0-0 choose/A", "a step of play"),
        (" AM/?/AS|8WL - - 100-88 play/A", "face down"),
        (" 4MS,2MK,2SY,2WL,3MW,3SK,3LY/4WL,4YK,5ML,5SW,5YK,6MW,- - - 0-0 play/A", f"at most {MAX_TABLEAU}"),
        (" AM 2MK2SY2WL3MW3SK3LY4MS4WL4YK5ML 5SW5YK6MW6SY6LK7ML7SK7WY8MS8WL 0-0 play/A", f"and {MAX_CARDS}"),
    ],
)
def test_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        margins(RULES.parse_position(f"pepper_corn{text}"))
