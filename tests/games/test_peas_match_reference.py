"""The plain statement of a match of PEAS: hand-made cases for the rulings, and counts made in another way."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, factorial, prod
from random import Random

import pytest
from mangetout_solver.games.peas.reference import (
    SEATS,
    STANDARD_PODS,
    ReferencePosition,
    deal,
    deal_match,
    full_deck,
    other_seat,
    record_seen_by,
    replay,
    split_record,
    token_seen_by,
)

FIRST_ROUND = "peas{scope=match} +1/-2/+3 B2B6Y1 ??? A 0-0"
FIRST_ROUND_OVER = "peas{scope=match} +1[A=B2,B=B3]/-2[B=Y5,A=Y1]/+3[A=B6,B=R2] - - A 0-1"
ONE_POD_DRAWN = "peas{scope=match} +3|-2/+1 - - B 0-1 deal/0"
SIX_CARDS_DEALT = "peas{scope=match} +3/-2/+1 B1B4 - B 0-1 deal/6?"
SECOND_ROUND = "peas{scope=match} +3/-2/+1 B1B4V2 ??? B 0-1"

WHOLE_RECORD = (
    "peas{colours=2,ranks=2,scope=match} +1[A=B2] - R1 A 0-0 : R1@0 *+1 *B1>B *B2>- *R1>A *R2>- B1@0 R1@0 "
    "*+1 *B1>A *B2>B *R1>- *R2>- B1@0 B2@0"
)
RECORD_OF_A = (
    "peas{colours=2,ranks=2,scope=match} +1[A=B2] - ? A 0-0 : R1@0 *+1 *? *? *R1>A *? B1@0 R1@0 "
    "*+1 *B1>A *? *? *? B1@0 B2@0"
)
RECORD_OF_B = (
    "peas{colours=2,ranks=2,scope=match} +1[A=B2] - R1 A 0-0 : R1@0 *+1 *B1>B *? *? *? B1@0 R1@0 "
    "*+1 *? *B2>B *? *? B1@0 B2@0"
)


def read(text: str) -> ReferencePosition:
    """Return the position of a text that play can lead to."""
    position = ReferencePosition.from_text(text)
    assert position.text() == text
    assert position.reachable(), text
    return position


def accepted(text: str) -> bool:
    """Whether a text is one of a position that play can lead to."""
    try:
        return ReferencePosition.from_text(text).reachable()
    except ValueError:
        return False


def small_match(rng: Random, max_pods: int = 4) -> ReferencePosition:
    """Return the start of a match of any small deck; sometimes the hands take the whole of it."""
    pods = [rng.choice((-3, -2, 0, 1, 1, 2, 3)) for _ in range(rng.randint(1, max_pods))]
    sizes = [(colours, ranks) for colours in range(1, 5) for ranks in range(1, 6) if colours * ranks >= 2 * len(pods)]
    colours, ranks = min(sizes, key=lambda size: size[0] * size[1]) if rng.random() < 0.25 else rng.choice(sizes)
    return deal_match(rng.randrange(10**6), pods, colours, ranks)


def some_step(rng: Random, position: ReferencePosition) -> str:
    """Return a legal move or an event, drawn by its probability."""
    if position.to_move == "*":
        chances = position.chance_outcomes()
        return rng.choices(list(chances), list(chances.values()))[0]
    return rng.choice(sorted(position.legal_moves()))


def random_match(rng: Random, max_pods: int = 4) -> tuple[list[ReferencePosition], list[str]]:
    """Return the positions and the steps of a match played at random to its end."""
    positions, steps = [small_match(rng, max_pods)], []
    while positions[-1].to_move is not None:
        steps.append(some_step(rng, positions[-1]))
        positions.append(positions[-1].play(steps[-1]))
    return positions, steps


def every_step(position: ReferencePosition) -> list[str]:
    """Return every text that is a step somewhere in this match, and some that are a step nowhere."""
    deck = full_deck(position.colours, position.ranks)
    moves = [f"{card}@{pod}" for card in deck for pod in range(len(position.pods) + 1)]
    cards = [f"*{card}>{place}" for card in deck for place in ("A", "B", "-", "C", "")]
    pods = [f"*{value:+d}" for value in range(-9, 10)]
    return [*moves, *cards, *pods, "*?", "*", "?", "", "*1", "*-0", "*+10"]


def plays_on(position: ReferencePosition, step: str) -> bool:
    """Whether a step is accepted."""
    try:
        position.play(step)
    except ValueError:
        return False
    return True


# ---------------------------------------------------------------- hand-made: texts


@pytest.mark.parametrize(
    ("text", "to_move"),
    [
        (FIRST_ROUND, "A"),
        (FIRST_ROUND_OVER, "*"),
        (ONE_POD_DRAWN, "*"),
        (SIX_CARDS_DEALT, "*"),
        (SECOND_ROUND, "B"),
        ("peas{colours=2,ranks=2,scope=match} +1[A=B2] - R1 A 1-1", "B"),
        ("peas{colours=2,ranks=2,scope=match} +1[A=B2,B=R1] - - A 2-0", None),
        ("peas{colours=2,ranks=2,scope=match} +1[A=B2,B=R1] - - A 2-1", None),
        ("peas{colours=2,ranks=2,scope=match} +1[A=B2,B=R1] - - A 1-1", "*"),
        ("peas{scope=match} -2/+0|-3/+0/+0/+9 - - A 1-1 deal/0", "*"),
        ("peas{scope=match} +1 - - A 1-1 deal/23?", "*"),
        ("peas{scope=match} +1 B1 Y5 A 1-1 deal/23", "*"),
        ("peas{scope=match} +1 B1 - A 1-1 deal/1", "*"),
        ("peas{scope=match} +1 B1 Y2 A 1-0 deal/20", "*"),
    ],
)
def test_texts_of_a_match_are_read_and_written_back(text: str, to_move: str | None) -> None:
    position = read(text)
    assert position.to_move == to_move
    assert ReferencePosition.from_text("  " + text.replace(" ", " \t ") + "\n") == position


@pytest.mark.parametrize(
    "text",
    [
        "peas{scope=match} +1/-2/+3 B2B6Y1 ??? A",  # the rounds won are missing
        "peas +1/-2/+3 B2B6Y1 ??? A 0-0",  # the rounds won in a single round
        "peas{scope=round} +1/-2/+3 B2B6Y1 ??? A",
        "peas{scope=match,ranks=5} +1/-2/+3 B2B5Y1 ??? A 0-0",  # options out of order
        "peas{scope=match,scope=match} +1/-2/+3 B2B6Y1 ??? A 0-0",
        "peas{scope=match} +1/-2/+3 B2B6Y1 ??? A 0-2",  # begun though B has won
        "peas{scope=match} +1/-2/+3 B2B6Y1 ??? A 00-0",
        "peas{scope=match} +1/-2/+3 B2B6Y1 ??? A 0",
        "peas{scope=match} +1[A=B2]/-2/+3 B2B6 ??? A 0-0",  # the round by itself is impossible
        "peas{scope=match} +1[A=B2,B=B3] - - A 1-0",  # the winner's round is not counted
        "peas{scope=match} +1[A=B2,B=B3] - - A 0-0",
        "peas{scope=match} +1[A=B2,B=B3] - - A 0-3",
        "peas{scope=match} +1[A=B2,B=B3] - - A 2-1",
        "peas{scope=match} +1[A=B2,B=B3] - - A 2-2",
        "peas{scope=match} +1 - - A 0-0 deal/0",  # the first round is not dealt here
        "peas{scope=match} +1 - - A 2-0 deal/0",  # the match is over
        "peas{scope=match} +1 - - A 1-0 deal/24",  # the deal is over
        "peas{scope=match} +1 - - A 1-0 deal/0?",  # nothing is hidden
        "peas{scope=match} +1 B1 - A 1-0 deal/1?",
        "peas{scope=match} +1 B1 Y2 A 1-0 deal/20?",  # both hands are full
        "peas{scope=match} +1 B1 - A 1-0 deal/-1",
        "peas{scope=match} +1 B1 - A 1-0 deal/01",
        "peas{scope=match} +1 B1 - A 1-0 deal/?",
        "peas{scope=match} +1 B1 - A 1-0 1",
        "peas{scope=match} +1 B2 - A 1-0 deal/1",  # B2 is the second card
        "peas{scope=match} +1 B1 B1 A 1-0 deal/2",
        "peas{scope=match} +1 B1B2 - A 1-0 deal/2",  # a hand takes one card
        "peas{scope=match} +1 B1? - A 1-0 deal/2",
        "peas{scope=match} +1 - - A 1-0 deal/23",  # 22 cards lie aside
        "peas{scope=match} +1 B1 - A 1-0 deal/24?",
        "peas{scope=match} +1[A=B1] - - A 1-0 deal/1",
        "peas{scope=match} +1|-2 B1 - A 1-0 deal/1",  # pods first
        "peas{scope=match} +1|-2 - - A 1-0 deal/1?",
        "peas{scope=match} +1|-2 - - A 1-0",
        "peas{scope=match} +1|-2 B1 B2 A 1-0",
        "peas{scope=match} +1|+3/-2 - - A 1-0 deal/0",  # not ascending
        "peas{scope=match} +1|-0 - - A 1-0 deal/0",
        "peas{scope=match} +1| - - A 1-0 deal/0",
        "peas{scope=match} |+1 - - A 1-0 deal/0",
        "peas{ranks=1,scope=match} +1|+1/+1 - - A 1-0 deal/0",  # a deck of four for hands of three
        "peas +1 - - A deal/0",
        "peas +1|-2 - - A",
        "",
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    assert not accepted(text)


def test_values_that_no_text_can_say_are_refused() -> None:
    with pytest.raises(ValueError, match="one digit"):
        ReferencePosition([1], (["B1"], ["B2"]), wins=(0, 10))
    with pytest.raises(ValueError, match="while a round is dealt"):
        ReferencePosition([1], ([], []), wins=(0, 1), undrawn=[2])
    with pytest.raises(ValueError, match="while a round is dealt"):
        ReferencePosition([1], ([], []), wins=(0, 1), dealt_unseen=True)
    with pytest.raises(ValueError, match="later rounds of a match"):
        ReferencePosition([1], ([], []), dealt=0)
    with pytest.raises(ValueError, match="table is clear"):
        ReferencePosition([1], ([], []), (1, 0), wins=(0, 1), dealt=1)
    with pytest.raises(ValueError, match="1 to 12 pods"):
        ReferencePosition([1], ([], []), wins=(0, 1), undrawn=[1] * 12, dealt=0)


def test_a_match_and_its_single_round_are_different_positions() -> None:
    single, match = deal(7), deal_match(7)
    assert single.wins is None
    assert match.wins == (0, 0)
    assert single != match
    assert (single.pods, single.hands, single.pea) == (match.pods, match.hands, match.pea)
    assert match.text() == "peas{scope=match}" + single.text().removeprefix("peas") + " 0-0"


# ---------------------------------------------------------------- hand-made: rounds


def test_a_round_is_counted_for_its_winner_at_its_last_card() -> None:
    """PEAS-09 to PEAS-12: parents go from winner to winner; PEAS-04, PEAS-06: ducking, then answering without blue."""
    start = read("peas{scope=match} +1/+2/-3 B2V6Y1 B1R6Y5 A 0-0")
    positions = replay(start.text() + " : B2@0 B1@2 V6@2 R6@0 Y1@1 Y5@1")
    assert [position.wins for position in positions] == [(0, 0)] * 6 + [(1, 0)]
    end = positions[-1]
    assert end.pod_winners() == ["A", "B", "B"]
    assert end.round_points() == (1, -1)
    assert end.round_winner() == "A"
    assert end.to_move == "*"
    assert end.legal_moves() == set()
    for judge in (end.scores, end.win_shares):
        with pytest.raises(ValueError, match="match is not over"):
            judge()


def test_the_duty_to_answer_in_colour_is_that_of_a_round() -> None:
    """Empty pods take anything; an answer keeps to the colour if it can and is free if it cannot."""
    empty = read("peas{scope=match} +1/-2/+3 B2R6Y1 B1V3Y5 A 1-1")
    assert empty.legal_moves() == {f"{card}@{pod}" for card in ("B2", "R6", "Y1") for pod in range(3)}
    red = empty.play("R6@1")
    assert red.legal_moves() == {f"{card}@{pod}" for card in ("B1", "V3", "Y5") for pod in range(3)}
    blue = empty.play("B2@1")
    assert blue.legal_moves() == {"B1@1"} | {f"{card}@{pod}" for card in ("B1", "V3", "Y5") for pod in (0, 2)}
    assert red.wins == blue.wins == (1, 1)


@pytest.mark.parametrize("pea", SEATS)
def test_taking_every_pod_wins_against_the_pea(pea: str) -> None:
    """PEAS-13: the sum of all pods is 0, so without that rule the pea would decide."""
    other = other_seat(pea)
    cards = {other: ["B6", "R6"], pea: ["B1", "R1"]}
    start = ReferencePosition([2, -2], (cards["A"], cards["B"]), pea=pea, wins=(0, 0))
    end = start
    for move in ("B1@0", "B6@0", "R1@1", "R6@1"):
        end = end.play(move)
    assert end.pod_winners() == [other, other]
    assert end.round_points() == (0, 0)
    assert end.wins == ((1, 0) if other == "A" else (0, 1))


@pytest.mark.parametrize("pea", SEATS)
def test_equal_points_go_to_the_pea_of_this_round(pea: str) -> None:
    """PEAS-15 and PEAS-16: the pea is passed on only afterwards, also when its holder has won."""
    other = other_seat(pea)
    cards = {pea: ["B1", "R6"], other: ["B6", "R1"]}
    start = ReferencePosition([0, 0], (cards["A"], cards["B"]), pea=pea, wins=(0, 0))
    end = start
    for move in ("B1@0", "B6@0", "R6@1", "R1@1"):
        end = end.play(move)
    assert end.pod_winners() == [other, pea]
    assert end.round_winner() == pea
    assert end.pea == pea
    assert end.play("*+0").pea == other


def test_two_rounds_won_end_the_match() -> None:
    """PEAS-18: two in a row, or the third of three; all cards of a round are played (PEAS-20)."""
    for wins, after, to_move in (
        ("0-0", (1, 0), "*"),
        ("0-1", (1, 1), "*"),
        ("1-0", (2, 0), None),
        ("1-1", (2, 1), None),
    ):
        before = read("peas{colours=2,ranks=2,scope=match} +1[A=B2] - R1 A " + wins)
        end = before.play("R1@0")
        assert end.wins == after
        assert end.to_move == to_move
        assert end.reachable()
        if to_move is None:
            assert end.scores() == after
            assert end.win_shares() == (1.0, 0.0)
            assert end.chance_outcomes() == {}
            assert end.legal_moves() == set()
            with pytest.raises(ValueError, match="match is over"):
                end.play("*+1")
    lost = read("peas{colours=2,ranks=2,scope=match} +1[A=B1] - B2 A 1-1").play("B2@0")
    assert lost.scores() == (1, 2)
    assert lost.win_shares() == (0.0, 1.0)


def test_a_single_round_has_no_chance_events_and_scores_its_points() -> None:
    end = replay("peas +1/+2/-3 B2V6Y1 B1R6Y5 A : B2@0 B1@2 V6@2 R6@0 Y1@1 Y5@1")[-1]
    assert end.to_move is None
    assert end.chance_outcomes() == {}
    assert end.scores() == end.round_points() == (1, -1)
    assert end.win_shares() == (1.0, 0.0)
    with pytest.raises(ValueError, match="round is over"):
        end.play("*+1")
    with pytest.raises(ValueError, match="fully known"):
        ReferencePosition.from_text("peas +1 ? B2 A").legal_moves()


# ---------------------------------------------------------------- hand-made: deals


def test_the_pods_are_drawn_from_the_bottom_out_of_those_of_the_match() -> None:
    """PEAS-16 and PEAS-17."""
    over = read(FIRST_ROUND_OVER)
    assert over.chance_outcomes() == pytest.approx({"*+1": 1 / 3, "*-2": 1 / 3, "*+3": 1 / 3})
    drawn = over.play("*+3")
    assert drawn.text() == ONE_POD_DRAWN
    assert drawn.chance_outcomes() == {"*-2": 0.5, "*+1": 0.5}
    assert drawn.play("*-2").text() == "peas{scope=match} +3/-2|+1 - - B 0-1 deal/0"
    assert drawn.play("*-2").play("*+1").text() == "peas{scope=match} +3/-2/+1 - - B 0-1 deal/0"


def test_equal_pods_are_drawn_together() -> None:
    pods = "+1[A=B1,B=R1]/+1[B=R2,A=B2]/+0[A=B3,B=R3]/+1[B=R4,A=B4]"
    over = ReferencePosition.from_text(f"peas{{scope=match}} {pods} - - A 1-0")
    assert over.chance_outcomes() == {"*+1": 0.75, "*+0": 0.25}
    after = over.play("*+1")
    assert after.text() == "peas{scope=match} +1|+0/+1/+1 - - B 1-0 deal/0"
    assert after.chance_outcomes() == pytest.approx({"*+1": 2 / 3, "*+0": 1 / 3})
    assert not plays_on(after, "*-1")
    assert not plays_on(after, "*-0")


def test_the_cards_are_dealt_in_deck_order() -> None:
    """PEAS-17: five cards, two pods; the probability of a place is what it still takes by what is still to be dealt."""
    start = read("peas{colours=1,ranks=5,scope=match} +1/+1 - - A 1-0 deal/0")
    assert start.chance_outcomes() == pytest.approx({"*B1>A": 0.4, "*B1>B": 0.4, "*B1>-": 0.2})
    aside = start.play("*B1>-")
    assert aside.text() == "peas{colours=1,ranks=5,scope=match} +1/+1 - - A 1-0 deal/1"
    assert aside.chance_outcomes() == {"*B2>A": 0.5, "*B2>B": 0.5}
    full = aside.play("*B2>B").play("*B3>B")
    assert full.text() == "peas{colours=1,ranks=5,scope=match} +1/+1 - B2B3 A 1-0 deal/3"
    assert full.chance_outcomes() == {"*B4>A": 1.0}
    begun = full.play("*B4>A").play("*B5>A")
    assert begun.text() == "peas{colours=1,ranks=5,scope=match} +1/+1 B4B5 B2B3 A 1-0"
    assert begun.to_move == "A"
    for step in ("*B2>A", "*B1>C", "*+1", "B1@0", "*B1", ""):
        assert not plays_on(start, step)


def test_a_card_of_unknown_place_is_like_one_still_to_be_dealt() -> None:
    hidden = read(SIX_CARDS_DEALT)
    assert hidden.chance_outcomes() == pytest.approx({"*R1>A": 1 / 22, "*R1>B": 3 / 22, "*R1>-": 18 / 22})
    assert hidden.play("*R1>A").text() == "peas{scope=match} +3/-2/+1 B1B4R1 - B 0-1 deal/7?"
    assert hidden.play("*R1>B").text() == "peas{scope=match} +3/-2/+1 B1B4 R1 B 0-1 deal/7?"
    assert hidden.play("*R1>-") == hidden.play("*?")
    assert hidden.play("*?").text() == "peas{scope=match} +3/-2/+1 B1B4 - B 0-1 deal/7?"


def test_hands_are_filled_up_with_hidden_cards_after_the_last_card() -> None:
    last = read("peas{colours=2,ranks=2,scope=match} +1 B1 - B 0-1 deal/3?")
    assert last.chance_outcomes() == {"*R2>B": 1 / 3, "*R2>-": 2 / 3}
    assert last.play("*?").text() == "peas{colours=2,ranks=2,scope=match} +1 B1 ? B 0-1"
    assert last.play("*R2>-").text() == "peas{colours=2,ranks=2,scope=match} +1 B1 ? B 0-1"
    assert last.play("*R2>B").text() == "peas{colours=2,ranks=2,scope=match} +1 B1 R2 B 0-1"
    nothing = read("peas{colours=2,ranks=2,scope=match} +1 - - B 0-1 deal/3?")
    assert nothing.play("*?").text() == "peas{colours=2,ranks=2,scope=match} +1 ? ? B 0-1"


def test_a_seat_sees_the_pods_and_its_own_cards() -> None:
    """PEAS-02: of a card dealt elsewhere only that it was dealt."""
    whole = read("peas{scope=match} +3/-2/+1 B1B4 B2B6 B 0-1 deal/6")
    assert whole.seen_by("A").text() == SIX_CARDS_DEALT
    assert whole.seen_by("B").text() == "peas{scope=match} +3/-2/+1 - B2B6 B 0-1 deal/6?"
    nobody = "peas{scope=match} +3/-2/+1 - - B 0-1 deal/6?"
    assert whole.seen_by("A").seen_by("B").text() == whole.seen_by("B").seen_by("A").text() == nobody
    assert read(ONE_POD_DRAWN).seen_by("A").text() == ONE_POD_DRAWN
    own = read("peas{scope=match} +3/-2/+1 B1B2 - B 0-1 deal/2")
    assert own.seen_by("A") == own
    assert own.seen_by("B").text() == "peas{scope=match} +3/-2/+1 - - B 0-1 deal/2?"
    aside = read("peas{scope=match} +3/-2/+1 B1 - B 0-1 deal/2")
    assert aside.seen_by("A").text() == "peas{scope=match} +3/-2/+1 B1 - B 0-1 deal/2?"
    assert read(FIRST_ROUND_OVER).seen_by("A").text() == FIRST_ROUND_OVER
    with pytest.raises(ValueError, match="worlds"):
        whole.seen_by("A").worlds()


# ---------------------------------------------------------------- hand-made: records


def test_what_a_seat_sees_of_a_step() -> None:
    for step in ("B2@0", "*+1", "*-2", "*+0", "*?"):
        assert token_seen_by(step, "A") == token_seen_by(step, "B") == step
    assert token_seen_by("*B2>A", "A") == "*B2>A"
    assert token_seen_by("*B2>A", "B") == token_seen_by("*B2>B", "A") == token_seen_by("*B2>-", "A") == "*?"
    with pytest.raises(ValueError, match="no such seat"):
        token_seen_by("B2@0", "C")


def test_a_record_of_a_match_is_played_on_whole_and_as_each_seat_sees_it() -> None:
    assert record_seen_by(WHOLE_RECORD, "A") == RECORD_OF_A
    assert record_seen_by(WHOLE_RECORD, "B") == RECORD_OF_B
    whole, of_a, of_b = replay(WHOLE_RECORD), replay(RECORD_OF_A), replay(RECORD_OF_B)
    assert [position.seen_by("A") for position in whole] == of_a
    assert [position.seen_by("B") for position in whole] == of_b
    assert [position.wins for position in whole[-2:]] == [(1, 1), (1, 2)]
    assert whole[-1].win_shares() == (0.0, 1.0)
    assert of_a[7].text() == "peas{colours=2,ranks=2,scope=match} +1[B=B1] R1 - B 1-0"
    assert of_a[6].text() == "peas{colours=2,ranks=2,scope=match} +1 R1 ? B 1-0"


def test_the_other_seat_begins_the_next_round() -> None:
    """PEAS-16: R1 went to A, and it is B who begins, so R1 cannot be the first card played."""
    start, steps = split_record(WHOLE_RECORD)
    position = start
    for step in steps[:6]:
        position = position.play(step)
    assert position.to_move == position.pea == "B"
    assert position.legal_moves() == {"B1@0"}
    assert not plays_on(position, "R1@0")


def test_a_record_without_steps_is_its_start() -> None:
    assert [position.text() for position in replay(FIRST_ROUND)] == [FIRST_ROUND]
    assert [position.text() for position in replay(FIRST_ROUND + " : B2@0 Y5@2 Y1@2")][-1] == (
        "peas{scope=match} +1[A=B2]/-2/+3[B=Y5,A=Y1] B6 ?? A 0-0"
    )


# ---------------------------------------------------------------- random matches


def test_random_matches_keep_the_cards_and_end_with_two_wins() -> None:
    lengths: Counter[int] = Counter()
    for seed in range(150):
        positions, steps = random_match(Random(seed))
        size, deck = len(positions[0].pods), full_deck(positions[0].colours, positions[0].ranks)
        rounds = 1
        for before, step, after in zip(positions, steps, positions[1:], strict=False):
            assert read(after.text()) == after
            # Every pod is drawn or undrawn, whatever the round.
            assert sorted((*after.pods, *after.undrawn)) == sorted(positions[0].pods)
            in_view = [card for plays in after.plays for _, card in plays] + [*after.hands[0], *after.hands[1]]
            assert len(in_view) == len(set(in_view))
            if after.dealt is None:
                assert len(in_view) == 2 * size
                assert set(in_view) <= set(deck)
            else:
                assert set(in_view) <= set(deck[: after.dealt])
            if before.round_over:
                rounds += 1
                assert after.pea == other_seat(before.pea)
                assert after.wins == before.wins
            else:
                assert after.pea == before.pea
            if step.startswith("*"):
                assert after.wins == before.wins
        # A round is all its plays, a deal is all pods and all cards.
        assert len(steps) == rounds * 2 * size + (rounds - 1) * (size + len(deck))
        end = positions[-1]
        assert sorted(end.scores()) in ([0, 2], [1, 2])
        assert sum(end.scores()) == rounds
        assert end.win_shares()[SEATS.index(end.round_winner())] == 1.0
        lengths[rounds] += 1
    assert lengths.keys() == {2, 3}
    assert min(lengths.values()) > 30


def test_views_are_played_on_by_what_is_seen() -> None:
    """Views commute with steps, for each seat and for a spectator; a view of a view is the same."""
    hidden_ends = 0
    for seed in range(80):
        positions, steps = random_match(Random(1000 + seed))
        record = " ".join([positions[0].text(), ":", *steps])
        for seat in SEATS:
            views = replay(record_seen_by(record, seat))
            assert views == [position.seen_by(seat) for position in positions]
            assert [view.seen_by(seat) for view in views] == views
            other = [view.seen_by(other_seat(seat)) for view in views]
            hidden_ends += any(view.dealt_unseen for view in views)
            tokens = [token_seen_by(token_seen_by(step, seat), other_seat(seat)) for step in steps]
            assert replay(" ".join([other[0].text(), ":", *tokens])) == other
            assert all(view.reachable() for view in views[:: max(1, len(views) // 10)])
    assert hidden_ends > 100


def test_exactly_the_steps_that_the_rules_allow_are_accepted() -> None:
    for seed in range(12):
        positions, _ = random_match(Random(2000 + seed), max_pods=3)
        for position in positions:
            expected = position.legal_moves() | position.chance_outcomes().keys()
            if position.dealt is not None and not position.undrawn:
                expected.add("*?")
            assert {step for step in every_step(position) if plays_on(position, step)} == expected


def test_a_hand_partly_hidden_may_make_the_moves_of_all_its_worlds() -> None:
    hidden = 0
    for seed in range(300):
        rng = Random(3000 + seed)
        positions, _ = random_match(rng, max_pods=3)
        if positions[0].colours * positions[0].ranks > 8:
            continue
        whole = rng.choice([position for position in positions if position.to_move in SEATS])
        view = whole.seen_by(rng.choice(SEATS))
        if rng.random() < 0.5:
            view = view.seen_by(rng.choice(SEATS))
        worlds = [ReferencePosition.from_text(world) for world in view.worlds()]
        assert whole in worlds
        assert len(worlds) == len(set(worlds))
        assert all(world.wins == whole.wins and world.reachable() for world in worlds)
        union = {move for world in worlds for move in world.legal_moves()}
        assert view.legal_moves() == union
        assert {step for step in every_step(view) if plays_on(view, step)} == union
        hidden += view.unknown[SEATS.index(str(view.to_move))] > 0
    assert hidden > 60


# ---------------------------------------------------------------- counting


@pytest.mark.parametrize(
    ("colours", "ranks", "pods"), [(1, 2, 1), (2, 2, 1), (2, 2, 2), (1, 5, 2), (2, 3, 2), (3, 2, 3), (2, 4, 3)]
)
def test_worlds_after_a_deal_are_as_many_as_binomials_say(colours: int, ranks: int, pods: int) -> None:
    deck = colours * ranks
    whole = ReferencePosition([1] * pods, ([], []), colours=colours, ranks=ranks, wins=(1, 1), dealt=0)
    rng = Random(deck * pods)
    while whole.to_move == "*":
        whole = whole.play(some_step(rng, whole))
    assert len(whole.seen_by("A").worlds()) == comb(deck - pods, pods)
    assert len(whole.seen_by("A").seen_by("B").worlds()) == comb(deck, pods) * comb(deck - pods, pods)
    assert whole.worlds() == [whole.text()]


@pytest.mark.parametrize(("colours", "ranks", "pods"), [(1, 2, 1), (2, 2, 1), (2, 2, 2), (1, 5, 2), (2, 3, 2)])
def test_every_deal_is_equally_likely(colours: int, ranks: int, pods: int) -> None:
    reached: dict[ReferencePosition, float] = {
        ReferencePosition([1] * pods, ([], []), colours=colours, ranks=ranks, wins=(1, 1), dealt=0): 1.0
    }
    for _ in range(colours * ranks):
        after: dict[ReferencePosition, float] = {}
        for position, share in reached.items():
            assert sum(position.chance_outcomes().values()) == pytest.approx(1.0)
            for event, chance in position.chance_outcomes().items():
                next_position = position.play(event)
                after[next_position] = after.get(next_position, 0.0) + share * chance
        reached = after
    deck = colours * ranks
    deals = comb(deck, pods) * comb(deck - pods, pods)
    assert len(reached) == deals
    assert all(share == pytest.approx(1 / deals) for share in reached.values())


def test_every_order_of_the_standard_pods_is_equally_likely() -> None:
    """PEAS-17: one order out of 10! by 4! and 3!; checked along random draws."""
    deck = full_deck(4, 6)
    table = [[("A", first), ("B", second)] for first, second in zip(deck[:20:2], deck[1:20:2], strict=True)]
    for seed in range(20):
        rng = Random(seed)
        position = ReferencePosition(STANDARD_PODS, ([], []), plays=table, wins=(1, 0))
        chances: list[Fraction] = []
        while not chances or position.undrawn:
            event = some_step(rng, position)
            chances.append(Fraction(position.chance_outcomes()[event]).limit_denominator(100))
            position = position.play(event)
        assert prod(chances) == Fraction(factorial(4) * factorial(3), factorial(10))


def fitting_deals(position: ReferencePosition) -> list[tuple[set[str], set[str]]]:
    """Return every deal of both hands that fits what a deal shows, each once."""
    deck = full_deck(position.colours, position.ranks)
    dealt = set(deck[: position.dealt])
    size = len(position.pods)
    found = []
    for hand_a in combinations(deck, size):
        for hand_b in combinations([card for card in deck if card not in hand_a], size):
            shown = (set(position.hands[0]), set(position.hands[1]))
            if not (shown[0] <= set(hand_a) and shown[1] <= set(hand_b)):
                continue
            # With nothing hidden, a dealt card is in a hand exactly when the hand shows it.
            if not position.dealt_unseen and (set(hand_a) | set(hand_b)) & dealt != shown[0] | shown[1]:
                continue
            found.append((set(hand_a), set(hand_b)))
    return found


@pytest.mark.parametrize(("colours", "ranks", "pods"), [(2, 2, 1), (2, 2, 2), (1, 5, 2), (2, 3, 2)])
def test_probabilities_in_a_deal_are_shares_of_the_deals_that_fit(colours: int, ranks: int, pods: int) -> None:
    """Through all positions that events lead to, cards dealt unseen among them."""
    deck = full_deck(colours, ranks)
    layer = {ReferencePosition([1] * pods, ([], []), colours=colours, ranks=ranks, wins=(1, 1), dealt=0)}
    for card in deck:
        following: set[ReferencePosition] = set()
        for position in layer:
            assert position.reachable()
            fitting = fitting_deals(position)
            counts = Counter("A" if card in hand_a else "B" if card in hand_b else "-" for hand_a, hand_b in fitting)
            expected = {f"*{card}>{place}": count / len(fitting) for place, count in counts.items()}
            assert position.chance_outcomes() == pytest.approx(expected), position
            following.update(position.play(event) for event in [*position.chance_outcomes(), "*?"])
        layer = following
    assert all(position.dealt is None and position.reachable() for position in layer)
