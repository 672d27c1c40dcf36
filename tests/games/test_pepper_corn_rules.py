"""Pepper. Corn! as Python sees it: texts, turns, errors, deals, and what the seats know at the split."""

from __future__ import annotations

import re

import pytest
from mangetout_solver.errors import IllegalMoveError, InputError, NotationError, PositionError
from mangetout_solver.games.pepper_corn import HIDDEN, PepperCorn, view
from mangetout_solver.games.registry import parse_record

GAME = PepperCorn()
TAKING = "pepper_corn 9MS,XY/2WL,6LK AS4MS7WY8MS 5YK 3-0 play/A"
SMALL_SPLIT = "pepper_corn 9MS,XY,2WL,6LK AS4MS8MS 5YK9WYXM 0-0 split/A/0"


def descriptions(text: str) -> list[str]:
    record = parse_record(text)
    return [GAME.describe_move(p, m) for p, m in zip(record.positions, record.moves, strict=False)]


def test_a_capture_is_told_step_by_step_and_whole() -> None:
    assert descriptions(f"{TAKING} : x9MS+AS+8MS.") == [
        "take 9 Pact",
        "with Ace of Suns",
        "with 8 Diplomat",
        "take 9 Pact with 8 Diplomat + Ace of Suns",
    ]
    turns = {" ".join(turn.words()): GAME.describe_turn(turn) for turn in GAME.turns(parse_record(TAKING).current, 50)}
    assert turns == {
        "x9MS+AS+8MS.": "take 9 Pact with 8 Diplomat + Ace of Suns",
        "x9MS+4MS+8MS.": "take 9 Pact with 8 Diplomat + 4 Mountain",
        "pass": "pass",
    }


def test_the_turns_of_a_split_are_its_divisions() -> None:
    turns = GAME.turns(parse_record(SMALL_SPLIT).current, 50)
    assert turns is not None
    assert {GAME.describe_turn(turn) for turn in turns} == {
        "offer Ace of Suns | 4 Mountain + 8 Diplomat",
        "offer Ace of Suns + 4 Mountain | 8 Diplomat",
        "offer Ace of Suns + 8 Diplomat | 4 Mountain",
    }
    for seed in range(3):
        dealt = GAME.turns(GAME.deal(seed, {}), 100)
        assert dealt is not None
        assert len(dealt) == 31
    assert GAME.turns(GAME.deal(1, {}), 30) is None


def test_turns_are_listed_only_where_they_take_several_steps() -> None:
    record = parse_record(f"{SMALL_SPLIT} : 4MS>1 8MS>0 9WY>1 XM>0 *AS>0 *4MS>1 *8MS>0 *5YK>0 *9WY>1 *XM>0")
    assert record.current.seat_to_move == 0
    assert GAME.turns(record.current, 50) == []
    chance = parse_record(f"{SMALL_SPLIT} : 4MS>1 8MS>0 9WY>1 XM>0").current
    assert chance.is_chance
    assert GAME.turns(chance, 50) == []


def test_words_of_a_record_hold_a_turn_or_a_part_of_one() -> None:
    whole = parse_record(f"{TAKING} : x9MS+AS+8MS. pass pass")
    by_steps = parse_record(f"{TAKING} : x9MS +AS +8MS . pass pass")
    assert whole == by_steps
    assert by_steps.format() == f"{TAKING} : x9MS+AS+8MS. pass pass"
    assert parse_record(f"{TAKING} : x9MS+AS").format().endswith(" : x9MS+AS")
    assert whole.words() == ["x9MS+AS+8MS.", "pass", "pass"]
    # Discards: 3 + 1 + 8; in hand 4 + 7 + 9.
    assert whole.current.scores() == (32, 5)


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ("xXY", "A's cards that fit XY reach 8, less than its rank 10"),
        ("x6LK", "A has no access to 6LK"),
        ("x9MS+5YK", "A does not hold 5YK"),
        ("x9MS+7WY", "7WY shares no suit with 9MS"),
        ("x9MS+8MS", "with 8MS next, the rank of 9MS is out of reach"),
        ("x9MS+AS.", "the cards laid down reach 1, less than the rank of 9MS"),
        ("x9MS+4MS+AS", "cards are laid down in ascending order"),
        ("x9MS pass", "expected cards to take 9MS with of A"),
        ("take0", "expected a capture or a pass of A"),
        ("*A", "expected a capture or a pass of A"),
        ("x@9", None),
        ("x@0+AS+8MS. x@0", "no card lies on cell 0"),
        ("?", None),
        ("x3MW", None),
        ("xQQ", None),
        ("x9MS++AS", None),
        ("x9MS+AS+8MS.pass", None),
        ("x9MS+AS+8MS.x2WL", None),
        ("passpass", None),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(moves: str, reason: str | None) -> None:
    with pytest.raises(NotationError if reason is None else IllegalMoveError) as caught:
        parse_record(f"{TAKING} : {moves}")
    if reason is not None:
        assert caught.value.reason.endswith(f"is illegal: {reason}")


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("8MS>0", NotationError),  # 4MS is due
        ("4MS>0 8MS>0", IllegalMoveError),  # leaves pile 1 empty
        ("4MS>1 8MS>1 take0", IllegalMoveError),
        ("4MS>1 8MS>1 9WY>0 XM>1 *4MS>1", IllegalMoveError),  # the Ace is shown first
        ("4MS>1 8MS>1 9WY>0 XM>1 pass", IllegalMoveError),
        ("?", IllegalMoveError),  # what the notation shows must be named
    ],
)
def test_a_split_goes_by_its_order(moves: str, expected: type[InputError]) -> None:
    with pytest.raises(expected):
        parse_record(f"{SMALL_SPLIT} : {moves}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("9MS,XY/2WL 4MS 5YK 0-0 play/A", "tableau: found rows of different lengths"),
        ("/".join(["9MS"] + ["-"] * 8) + " 4MS 5YK 0-0 play/A", "tableau: found 9 rows of 1"),
        (",".join(["9MS"] + ["-"] * 12) + " 4MS 5YK 0-0 play/A", "tableau: found 1 rows of 13"),
        ("9MS,9MS 4MS 5YK 0-0 play/A", "tableau[0][1]: 9MS stands twice"),
        ("9MS 4MS 4MS 0-0 play/A", "hands.B: 4MS stands twice"),
        ("9MS 4MS ? 0-0 play/A", "hands: found cards that are not known, expected open hands"),
        ("9MS 4MS 5YK 190-0 play/A", "points: found 190-0, which the cards not in view cannot make up"),
        ("9MS 4MS8MS 5YKXM 1-0 split/A/0", "points: found 1-0, expected 0-0 before play"),
        ("9MS 4MS 5YKXM 0-0 split/A/0", "hands.A: found 1 cards to divide, expected 2 or more"),
        ("9MS 4MS8MS 5YKXM 0-0 split/A/1", "stage: found 1 decisions, expected 0 to 0"),
        ("9MS 4MS8MS 5YKXM 0-0 split/A/999", "stage: found 999 decisions, expected 0 to 0"),
        ("9MS 4MS8MS 5YKXM 0-0 show/4", "stage: found 4 cards shown, expected 0 to 3"),
        ("9MS 4MS? 5YKXM 0-0 split/A/0", "hands.A: found 1 known cards, expected all or the 0 shown"),
        ("9MS 4MS|8MS 5YKXM 0-0 split/A/0", "hands.A: the piles are not those of the lowest cards"),
        ("9MS 8MS|4MS 5YK|XM 0-0 show/0", "hands.A: the piles are not those of the lowest cards"),
        ("9MS 4MS8MS|- 5YK|XM 0-0 show/0", "hands.A: found an empty pile, expected a card in each"),
        ("9MS 4MS8MS 5YK|XM 0-0 choose/A", "hands.A: found no piles, expected those of the 2 cards shown"),
        ("9MS XY?? ?? 0-0 show/1", "hands: no cards that are left can be those not known"),
        ("9MS 4MS8MS 5YKXM 0-0 lot", "stage: found a lot, expected hands with equal points"),
        ("- 4MS8MS 5YKXM 0-0 play/A", "stage: found play on an empty tableau, expected the end"),
        ("9MS 4MS8MS 5YKXM 0-0 play/A/x9MS+8MS", "stage: 8MS cannot be laid down there"),
        ("9MS 4MS 5YKXM 0-0 play/A/x9MS", "stage: 9MS cannot be taken here"),
        ("9MS 4MS8MS 5YKXM 0-0 play/A/xXS", "stage: XS cannot be taken here"),
    ],
)
def test_impossible_positions_are_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(PositionError) as caught:
        GAME.parse_position(f"pepper_corn {text}")
    assert caught.value.reason.startswith(reason)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("pepper_corn", 12),
        ("pepper_corn 9MS 4MS 5YK 0-0", 28),
        ("pepper_corn 9MS 4MS 5YK 0-0 play/C", 34),
        ("pepper_corn 9MS, 4MS 5YK 0-0 play/A", 17),
        ("pepper_corn 9MW 4MS 5YK 0-0 play/A", 13),
        ("pepper_corn 9MS 4MS 5YK 0- play/A", 27),
        ("pepper_corn 9MS 4MS| 5YK 0-0 play/A", 21),
        ("pepper_corn 9MS 4MS 5YK 0-0 play/A x", 36),
        ("pepper_corn{rows=3} 9MS 4MS 5YK 0-0 play/A", 13),
        ("pepper_corn 9MS 4MS 5YK 0-0 choose/B", 37),
        ("pepper_corn 9MS 4MS 5YK 0-0 choose/B/2", 38),
    ],
)
def test_slips_are_refused_with_the_column(text: str, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        GAME.parse_position(text)
    assert f"column {column}:" in str(caught.value)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"rows": "8", "columns": "12"}, "options.columns"),
        ({"rows": "9"}, "options.rows"),
        ({"hand_a": "1"}, "options.hand_a"),
        ({"hand_b": "1"}, "options.hand_b"),
        ({"hand_a": "7"}, "options.hand_a"),
        ({"hand_b": "7"}, "options.hand_b"),
        ({"rows": "1", "columns": "1", "hand_a": "18", "hand_b": "18"}, "options.hand_b"),
        ({"access": "closed"}, "options.access"),
        ({"empty_piles": "yes"}, "options.empty_piles"),
        ({"piles": "2"}, "options.piles"),
    ],
)
def test_options_that_do_not_go_together_are_refused_by_name(options: dict[str, str], field: str) -> None:
    with pytest.raises(InputError) as caught:
        GAME.deal(1, options)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("options", "cells", "hands"),
    [
        ({}, 24, (6, 6)),
        ({"rows": "5", "columns": "5"}, 25, (5, 5)),
        ({"rows": "4", "columns": "5"}, 20, (8, 8)),
        ({"rows": "2", "columns": "12"}, 24, (6, 6)),
        ({"rows": "5", "columns": "5", "hand_a": "6"}, 25, (6, 5)),
        ({"rows": "2", "columns": "3", "hand_a": "3", "hand_b": "2"}, 6, (3, 2)),
    ],
)
def test_deals_have_the_sizes_asked_for(options: dict[str, str], cells: int, hands: tuple[int, int]) -> None:
    for seed in range(5):
        dealt = view(GAME.deal(seed, options))
        assert sum(len(row) for row in dealt.tableau) == cells
        assert tuple(len(hand.cards) for hand in dealt.hands) == hands
        everything = [card for row in dealt.tableau for card in row] + [c for hand in dealt.hands for c in hand.cards]
        assert len(set(everything)) == len(everything)
        assert GAME.deal(seed, options) == GAME.deal(seed, options)
    assert GAME.deal(1, options) != GAME.deal(2, options)


def test_worlds_at_the_split() -> None:
    """PC-02, PC-25: the other's cards follow by elimination where all are dealt; its division never does."""
    start = GAME.deal(1, {})
    assert start.redacted(0).count_worlds() == 1
    assert view(start.redacted(0)).hands[1].unknown == 6
    # To the one who was dealt the others; not to somebody who sees neither hand.
    assert view(start.redacted(0)).hands[1].deduced == view(start).hands[1].cards
    assert view(start.redacted(0).redacted(1)).hands[1].deduced == ()
    second = start
    while second.seat_to_move == 0:
        second = second.play(second.legal_moves()[-1])
    assert second.redacted(1).count_worlds() == 31
    private = GAME.deal(1, {"rows": "5", "columns": "5"})
    while private.seat_to_move == 0:
        private = private.play(private.legal_moves()[-1])
    assert private.redacted(1).count_worlds() == 6 * 15
    assert view(private.redacted(1)).hands[0].deduced == ()
    known = GAME.deal(1, {"rows": "5", "columns": "5", "dealt_hands_known": "true"})
    assert known.redacted(0).count_worlds() == 1
    assert view(known.redacted(0)).hands[1].unknown == 0


def test_openings_are_as_many_as_counted() -> None:
    """961 pairs of divisions, and four choices each: 3,844 different openings of the 3x8 game, hands of 2 to 10."""
    start = GAME.deal(4, {})
    divided = [start]
    for _ in range(10):
        divided = [position.play(move) for position in divided for move in position.legal_moves()]
    assert len(divided) == 961
    openings = set()
    for position in divided:
        while position.is_chance:
            position = position.play(position.chance_outcomes()[0][0])
        for first in position.legal_moves():
            for second in position.play(first).legal_moves():
                revealed = position.play(first).play(second)
                hands = view(revealed.play(revealed.chance_outcomes()[0][0])).hands
                openings.add(tuple(hand.cards for hand in hands))
                assert 2 <= len(hands[0].cards) <= 10
    assert len(openings) == 3844


def test_choices_stay_hidden_until_both_are_made() -> None:
    record = parse_record(f"{SMALL_SPLIT} : 4MS>1 8MS>0 9WY>1 XM>0 *AS>0 *4MS>1 *8MS>0 *5YK>0 *9WY>1 *XM>0 take1")
    for_b = record.redacted(1)
    assert view(for_b.current).choices == (HIDDEN, None)
    assert re.search(r" : \? \? 9WY>1 XM>0 .* \?$", for_b.format())
    assert parse_record(for_b.format()) == for_b
    for_a = record.redacted(0)
    assert view(for_a.current).choices == (1, None)
    assert re.search(r" : 4MS>1 8MS>0 \? \? .* take1$", for_a.format())


def test_chance_is_drawn_by_seed_up_to_the_next_decision() -> None:
    divided = parse_record(f"{SMALL_SPLIT} : 4MS>1 8MS>0 9WY>1 XM>0")
    shown = divided.draw_chance(1)
    assert shown.words()[4:] == ["*AS>0", "*4MS>1", "*8MS>0", "*5YK>0", "*9WY>1", "*XM>0"]
    assert shown.draw_chance(1) == shown
    level = parse_record("pepper_corn 9MS,XY 2MK|3MW 2SY|3SK 0-0 reveal/00")
    starters = set()
    for seed in range(40):
        record = level.draw_chance(seed)
        assert level.draw_chance(seed) == record
        assert record.words()[0] == "*take00"
        starters.add(record.current.seat_to_move)
    # Two 5s each: a lot decides (PC-06).
    assert starters == {0, 1}


def test_a_record_of_another_seat_is_told_apart_by_what_it_hides() -> None:
    record = parse_record(SMALL_SPLIT)
    assert record.play("4MS>0").redacted(1) == record.play("4MS>1").redacted(1)
    assert record.play("4MS>0").redacted(0) != record.play("4MS>1").redacted(0)


def test_the_turns_in_the_midst_of_a_capture_leave_nothing_out() -> None:
    """Laid down already, the Ace may be one too many: then another card of those that fit may be the best."""
    position = GAME.parse_position("pepper_corn 5ML,AK,6MW AY4MSXL 5SWXK 10-12 play/A/x5ML+AY")
    turns = GAME.turns(position, 50)
    assert turns is not None
    assert [" ".join(turn.words()) for turn in turns] == ["+4MS+XL.", "+4MS.", "+XL."]
    assert GAME.describe_turn(turns[1]) == "take 5 Forest with 4 Mountain + Ace of Wyrms"


def test_chance_is_not_drawn_where_it_would_be_made_up() -> None:
    divided = parse_record(f"{SMALL_SPLIT} : 4MS>1 8MS>0 9WY>1 XM>0")
    with pytest.raises(PositionError) as caught:
        divided.redacted(0).draw_chance(1)
    assert caught.value.field == "notation"
    lot = parse_record("pepper_corn 9MS,XY 2MK3SK 2SY3MW 0-0 lot")
    assert lot.redacted(0).draw_chance(1).words() == lot.draw_chance(1).words()


def test_a_single_dealt_card_is_shown_like_any_other() -> None:
    start = "pepper_corn{empty_piles=true} XW,AS 5YK 4WL 0-0 show/0"
    record = parse_record(start).draw_chance(1)
    assert record.words() == ["*5YK>0", "*4WL>0"]
    for seat in (0, 1):
        seen = record.redacted(seat)
        assert parse_record(seen.format()) == seen
    outcomes = parse_record(start.replace("5YK", "?")).current.chance_outcomes()
    assert len(outcomes) == 33
    assert sum(chance for _, chance in outcomes) == pytest.approx(1.0)
