"""Tests of the plain statement of Easy Peasy: hand-made vectors for rulings, and counts found in other ways."""

from __future__ import annotations

from collections import Counter
from math import comb
from random import Random

import pytest
from mangetout_solver.games.easy_peasy.reference import ReferencePosition, first_deal

SIZES = [(2, 40), (3, 40), (4, 50), (5, 60), (6, 60)]


def at(text: str) -> ReferencePosition:
    """Return the position of a text."""
    return ReferencePosition.from_text(text)


def after(text: str, *moves: str) -> ReferencePosition:
    """Return the position after some steps from that of a text."""
    position = at(text)
    for move in moves:
        position = position.play(move)
    return position


def field(position: ReferencePosition, number: int) -> str:
    """Return a field of the text of a position."""
    return position.text().split()[number]


def stage(position: ReferencePosition) -> str:
    """Return the last field of the text of a position."""
    return field(position, -1)


def owner_of_next_card(position: ReferencePosition) -> str | None:
    """Return the seat whose hand gets the next card of chance, if a hand does."""
    name, *rest = stage(position).split("/")
    if name == "draw":
        return rest[0]
    if name != "deal":
        return None
    fields = position.text().split()
    if any(pile == "?" for row in fields[1].split("/") for pile in row.split(",")) or "-" in fields[3].split(","):
        return None
    size = next(
        int(part[5:]) for part in [*fields[0].strip("}").replace("{", ",").split(","), "hand=4"] if "hand" in part
    )
    for seat, hand in zip("ABCDEF", fields[2].split("/"), strict=False):
        if count_cards(hand) < size:
            return seat
    return None


# -------------------------------------------------------------------- setup


@pytest.mark.parametrize(("players", "cards"), SIZES)
def test_deal(players: int, cards: int) -> None:
    """EP-01, EP-02: the deck of each number of players, and where the cards of the deal lie."""
    position = first_deal(players)
    random = Random(players)
    dealt = 0
    while stage(position).startswith("deal/"):
        outcomes = position.chance_outcomes()
        assert len(outcomes) == cards - dealt
        assert set(outcomes.values()) == {1 / (cards - dealt)}
        position = position.play(random.choice(sorted(outcomes)))
        dealt += 1
    assert dealt == players * 6 + 2
    assert all(pile[-1] == "?" and len(pile) > 1 for pile in field(position, 1).replace("/", ",").split(","))


def dealt_rows(*rows: str, start: ReferencePosition) -> ReferencePosition:
    """Return a position after a deal of these open row cards, the other cards as they come."""
    position = start
    for card in " ".join(rows).split():
        position = position.play(f"*{card}")
    while stage(position).startswith("deal/"):
        position = position.play(min(position.chance_outcomes()))
    return position


def test_first_player_by_open_row_cards() -> None:
    """EP-03: the rows 9+1, 8+5, 7+2 let the second seat begin. EP-06: it chooses the direction, then has its turn."""
    position = dealt_rows("R9 R1", "R8 R5", "R7 R2", start=first_deal(3))
    assert stage(position) == "begin/B"
    assert position.to_move == "B"
    assert position.legal_moves() == {"up", "down"}
    assert position.play("down").text().endswith(" 1/0 down turn/B")


def test_first_player_by_lot() -> None:
    """EP-03: equal sums are left to chance."""
    position = dealt_rows("R9 R4", "R7 R1", "R8 R5", start=first_deal(3))
    assert stage(position) == "lot/AC"
    assert position.chance_outcomes() == {"*A": 0.5, "*C": 0.5}
    assert stage(position.play("*C")) == "begin/C"


# -------------------------------------------------------------------- playing cards

PLAIN = "easy_peasy R8?,G9?/P10?,X1? P3G8/X7X8 P4,G7 - - - 0-0 0-0 1/4 up turn/A"


def test_cards_that_fit() -> None:
    """EP-07, EP-08, EP-09: higher or equal cards, on both piles; turning the Up&Down card is always possible."""
    assert at(PLAIN).legal_moves() == {"R8>0", "R8>1", "G9>0", "G9>1", "G8>0", "G8>1", "flip"}
    assert at(PLAIN.replace("up", "down")).legal_moves() == {"P3>0", "P3>1", "flip"}
    equal = at(PLAIN.replace("P3G8", "G4G8"))
    assert "G4>0" in equal.legal_moves()
    assert "G4>0" in at(equal.text().replace("up", "down")).legal_moves()


def test_another_colour_ends_the_turn() -> None:
    """EP-15, EP-16, and the rulebook's example of a red 8 on a purple 4: what lay beneath stays face-down."""
    position = after(PLAIN, "R8>0")
    assert position.text() == "easy_peasy ?,G9?/P10?,X1? P3G8/X7X8 R8,G7 P4 - - 0-0 0-0 1/5 up turn/B"


def test_bonus_chain() -> None:
    """EP-17, EP-18, EP-20, EP-22, and the rulebook's example of a green 8 on a green 7."""
    position = after(PLAIN, "G8>1")
    assert stage(position) == "bonus/A/1"
    assert position.legal_moves() == {"+R8", "+G9", "+turn0", "+turn1", "."}
    position = position.play("+G9")
    assert position.legal_moves() == {"+turn0", "+turn1", "."}
    assert stage(position.play(".")) == "turn/B"
    position = position.play("+turn1")
    assert stage(position) == "reveal/A/1"
    assert position.to_move == "*"
    # 40 cards; 4 open in rows, 2 tops, 2 discards and 3 in hands are not beneath.
    assert field(position, 1) == "R8?,?/P10?,X1?"
    outcomes = position.chance_outcomes()
    assert len(outcomes) == 40 - 3 - 2 - 2 - 3
    position = position.play("*G1")
    assert position.text() == "easy_peasy R8?,G1/P10?,X1? P3/X7X8 P4,G9 G7G8 - - 0-0 0-0 1/5 up turn/B"


def test_bonus_of_another_colour_ends_the_turn() -> None:
    """EP-16, EP-17: the colour of a bonus card is free, but only a match goes on."""
    assert stage(after(PLAIN, "G8>1", "+R8")) == "turn/B"


def test_piles_change_places() -> None:
    """EP-18, EP-19, EP-23: a card turned down stays known; a single open card cannot be turned."""
    text = "easy_peasy R8,G1(G9)/P10?,X1? P3G10/X7X8 P4,G8 - - - 0-0 0-0 1/4 up bonus/A/1"
    assert at(text).legal_moves() == {"+R8", "+G10", "+turn1", "."}
    assert field(after(text, "+turn1"), 1) == "R8,G9(G1)/P10?,X1?"
    single = text.replace("G1(G9)", "(G9)")
    assert field(after(single, "+turn1"), 1) == "R8,G9/P10?,X1?"


# -------------------------------------------------------------------- turning the Up&Down card

NARROW = "easy_peasy{colours=2OPTIONS} ?/P6 R9P10/P2 R3,R4 - - - 0-0 0-0 1/4 up turn/A"


def narrow(options: str = "") -> str:
    """Return the position of the example of EP-12: tops 3 and 4, UP, and 9 and 10 in the hand."""
    return NARROW.replace("OPTIONS", options)


def test_stuck_again() -> None:
    """EP-10, EP-12 (a): a second flip is a step of its own, and shows a hand above both tops."""
    position = after(narrow(), "flip")
    assert position.text().endswith(" 0-0 0-0 1/4 down draw/A/2")
    position = position.play("*R7").play("*R8")
    assert stage(position) == "flipped/A"
    assert position.legal_moves() == {"flip"}
    position = position.play("flip")
    assert position.text().endswith("R3,R4 - - A>4@0+0 0-0 0-0 1/4 up draw/A/2/again")
    position = position.play("*R1").play("*P5")
    assert field(position, 6) == "A>4@0+2"
    assert stage(position) == "flipped/A/again"
    # EP-11: also a card just drawn.
    assert {move[:-2] for move in position.legal_moves()} == {"P5", "R7", "R8", "R9", "P10"}
    # A card that fits the showing leaves it as it is, another one was drawn later.
    assert field(position.play("P5>0"), 6) == "A>4@0+2"
    low = at(position.text().replace("up flipped/A/again", "down turn/A"))
    assert field(low.play("R1>0").play("."), 6) == "A>4@0+1"


def test_stuck_ends() -> None:
    """EP-12 (b)."""
    position = after(narrow(",stuck=end"), "flip", "*R7", "*R8")
    assert position.legal_moves() == {"stuck"}
    position = position.play("stuck")
    assert position.text().endswith("R3,R4 - - A>4@0+0 0-0 0-0 1/5 down turn/B")
    with pytest.raises(ValueError, match="not possible"):
        after(narrow(), "flip", "*R7", "*R8", "stuck")


def test_stuck_is_forbidden() -> None:
    """EP-12 (c): the card must fit before the draws."""
    assert "flip" not in at(narrow(",stuck=forbid")).legal_moves()
    assert "flip" in at(narrow(",stuck=forbid").replace("R9P10", "P4R9")).legal_moves()
    assert "flip" in at(narrow(",stuck=forbid").replace("?/P6", "R1?/P6")).legal_moves()


def test_not_stuck_while_a_card_fits() -> None:
    """EP-10: playing is compulsory if possible, from the row too."""
    assert after(narrow(), "flip", "*R7", "*R1").legal_moves() == {"R1>0", "R1>1"}
    assert after(narrow().replace("?/P6", "P3?/P6"), "flip", "*R7", "*R8").legal_moves() == {"P3>0", "P3>1"}


def test_below() -> None:
    """The mirror image of a showing."""
    text = "easy_peasy{colours=2} ?/P6 R1P2/P3 R8,R9 - - - 0-0 0-0 1/4 down turn/A"
    position = after(text, "flip", "*R4", "*R7")
    assert position.legal_moves() == {"flip"}
    assert field(position.play("flip"), 6) == "A<8@0+0"


# -------------------------------------------------------------------- eras

# With discards P5R6P6, one of R5, R7 and P7 is the draw pile, and the rows have the others.
DRY = "easy_peasy{colours=2,ranks=7,hand=1} R1?/P1? R2P2/R3P3 R4,P4 DISCARDS - - 0-0 0-0 1/9 up turn/A"


def test_shuffle_in_mid_draw() -> None:
    """EP-13: both tops stay, the other discards are the new draw pile, and drawing goes on."""
    position = after(DRY.replace("DISCARDS", "P5R6P6"), "flip")
    assert position.chance_outcomes() == {"*R5": 1 / 3, "*R7": 1 / 3, "*P7": 1 / 3}
    position = position.play("*R7")
    assert position.text() == (
        "easy_peasy{colours=2,ranks=7,hand=1} R1?/P1? R2P2R7/R3P3 R4,P4 - P5R6P6 - 0-0 0-0 1/9 down draw/A/1"
    )
    assert position.chance_outcomes() == {"*P5": 1 / 3, "*R6": 1 / 3, "*P6": 1 / 3}
    position = position.play("*R6")
    assert field(position, 2) == "R2P2R6R7/R3P3"
    assert field(position.seen_by("B"), 2) == "????1/R3P3"
    # The era goes on until its last card lies open.
    text = (
        position.text().replace("P5R6P6", "R6").replace("R4,P4 -", "R4,P4 P5P6").replace("down flipped/A", "up turn/A")
    )
    position = after(text, "R6>1")
    assert field(position, 5) == "-"


def test_nothing_to_draw() -> None:
    """EP-14: only the tops are left; the flip happens, and draws are lost."""
    position = after(DRY.replace("DISCARDS", "-").replace("R3P3", "R3P3P5R6P6R7"), "flip")
    assert position.text().endswith(" 1/9 down flipped/A")
    position = after(DRY.replace("DISCARDS", "-").replace("R3P3", "R3P3P5R6P6"), "flip")
    assert stage(position) == "draw/A/2"
    assert stage(position.play("*P7")) == "flipped/A"


MANY_ERAS = (
    "easy_peasy{colours=2} R10?/P10? R1P1R2P2R7P7/R3P3R4R8P8R9 R5,P5 R6P6 R1/P1/R2/P2/R3/P3/R4 "
    "SHOWN 0-0 0-0 1/30 up turn/A"
)


def test_ninth_era() -> None:
    """Eras 1 and 2 become one, showings and hidden cards with them."""
    position = after(MANY_ERAS.replace("SHOWN", "A<9@1+0,B>7@2+0"), "flip")
    assert field(position, 5) == "R1P1/R2/P2/R3/P3/R4/R6P6"
    assert field(position, 6) == "A<9@1+1,B>7@1+0"
    assert stage(position) == "draw/A/2"
    view = at(MANY_ERAS.replace("SHOWN", "A<9@1+0,B>7@2+0")).seen_by("B")
    assert field(view, 2).startswith("???1?2?3?4/")
    assert field(view.play("flip"), 2).startswith("???1?1?2?3/")
    # A showing of era 1 says nothing when all cards of the joint era may be exempt and none are older.
    text = MANY_ERAS.replace("SHOWN", "-")
    assert field(after(text, "flip"), 6) == "-"


def test_struck_era() -> None:
    """An era without hidden cards is struck out; a showing of it speaks of the era before."""
    position = after(MANY_ERAS.replace("SHOWN", "B>7@5+1").replace("turn/A", "turn/B").replace("up", "down"), "R3>0")
    assert field(position, 5) == "R1/P1/R2/P2/P3/R4"
    assert field(position, 6) == "B>7@4+0"
    view = at(MANY_ERAS.replace("SHOWN", "-").replace("turn/A", "turn/B").replace("up", "down")).seen_by("A")
    assert field(view, 2) == "R1P1R2P2R7P7/????5?6?7"
    assert field(view.play("R3>0"), 2) == "R1P1R2P2R7P7/????5?6"
    assert view.legal_moves() == {"R3>0", "R3>1", "P3>0", "P3>1", "R4>0", "R4>1", "P4>0", "P4>1", "flip"}


# -------------------------------------------------------------------- scoring

SCORING = "easy_peasy R1,R3/P1,- R2R5/- P4,R8 - - - 0-0 7-0 1/6 up score/B/1"
ROUND_END = "easy_peasy R2,P2/X6,X2/R9,R3 HAND/R8/P3 P4,R5 - - - 0-0-0 0-0-0 1/10 up turn/B"


def test_round_end_of_the_rulebook() -> None:
    """EP-24, EP-27 to EP-29: 18 and 12 against 8 for the seat that ends the round, which scores nothing."""
    position = after(ROUND_END.replace("HAND", "G2R6R10"), "R8>0")
    assert stage(position) == "score/B/0"
    assert position.chance_outcomes() == {"*=18": 1.0}
    position = position.play("*=18")
    assert field(position, 8) == "18-0-0"
    position = position.play("*=0").play("*=3")
    assert position.text() == "easy_peasy ?,?/?,?/?,? -/-/- -,- - - - 18-0-12 18-0-12 2/0 - deal/A"


def test_round_end_without_the_ten() -> None:
    """EP-29: a tie for the lowest total doubles."""
    position = after(ROUND_END.replace("HAND", "G2R6"), "R8>0", "*=8", "*=0", "*=3")
    assert field(position, 7) == "8-16-12"


def test_face_down_cards_count() -> None:
    """EP-25, EP-28: unknown row cards are turned up before the hands are shown."""
    text = "easy_peasy{rounds=1} G2?,?/-,X1 P10/R8 P4,R5 - - - 0-0 0-0 1/10 up turn/B"
    position = after(text, "R8>0")
    assert len(position.chance_outcomes()) == 40 - 6
    position = position.play("*R10").play("*R9")
    assert field(position, 1) == "G2(R10),(R9)/-,X1"
    position = position.play("*=10").play("*=0")
    assert position.text().endswith(" 21-0 21-0 1/0 - end")
    assert position.scores() == (21.0, 0.0)
    assert position.win_shares() == (0.0, 1.0)
    assert position.to_move is None
    assert position.legal_moves() == set()
    assert position.chance_outcomes() == {}


def test_end_of_round_waits_for_the_end_of_the_turn() -> None:
    """EP-24, EP-26: the hand is used up first, and the bonus chain goes on from the row."""
    text = "easy_peasy{rounds=1} R6/R2 R5/P2 R4,P1 - - - 0-0 0-0 1/10 up turn/A".replace("{", "{colours=2,hand=1,")
    position = after(text, "R5>0", "+R6")
    assert stage(position) == "bonus/A/0"
    assert position.legal_moves() == {"."}
    assert position.play(".").play("*=0").play("*=2").scores() == (0.0, 2.0)
    assert stage(after(text, "R6>1")) == "score/A/0"
    # A card face-down alone keeps the row alive.
    assert stage(after(text.replace("R6/R2", "R6?/R2"), "R6>1")) == "turn/B"


def test_cut_off() -> None:
    """EP-34: nobody is the one who ended it, and the round is marked; a regular end on the last turn is one."""
    text = "easy_peasy{turns=1} R6(P1)/R2 R5G5/P2 R4,P1 - - - 0-0 0-0 1/1 up turn/A".replace("P1)", "X1)")
    position = after(text, "G5>0")
    assert position.text().endswith(" 0-0 0-0! 1/2 up score/-/0")
    position = position.play("*=5").play("*=2")
    assert position.text() == "easy_peasy{turns=1} ?/? -/- -,- - - - 7-2 7-2! 2/0 - deal/A"
    assert stage(after(text.replace("R5G5", "G5"), "G5>0")) == "score/A/0"


LAST_TURN = "easy_peasyOPTIONS R1,R2/X3,G4/P1,P7 G5/R8/P4 P5,R5 - - - SCORES SCORES 2/10 up turn/B"


@pytest.mark.parametrize(
    ("options", "scores", "seats"),
    [
        ("", "20-5-10", "A"),
        ("{first=last}", "20-5-10", "B"),
        ("", "11-2-8", "ABC"),
        ("{first_tie=scored}", "11-2-8", "C"),
        ("{first_tie=scored}", "11-2-0", "B"),
    ],
)
def test_who_begins_a_later_round(options: str, scores: str, seats: str) -> None:
    """EP-04, EP-05: most points of all, or of the last round; then open row cards, or the row of the round scored."""
    text = LAST_TURN.replace("OPTIONS", options).replace("SCORES", scores)
    # The rows are worth 3, 7 and 8.
    position = after(text, "R8>0", "*=5", "*=0", "*=4")
    assert field(position, 8) == "5-14-8"
    assert stage(position) == "deal/" + seats


def test_scored_rows_skip_the_open_cards() -> None:
    """EP-05, the option: seats equal in it draw lots."""
    start = at("easy_peasy{first_tie=scored} ?,?/?,? -/- -,- - - - 9-9 9-9! 2/0 - deal/AB")
    assert stage(dealt_rows("R9 R1", "R8 R5", start=start)) == "lot/AB"
    start = at("easy_peasy ?,?/?,? -/- -,- - - - 9-9 9-9! 2/0 - deal/AB")
    assert stage(dealt_rows("R9 R1", "R8 R5", start=start)) == "begin/B"
    start = at("easy_peasy ?,?/?,? -/- -,- - - - 9-8 9-8! 2/0 - deal/A")
    assert stage(dealt_rows("R9 R1", "R8 R5", start=start)) == "begin/A"


def test_match_up_to_points() -> None:
    """EP-31: the match ends after the round in which somebody has so many points."""
    text = "easy_peasy{match=points} G2,P1/X1 P10/R8 P4,R5 - - - 19-29 3-0 7/10 up turn/B".replace("/X1", "/X1,-")
    position = after(text, "R8>0", "*=10", "*=0")
    assert stage(position) == "deal/AB"
    position = after(text.replace("19-29", "20-29"), "R8>0", "*=10", "*=0")
    assert stage(position) == "end"
    assert position.win_shares() == (0.0, 1.0)
    # Fifty for more than two players.
    text = "easy_peasy{match=points} G2/X1/P1 P10/R8/R1 P4,R5 - - - 39-0-2 39-0-2 2/10 up turn/B"
    assert stage(after(text, "R8>0", "*=10", "*=0", "*=1")) == "deal/A"
    assert stage(after(text.replace("39", "40"), "R8>0", "*=10", "*=0", "*=1")) == "end"


@pytest.mark.parametrize(
    ("scores", "last", "shares"),
    [
        ("30-31", "20-1", (1.0, 0.0)),
        ("30-30", "20-10", (0.0, 1.0)),
        ("30-30", "10-10!", (0.5, 0.5)),
        ("30-30-30", "18-9-9", (0.0, 0.5, 0.5)),
    ],
)
def test_winners(scores: str, last: str, shares: tuple[float, ...]) -> None:
    """EP-30: the lowest score, then the lowest score of the last round, then a shared win."""
    rows = "/".join(["-,-"] * len(shares))
    hands = "/".join("-" * len(shares))
    position = at(f"easy_peasy {rows} {hands} -,- - - - {scores} {last} 3/0 - end")
    assert position.win_shares() == shares


def test_match_record() -> None:
    """A small round that A ends in its first turn with fewer points than B."""
    text = "easy_peasy{colours=2,ranks=5,hand=1,rounds=1} R4?/P3? R5/P2 P4,R1 - - - 0-0 0-0 1/0 up turn/A"
    position = after(text, "R4>1", "+R5", ".", "*P5", "*R3", "*=0", "*=2")
    assert position.scores() == (0.0, 6.0)
    assert position.win_shares() == (1.0, 0.0)


# -------------------------------------------------------------------- what a seat knows

VIEW = "easy_peasy{colours=2,hand=1} R9?/P8? R1P2/R8P9R10 R3,R4 - - SHOWN 0-0 0-0 1/5 up turn/B"


def test_worlds_are_all_hands() -> None:
    """Of 20 cards 4 lie open and 2 are in the hand of A: any 3 of the other 14."""
    view = at(VIEW.replace("SHOWN", "-")).seen_by("A")
    assert field(view, 2) == "R1P2/???"
    assert view.seen_by("A") == view
    worlds = view.worlds()
    assert len(worlds) == len(set(worlds)) == comb(14, 3)
    assert at(VIEW.replace("SHOWN", "-")).worlds() == [VIEW.replace("SHOWN", "-")]
    nobody = at(VIEW.replace("SHOWN", "-").replace("R8P9R10", "R8")).seen_by("A").seen_by("B")
    assert field(nobody, 2) == "??/?"
    assert len(nobody.worlds()) == comb(16, 2) * 14


def test_worlds_keep_showings() -> None:
    """Unseen above 7 are R8, P9, R10, P10, and P8 lies open; the other 10 are not above."""
    unseen = {f"{colour}{rank}" for colour in "RP" for rank in range(1, 11)} - {"R9", "P8", "R3", "R4", "R1", "P2"}
    high = sum(int(card[1:]) > 7 for card in unseen)
    low = len(unseen) - high
    for exempt in range(3):
        view = at(VIEW.replace("SHOWN", f"B>7@0+{exempt}")).seen_by("A")
        expected = sum(comb(low, number) * comb(high, 3 - number) for number in range(exempt + 1))
        assert len(view.worlds()) == expected
        if exempt == 0:
            assert {move[:-2] for move in view.legal_moves()} == {"P8", "R8", "P9", "R10", "P10", "fl"}


def test_worlds_keep_showings_of_eras() -> None:
    """Older cards are all above, so many of the era may not be, and nothing is said of later eras."""
    text = (
        "easy_peasy{colours=2,hand=1} R9?/P8? R1R2P5R7P7/???1?1?1?2 R3,R4 - P1R2P2R5/P3P4R6P6 SHOWN "
        "0-0 0-0 1/9 up turn/B"
    )
    # Two of R8, P9, R10, P10; then P1, P2 and R5; then one of four.
    assert len(at(text.replace("SHOWN", "-")).worlds()) == comb(4, 2) * 4
    assert len(at(text.replace("SHOWN", "B>4@1+2")).worlds()) == comb(4, 2) * 4
    assert len(at(text.replace("SHOWN", "B>8@1+3")).worlds()) == comb(3, 2) * 4
    assert len(at(text.replace("SHOWN", "B<10@0+1")).worlds()) == (comb(2, 2) + 2 * 2) * 4
    assert len(at(text.replace("SHOWN", "A<8@2+0")).worlds()) == comb(4, 2) * 4
    with pytest.raises(ValueError, match="cannot be anything"):
        at(text.replace("SHOWN", "B>4@1+1"))
    with pytest.raises(ValueError, match="held in full"):
        at(text.replace("SHOWN", "-").replace("P1R2P2R5", "P1R2P2R5P9"))


def test_forbidden_flip_shows_a_card_that_fits() -> None:
    """EP-12 (c): after the flip some card of the hand fits, unless an open row card does."""
    text = "easy_peasy{colours=2,hand=1,stuck=forbid} R9?/P8? R1P2/R4P9R10 R3,R5 - - - 0-0 0-0 1/5 down draw/B/2"
    view = at(text).seen_by("A")
    unseen = {f"{colour}{rank}" for colour in "RP" for rank in range(1, 11)} - {"R9", "P8", "R3", "R5", "R1", "P2"}
    unfit = sum(int(card[1:]) > 5 for card in unseen)
    assert len(view.worlds()) == comb(len(unseen), 3) - comb(unfit, 3)
    free = text.replace("P8?", "P5?")
    assert len(at(free).seen_by("A").worlds()) == comb(len(unseen), 3)
    with pytest.raises(ValueError, match="cannot be anything"):
        at(text.replace("R4P9R10", "R7P9R10"))


def test_hidden_hand_is_shown_as_a_sum() -> None:
    """The sums of two of the five hidden cards, each pair equally likely."""
    text = "easy_peasy{colours=1,hand=1,rounds=1} R1/R2 -/?? R3,R4 R5 - - 0-0 1-0 1/9 up score/A/1"
    outcomes = at(text).chance_outcomes()
    pairs = Counter(first + second for first in range(6, 11) for second in range(first + 1, 11))
    assert outcomes == {f"*={points}": ways / 10 for points, ways in pairs.items()}


@pytest.mark.parametrize("options", ["", ",stuck=end"])
def test_worlds_are_what_play_can_have_led_to(options: str) -> None:
    """EP-12: what B thinks possible while A is stuck, found by playing on from every world."""
    text = f"easy_peasy{{colours=2,ranks=8,hand=1{options}}} ?/P6 R7P7/P2 R3,R4 - - - 0-0 0-0 1/4 up turn/A"
    view = at(text).seen_by("B")
    possible = set(view.worlds())
    for seen in ["flip", "*?", "*?", *(["flip", "*?", "*?"] if not options else ["stuck"])]:
        following = set()
        for world in possible:
            position = at(world)
            moves = list(position.chance_outcomes()) if seen == "*?" else [seen]
            following |= {position.play(move).text() for move in moves if move in step_texts(position)}
        possible = following
        view = view.play(seen)
        if len(possible) < 1000:
            assert set(view.worlds()) == possible
    assert "A>4@0+" in view.text()


def step_texts(position: ReferencePosition) -> set[str]:
    """Return all that can happen next."""
    return position.legal_moves() | set(position.chance_outcomes())


def random_match(position: ReferencePosition, random: Random) -> list[tuple[ReferencePosition, str]]:
    """Return the positions of a match and the steps taken in them. Now and then a seat gets stuck if it can."""
    course = []
    while position.to_move is not None:
        outcomes = position.chance_outcomes()
        choice = sorted(outcomes or position.legal_moves())
        move = "flip" if "flip" in choice and random.random() < 0.4 else random.choice(choice)
        course.append((position, move))
        position = position.play(move)
    course.append((position, ""))
    return course


OPTIONS = ["", "stuck=end", "stuck=forbid", "first=last,first_tie=scored", "match=points", "colours=6,hand=2,rounds=1"]


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("options", OPTIONS)
def test_random_matches(players: int, options: str) -> None:
    """Texts read back, no card is lost, chances sum to 1, views agree, and impossible steps are refused."""
    random = Random(f"{players} {options}")
    limit = f"{options},turns=9".strip(",")
    for count, (position, move) in enumerate(random_match(first_deal(players, 1 + players % 3, limit), random)):
        assert (position.to_move is None) == (move == "")
        if move == "":
            assert sum(position.win_shares()) == pytest.approx(1)
            break
        if count % 9 == 0:
            check_step(position, move)


def count_cards(text: str) -> int:
    """Return how many cards a text names, unknown ones included."""
    return sum(sign in "RPGXYZ?" for sign in text)


def cards_off_the_pile(position: ReferencePosition) -> int:
    """Return how many cards are in rows, hands and discards."""
    return sum(count_cards(field(position, number)) for number in range(1, 5))


def check_step(position: ReferencePosition, move: str) -> None:
    """Check a position, and that a step in it looks the same to all seats."""
    assert at(position.text()) == position
    outcomes = position.chance_outcomes()
    assert (not outcomes) == (position.to_move != "*")
    assert not outcomes or sum(outcomes.values()) == pytest.approx(1)
    with pytest.raises(ValueError, match="not possible"):
        position.play("+R11")
    before = position.text()
    after_it = position.play(move)
    assert position.text() == before
    if "score" not in stage(position):
        shuffled = field(position, 4) if field(after_it, 4) == "-" else "-"
        from_pile = move.startswith("*") and stage(position).startswith(("deal/", "draw/"))
        assert cards_off_the_pile(after_it) == cards_off_the_pile(position) + from_pile - count_cards(shuffled)
    owner = owner_of_next_card(position)
    fields = position.text().split()
    for seat in "ABCDEF"[: len(fields[1].split("/"))]:
        view = position.seen_by(seat)
        assert at(view.text()) == view
        assert view.seen_by(seat) == view
        token = "*?" if owner not in (None, seat) else move
        assert view.play(token) == after_it.seen_by(seat)
        assert move in view.chance_outcomes() or move in view.legal_moves()


SMALL = [
    ("colours=2,ranks=4,hand=1,STUCKrounds=1,turns=8", 2),
    ("colours=1,hand=1,STUCKrounds=1,turns=8", 2),
    ("colours=2,ranks=6,hand=1,STUCKrounds=1,turns=5", 3),
]


@pytest.mark.parametrize(("options", "players"), SMALL)
@pytest.mark.parametrize("stuck", ["", "stuck=end,", "stuck=forbid,"])
def test_views_are_the_sum_of_their_worlds(options: str, players: int, stuck: str) -> None:
    """Legal steps are those of some world, chances the mean over worlds, and the truth is one of them."""
    random = Random(options + stuck)
    for _ in range(3):
        for position, move in random_match(first_deal(players, 1, options.replace("STUCK", stuck)), random):
            if move == "":
                continue
            view = position.seen_by(random.choice("ABC"[:players]))
            worlds = view.worlds()
            assert position.text() in worlds
            assert len(worlds) == len(set(worlds))
            if len(worlds) > 300:
                continue
            positions = [at(text) for text in worlds]
            assert view.legal_moves() == set().union(*(world.legal_moves() for world in positions))
            chances: Counter[str] = Counter()
            for world in positions:
                for outcome, chance in world.chance_outcomes().items():
                    chances[outcome] += chance / len(worlds)  # type: ignore[assignment]
            assert view.chance_outcomes() == pytest.approx(dict(chances))


# -------------------------------------------------------------------- texts


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        (PLAIN.replace("P3G8", "G8P3"), PLAIN),
        (PLAIN.replace("easy_peasy", "easy_peasy{colours=0,points=0,hand=4}"), None),
        (PLAIN.replace("easy_peasy", "easy_peasy{colours=0,hand=4}").replace(" ", " \t\n"), PLAIN),
    ],
)
def test_texts_that_are_not_canonical(text: str, canonical: str | None) -> None:
    """Sets in any order, options that are the default and more white space can be read."""
    if canonical is None:
        with pytest.raises(ValueError, match="other length"):
            at(text)
    else:
        assert at(text).text() == canonical


@pytest.mark.parametrize(
    "text",
    [
        "",
        "peas " + PLAIN.removeprefix("easy_peasy "),
        PLAIN.replace("P3G8", "P3P3"),
        PLAIN.replace("P3G8", "P3G7"),
        PLAIN.replace("P3G8", "P3Y8"),
        PLAIN.replace("P3G8", "-"),
        PLAIN.replace("P3G8", "P3G8?1"),
        PLAIN.replace("turn/A", "turn/C"),
        PLAIN.replace("turn/A", "reveal/A/2"),
        PLAIN.replace("turn/A", "draw/A/3"),
        PLAIN.replace("turn/A", "flipped/A/again"),
        PLAIN.replace("P4,G7", "P4,-"),
        PLAIN.replace("1/4", "4/4"),
        PLAIN.replace("1/4", "1/400"),
        PLAIN.replace("0-0 0-0", "1-0 0-0"),
        PLAIN.replace("0-0 0-0 1/4", "1-0 2-0 2/4"),
        PLAIN.replace("- - - 0-0", "- - A>5@0+0 0-0"),
        PLAIN.replace("- - - 0-0", "- - B>5@0+2 0-0"),
        PLAIN.replace(" up ", " - "),
        PLAIN.replace("easy_peasy", "easy_peasy{colours=1}"),
        PLAIN.replace("easy_peasy", "easy_peasy{colours=7}"),
        PLAIN.replace("easy_peasy", "easy_peasy{hand=4,hand=4}"),
        PLAIN.replace("easy_peasy", "easy_peasy{speed=4}"),
        PLAIN.replace("turn/A", "end"),
        PLAIN.replace("turn/A", "score/A/0"),
        SCORING.replace("score/B", "score/A"),
        SCORING.replace("7-0", "7-1"),
        SCORING.replace("R2R5", "R2?").replace("7-0", "13-0"),
        SCORING.replace("1/6", "1/0"),
    ],
)
def test_texts_of_no_position(text: str) -> None:
    """What cannot be a position is refused."""
    with pytest.raises(ValueError, match=r"."):
        at(text)
