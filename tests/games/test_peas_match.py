"""A match of PEAS: its rulings, by positions made for them, the deals of later rounds, and who sees what of them."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb

import pytest
from mangetout_solver.errors import IllegalMoveError, InputError, NotationError, PositionError, PreconditionError
from mangetout_solver.games.game import Record
from mangetout_solver.games.peas import view
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import parse_record
from peas_tools import GAME, text_of

# One pod and four cards: whoever takes the pod has taken all and wins the round.
SMALL = "peas{colours=2,ranks=2,scope=match}"
A_WINS = f"{SMALL} +1 B2 B1 A 0-0 : B2@0 B1@0"
B_WINS = f"{SMALL} +1 B1 B2 A 0-0 : B1@0 B2@0"
DEAL = "*+1 *B1>B *B2>A *R1>- *R2>-"


def position(text: str) -> Position:
    """The position at the end of a record."""
    return parse_record(text).current


def outcomes(at: Position) -> dict[str, Fraction]:
    return {GAME.format_move(at, outcome): Fraction(p).limit_denominator(1000) for outcome, p in at.chance_outcomes()}


# ---------------------------------------------------------------- rulings


@pytest.mark.parametrize(("first_round", "wins"), [(A_WINS, (1, 0)), (B_WINS, (0, 1))])
def test_peas_16_the_pea_changes_hands_whoever_won(first_round: str, wins: tuple[int, int]) -> None:
    assert view(position(first_round)).pea == 0
    for events in (DEAL.split()[:1], DEAL.split()):
        assert view(position(" ".join([first_round, *events]))).pea == 1
    second = position(f"{first_round} {DEAL}")
    assert second.seat_to_move == 1
    assert view(second).wins == wins


def test_peas_16_and_again_before_a_third_round() -> None:
    third = position(f"{B_WINS} {DEAL} B1@0 B2@0 {DEAL}")
    assert view(third).wins == (1, 1)
    assert view(third).pea == third.seat_to_move == 0


@pytest.mark.parametrize(
    ("tie", "move", "after"),
    [
        ("+1[A=B2,B=B1]/-1[A=R2,B=R1]/+0[A=V1] - V2 A 0-0", "V2@2", "A 1-0"),
        ("+1[B=B1,A=B2]/-1[B=R1,A=R2]/+0[B=V2] V1 - B 0-0", "V1@2", "B 0-1"),
    ],
)
def test_peas_15_a_tie_goes_to_the_holder_of_the_pea_before_it_is_passed_on(tie: str, move: str, after: str) -> None:
    over = position(f"peas{{scope=match}} {tie} : {move}")
    assert over.is_chance
    assert text_of(over).endswith(f" - - {after}")
    assert over.round_returns() == ((1.0, 0.0) if after == "A 1-0" else (0.0, 1.0), (0.0, 0.0))


def test_peas_17_pods_and_all_cards_are_dealt_anew() -> None:
    at = position("peas{scope=match} +1[A=B2,B=B3]/-2[B=Y5,A=Y1]/+3[A=B6,B=R2] - - A 0-1")
    assert outcomes(at) == dict.fromkeys(("*-2", "*+1", "*+3"), Fraction(1, 3))
    for event in ("*+3", "*-2", "*+1"):
        at = at.play(GAME.parse_move(at, event))
    dealt = []
    while at.is_chance:
        event, *_ = outcomes(at)
        dealt.append(event[1:3])
        at = at.play(GAME.parse_move(at, event))
    assert dealt == [colour + rank for colour in "BRVY" for rank in "123456"]
    assert text_of(at) == "peas{scope=match} +3/-2/+1 B1B2B3 B4B5B6 B 0-1"


def test_peas_17_chances_follow_from_what_is_left() -> None:
    pods = "+1[A=B2,B=B3]/+1[B=Y5,A=Y1]/+3[A=B6,B=R2]"
    assert outcomes(position(f"peas{{scope=match}} {pods} - - A 0-1")) == {"*+1": Fraction(2, 3), "*+3": Fraction(1, 3)}
    assert outcomes(position("peas{scope=match} +1|+1/+3 - - B 0-1 deal/0")) == dict.fromkeys(
        ("*+1", "*+3"), Fraction(1, 2)
    )
    # Of 24 cards each hand takes three, and eighteen lie aside.
    assert outcomes(position("peas{scope=match} +1/+1/+3 - - B 0-1 deal/0")) == {
        "*B1>A": Fraction(3, 24),
        "*B1>B": Fraction(3, 24),
        "*B1>-": Fraction(18, 24),
    }
    assert outcomes(position("peas{scope=match} +1/+1/+3 B1B2B3 R1 B 0-1 deal/10")) == {
        "*R5>B": Fraction(2, 14),
        "*R5>-": Fraction(12, 14),
    }
    assert outcomes(position("peas{scope=match} +1/+1/+3 Y1Y2Y3 R1 B 0-1 deal/22")) == {"*Y5>B": Fraction(1)}


def test_peas_18_two_rounds_won_end_the_match() -> None:
    over = position(f"{A_WINS} {DEAL} B1@0 B2@0")
    assert over.is_terminal
    assert view(over).wins == over.scores() == (2, 0)
    assert over.win_shares() == (1.0, 0.0)
    assert over.round_returns() == ((1.0, 0.0), (1.0, 0.0))


def test_peas_18_the_third_round_decides() -> None:
    third = f"{B_WINS} {DEAL} B1@0 B2@0 {DEAL}"
    with pytest.raises(ValueError, match="not over"):
        position(third).win_shares()
    lost = position(f"{B_WINS} {DEAL} B1@0 B2@0 *+1 *B1>A *B2>B *R1>- *R2>- B1@0 B2@0")
    won = position(f"{third} B2@0 B1@0")
    assert (lost.scores(), lost.win_shares()) == ((1, 2), (0.0, 1.0))
    assert (won.scores(), won.win_shares()) == ((2, 1), (1.0, 0.0))
    with pytest.raises(PreconditionError):
        parse_record(f"{third} B2@0 B1@0 *+1")


def test_a_round_is_played_by_the_same_moves_alone_and_in_a_match() -> None:
    alone, match = (Record(GAME, (GAME.deal(5, {"scope": scope}),), ()) for scope in ("round", "match"))
    while not alone.current.is_terminal:
        moves = alone.current.legal_moves()
        assert match.current.legal_moves() == moves
        move = GAME.format_move(alone.current, moves[len(moves) // 2])
        alone, match = alone.play(move), match.play(move)
    assert match.current.is_chance
    assert match.current.round_returns() == (alone.current.win_shares(), alone.current.scores())
    assert all(before.round_returns() is None for before in match.positions[:-1])


# ---------------------------------------------------------------- deals


def test_all_deals_are_equally_likely_and_come_about_in_one_way() -> None:
    start = position(
        "peas{colours=2,ranks=4,scope=match} +1[A=B1,B=B2]/+1[B=B4,A=R1]/-2[A=R2,B=R3] - - A 0-1",
    )
    ways: Counter[Position] = Counter()
    chances: dict[Position, Fraction] = {}
    under_way = [(start, Fraction(1))]
    while under_way:
        at, chance = under_way.pop()
        if at.seat_to_move is not None:
            ways[at] += 1
            chances[at] = chance
            continue
        listed = [(outcome, Fraction(p).limit_denominator(1000)) for outcome, p in at.chance_outcomes()]
        assert sum(p for _, p in listed) == 1
        under_way += [(at.play(outcome), chance * p) for outcome, p in listed]
    deals = 3 * comb(8, 3) * comb(5, 3)
    assert len(ways) == deals
    assert set(ways.values()) == {1}
    assert set(chances.values()) == {Fraction(1, deals)}


def test_a_seat_can_be_dealt_the_same_hand_against_every_hand_of_the_rest() -> None:
    """The worlds of a seat after the deal are those that the deal leaves open."""
    ends = [
        position(f"{SMALL} +1 - - B 1-0 deal/0 : {' '.join(events)}")
        for events in (
            ("*B1>A", "*B2>B", "*R1>-", "*R2>-"),
            ("*B1>A", "*B2>-", "*R1>B", "*R2>-"),
            ("*B1>A", "*B2>-", "*R1>-", "*R2>B"),
        )
    ]
    (seen,) = {end.redacted(0) for end in ends}
    assert text_of(seen) == f"{SMALL} +1 B1 ? B 1-0"
    assert sorted(map(text_of, seen.worlds())) == sorted(map(text_of, ends))


# ---------------------------------------------------------------- who sees what


@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_sees_the_pods_and_its_own_cards_of_a_deal(seat: int) -> None:
    record = parse_record(WHOLE)
    seen = record.redacted(seat)
    assert seen.format() == SEEN_BY[seat]
    assert parse_record(SEEN_BY[seat]).positions == seen.positions
    assert seen.positions == tuple(at.redacted(seat) for at in record.positions)
    assert record.redacted(0).redacted(1).format() == record.redacted(1).redacted(0).format() == SPECTATOR


WHOLE = f"{SMALL} +1[A=B2] - R1 A 0-0 : R1@0 *+1 *B1>B *B2>- *R1>A *R2>- B1@0"
SEEN_BY = {
    0: f"{SMALL} +1[A=B2] - ? A 0-0 : R1@0 *+1 *? *? *R1>A *? B1@0",
    1: f"{SMALL} +1[A=B2] - R1 A 0-0 : R1@0 *+1 *B1>B *? *? *? B1@0",
}
SPECTATOR = f"{SMALL} +1[A=B2] - ? A 0-0 : R1@0 *+1 *? *? *? *? B1@0"


def test_what_is_dealt_elsewhere_makes_no_difference_to_a_seat() -> None:
    """A is dealt the same cards in every one of these deals."""
    start = "peas{colours=2,ranks=3,scope=match} +1/-1 - - B 0-1 deal/0"
    deals = ["B1>A B2>B B3>B R1>A R2>- R3>-", "B1>A B2>- B3>- R1>A R2>B R3>B", "B1>A B2>B B3>- R1>A R2>- R3>B"]
    records = [parse_record(f"{start} : {' '.join('*' + event for event in deal.split())}") for deal in deals]
    (text,) = {record.redacted(0).format() for record in records}
    assert text == f"{start} : *B1>A *? *? *R1>A *? *?"
    for same in zip(*(record.positions for record in records), strict=True):
        assert len({at.redacted(0) for at in same}) == 1
        assert len({at.information_key(0) for at in same}) == 1
    assert len({record.redacted(1).format() for record in records}) == 3


def test_of_a_deal_half_seen_the_cards_in_no_hand_are_all_alike() -> None:
    at = position("peas{scope=match} +3/-2/+1 B1B4 - B 0-1 deal/6?")
    assert outcomes(at) == {"*R1>A": Fraction(1, 22), "*R1>B": Fraction(3, 22), "*R1>-": Fraction(18, 22)}
    # A lacks one card of its hand and B all three, out of 22 cards.
    assert at.count_worlds() == comb(22, 1) * comb(21, 3)
    assert at.determinize(1).count_worlds() == 1
    assert {"B1", "B4"} <= set(view(at.determinize(2)).hands[0].cards)


def test_a_deal_half_seen_is_not_drawn_on() -> None:
    with pytest.raises(PositionError, match="not known"):
        parse_record("peas{scope=match} +3/-2/+1 B1B4 - B 0-1 deal/6?").draw_chance(1)
    drawn = parse_record("peas{scope=match} +3/-2/+1 B1B4 - B 0-1 deal/6").draw_chance(1)
    assert drawn.current.seat_to_move == 1
    assert drawn.current.count_worlds() == 1


# ---------------------------------------------------------------- texts


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("+1/-2/+3 B2B6Y1 ??? A 2-0", "wins: found 2-0, expected none or one of each before the match is over"),
        ("+1/-2/+3 B2B6Y1 ??? A 0-9", "wins: found 0-9"),
        ("+1[A=B2,B=B1] - - A 0-1", "wins: found 0-1, expected one or two rounds of A, who has won this one"),
        ("+1[A=B2,B=B1] - - A 2-2", "wins: found 2-2"),
        ("+1[A=B2,B=B1] - - A 3-0", "wins: found 3-0"),
        ("+1|-2 - - A 0-0 deal/0", "wins: found 0-0, expected a round won before another one is dealt"),
        ("+1 - - A 2-1 deal/0", "wins: found 2-1"),
        ("+1|-2 - - A 1-0", "pods: found pods to be drawn"),
        ("+1|-2 - - A 1-0 deal/1", "deal: found 1 cards dealt, expected 0 while pods are drawn"),
        ("+1 - - A 1-0 deal/24", "deal: found 24 cards dealt, expected 0 to 23"),
        ("+1 - - A 1-0 deal/23", "deal: found 23 cards dealt to no hand, expected at most 22"),
        ("+1 B1 - A 1-0 deal/1?", "deal: found '?', expected none"),
        ("+1 B1 Y2 A 1-0 deal/20?", "deal: found '?', expected none"),
        ("+1[A=B1] - - A 1-0 deal/1", "pods[0]: found cards on a pod, expected none while the round is dealt"),
        ("+1 B1? - A 1-0 deal/2", "hands.A: found '?', expected only known cards while the round is dealt"),
        ("+1 - B1B2 A 1-0 deal/2", "hands.B: found 2 cards, expected at most 1"),
        ("+1 B2 - A 1-0 deal/1", "hands.A: found B2, expected one of the 1 lowest cards"),
        ("+1 B1 B1 A 1-0 deal/2", "hands.B: B1 stands twice"),
        ("+1 B1 B2 A 1-0 deal/2 : B1@0", None),
    ],
)
def test_positions_that_no_match_has_are_refused(text: str, reason: str | None) -> None:
    with pytest.raises(InputError) as caught:
        parse_record(f"peas{{scope=match}} {text}")
    assert reason is None or f"notation: {reason}" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("peas{scope=match} +1/-2/+3 B2B6Y1 ??? A", 40),
        ("peas{scope=match} +1/-2/+3 B2B6Y1 ??? A 10-0", 42),
        ("peas{scope=match} +1/-2/+3 B2B6Y1 ??? A 1:0", 42),
        ("peas{scope=match} +1 B1 - A 1-0 deal", 33),
        ("peas{scope=match} +1 B1 - A 1-0 deal/1!", 39),
        ("peas{scope=match} +1| - - A 1-0 deal/0", 22),
        ("peas +1|-2 - - A", 8),
        ("peas +1 B1 B2 A 0-0", 17),
        ("peas{scope=game} +1 B1 B2 A 0-0", 12),
    ],
)
def test_slips_are_found_at_their_column(text: str, column: int) -> None:
    with pytest.raises(InputError) as caught:
        GAME.parse_position(text)
    if isinstance(caught.value, NotationError):
        assert caught.value.column == column
    else:
        assert "options.scope: found 'game', expected round or match" in str(caught.value)


@pytest.mark.parametrize(
    ("before", "event", "reason"),
    [
        (A_WINS, "B1@0", "the next round is dealt first"),
        (A_WINS, "*B1>A", "pods are drawn before cards are dealt"),
        (f"{SMALL} +1|+1 - - A 1-0 deal/0", "*?", "pods are drawn before cards are dealt"),
        ("peas{scope=match} +1|-2 - - A 1-0 deal/0", "*+1", "no pod of this value is left to be drawn"),
        (f"{A_WINS} *+1", "*+1", "all pods are drawn"),
        (f"{A_WINS} *+1", "*B2>A", "the next card is B1"),
        (f"{A_WINS} *+1 *B1>A", "*B2>A", "A has all cards of its hand"),
        (f"{A_WINS} *+1 *B1>- *B2>-", "*R1>-", "as many cards lie aside as can"),
        (f"{A_WINS} *+1 *B1>-", "*?", "the position shows where the card goes"),
        (f"{SMALL} +1 B2 B1 A 0-0", "*+1", "the round is under way and nothing is dealt"),
    ],
)
def test_events_out_of_turn_are_refused_with_a_reason(before: str, event: str, reason: str) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        parse_record(before).play(event)
    assert caught.value.reason == f"{event} is illegal: {reason}"


@pytest.mark.parametrize("event", ["*+2", "*B1>C", "*B1", "*", "+1", "*B9>A", "*?>A"])
def test_words_that_are_no_events_are_refused(event: str) -> None:
    with pytest.raises(NotationError):
        parse_record(A_WINS).play(event)


@pytest.mark.parametrize("event", ["*+1", "*B1>A", "*?"])
def test_a_single_round_has_no_events(event: str) -> None:
    with pytest.raises(NotationError, match="such as B2@0"):
        parse_record("peas +1 B2 B1 A").play(event)


def test_events_are_told_in_words() -> None:
    record = parse_record(SEEN_BY[0])
    told = [GAME.describe_move(at, move) for at, move in zip(record.positions, record.moves, strict=False)]
    assert told == [
        "pink 1 on pod 0 (+1, against B2)",
        "pod 0 of the next round is worth +1",
        "a card is dealt unseen",
        "a card is dealt unseen",
        "pink 1 is dealt to A",
        "a card is dealt unseen",
        "blue 1 on pod 0 (+1)",
    ]
    aside = position(f"{A_WINS} *+1")
    assert GAME.describe_move(aside, GAME.parse_move(aside, "*B1>-")) == "blue 1 is set aside"


# ---------------------------------------------------------------- the game


def test_the_first_round_of_a_match_is_that_of_a_single_round() -> None:
    for seed in range(5):
        alone, match = (text_of(GAME.deal(seed, {"scope": scope})) for scope in ("round", "match"))
        assert match == alone.replace("peas ", "peas{scope=match} ") + " 0-0"
    assert GAME.score_bounds(GAME.deal(1, {"scope": "match"})) == (0, 2)


def test_the_colours_are_alike_but_not_while_cards_are_dealt_in_their_order() -> None:
    under_way = position("peas{scope=match} +1/-2/+3 B2B6Y1 ??? A 0-0")
    assert len(GAME.symmetries(under_way)) == 24
    assert {GAME.key(other) for other in GAME.symmetries(under_way).values()} == {GAME.key(under_way)}
    dealt = position("peas{scope=match} +3/-2/+1 B1B4 - B 0-1 deal/6?")
    assert list(GAME.symmetries(dealt).values()) == [dealt]
