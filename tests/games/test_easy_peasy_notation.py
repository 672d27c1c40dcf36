"""Texts of Easy Peasy: what a position records of knowledge, options, words, and what is refused and why."""

from __future__ import annotations

from itertools import product

import pytest
from mangetout_solver.errors import IllegalMoveError, InputError, NotationError, PositionError
from mangetout_solver.games.easy_peasy import EasyPeasy, view
from mangetout_solver.games.easy_peasy.reference import ReferencePosition
from mangetout_solver.games.registry import parse_record

GAME = EasyPeasy()
TURN = "easy_peasy R9?,P1(G4)/G8?,X5? P2R3G7X10/P6X6 P4,R8 G2G3 - - 0-0 0-0 1/6 up turn/A"


def after(text: str) -> str:
    return GAME.format_position(parse_record(text).current)


def field(text: str, index: int) -> str:
    """One of the fields of the position that a record leads to; 2 hands, 5 eras, 6 stuck."""
    return after(text).split(" ")[index]


# ---------------------------------------------------------------- eras

ERAS = "easy_peasy{colours=2,ranks=8,hand=1} R8/P8 {} P4,R4 {} {} {} 0-0 0-0 1/6 up turn/A"


def eras(hands: str, discards: str, pools: str, stuck: str = "-") -> str:
    text = ERAS
    for part in (hands, discards, pools, stuck):
        text = text.replace("{}", part, 1)
    return text


def test_an_era_is_struck_out_with_its_last_hidden_card() -> None:
    text = eras("P2R5P7/R1P1", "R2R3P3P5R7", "R5/R1R6P6", "B<3@1+0") + " : R5>0"
    assert field(text, 5) == "R1R6P6"
    assert field(text, 6) == "B<3@0+0"
    assert field(text.replace("B<3@1+0", "B<3@2+1"), 6) == "B<3@1+1"


def test_eras_beyond_the_eighth_are_joined() -> None:
    """Eras 1 and 2 become one, with what being stuck has shown of them."""
    pools = "R1/P1/R2/P2/R3/P3/R5"
    flip = eras("R1R2R3R5/P1P2P3R7", "P5R6P6P7", pools, "{}") + " : flip"
    assert field(flip.replace("{}", "-"), 5) == "R1P1/R2/P2/R3/P3/R5/P5R6P6P7"
    assert field(flip.replace("{}", "B>6@1+0"), 6) == "B>6@1+1"  # nothing was said of P1, of era 2
    assert field(flip.replace("{}", "B>6@2+1"), 6) == "B>6@1+1"
    assert field(flip.replace("{}", "A<4@6+0"), 6) == "A<4@5+0"
    assert field(flip.replace("{}", "A<6@7+0"), 6) == "A<6@6+0"
    # A's R1 may be any card of eras 1 and 2 from now on.
    seen = parse_record(flip.replace("{}", "-")).current.redacted(1)
    assert GAME.format_position(seen).split(" ")[2] == "?1?2?4?6/P1P2P3R7"


# ---------------------------------------------------------------- what being stuck shows

STUCK = "easy_peasy{stuck=end} R9?,P9?/G8?,X5?/G9?,X9? P10X10/P2X6/R1R2 P3,R4 - - {} 0-0-0 0-0-0 1/6 down flipped/A"


def test_a_showing_takes_the_place_of_the_seats_older_one() -> None:
    text = STUCK.replace("{}", "A>8@0+1,C<5@0+0") + " : stuck"
    assert field(text, 6) == "C<5@0+0,A>4@0+0"


def test_the_oldest_of_more_than_three_is_dropped() -> None:
    six = (
        "easy_peasy{stuck=end} R9?/G8?/G9?/P8? P10X10/P2X6/R1R2/R3 P3,R4 - - B<9@0+1,D<5@0+0,C<5@0+0 "
        "0-0-0-0 0-0-0-0 1/6 down flipped/A : stuck"
    )
    assert field(six, 6) == "D<5@0+0,C<5@0+0,A>4@0+0"


def test_draws_and_plays_loosen_and_tighten_what_was_shown() -> None:
    text = (
        "easy_peasy R9?,P9?/G8?,X5? P10X10/P2X6 P3,R4 - - - 0-0 0-0 1/6 up turn/A : flip *G7 *P8 flip *R1 *R2 "
        "G7>0 P2>1 flip *X4 *X5"
    )
    with pytest.raises(IllegalMoveError):
        parse_record(text)
    text = "easy_peasy R9?,P9?/G8?,X5? P10X10/P2X6 P3,R4 - - - 0-0 0-0 1/6 up turn/A : flip *G7 *P8 flip *R1 *R2"
    assert field(text, 6) == "A>4@0+2"
    assert field(f"{text} G7>0", 6) == "A>4@0+2"  # may have been in the hand or drawn
    later = f"{text} G7>0 flip *G5 *G6 P2>1"
    assert field(later, 6) == "A>4@0+2"
    loosened = f"{later} R2>1"
    assert field(loosened, 6) == "A>4@0+1"  # R2 was drawn since


def test_a_showing_that_says_nothing_is_dropped() -> None:
    text = "easy_peasy R9?,P9?/G8?,X5? R1P10/P2X6 P3,R4 - - A>4@0+1 0-0 0-0 1/6 up turn/A"
    assert field(f"{text} : R9>0", 6) == "A>4@0+1"
    assert field(f"{text} : P10>1", 6) == "-"


# ---------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("{colours=4}", ""),
        ("{colours=0}", ""),
        ("{colours=5}", "{colours=5}"),
        ("{match=points}", "{match=points}"),
        ("{match=points,points=30}", "{match=points}"),
        ("{match=points,points=50}", "{match=points,points=50}"),
        ("{match=rounds,rounds=3,turns=200}", ""),
        ("{turns=9,hand=5}", "{hand=5,turns=9}"),
    ],
)
def test_options_stand_only_where_they_differ(given: str, canonical: str) -> None:
    assert after(TURN.replace("easy_peasy", f"easy_peasy{given}")).split(" ")[0] == f"easy_peasy{canonical}"


@pytest.mark.parametrize(
    ("options", "name", "reason"),
    [
        ({"points": "40"}, "points", "found 40, expected none in a match of rounds"),
        ({"match": "points", "rounds": "5"}, "rounds", "found 5, expected none in a match of points"),
        ({"players": "6", "hand": "6"}, "hand", "found 6, expected a deck of at least 62 cards, not 60"),
        ({"ranks": "3"}, "ranks", "found 3, expected a deck of at least 18 cards, not 12"),
        ({"players": "4", "colours": "3"}, "colours", "found 3, expected a deck of at least 34 cards, not 30"),
        ({"players": "6", "piles": "3"}, "piles", "found 3, expected a deck of at least 62 cards, not 60"),
    ],
)
def test_options_that_contradict_each_other_are_refused(options: dict[str, str], name: str, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        GAME.deal(1, options)
    assert (caught.value.field, caught.value.reason) == (f"options.{name}", reason)


# ---------------------------------------------------------------- words


def test_steps_in_words() -> None:
    record = parse_record(
        "easy_peasy{rounds=1} R9?,P6(G4)/G8,- R3P7P8/P2X6 P4,R8 - - - 0-0 0-0 1/6 up turn/A "
        ": P6>0+turn0 *X9 flip *R1 *R2 G8>1"
    )
    told = [GAME.describe_move(p, m) for p, m in zip(record.positions, record.moves, strict=False)]
    assert told == [
        "purple 6 from the row on purple 4",
        "turn up the unknown card beneath red 9",
        "X 9 comes to light in the row of A",
        "flip to down",
        "B draws red 1",
        "B draws red 2",
        "green 8 from the row on red 8",
    ]


def test_what_comes_next_in_words() -> None:
    def told(text: str) -> str:
        return GAME.describe_next(parse_record(text).current)

    turn, card = "play a card, or turn the Up&Down card and draw", "a card of A's row is turned up"
    assert told(TURN) == turn
    assert told(f"{TURN} : flip") == "A draws a card"
    assert told(f"{TURN} : flip *R1 *R5") == "play a card, or turn the Up&Down card again if nothing fits"
    assert told(f"{TURN.replace('easy_peasy', 'easy_peasy{stuck=forbid}')} : flip *R1 *R5") == "play a card"
    assert told(f"{TURN} : R9>1") == "play a card on the same pile, turn a pile of the row, or neither"
    assert told(f"{TURN} : R9>1+turn0") == card
    scoring = "easy_peasy R1?,-/P1,- -/X2 P4,R8 - - - 0-0 0-0 1/6 up score/A/0"
    assert told(scoring) == card
    assert told(f"{scoring} : *P7") == "A shows the hand"
    assert told(f"{scoring} : *P7 *=0 *=2") == "a card is dealt"


def test_a_turn_in_words() -> None:
    text = "easy_peasy G9?,R1?/G5?,X5? R3G8/P2X6 P4,G7 - - - 0-0 0-0 1/6 up turn/A"
    turns = GAME.turns(parse_record(text).current, 50)
    assert turns is not None
    told = {" ".join(turn.words()): GAME.describe_turn(turn) for turn in turns}
    assert told["G8>1+G9+turn0"] == (
        "green 8 on green 7; bonus: green 9 from the row on green 8, turn up the unknown card"
    )
    assert told["G8>1+G9."] == "green 8 on green 7; bonus: green 9 from the row on green 8"
    assert told["G8>1."] == "green 8 on green 7; no bonus action"
    assert told["G8>0"] == "green 8 on purple 4"
    assert told["flip"] == "flip to down"
    begin = "easy_peasy{hand=2} G9?,R1?/G5?,X5? R3G8/P2X6 P4,G7 - - - 0-0 0-0 1/0 - begin/A"
    turn = parse_record(f"{begin} : up G8>1+G9.")
    assert GAME.describe_turn(turn) == "begin upwards; green 8 on green 7; bonus: green 9 from the row on green 8"
    whole, by_steps = f"{text} : G8>1+G9+turn0 *P10", f"{text} : G8>1 +G9 +turn0 *P10"
    assert parse_record(whole) == parse_record(by_steps)
    assert parse_record(by_steps).format() == whole


def test_a_seat_reads_its_own_draws_and_no_others() -> None:
    record = parse_record(f"{TURN} : flip *R1 *X7 R1>0")
    assert record.redacted(0).words() == ["flip", "*R1", "*X7", "R1>0"]
    assert record.redacted(1).words() == ["flip", "*?", "*?", "R1>0"]
    assert view(record.redacted(1).current).hands[0].unknown == (5,)


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ("R3>0", "red 3 does not fit purple 4, going up"),
        ("X9>0", "A has no X 9 in hand or open in the row"),
        ("P6>0", "A has no purple 6 in hand or open in the row"),
        ("G4>1", "A has no green 4 in hand or open in the row"),
        (".", "expected a card or a flip of A"),
        ("stuck", "A has to play a card"),
        ("up", "A's turn is under way"),
        ("R9>1 +G7", "green 7 does not fit red 9, going up"),
        ("R9>1 +turn2", "A's row pile 2 has no face-down card"),
        ("R9>1 flip", "expected a bonus action of A"),
        ("flip *R1 *X7 flip", "A has a card that fits"),
        ("flip *G2", "chance decides here, and not so"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(moves: str, reason: str) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        parse_record(f"{TURN} : {moves}")
    assert caught.value.reason.endswith(f"is illegal: {reason}")


@pytest.mark.parametrize(
    ("old", "new", "column", "expected"),
    [
        ("R9?", "Q9?", 12, "a card"),
        ("R9?", "R11?", 14, "a space before the hands"),
        ("(G4)", "(G4", 21, "')'"),
        ("turn/A", "turn/C", 81, "a seat, A to B"),
        ("P4,R8", "P4", 48, "2 of them"),
        (" up ", " left ", 73, "the direction"),
        ("1/6", "1", 70, "'/' and the turns finished"),
        ("turn/A", "turn", 80, "'/'"),
        ("turn/A", "turn/A/again", 82, "the end of the position"),
    ],
)
def test_a_slip_is_named_by_its_column(old: str, new: str, column: int, expected: str) -> None:
    with pytest.raises(NotationError) as caught:
        GAME.parse_position(TURN.replace(old, new))
    assert caught.value.expected.startswith(expected)
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("P6X6", "P2X6", "hands.B: P2 stands twice"),
        ("P6X6", "P6Y6", "hands.B: Y6 is not in this deck"),
        ("P6X6", "-", "hands.B: found no cards, expected some before the end of the round"),
        ("P6X6", "P6?1", "hands.B: found a card of era 1, expected 0 to 0"),
        (" - - 0-0", " X9 - 0-0", "hands: found 21 cards that nobody holds in era 0"),
        (" - - 0-0", " - B>6@0+2 0-0", "stuck: found what says nothing of the cards of B"),
        (" - - 0-0", " - B<6@0+1 0-0", "hands: no hidden cards can be those not known"),
        ("0-0 0-0", "3-0 0-0", "scores: found 3, expected at most 0"),
        ("1/6", "4/6", "clock: found round 4, expected 1 to 3"),
        (" up ", " - ", "direction: found -, expected up or down"),
        ("turn/A", "draw/A/3", "stage: found 3 draws from a pile of 22, expected 1 or 2 and a card"),
        ("turn/A", "flipped/A/again", "stuck: found no newest one of A by the tops, expected that of its flip"),
        ("turn/A", "reveal/A/1", "stage: found row pile 1 to turn up, expected one with an unknown card"),
        ("turn/A", "score/A/0", "stage: found A to have ended the round with cards in hand and row"),
        ("turn/A", "end", "stage: found the end of a match that goes on"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_the_reason(old: str, new: str, reason: str) -> None:
    with pytest.raises(PositionError) as caught:
        GAME.parse_position(TURN.replace(old, new))
    assert caught.value.reason == reason


# ---------------------------------------------------------------- scores


def scored(scores: str) -> str:
    """The position with these scores, scores of the last round and number of the round."""
    return TURN.replace("0-0 0-0 1/6", f"{scores}/6")


def accept(text: str) -> bool:
    """Whether both statements of the game accept a position: they agree."""
    try:
        GAME.parse_position(text)
    except PositionError:
        with pytest.raises(ValueError, match=r"."):
            ReferencePosition.from_text(text)
        return False
    assert ReferencePosition.from_text(text).text() == text
    return True


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ("20-9 2-9 2", "scores: found 18 before the last round, expected at most 0"),
        ("20-9 0-0 2", "scores: found 29 before the last round, expected at most 0"),
        ("500-500 20-9 3", "scores: found 971 before the last round, expected at most 440"),
        ("20-9 20-9 3", "scores: found at least 2 times 0 before the last round, expected at most 1, one a round"),
        ("0-0 0-0 2", "last: found 2 times 0, expected at most 1 in a round"),
        ("9-0 9-0! 2", "last: found 1 times 0, expected none in a round cut off"),
        ("9-8 9-8 2", "last: found neither a 0 nor an even score of twice the least or more"),
        ("221-0 221-0 2", "last: found 221 points of cards, expected at most 220, those of the deck"),
        ("300-120 300-120 2", "last: found 270 points of cards, expected at most 220, those of the deck"),
        ("111-110 111-110! 2", "last: found 221 points of cards, expected at most 220, those of the deck"),
    ],
)
def test_scores_that_no_rounds_give_are_refused_with_the_reason(scores: str, reason: str) -> None:
    """EP-28, EP-29."""
    with pytest.raises(PositionError) as caught:
        GAME.parse_position(scored(scores))
    assert caught.value.reason == reason
    with pytest.raises(ValueError, match=r"points|deck"):
        ReferencePosition.from_text(scored(scores))


@pytest.mark.parametrize(
    "scores",
    ["220-0 220-0 2", "220-110 220-110 2", "110-110 110-110! 2", "20-9 20-8 3", "9-8 9-8! 2", "440-220 220-0 3"],
)
def test_scores_at_the_bounds_are_accepted(scores: str) -> None:
    assert after(scored(scores)) == ReferencePosition.from_text(scored(scores)).text() == scored(scores)


def test_both_statements_accept_the_same_scores() -> None:
    """All small scores of two players."""
    accepted = 0
    for a, b, of_a, of_b, round_, cut in product(range(5), range(5), range(5), range(5), (2, 3), ("", "!")):
        text = scored(f"{a}-{b} {of_a}-{of_b}{cut} {round_}")
        accepted += accept(text)
    assert 0 < accepted < 5**4


def test_scores_before_the_round_that_is_scored() -> None:
    """They are of all rounds finished; *last* is of the round at hand."""
    scoring = "easy_peasy R1,-/P1,- -/X2 P4,R8 - - - {} 0-0 {}/6 up score/A/0"
    assert after(scoring.format("9-0", 2)) == scoring.format("9-0", 2)
    for scores, round_ in (("0-0", 2), ("1-0", 3)):
        with pytest.raises(PositionError, match="scores: found"):
            GAME.parse_position(scoring.format(scores, round_))
        with pytest.raises(ValueError, match="in an earlier round"):
            ReferencePosition.from_text(scoring.format(scores, round_))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("7-0", "8-0", "last: found 8 for A, expected 7"),
        ("7-0", "0-0", "last: found 0 for A, expected 7"),
        ("7-0", "7-1", "last: found 1 for a hand that is not shown, expected 0"),
        ("R2R5", "R2?", "last: found 99 for A, expected what hand and row can give, 4 to 12"),
        ("R2R5", "??", "last: found 99 for A, expected what hand and row can give, 4 to 20"),
        ("score/B", "score/A", "stage: found A to have ended the round with cards in hand and row"),
        ("1/6", "1/0", "clock: found 0 turns, which do not end a round"),
        ("P4,R8", "P4,-", "tops: found no card, expected one on each discard pile"),
    ],
)
def test_scores_that_hands_shown_do_not_give_are_refused_with_the_reason(old: str, new: str, reason: str) -> None:
    """EP-28."""
    text = "easy_peasy R1,R3/P1,- R2R5/- P4,R8 - - - 0-0 7-0 1/6 up score/B/1"
    assert accept(text)
    wrong = text.replace(old, new).replace("7-0", "99-0" if "?" in new else "7-0")
    with pytest.raises(PositionError) as caught:
        GAME.parse_position(wrong)
    assert caught.value.reason == reason


def test_sums_that_hands_shown_may_have_are_accepted() -> None:
    """The hidden cards of a hand shown are any of their eras: here of 5, 7 and 10, and no 2."""
    text = "easy_peasy{colours=1,hand=1} (R1)/(R3) ?/- R8,R9 R2R4R6 - - 0-0 99-0 1/6 up score/B/1"
    assert [points for points in range(30) if accept(text.replace("99", str(points)))] == [5, 7, 10]
