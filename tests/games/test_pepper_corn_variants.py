"""Pepper. Corn! on other boards, with initial gaps and a hidden row: deals, worlds, turns, refusals (PC-25 to 33)."""

from __future__ import annotations

from collections import Counter
from math import comb

import pytest
from mangetout_solver.analysis import Exact, StopReason
from mangetout_solver.engine import analyze
from mangetout_solver.errors import InputError, PositionError
from mangetout_solver.games.decktet import BASIC_CARDS, CARD_NUMBERS, CARDS
from mangetout_solver.games.game import Record
from mangetout_solver.games.pepper_corn import GameView, PepperCorn, view
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import parse_record
from mangetout_solver.limits import Limits, SearchOptions

from tests.conformance.exact import guaranteed

GAME = PepperCorn()
GAPS = {"rows": "7", "columns": "5", "initial_gaps": "true"}
EXTENDED = {"rows": "8", "columns": "4", "deck": "extended"}
HIDDEN = {"hidden_row": "true"}


def deal(options: dict[str, str], seed: int = 1) -> Position:
    return GAME.deal(seed, options)


def on_board(game: GameView) -> list[str]:
    """All cells but gaps."""
    return [cell for row in game.tableau for cell in row if cell is not None]


def after_division(position: Position) -> Position:
    """The same with the division of the seat to move, any of them, made."""
    seat = position.seat_to_move
    while position.seat_to_move == seat:
        position = position.play(position.legal_moves()[-1])
    return position


def divisions(position: Position) -> int:
    found = GAME.turns(position, 1000)
    assert found is not None
    return len(found)


def hidden(tableau: str, listed: str, hands: str, stage: str, points_b: int = 0) -> Position:
    """A position with face-down cards; A has discarded all that is neither in view nor listed, but for points_b."""
    seen = view(GAME.parse_position(f"pepper_corn {tableau.replace('?', '-')} {hands} 0-0 end"))
    in_view = [*on_board(seen), *seen.hands[0].cards, *seen.hands[1].cards]
    in_view += [listed[at : at + 3] for at in range(0, len(listed), 3)]
    left = 198 - sum(CARDS[CARD_NUMBERS[card]].points for card in in_view)
    return GAME.parse_position(f"pepper_corn {tableau}|{listed} {hands} {left - points_b}-{points_b} {stage}")


def play(position: Position, words: str) -> Position:
    record = Record(GAME, (position,), ())
    for word in words.split():
        record = record.play(word)
    return record.current


def outcomes(position: Position) -> dict[str, float]:
    return {GAME.format_move(position, move): chance for move, chance in position.chance_outcomes()}


def targets(position: Position) -> set[str]:
    return {GAME.format_move(position, move) for move in position.legal_moves()}


# What is dealt, by the table of variants: sizes of the hands, cards out of play, divisions of A and of B, worlds of the
# first and of the second divider.
TABLE = {
    "base": ({}, {(6, 6)}, 0, 31, 31, 1, 31),
    "5x5": ({"rows": "5", "columns": "5"}, {(5, 5)}, 1, 15, 15, comb(6, 5), 90),
    "5x5, 6 and 5": ({"rows": "5", "columns": "5", "odd_card": "A"}, {(6, 5)}, 0, 31, 15, 1, 31),
    "5x5, 5 and 6": ({"rows": "5", "columns": "5", "odd_card": "B"}, {(5, 6)}, 0, 15, 31, 1, 15),
    "4x5": ({"rows": "4", "columns": "5"}, {(8, 8)}, 0, 127, 127, 1, 127),
    "2x12": ({"rows": "2", "columns": "12"}, {(6, 6)}, 0, 31, 31, 1, 31),
    "restricted": ({"access": "restricted"}, {(6, 6)}, 0, 31, 31, 1, 31),
    "hidden row": (HIDDEN, {(6, 6)}, 0, 31, 31, 3003, 93_093),
    "hidden row, hands open": (HIDDEN | {"dealt_hands_known": "true"}, {(6, 6)}, 0, 31, 31, 1, 31),
    "7x5": (GAPS, {(5, 5)}, 0, 15, 15, 1, 15),
    "5x7": (GAPS | {"rows": "5", "columns": "7"}, {(5, 5)}, 0, 15, 15, 1, 15),
    "8x4": (EXTENDED | {"odd_card": "A"}, {(7, 6)}, 0, 63, 31, 1, 63),
    "8x4, 6 and 7": (EXTENDED | {"odd_card": "B"}, {(6, 7)}, 0, 31, 63, 1, 31),
    "4x8": (EXTENDED | {"rows": "4", "columns": "8", "odd_card": "A"}, {(7, 6)}, 0, 63, 31, 1, 63),
    "given sizes": ({"hand_a": "4", "hand_b": "5"}, {(4, 5)}, 3, 7, 15, comb(8, 5), 7 * comb(7, 4)),
}


@pytest.mark.parametrize("name", TABLE)
def test_what_is_dealt_and_what_is_known_of_it(name: str) -> None:
    options, sizes, out, divisions_a, divisions_b, first, second = TABLE[name]
    start = deal(options)
    game = view(start)
    assert len(game.tableau) == int(options.get("rows", 3))
    assert {len(row) for row in game.tableau} == {int(options.get("columns", 8))}
    assert (len(game.hands[0].cards), len(game.hands[1].cards)) in sizes
    deck = 45 if options.get("deck") else 36
    assert deck - len(on_board(game)) - sum(len(hand.cards) for hand in game.hands) == out
    assert divisions(start) == divisions_a
    assert start.redacted(0).count_worlds() == first
    divided = after_division(start)
    assert divided.seat_to_move == 1
    assert divisions(divided) == divisions_b
    assert divided.redacted(1).count_worlds() == second
    # PC-25: the cards follow where nothing else is left.
    other = view(start.redacted(0)).hands[1]
    assert (game.hands[1].cards in (other.cards, other.deduced)) == (first == 1)


def test_seven_and_six_cards_go_to_either_by_lot() -> None:
    """PC-33, and the sixth card of the 5x5 board: by the seed, each about as often."""
    for options, sizes in ((EXTENDED, (7, 6)), ({"rows": "5", "columns": "5", "odd_card": "lot"}, (6, 5))):
        found = Counter(tuple(len(hand.cards) for hand in view(deal(options, seed)).hands) for seed in range(400))
        assert set(found) == {sizes, sizes[::-1]}
        # Six standard deviations.
        assert abs(found[sizes] - 200) < 60
        assert deal(options, 3) == deal(options, 3)


def test_initial_gaps_take_the_place_of_the_further_cards() -> None:
    """PC-30 to 32: nine gaps from the beginning, anywhere; all 36 basic cards on the other cells and in the hands."""
    gaps: Counter[tuple[int, int]] = Counter()
    for seed in range(200):
        start = deal(GAPS, seed)
        game = view(start)
        assert game.phase == "split"
        empty = [(r, c) for r, row in enumerate(game.tableau) for c, cell in enumerate(row) if cell is None]
        assert len(empty) == 9
        gaps.update(empty)
        cards = [*on_board(game), *game.hands[0].cards, *game.hands[1].cards]
        assert sorted(cards) == sorted(card.id for card in BASIC_CARDS)
        # A position of the basic deck like any other.
        assert GAME.format_position(start).startswith("pepper_corn ")
    # 1,800 gaps on 35 cells, 51 on each; a cell is one in 26 % of the deals, standard deviation 6.2.
    assert len(gaps) == 35
    assert all(14 < count < 89 for count in gaps.values())


def test_initial_gaps_are_walked_through_from_the_first_turn() -> None:
    start = GAME.parse_position("pepper_corn 9MS,-,XY/2WL,-,6LK/AK,4YK,XM 7ML8YK 9WYXS 0-0 play/A")
    # 9MS and XY are within reach as well, but too high; AK and XM are not.
    assert targets(start) == {"pass", "x2WL", "x4YK", "x6LK"}
    # The gaps do not come through to B.
    assert targets(play(start, "pass")) == {"pass", "x4YK"}


def test_a_hidden_row_is_the_middle_one() -> None:
    for options in (HIDDEN, HIDDEN | {"rows": "5", "columns": "5"}, HIDDEN | {"rows": "7", "columns": "3"}):
        game = view(deal(options))
        middle = len(game.tableau) // 2
        assert [number for number, row in enumerate(game.tableau) if "?" in row] == [middle]
        assert set(game.tableau[middle]) == {"?"}
    # The same cards as without it, but for the middle row.
    rows, open_rows = view(deal(HIDDEN)).tableau, view(deal({})).tableau
    assert (rows[0], rows[2]) == (open_rows[0], open_rows[2])


def test_after_the_split_the_set_of_the_hidden_cards_is_known() -> None:
    position = deal(HIDDEN)
    dealt = view(position)
    while view(position).phase in ("split", "show", "choose", "reveal"):
        choices = position.legal_moves() or [move for move, _ in position.chance_outcomes()]
        assert view(position).unseen == ()
        position = position.play(choices[0])
    in_view = {*dealt.tableau[0], *dealt.tableau[2], *dealt.hands[0].cards, *dealt.hands[1].cards}
    assert view(position).unseen == tuple(card.id for card in BASIC_CARDS if card.id not in in_view)
    assert len(view(position).unseen) == 8
    assert position.is_open
    assert position.count_worlds() == position.redacted(0).count_worlds() == 1


def test_a_card_within_reach_of_either_player_is_turned_up_before_the_next_turn() -> None:
    start = hidden("2WL,9MS/?,?/XK,XL", "3MW8YK", "4WL6LK 5YK", "play/A")
    # Face down, it cannot be named; nor is it within reach.
    assert targets(start) == {"x2WL", "pass"}
    position = play(start, "x2WL+4WL.")
    assert GAME.format_position(position).endswith(" uncover/B")
    assert outcomes(position) == {"*3MW": 0.5, "*8YK": 0.5}
    turned = play(position, "*8YK")
    assert view(turned).tableau[1] == ("8YK", "?")
    assert view(turned).unseen == ("3MW",)
    assert view(turned).seat == 1
    # B has no way to it yet; A has one.
    assert targets(turned) == {"pass"}
    assert targets(play(position, "*3MW pass")) == {"pass"}
    # From B's side too.
    by_b = play(hidden("2WL,9MS/?,?/XK,XL", "3MW8YK", "4WL6LK 5YK9LK", "play/B"), "xXK+5YK+9LK.")
    assert GAME.format_position(by_b).endswith(" uncover/A")
    assert targets(play(by_b, "*8YK pass")) == {"pass", "x8YK"}
    # The last one is certain, and the list ends with it.
    last = play(hidden("-,9MS/8YK,?/XK,XL", "3MW", "2WLXS 5YK", "play/B"), "pass x9MS+XS.")
    assert outcomes(last) == {"*3MW": 1.0}
    assert view(play(last, "*3MW")).unseen == ()


def test_cards_turned_up_at_once_come_in_the_order_of_the_cells() -> None:
    start = hidden("5ML,-,5SW/?,2SY,?/XM,XS,XW", "7SK8MS3MW", "9WYAL 6LK", "play/A")
    first = play(start, "x2SY+9WY.")
    assert outcomes(first) == {"*3MW": pytest.approx(1 / 3), "*7SK": pytest.approx(1 / 3), "*8MS": pytest.approx(1 / 3)}
    second = play(first, "*8MS")
    assert view(second).tableau[1] == ("8MS", None, "?")
    assert outcomes(second) == {"*3MW": 0.5, "*7SK": 0.5}
    done = play(second, "*3MW")
    assert view(done).tableau[1] == ("8MS", None, "3MW")
    assert (view(done).seat, view(done).unseen) == (1, ())


def test_what_a_card_out_of_play_may_be_is_listed_with_the_face_down_ones() -> None:
    """PC-26: three listed cards for two that lie face down; the third is never turned up."""
    start = hidden("2WL,9MS/?,?/XK,XL", "3MW8YK6SY", "4WLXM 5YK", "play/A")
    assert len(view(start).unseen) == 3
    done = play(start, "x2WL+4WL. *6SY pass x9MS+XM. *8YK")
    assert view(done).unseen == ()
    assert on_board(view(done)) == ["6SY", "8YK", "XK", "XL"]


def test_face_down_cards_stay_when_both_pass_and_count_for_nobody() -> None:
    end = play(hidden("2WL,9MS/?,?/XK,XL", "3MW8YK", "4WL6LK 5YK", "play/A", points_b=30), "pass pass")
    assert end.is_terminal
    # All but the cards on the tableau and the listed ones: 198 - 31 - 11.
    assert sum(end.scores()) == 198 - (2 + 9 + 10 + 10) - 11
    assert end.scores()[1] == 30 + 5


@pytest.mark.parametrize(
    ("points_b", "share"),
    [
        # A has 4 + 1 in hand and can get 2 for certain; then, if 3MW lies there, 3 more with 2WL and the Ace.
        (87, 1.0),  # 82 + 5 + 2 are enough
        (88, 0.75),  # 81 + 7 are level, with 3 more they win
        (89, 0.5),  # only with 3 more
        (91, 0.0),  # 78 + 10 are not enough
    ],
)
def test_the_expectation_of_a_hidden_card(points_b: int, share: float) -> None:
    position = hidden("2WL/?/XK", "3MW9MS", "AS4WL -", "play/A", points_b)
    assert guaranteed(position, 0, Position.legal_moves, {}) == share
    assert guaranteed(position, 0, Position.search_moves, {}) == share
    found = analyze(Record(GAME, (position,), ()), limits=Limits(until_solved=True), options=SearchOptions())
    assert found.stop_reason is StopReason.SOLVED
    assert found.values[0].win_share == Exact(share)


def test_mirrored_columns_change_the_order_of_the_cards_turned_up_but_no_value() -> None:
    start = hidden("5ML,-,XK/?,2SY,?/XM,XL,XS", "4MS9LKXW", "AL5SW6SY 2MK", "play/A", points_b=67)
    mirrored = GAME.symmetries(start)["columns mirrored"]
    assert mirrored != start
    assert GAME.key(mirrored) == GAME.key(start)
    uncover = [play(position, "x2SY+6SY. *4MS") for position in (start, mirrored)]
    assert [view(position).tableau[1] for position in uncover] == [("4MS", None, "?"), ("4MS", None, "?")]
    values = [guaranteed(position, 0, Position.search_moves, {}) for position in (start, mirrored)]
    # 4MS, which A needs, is among the two cards turned up.
    assert values == pytest.approx([2 / 3, 2 / 3])


@pytest.mark.parametrize(
    ("options", "field", "reason"),
    [
        (HIDDEN | {"rows": "4"}, "hidden_row", "found true with 4 rows, expected an odd number from 3 on"),
        (HIDDEN | {"rows": "1"}, "hidden_row", "found true with 1 rows"),
        (HIDDEN | {"deck": "extended"}, "hidden_row", "found true with the extended deck"),
        (HIDDEN | GAPS, "hidden_row", "found true with initial gaps"),
        (GAPS | {"deck": "extended"}, "initial_gaps", "found true with the extended deck"),
        (GAPS | {"rows": "3", "columns": "3"}, "initial_gaps", "found 9 gaps on 9 cells"),
        ({"conversion": "matching"}, "conversion", "found matching with the basic deck, expected any"),
        ({"excuse": "blocker"}, "excuse", "found blocker with the basic deck, expected gap"),
        ({"odd_card": "A"}, "odd_card", "found A, but no card is left over"),
        ({"odd_card": "lot", "hand_a": "5"}, "odd_card", "found lot with a given size of a hand"),
        ({"rows": "7", "columns": "5"}, "columns", "found 7 x 5 cells, expected at most 34"),
        (EXTENDED | {"columns": "6"}, "columns", "found 8 x 6 cells, expected at most 40"),
        (GAPS | {"columns": "6"}, "columns", "found 7 x 6 cells, expected at most 40"),
        ({"rows": "3", "columns": "11"}, "hand_a", "found 1 cards to divide into two piles"),
        (EXTENDED | {"hand_a": "9", "hand_b": "5"}, "hand_b", "found 9 + 5 cards, expected at most the 13"),
    ],
)
def test_options_that_contradict_each_other_are_refused(options: dict[str, str], field: str, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        GAME.deal(1, options)
    assert caught.value.field == f"options.{field}"
    assert caught.value.reason.startswith(reason)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("?,9MS/2WL,6LK 4MS8MS 5YKXM 0-0 split/A/0", "tableau: found a face-down card within reach"),
        ("9MS/?/2WL 4MS8MS 5YKXM 0-0 play/A", "tableau: found 0 cards listed, expected at least the 1 face down"),
        ("9MS/?/2WL|6LK 4MS8MS 5YKXM 0-0 play/A", "points: found 0-0, expected 154 together"),
        ("9MS/?/2WL|9MS 4MS8MS 5YKXM 0-0 play/A", "tableau: 9MS stands twice"),
        ("9MS/6LK/2WL|8YK 4MS8MS 5YKXM 0-0 play/A", "tableau: found a list of cards, expected one from the lot on"),
        ("9MS/?/2WL|8YK 4MS8MS 5YKXM 0-0 split/A/0", "tableau: found a list of cards, expected one from the lot on"),
        ("9MS/?/2WL|6LK 4MS8MS 5YKXM 100-48 uncover/A", "stage: found no card to turn up"),
        ("-/?/2WL|6LK 4MS8MS 5YKXM 100-57 play/A", "tableau: found a face-down card within reach"),
        (
            "{deck=extended} 9MS/?/2WL 4MS8MS 5YKXM 0-0 split/A/0",
            "tableau: found a face-down card in the extended deck",
        ),
        ("9MS/?/2WL 4MS8MS ????????????????????????????????? 0-0 split/A/0", "hands: found 33 unknown cards, but 31"),
        ("PMSL/9MS/2WL 4MS8MS 5YKXM 0-0 split/A/0", "tableau[0][0]: PMSL is not in the basic deck"),
        ("9MS/2WL 4MS8MS 5YKEX 0-0 split/A/0", "hands.B: EX is not in the basic deck"),
        ("{excuse=blocker} 9MS/2WL 4MS8MS 5YKXM 0-0 split/A/0", "options.excuse: found blocker with the basic deck"),
        ("{deck=double} 9MS/2WL 4MS8MS 5YKXM 0-0 split/A/0", "options.deck: found 'double'"),
        ("/".join(["-,-,-,-,-,9MS"] + ["-,-,-,-,-,-"] * 6) + " 4MS 5YK 0-0 play/A", "tableau: found 7 rows of 6"),
    ],
)
def test_impossible_positions_are_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(PositionError) as caught:
        GAME.parse_position(f"pepper_corn{text if text.startswith('{') else ' ' + text}")
    assert caught.value.reason.startswith(reason)


def test_hidden_rows_in_words() -> None:
    start = hidden("2WL,9MS/?,?/XK,XL", "3MW8YK", "4WL6LK 5YK", "play/A")
    record = Record(GAME, (start,), ()).play("x2WL+4WL.")
    assert GAME.describe_next(record.current) == "a card that came within reach is turned up"
    move = record.current.chance_outcomes()[1][0]
    assert GAME.describe_move(record.current, move) == "8 Betrayal is turned up"
    assert GAME.why_illegal(start, 2) == "the card of cell 2 lies face down"
    assert parse_record(record.play("*8YK").format()).current == record.play("*8YK").current
