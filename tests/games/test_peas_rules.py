"""The rulings of PEAS, each by positions made for it. PEAS-16 and PEAS-18 are about matches: test_peas_match.py."""

from __future__ import annotations

from math import comb

import pytest
from mangetout_solver.errors import IllegalMoveError, PositionError, PreconditionError
from mangetout_solver.games.peas import view
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import parse_record
from peas_tools import GAME, move_texts, number_of, text_of


def position(text: str) -> Position:
    """The position at the end of a record."""
    return parse_record(text).current


def winners(text: str) -> str:
    """Who wins each pod at the end of a record, Bottom first."""
    return "".join("AB?"[2 if pod.winner is None else pod.winner] for pod in view(position(text)).pods)


def winner(text: str) -> str:
    return {(1.0, 0.0): "A", (0.0, 1.0): "B"}[position(text).win_shares()]


def reason(text: str, move: str) -> str:
    """Why the next move of a record is illegal."""
    with pytest.raises(IllegalMoveError) as caught:
        parse_record(text).play(move)
    return caught.value.reason


# ---------------------------------------------------------------- before and during play


@pytest.mark.parametrize(("pea", "seat"), [("A", 0), ("B", 1)])
def test_peas_01_the_holder_of_the_pea_given_by_the_caller_begins(pea: str, seat: int) -> None:
    dealt = GAME.deal(7, {"pea": pea})
    assert dealt.seat_to_move == seat
    assert view(dealt).pea == seat
    assert dealt.play(dealt.legal_moves()[0]).seat_to_move == 1 - seat


def test_peas_01_the_holder_of_the_pea_is_random_otherwise() -> None:
    beginners = [GAME.deal(seed, {}).seat_to_move for seed in range(200)]
    assert 60 < sum(beginner or 0 for beginner in beginners) < 140


def test_peas_02_a_seat_sees_its_hand_the_pods_and_the_cards_played() -> None:
    whole = position("peas +1/-2/+3 B1V2Y3 R1R2R3 A : B1@0 R1@0")
    assert text_of(whole) == "peas +1[A=B1,B=R1]/-2/+3 V2Y3 R2R3 A"
    assert text_of(whole.redacted(0)) == "peas +1[A=B1,B=R1]/-2/+3 V2Y3 ?? A"
    assert text_of(whole.redacted(1)) == "peas +1[A=B1,B=R1]/-2/+3 ?? R2R3 A"
    assert text_of(whole.redacted(0).redacted(1)) == "peas +1[A=B1,B=R1]/-2/+3 ?? ?? A"


def test_peas_02_four_cards_stay_unknown_to_both_to_the_end() -> None:
    dealt = GAME.deal(3, {})
    end = dealt.random_playout(4)
    assert sum(len(hand.cards) for hand in view(dealt).hands) == 20
    assert len({card for pod in view(end).pods for _, card in pod.plays}) == 20
    # With one card left, the other's is one of it and the four set aside, less those of colours shown not to be held.
    last = position("peas +1/-2[A=B1,B=B2]/+3[B=B3,A=B4] R1 R2 B")
    assert last.redacted(0).count_worlds() == 24 - 4 - 1


def test_peas_03_a_card_may_go_on_any_pod_without_an_own_card_empty_or_not() -> None:
    assert move_texts(position("peas +1/-2[B=R1]/+3[A=Y1,B=Y2]/+1 B2V1Y4 B1B3 B")) == [
        *("B2@0", "V1@0", "Y4@0"),
        *("B2@1", "V1@1", "Y4@1"),
        *("B2@3", "V1@3", "Y4@3"),
    ]


def test_peas_04_the_colour_binds_on_the_pod_chosen_only() -> None:
    """A holds pink and may still play elsewhere in any colour, on the empty pod and on the one that asks for purple."""
    assert move_texts(position("peas +1[B=R1]/-2/+3[B=V1]/+1[A=Y1,B=Y2]/+1[A=Y5] R2V2Y3 B1B2 B")) == [
        "R2@0",
        *("R2@1", "V2@1", "Y3@1"),
        "V2@2",
    ]


def test_peas_04_a_pod_that_was_ducked_waits_for_its_answer() -> None:
    ducked = position("peas +1/-2/+3 B2R4V6 B1B6Y5 A : B2@0 Y5@1 V6@2")
    assert [move for move in move_texts(ducked) if move.endswith("@0")] == ["B1@0", "B6@0"]


def test_peas_05_any_card_of_the_colour_asked_for_will_do() -> None:
    answers = position("peas +1[A=B3]/-2/+3/+1/+1 V1V2V3V4 B1B2B6R1R2 A")
    assert [move for move in move_texts(answers) if move.endswith("@0")] == ["B1@0", "B2@0", "B6@0"]


def test_peas_06_without_the_colour_asked_for_every_card_may_be_played() -> None:
    free = position("peas +1[A=B3]/-2/+3 B1B2 R6V1Y4 A")
    assert [move for move in move_texts(free) if move.endswith("@0")] == ["R6@0", "V1@0", "Y4@0"]


def test_peas_06_an_answer_in_another_colour_shows_that_the_colour_is_not_held() -> None:
    before = position("peas +1/-2/+3 B1B2B3 V1V2R3 A : B1@0")
    after = before.play(number_of("R3@0"))
    assert view(before).hands[1].voids == ()
    assert view(after).hands[1].voids == ("B",)
    assert view(after).hands[0].voids == ()
    # Three of 21 unseen cards before; then two of the 20 that are left, less the three blue ones.
    assert before.redacted(0).count_worlds() == comb(21, 3)
    assert after.redacted(0).count_worlds() == comb(17, 2)
    assert all("B" not in "".join(view(world).hands[1].cards) for world in after.redacted(0).worlds())


def test_peas_06_leading_or_matching_shows_nothing() -> None:
    assert view(position("peas +1/-2/+3 B1B2B3 B5R2R3 A : B1@0 B5@0 B2@1 R2@2")).hands[1].voids == ()


def test_peas_06_what_was_shown_lasts_all_round() -> None:
    seen = position("peas +1/-2/+3/+1 ???? B4V1V2Y3 B : B4@0 R3@0 V1@1")
    assert view(seen).hands[0].voids == ("B",)
    assert not [move for move in move_texts(seen) if move.startswith("B")]
    with pytest.raises(PositionError, match=r"hands\.A: found B1"):
        position("peas +1[B=B4,A=R3]/-2[B=V1]/+3/+1 B1?? V2Y3 B")


def test_peas_07_there_is_no_second_card_on_a_pod_with_an_own_card() -> None:
    record = "peas +1/-2/+3 B1B2B3 R1R2R3 A : B1@0 R1@1"
    assert not [move for move in move_texts(position(record)) if move.endswith("@0")]
    assert reason(record, "B2@0") == "B2@0 is illegal: A has already played on pod 0"
    with pytest.raises(PositionError, match=r"pods\[0\]: found two cards of A"):
        position("peas +1[A=B1,A=B2]/-2/+3[B=R1] B3 R2R3 A")


# ---------------------------------------------------------------- judging


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # B opened the Bottom pod although A began the round elsewhere: B is its parent.
        ("peas +1/+2 B1R1 V2Y2 A : B1@1 V2@0 R1@0 Y2@1", "BB"),
        # A opened it.
        ("peas +1/+2 B1R1 V2Y2 A : B1@0 V2@0 R1@1 Y2@1", "AA"),
        # The holder of the pea is B, but A opened the Bottom pod.
        ("peas +1/+2 B1R1 V2Y2 B : V2@1 B1@0 Y2@0 R1@1", "AA"),
        # Parent or not, the higher card of one colour wins.
        ("peas +1/+2 B1R1 B2Y2 A : B1@0 B2@0 R1@1 Y2@1", "BB"),
    ],
)
def test_peas_08_parent_of_the_bottom_pod_is_who_played_there_first(text: str, expected: str) -> None:
    assert winners(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A opens every pod; B wins the Bottom pod and is the parent of the others, of two colours each.
        ("peas +1[A=B1,B=B2]/+1[A=R6,B=V1]/+1[A=R5,B=V2] - - A", "BBB"),
        # A takes the parent's place back with a higher card of the same colour.
        ("peas +1[A=B1,B=B2]/+1[A=R6,B=R1]/+1[B=V2,A=Y5] - - A", "BAA"),
        # The parent changes three times.
        ("peas +1[A=B2,B=B1]/+1[B=R6,A=R5]/+1[B=V2,A=V3]/+1[A=Y1,B=Y2] - - A", "ABAB"),
    ],
)
def test_peas_09_parent_of_a_later_pod_is_who_won_the_one_before(text: str, expected: str) -> None:
    assert winners(text) == expected


def test_peas_10_who_could_not_match_the_colour_may_win_the_pod_as_parent() -> None:
    # Pod 1: A leads pink, B has none and plays purple. As parent from pod 0, B wins it with the 1.
    assert winners("peas +1/+2 B1R6 B2V1 A : B1@0 B2@0 R6@1 V1@1") == "BB"
    # The same cards with A the parent.
    assert winners("peas +1/+2 B2R6 B1V1 A : B2@0 B1@0 R6@1 V1@1") == "AA"


@pytest.mark.parametrize(
    ("plays", "expected"),
    [
        ("A=B1,B=R6", "A"),
        ("B=B1,A=R6", "B"),
        ("A=B6,B=R1", "A"),
        ("A=B1,B=B6", "B"),
        ("A=B6,B=B1", "A"),
        ("B=B6,A=B5", "B"),
        ("B=B5,A=B6", "A"),
    ],
)
def test_peas_11_one_colour_goes_to_the_higher_card_two_colours_to_the_parent(plays: str, expected: str) -> None:
    assert winners(f"peas +1[{plays}] - - {plays[0]}") == expected


def test_peas_12_pods_are_judged_when_all_cards_are_played() -> None:
    late = position("peas +1/-2/+3 B1B2B3 R1R2R3 A : B1@0 R1@0 B2@1 R2@1 B3@2")
    assert [pod.winner for pod in view(late).pods] == [None, None, None]
    for ask in (late.win_shares, late.scores):
        with pytest.raises(ValueError, match="not over"):
            ask()
    end = late.play(number_of("R3@2"))
    assert [pod.winner for pod in view(end).pods] == [0, 0, 0]
    assert end.scores() == (2.0, 0.0)


def test_peas_12_pods_are_judged_from_the_bottom_whatever_the_order_of_play() -> None:
    last_is_bottom = "peas +1/+2/+3 B1V1V2 B6R1R2 A : V1@2 R1@2 V2@1 R2@1 B1@0 B6@0"
    bottom_is_last = "peas +1/+2/+3 B1V1V2 B6R1R2 A : B1@0 B6@0 V2@1 R2@1 V1@2 R1@2"
    assert winners(last_is_bottom) == winners(bottom_is_last) == "BBB"
    assert position(last_is_bottom) == position(bottom_is_last)


def test_peas_10_to_12_the_blue_cards() -> None:
    """B wins the last pod with the lowest blue card, as parent, against a 6 of another colour."""
    record = "peas +1/+2/-3 B2V6Y1 B1R6Y5 A : B2@0 B1@2 V6@2 R6@0 Y1@1 Y5@1"
    assert text_of(position(record)) == "peas +1[A=B2,B=R6]/+2[A=Y1,B=Y5]/-3[B=B1,A=V6] - - A"
    assert winners(record) == "ABB"
    assert position(record).scores() == (1.0, -1.0)
    assert winner(record) == "A"


# ---------------------------------------------------------------- winning the round

NINE_TO_B = (
    "peas +3[A=B2,B=B5]/+1[A=R1,B=R5]/-2[B=R6,A=R2]/+1[B=B6,A=B1]/+2[A=V2,B=V3]/-3[B=Y2,A=Y1]/+1[A=V1,B=V4]"
    "/-2[A=Y3,B=Y4]/-2[B=B4,A=B3]/+1[A=R3]"
)


def test_peas_13_all_ten_pods_win_against_the_pea() -> None:
    """Points are 0:0 and A holds the pea, but B took every pod."""
    record = f"{NINE_TO_B} - R4 A : R4@9"
    assert winners(record) == "B" * 10
    assert position(record).scores() == (0.0, 0.0)
    assert winner(record) == "B"


def test_peas_13_all_ten_pods_win_with_the_pea() -> None:
    text = "/".join(
        f"{v:+d}[B={b},A={a}]"
        for v, b, a in zip(
            (1, 1, 1, 1, 2, 3, -2, -2, -2, -3),
            ("B6", "B5", "B4", "R6", "R5", "R4", "V6", "V5", "V4", "Y6"),
            ("B1", "B2", "B3", "R1", "R2", "R3", "V1", "V2", "V3", "Y1"),
            strict=True,
        )
    )
    assert position(f"peas {text} - - B").scores() == (0.0, 0.0)
    assert winner(f"peas {text} - - B") == "B"


def test_peas_14_nine_of_ten_pods_are_no_sweep() -> None:
    """B has all pods but the one of 3: the worms cost the round."""
    record = f"{NINE_TO_B.replace('A=B2,B=B5', 'A=B5,B=B2')} - R4 A : R4@9"
    assert winners(record) == "A" + "B" * 9
    assert position(record).scores() == (3.0, -3.0)
    assert winner(record) == "A"


@pytest.mark.parametrize("pea", ["A", "B"])
@pytest.mark.parametrize("sweeper", ["A", "B"])
def test_peas_14_all_pods_of_a_reduced_game_win_with_points_against_them(pea: str, sweeper: str) -> None:
    other = "AB".replace(sweeper, "")
    high, low = ("B6", "B5", "B4"), ("B1", "B2", "B3")
    first = {True: (sweeper, high, other, low), False: (other, low, sweeper, high)}[pea == sweeper]
    pods = "/".join(
        f"{value}[{first[0]}={a},{first[2]}={b}]"
        for value, a, b in zip(("-2", "-3", "+1"), first[1], first[3], strict=True)
    )
    text = f"peas {pods} - - {pea}"
    assert position(text).scores()["AB".index(sweeper)] == -4.0
    assert position(text).scores()["AB".index(other)] == 0.0
    assert winner(text) == sweeper


def test_peas_14_without_the_last_worm_points_decide() -> None:
    """B leaves the worm of 2 to A and takes the worm of 3: -2 to -3, A wins."""
    assert winner("peas -3[A=B1,B=B2]/-2[B=B3,A=B4] - - A") == "A"
    assert winner("peas -2[A=B1,B=B2]/-3[B=B3,A=B4] - - A") == "B"


@pytest.mark.parametrize("pea", ["A", "B"])
def test_peas_15_level_points_go_to_the_holder_of_the_pea(pea: str) -> None:
    """A takes 2 and -2, B 3 and -3; who opened the Bottom pod does not matter."""
    pods = "+2[A=B5,B=B2]/-2[A=R4,B=R3]/+3[B=V6,A=V2]/-3[B=Y4,A=Y2]"
    text = f"peas {pods} - - {pea}"
    assert winners(text) == "AABB"
    assert position(text).scores() == (0.0, 0.0)
    assert winner(text) == pea


@pytest.mark.parametrize("pea", ["A", "B"])
def test_peas_15_one_point_more_wins_against_the_pea(pea: str) -> None:
    pods = "+2[A=B5,B=B2]/-1[A=R4,B=R3]/+3[B=V6,A=V2]/-3[B=Y4,A=Y2]"
    assert winner(f"peas {pods} - - {pea}") == "A"
    assert winner(f"peas {pods.replace('-1', '-3')} - - {pea}") == "B"


def test_peas_15_the_pea_is_the_one_held_in_this_round() -> None:
    """The seat of the pea stays with the position from the first card to the last."""
    record = "peas +2/-2/+3/-3 B2R3V6Y4 B5R4V2Y2 B : B5@0 B2@0 R4@1 R3@1 V2@2 V6@2 Y2@3 Y4@3"
    assert {view(p).pea for p in parse_record(record).positions} == {1}
    assert winner(record) == "B"


# ---------------------------------------------------------------- deals, ends, enforcement


def test_peas_17_a_deal_shuffles_pods_and_cards_anew() -> None:
    rounds = [view(GAME.deal(seed, {})) for seed in range(40)]
    assert len({tuple(pod.value for pod in r.pods) for r in rounds}) > 35
    assert len({r.hands for r in rounds}) == 40
    assert {tuple(sorted(pod.value for pod in r.pods)) for r in rounds} == {(-3, -2, -2, -2, 1, 1, 1, 1, 2, 3)}


def test_peas_19_pod_0_is_the_bottom() -> None:
    """The pods exchanged give another result: the first of the text is judged first."""
    assert winners("peas +1[A=B1,B=B2]/+1[A=R1,B=V1] - - A") == "BB"
    assert winners("peas +1[A=R1,B=V1]/+1[A=B1,B=B2] - - A") == "AB"
    assert number_of("B1@0") in position("peas +1/+2 B1B2 R1R2 A").legal_moves()


def test_peas_20_a_decided_round_is_played_to_its_end() -> None:
    """A has won every pod that counts; the last card of each is played all the same."""
    record = "peas +9/+0/+0 B4B5B6 B1B2B3 A : B6@0 B1@0 B5@1 B2@1"
    decided = position(record)
    assert not decided.is_terminal
    assert move_texts(decided) == ["B4@2"]
    end = position(f"{record} B4@2 B3@2")
    assert end.is_terminal
    assert end.legal_moves() == []
    with pytest.raises(PreconditionError, match="after the end of the game"):
        parse_record(f"{record} B4@2 B3@2").play("B4@2")


def test_peas_20_a_round_has_two_plays_a_pod() -> None:
    for pods in (1, 2, 5, 10, 12):
        at = GAME.deal(1, {"pods": ",".join(["1"] * pods)})
        plies = 0
        while not at.is_terminal:
            at = at.play(at.legal_moves()[-1])
            plies += 1
        assert plies == 2 * pods


@pytest.mark.parametrize(
    ("text", "move", "expected"),
    [
        ("peas +1/-2/+3 B1B2B3 B6R2R3 A : B1@0", "R2@0", "B holds B and must match B1 on pod 0"),
        ("peas +1/-2/+3 B1B2B3 B6R2R3 A : B1@0", "B2@1", "B cannot hold B2"),
        ("peas +1/-2/+3 B1B2B3 B6R2R3 A", "B6@1", "A cannot hold B6"),
        ("peas +1/-2/+3 B1B2B3 B6R2R3 A", "B1@3", "found pod 3, expected 0 to 2"),
        ("peas +1/-2/+3 B1B2B3 B6R2R3 A", "B7@0", "B7 is not in this deck"),
        ("peas{colours=2} +1/-2/+3 B1B2B3 B6R2R3 A", "V1@0", "V1 is not in this deck"),
        ("peas +1/-2/+3 B1B2B3 B6R2R3 A : B1@0 B6@0", "B2@0", "A has already played on pod 0"),
        # The seat whose cards are not known: what it has shown counts.
        ("peas +1/-2/+3/+1 B1B2B3Y6 ???? A : B1@0 R2@0 Y6@1", "B6@1", "B cannot hold B6"),
    ],
)
def test_peas_21_the_rules_are_enforced_with_a_reason(text: str, move: str, expected: str) -> None:
    assert reason(text, move) == f"{move} is illegal: {expected}"
    with pytest.raises(ValueError, match="not legal"):
        position(text).play(number_of(move))


def test_peas_21_a_known_card_of_the_colour_binds_a_hand_with_unknown_cards() -> None:
    at = position("peas +1[A=B1]/-2/+3 V1V2 B6?? A")
    assert [move for move in move_texts(at) if move.endswith("@0")] == [f"B{rank}@0" for rank in (2, 3, 4, 5, 6)]
    assert reason("peas +1[A=B1]/-2/+3 V1V2 B6?? A", "R1@0").endswith("B holds B and must match B1 on pod 0")


def test_peas_21_a_colour_can_only_be_lacking_if_enough_other_cards_are_unseen() -> None:
    """B holds three of B2 B3 B4 R3 R4, so one at least is blue."""
    text = "peas{colours=2,ranks=4} +1[A=B1]/-2/+3 R1R2 ??? A"
    assert [move for move in move_texts(position(text)) if move.endswith("@0")] == ["B2@0", "B3@0", "B4@0"]
    # With R5 in the deck B may lack blue.
    text = "peas{colours=2,ranks=5} +1[A=B1]/-2/+3 R1R2 ??? A"
    assert [move for move in move_texts(position(text)) if move.endswith("@0")] == [
        *("B2@0", "B3@0", "B4@0", "B5@0"),
        *("R3@0", "R4@0", "R5@0"),
    ]
