"""The plain twin of Pepper. Corn! by itself: rulings as hand-made positions, counts, and what readers know."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, product
from random import Random

import pytest
from mangetout_solver.games.pepper_corn.reference import (
    DECK,
    SEATS,
    ReferencePosition,
    accessible,
    deal,
    fits,
    other_seat,
    rank,
    total,
)
from pepper_corn_tools import at, random_game, refused, steps_at, targets

# Sizes of deals for random games: everything open by elimination, cards out of play, uneven hands, options.
DEALS: dict[str, dict[str, int | bool]] = {
    "3x8": {},
    "restricted": {"rows": 4, "columns": 6, "hand_a": 5, "hand_b": 6, "restricted": True},
    "5x5": {"rows": 5, "columns": 5},
    "empty piles": {"rows": 4, "columns": 6, "hand_a": 3, "hand_b": 1, "empty_piles": True},
    "open hands": {"rows": 1, "columns": 4, "hand_a": 2, "hand_b": 4, "dealt_hands_known": True},
    "small": {"rows": 4, "columns": 7, "hand_a": 2, "hand_b": 3},
    "one row": {"rows": 1, "columns": 12, "hand_a": 2, "hand_b": 2, "restricted": True, "empty_piles": True},
}


def dealt(name: str, seed: int) -> ReferencePosition:
    return deal(seed, **DEALS[name])  # type: ignore[arg-type]


def takes(record: str) -> set[str]:
    """Every capture open at the end of a record, written as a word."""
    return {f"x{target}+{'+'.join(sorted(cards, key=DECK.index))}." for target, cards in at(record).captures()}


def divided(position: ReferencePosition, seat: str) -> list[ReferencePosition]:
    """Every position after the seat has divided its cards."""
    if position.stage.name != "split" or position.to_move != seat:
        return [position]
    return [end for step in steps_at(position) for end in divided(position.play(step), seat)]


def by_chance(position: ReferencePosition) -> ReferencePosition:
    """The position once everything is shown that can come out one way only."""
    while len(outcomes := position.chance_outcomes()) == 1:
        position = position.play(*outcomes)
    return position


# ---------------------------------------------------------------- the deck


def test_the_basic_deck_has_36_cards_in_order() -> None:
    assert len(DECK) == len(set(DECK)) == 36
    assert Counter(card[0] for card in DECK) == {"A": 6, **dict.fromkeys("23456789", 3), "X": 6}
    assert [rank(card) for card in DECK] == sorted(rank(card) for card in DECK)
    for level in "AX":
        assert [card[1:] for card in DECK if card[0] == level] == list("MSWLYK")
    assert all(len(card) == 3 for card in DECK if card[0] not in "AX")


def test_each_number_rank_shows_each_suit_once() -> None:
    for level in "23456789":
        assert sorted("".join(card[1:] for card in DECK if card[0] == level)) == sorted("MSWLYK")
    marks = Counter("".join(card[1:] for card in DECK))
    assert marks == dict.fromkeys("MSWLYK", 10)
    assert marks.total() == 60


def test_pairs_of_suits_are_as_frequent_as_the_deck_facts_say() -> None:
    frequency = {
        "MS": 3,
        "WL": 3,
        "YK": 3,
        "MW": 2,
        "SK": 2,
        "ML": 2,
        "SY": 2,
        "LK": 2,
        "WY": 2,
        "MK": 1,
        "LY": 1,
        "SW": 1,
    }
    assert Counter(card[1:] for card in DECK if len(card) == 3) == frequency


def test_the_deck_is_worth_198_points() -> None:
    assert total(DECK) == 198


def test_a_full_deal_uses_every_card_once() -> None:
    position = deal(5)
    cards = [card for row in position.tableau for card in row]
    assert sorted([*cards, *position.hands[0].cards, *position.hands[1].cards]) == sorted(DECK)
    assert [len(row) for row in position.tableau] == [8, 8, 8]
    assert deal(5) == position != deal(6)


@pytest.mark.parametrize(
    ("rows", "columns", "size"), [(3, 8, 6), (5, 5, 5), (4, 5, 8), (2, 12, 6), (1, 2, 17), (8, 4, 2)]
)
def test_pc_26_a_deal_halves_what_is_not_on_the_board(rows: int, columns: int, size: int) -> None:
    position = deal(1, rows, columns)
    assert [hand.size for hand in position.hands] == [size, size]
    assert len(position.tableau) == rows
    assert {len(row) for row in position.tableau} == {columns}


@pytest.mark.parametrize(
    "sizes", [(9, 1), (1, 13), (6, 6), (5, 7), (0, 3), (3, -1), (3, 8, 7, 6), (3, 8, 1, 6), (3, 8, -1, 6), (2, 17)]
)
def test_deals_that_cannot_be_are_refused(sizes: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"."):
        deal(1, *sizes)


# ---------------------------------------------------------------- rulings before play


def test_pc_01_both_divide_before_anything_is_shown_and_choose_before_anything_is_revealed() -> None:
    position = at("pepper_corn 9MS,AS 2MK5ML 3MW7SK 0-0 split/A/0")
    stages = []
    rng = Random(1)
    for before, _ in random_game(position, rng):
        if before.stage.name == "play":
            break
        stages.append(before.stage.text())
    assert stages[:7] == ["split/A/0", "split/B/0", "show/0", "show/1", "show/2", "show/3", "choose/A"]
    assert stages[7].startswith("choose/B/")
    assert stages[8].startswith("reveal/")
    assert len(stages) == 9


def test_pc_01_decisions_of_the_split_and_choices_are_hidden_from_the_other() -> None:
    position = at("pepper_corn 9MS,AS 2MK5ML6LK 3MW7SK8YK 0-0 split/A/0")
    assert position.observe("5ML>1", "A") == "5ML>1"
    assert position.observe("5ML>1", "B") == "?"
    both = at(position.text() + " : 5ML>1 6LK>0 7SK>0")
    assert both.text() == "pepper_corn 9MS,AS 2MK6LK|5ML 3MW7SK|-|8YK 0-0 split/B/1"
    assert both.observe("8YK>1", "A") == "?"
    assert both.observe("8YK>1", "B") == "8YK>1"
    chosen = at(both.text() + " : 8YK>1 *2MK>0 *5ML>1 *6LK>0 *3MW>0 *7SK>0 *8YK>1 take1")
    assert chosen.text() == "pepper_corn 9MS,AS 2MK6LK|5ML 3MW7SK|8YK 0-0 choose/B/1"
    assert chosen.seen_by("A") == chosen
    assert chosen.seen_by("B").stage.text() == "choose/B/?"
    assert chosen.observe("take0", "A") == "?"
    assert chosen.observe("take0", "B") == "take0"
    revealed = chosen.play("take0")
    assert revealed.seen_by("A").stage.text() == "reveal/1?"
    assert revealed.seen_by("B").stage.text() == "reveal/?0"
    assert revealed.observe("*take10", "A") == revealed.observe("*take10", "B") == "*take10"


def test_pc_02_the_tableau_is_open_and_the_dealt_cards_are_private() -> None:
    position = at("pepper_corn 9MS,AS 2MK5ML|6LK 3MW7SK|8YK 0-0 show/1")
    assert position.seen_by("A").text() == "pepper_corn 9MS,AS 2MK5ML|6LK ??? 0-0 show/1"
    assert position.seen_by("B").text() == "pepper_corn 9MS,AS 2MK?? 3MW7SK|8YK 0-0 show/1"
    later = at(position.text() + " : *5ML>0")
    assert later.seen_by("B").text() == "pepper_corn 9MS,AS 2MK5ML|-|? 3MW7SK|8YK 0-0 show/2"
    assert later.seen_by("A").seen_by("B").text() == "pepper_corn 9MS,AS 2MK5ML|-|? ??? 0-0 show/2"
    split = at("pepper_corn 9MS,AS 2MK5ML|6LK 3MW7SK8YK 0-0 split/B/0")
    assert split.seen_by("B").text() == "pepper_corn 9MS,AS ??? 3MW7SK8YK 0-0 split/B/0"
    assert split.seen_by("A").text() == "pepper_corn 9MS,AS 2MK5ML|6LK ??? 0-0 split/B/0"


def test_pc_03_no_pile_may_be_empty_unless_the_option_says_so() -> None:
    assert at("pepper_corn AS 2MK5ML 3MW7SK 0-0 split/A/0").legal_moves() == {"5ML>1"}
    cards = "AS 2MK5ML6LK 3MW7SK 0-0 split/A/0 : 5ML"
    assert at(f"pepper_corn {cards}>0").legal_moves() == {"6LK>1"}
    assert at(f"pepper_corn {cards}>1").legal_moves() == {"6LK>0", "6LK>1"}
    assert at(f"pepper_corn{{empty_piles=true}} {cards}>0").legal_moves() == {"6LK>0", "6LK>1"}
    text = "AS 2MK5ML|- 3MW|7SK 0-0 choose/A"
    assert refused(f"pepper_corn {text}")
    everything = at(f"pepper_corn{{empty_piles=true}} {text} : take0 take0 *take00")
    assert everything.text() == "pepper_corn{empty_piles=true} AS 3MW 2MK5ML7SK 0-0 play/A"
    nothing = at(f"pepper_corn{{empty_piles=true}} {text} : take1 take0 *take10")
    assert nothing.text() == "pepper_corn{empty_piles=true} AS 7SK 2MK3MW5ML 0-0 play/A"


def test_pc_03_single_cards_and_empty_hands_only_with_empty_piles() -> None:
    assert refused("pepper_corn AS 2MK 3MW7SK 0-0 split/B/0")
    position = at("pepper_corn{empty_piles=true} AS 2MK 3MW7SK 0-0 split/B/0 : 7SK>0 *2MK>0 *3MW>0 *7SK>0")
    assert position.text() == "pepper_corn{empty_piles=true} AS 2MK 3MW7SK|- 0-0 choose/A"
    assert at(position.text() + " : take0 take1 *take01").text().endswith(" AS 2MK3MW7SK - 0-0 play/B")
    assert at("pepper_corn{empty_piles=true} AS - - 0-0 choose/A : take1 take0 *take10").to_move == "*"


def test_pc_04_a_hand_is_made_up_of_the_pile_taken_and_the_pile_left() -> None:
    chosen = "pepper_corn AS 2MK5ML|6LK 3MW|7SK8YK 0-0 choose/A"
    hands = {(a, b): at(f"{chosen} : take{a} take{b} *take{a}{b}").text().split()[2:4] for a in "01" for b in "01"}
    assert hands == {
        ("0", "0"): ["3MW6LK", "2MK5ML7SK8YK"],
        ("0", "1"): ["2MK3MW5ML", "6LK7SK8YK"],
        ("1", "0"): ["6LK7SK8YK", "2MK3MW5ML"],
        ("1", "1"): ["2MK5ML7SK8YK", "3MW6LK"],
    }


def test_pc_05_hands_are_open_in_play() -> None:
    for text in ("lot", "play/A", "play/B/passed", "play/A/x9MS", "end"):
        position = at(f"pepper_corn 9MS,AS AK8MS 4WL5SW 0-0 {text}")
        assert position.seen_by("A") == position.seen_by("B") == position
        assert position.worlds() == [position.text()]
    assert refused("pepper_corn 9MS,AS 9WY? 8YK 0-0 play/A")
    assert refused("pepper_corn 9MS,AS 8MS|9WY 8YK 0-0 play/A")


@pytest.mark.parametrize(
    ("hands", "choices", "stage"),
    [
        ("2MK|4MS 3MW|9WY", "00", "play/A"),  # 7 and 11 points
        ("2MK|4MS 3MW|9WY", "11", "play/B"),  # 11 and 7
        ("2MK|4MS AK2WL|9WY", "01", "play/A"),  # 5 and 13, A has more cards
        ("AM2MK|4MS 3SK|4WL", "00", "play/A"),  # 7 and 7, 2 and 3 cards
        ("3SK|4MS AM2MK|4WL", "00", "play/B"),  # 7 and 7, 3 and 2 cards
        ("3SK|4MS 3MW|4WL", "00", "lot"),  # 7 and 7, 2 and 2 cards
    ],
)
def test_pc_06_fewest_points_begin_then_fewest_cards_then_the_lot(hands: str, choices: str, stage: str) -> None:
    record = f"pepper_corn AS {hands} 0-0 reveal/{choices} : *take{choices}"
    assert at(record).stage.text() == stage
    if stage == "lot":
        assert at(record).to_move == "*"
        assert at(record).chance_outcomes() == {"*A": 0.5, "*B": 0.5}
        assert [at(f"{record} *{seat}").stage.text() for seat in SEATS] == ["play/A", "play/B"]


def test_pc_06_a_lot_is_drawn_only_between_level_hands() -> None:
    assert not refused("pepper_corn AS 3SK4MS 3MW4WL 0-0 lot")
    assert refused("pepper_corn AS 3SK4MS 3MW5SW 0-0 lot")
    assert refused("pepper_corn AS 2MKAM4MS 3MW4WL 0-0 lot")
    assert refused("pepper_corn AS 3SK4MS 3MW4WL 1-1 lot")
    assert refused("pepper_corn - 3SK4MS 3MW4WL 0-0 lot")


# ---------------------------------------------------------------- rulings on captures


def test_pc_07_one_card_is_captured_per_turn() -> None:
    position = at("pepper_corn 4MS,9MS/9LK,9WY XMXS XWXK 0-0 play/A : x4MS+XM.")
    assert position.to_move == "B"
    assert position.legal_moves() == {"pass", "x9LK", "x9WY"}
    assert at("pepper_corn 4MS,9MS/9LK,9WY XMXS XWXK 0-0 play/A : x4MS").legal_moves() == {"+XM", "+XS"}
    assert at("pepper_corn 4MS,9MS/9LK,9WY XMXS XWXK 0-0 play/A : x4MS+XM").legal_moves() == {"+XS", "."}


def test_pc_08_every_card_shares_a_suit_with_the_target_by_itself() -> None:
    # 5 Moons/Leaves and 6 Suns/Wyrms share no suit with each other; 6 Leaves/Knots fits neither Moons nor Suns.
    assert takes("pepper_corn 9MS 5ML6SY6LK - 0-0 play/A") == {"x9MS+5ML+6SY."}
    assert takes("pepper_corn 9MS 5ML6LK - 0-0 play/A") == set()


def test_pc_09_the_ranks_together_are_equal_or_higher() -> None:
    assert takes("pepper_corn 8MS 3MW5ML - 0-0 play/A") == {"x8MS+3MW+5ML."}
    assert takes("pepper_corn 9MS 3MW5ML - 0-0 play/A") == set()
    assert takes("pepper_corn 8MS 9MS - 0-0 play/A") == {"x8MS+9MS."}
    assert takes("pepper_corn 9MS 8MS - 0-0 play/A") == set()
    assert at("pepper_corn 9MS 8MS - 0-0 play/A").legal_moves() == {"pass"}
    assert takes("pepper_corn XM 3MW7ML - 0-0 play/A") == {"xXM+3MW+7ML."}


def test_pc_10_surplus_cards_may_be_played_but_none_that_does_not_fit() -> None:
    start = "pepper_corn 4MS 3MW5ML6SY6LK - 0-0 play/A"
    assert takes(start) == {
        *("x4MS+5ML.", "x4MS+6SY.", "x4MS+3MW+5ML.", "x4MS+3MW+6SY.", "x4MS+5ML+6SY.", "x4MS+3MW+5ML+6SY."),
    }
    assert at(start).minimal_captures() == {("4MS", frozenset({"5ML"})), ("4MS", frozenset({"6SY"}))}
    assert at(f"{start} : x4MS+3MW").legal_moves() == {"+5ML", "+6SY"}
    assert at(f"{start} : x4MS+5ML").legal_moves() == {"+6SY", "."}
    assert takes(f"{start} : x4MS+3MW") == {"x4MS+3MW+5ML.", "x4MS+3MW+6SY.", "x4MS+3MW+5ML+6SY."}
    # 6 Suns/Wyrms is the last card: nothing lower can follow it.
    assert at(f"{start} : x4MS+6SY").legal_moves() == {"."}


def test_steps_of_a_capture_are_offered_only_if_it_can_be_finished() -> None:
    start = "pepper_corn 9MS 3MW4MS5ML - 0-0 play/A"
    assert at(start).legal_moves() == {"pass", "x9MS"}
    # 5 Moons/Leaves alone cannot be followed by anything; 3 + 4 + 5 and 4 + 5 can.
    assert at(f"{start} : x9MS").legal_moves() == {"+3MW", "+4MS"}
    assert at(f"{start} : x9MS+3MW").legal_moves() == {"+4MS"}
    assert at(f"{start} : x9MS+4MS").legal_moves() == {"+5ML"}
    assert refused(f"{start} : x9MS+5ML")
    assert refused(f"{start} : x9MS+4MS+3MW")
    assert refused(f"{start} : x9MS+4MS.")
    assert refused(f"{start} : x9MS pass")


def test_pc_11_a_played_ace_counts_one_and_fits_every_suit() -> None:
    assert takes("pepper_corn 9MS AK8MS - 0-0 play/A") == {"x9MS+AK+8MS."}
    assert takes("pepper_corn 2MK ALAY - 0-0 play/A") == {"x2MK+AL+AY."}
    assert all(fits("AY", card) for card in DECK)


def test_pc_12_an_ace_on_the_tableau_has_its_own_suit_and_rank_one() -> None:
    assert takes("pepper_corn AM AK2MK2SY - 0-0 play/A") == {"xAM+AK.", "xAM+2MK.", "xAM+AK+2MK."}
    assert takes("pepper_corn AM 2SYXLXK - 0-0 play/A") == set()
    assert {card for card in DECK if fits(card, "AM")} == {card for card in DECK if "M" in card or card[0] == "A"}


def test_pc_13_a_captured_ace_is_wild_again() -> None:
    assert takes("pepper_corn AM,2SY AKXM - 0-0 play/A : xAM+XM. pass") == {"x2SY+AM+AK."}


def test_pc_14_a_captured_card_is_used_from_the_next_turn_on() -> None:
    start = "pepper_corn 4MS,3SK XM 2WL 0-0 play/A : x4MS+XM."
    assert at(start).text() == "pepper_corn -,3SK 4MS 2WL 10-0 play/B"
    assert takes(f"{start} pass") == {"x3SK+4MS."}


def test_cards_move_only_when_the_capture_is_done() -> None:
    start = "pepper_corn 9MS,AS XM XK 0-0 play/A/passed"
    assert at(f"{start} : x9MS").text() == "pepper_corn 9MS,AS XM XK 0-0 play/A/x9MS"
    assert at(f"{start} : x9MS+XM").text() == "pepper_corn 9MS,AS XM XK 0-0 play/A/x9MS+XM"
    assert at(f"{start} : x9MS+XM.").text() == "pepper_corn -,AS 9MS XK 10-0 play/B"


# ---------------------------------------------------------------- rulings on access


def with_tableau(tableau: str, option: str = "") -> ReferencePosition:
    return at(f"pepper_corn{option} {tableau} - - 0-0 end")


RESTRICTED = "{access=restricted}"
COLUMN_0_EMPTY = "-,AM,AS,AW,AL,AY,AK,2MK/-,2SY,2WL,3MW,3SK,3LY,4MS,4WL/-,4YK,5ML,5SW,5YK,6MW,6SY,6LK"
NEAR_ROW = {(0, column) for column in range(1, 8)}
FAR_ROW = {(2, column) for column in range(1, 8)}


def test_pc_16_pc_17_with_column_0_empty_both_get_at_both_rows_and_one_card_between() -> None:
    position = with_tableau(COLUMN_0_EMPTY)
    assert accessible(position, "A") == accessible(position, "B") == NEAR_ROW | FAR_ROW | {(1, 1)}


def test_pc_17_with_restricted_access_only_cells_beside_the_gaps_are_got_at() -> None:
    position = with_tableau(COLUMN_0_EMPTY, RESTRICTED)
    assert accessible(position, "A") == NEAR_ROW | {(1, 1), (2, 1)}
    assert accessible(position, "B") == FAR_ROW | {(1, 1), (0, 1)}


@pytest.mark.parametrize("option", ["", RESTRICTED])
def test_pc_16_at_first_only_the_own_front_row_is_got_at(option: str) -> None:
    position = with_tableau("AM,AS/AW,AL/AY,AK", option)
    assert targets(position, "A") == {"AM", "AS"}
    assert targets(position, "B") == {"AY", "AK"}


def test_pc_16_gaps_count_only_if_joined_to_the_own_edge() -> None:
    position = with_tableau("AM,AS,AW/AL,-,AY/AK,2MK,2SY")
    assert targets(position, "A") == {"AM", "AS", "AW"}
    assert targets(with_tableau("AM,-,AW/AL,-,AY/AK,2MK,2SY"), "A") == {"AM", "AW", "AL", "AY", "2MK"}
    # Around a corner: down column 1, then along the middle row.
    assert targets(with_tableau("AM,-,AW/AL,-,-/AK,2MK,2SY"), "A") == {"AM", "AW", "AL", "2MK", "2SY"}


def test_pc_17_the_far_edge_leads_on_into_gaps_that_are_not_joined_otherwise() -> None:
    tableau = "-,AM,AS,AW/-,AL,AY,AK/-,2MK,-,2SY"
    assert targets(with_tableau(tableau), "A") == {"AM", "AS", "AW", "AL", "AY", "2MK", "2SY"}
    assert targets(with_tableau(tableau, RESTRICTED), "A") == {"AM", "AS", "AW", "AL", "2MK"}


def test_pc_18_the_short_sides_are_closed() -> None:
    position = with_tableau("AM,AS/AW,AL/AY,AK/2MK,2SY")
    assert not targets(position, "A") & {"AW", "AL", "AY", "AK"}
    assert targets(with_tableau("AM,AS,AW/-,AL,-/AY,AK,2MK"), "A") == {"AM", "AS", "AW"}


def test_pc_19_diagonals_lead_nowhere() -> None:
    assert targets(with_tableau("-,AM,AS/AW,AL,AY/AK,2MK,2SY"), "A") == {"AM", "AS", "AW"}
    assert targets(with_tableau("-,AM,AS/AW,-,AY/AK,2MK,2SY"), "A") == {"AM", "AS", "AW"}


def test_a_single_row_is_the_front_row_of_both() -> None:
    for option in ("", RESTRICTED):
        position = with_tableau("AM,-,AS,AW", option)
        assert targets(position, "A") == targets(position, "B") == {"AM", "AS", "AW"}


def random_gaps(rng: Random, option: str) -> ReferencePosition:
    rows, columns = rng.randint(1, 5), rng.randint(1, 6)
    cards = iter(rng.sample(DECK, rows * columns))
    gaps = rng.random()
    return with_tableau(
        "/".join(",".join("-" if rng.random() < gaps else next(cards) for _ in range(columns)) for _ in range(rows)),
        option,
    )


def test_access_is_the_same_from_the_other_side_of_the_table() -> None:
    rng = Random(3)
    for _ in range(200):
        position = random_gaps(rng, rng.choice(("", RESTRICTED)))
        rows = position.text().split()[1].split("/")
        turned = with_tableau("/".join(reversed(rows)), RESTRICTED if position.restricted else "")
        assert targets(position, "A") == targets(turned, "B")
        assert targets(position, "B") == targets(turned, "A")


def test_access_agrees_with_the_edges_as_rows_of_gaps() -> None:
    """An edge that can be walked on is a row of gaps beyond the front row: cells are then joined by neighbours only."""
    rng = Random(4)
    for _ in range(200):
        restricted = rng.random() < 0.5
        position = random_gaps(rng, RESTRICTED if restricted else "")
        columns = len(position.tableau[0])
        own_edge, far_edge = ["-"] * columns, ["wall" if restricted else "-"] * columns
        for seat in SEATS:
            rows = list(map(list, position.tableau))
            table = [own_edge, *(rows if seat == "A" else reversed(rows)), far_edge]
            empty = {
                (row, column) for row, cells in enumerate(table) for column, cell in enumerate(cells) if cell == "-"
            }
            joined = {(0, column) for column in range(columns)}
            while more := {cell for cell in empty - joined if any(beside(cell, known) for known in joined)}:
                joined |= more
            found = {
                cell
                for row, cells in enumerate(table)
                for column, cell in enumerate(cells)
                if cell not in ("-", "wall") and any(beside((row, column), known) for known in joined)
            }
            assert targets(position, seat) == found, position


def beside(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


# ---------------------------------------------------------------- rulings on the end


def test_pc_15_gaps_stay_where_they_are() -> None:
    position = at("pepper_corn AM,4MS,AS/AW,AL,AY XM XK 0-0 play/A : x4MS+XM.")
    assert position.tableau == (("AM", "-", "AS"), ("AW", "AL", "AY"))


def test_pc_20_passing_is_free_and_does_not_bar_later_turns() -> None:
    start = "pepper_corn 4MS,3SK XM 5SW 0-0 play/A"
    assert at(start).legal_moves() == {"pass", "x4MS"}
    passed = at(f"{start} : pass")
    assert passed.stage.text() == "play/B/passed"
    assert passed.legal_moves() == {"pass", "x4MS", "x3SK"}
    again = at(f"{start} : pass x3SK+5SW.")
    assert again.stage.text() == "play/A"
    assert again.legal_moves() == {"pass", "x4MS"}
    # The pass before the capture is forgotten: another one does not end the game.
    assert at(f"{start} : pass x3SK+5SW. pass").stage.text() == "play/B/passed"


def test_pc_21_two_passes_in_a_row_or_an_empty_tableau_end_the_game() -> None:
    assert at("pepper_corn 4MS,3SK XM 5SW 0-0 play/A : pass pass").to_move is None
    assert at("pepper_corn 4MS XM 5SW 0-0 play/A : x4MS+XM.").text() == "pepper_corn - 4MS 5SW 10-0 end"
    assert at("pepper_corn -,- 2MK|4MS 3MW|9WY 0-0 reveal/00 : *take00").stage.text() == "end"
    # Nothing is drawn where nothing is left to begin with.
    assert at("pepper_corn - 3SK|4MS 3MW|4WL 0-0 reveal/00 : *take00").stage.text() == "end"
    for stage in ("play/A", "play/B/passed", "lot"):
        assert refused(f"pepper_corn - 3SK4MS 3MW4WL 0-0 {stage}")
    end = at("pepper_corn 4MS,3SK XM 5SW 0-0 end")
    assert (end.legal_moves(), end.chance_outcomes(), end.captures()) == (set(), {}, set())
    assert refused(f"{end.text()} : pass")


def test_pc_22_a_player_without_cards_passes_while_the_other_goes_on() -> None:
    position = at("pepper_corn 4MS,3SK - XSXK 0-0 play/A")
    assert position.legal_moves() == {"pass"}
    end = at(f"{position.text()} : pass x4MS+XS. pass x3SK+4MS.")
    assert end.text() == "pepper_corn -,- - 3SKXK 0-14 end"


def test_pc_23_what_is_left_on_the_tableau_counts_for_nobody() -> None:
    assert at("pepper_corn XM,XS 4WL 5SW 7-6 play/A : pass pass").scores() == (11, 11)


@pytest.mark.parametrize(
    ("hands_and_points", "shares"),
    [
        ("4WL 5SW 7-5", (1.0, 0.0)),
        ("4WL 5SW 7-6", (0.5, 0.5)),
        ("ALAY8WL 5SW 7-13", (0.0, 1.0)),
        ("ALAY8WL XW 3-3", (0.5, 0.5)),
    ],
)
def test_pc_24_level_points_are_a_draw(hands_and_points: str, shares: tuple[float, float]) -> None:
    assert at(f"pepper_corn XM,XS {hands_and_points} end").win_shares() == shares


def test_there_are_no_scores_before_the_end() -> None:
    for text in ("XM,XS 4WL 5SW 7-6 play/A/passed", "XM 4WL5SW 6LK7SK 0-0 split/A/0"):
        with pytest.raises(ValueError, match="not over"):
            at(f"pepper_corn {text}").scores()
        with pytest.raises(ValueError, match="not over"):
            at(f"pepper_corn {text}").win_shares()


# ---------------------------------------------------------------- counts


@pytest.mark.parametrize(
    ("arguments", "splits"),
    [
        ((3, 8), (31, 31)),
        ((5, 5), (15, 15)),
        ((4, 5), (127, 127)),
        ((3, 7, 7, 6), (63, 31)),
        ((3, 8, 0, 0, False, True), (32, 32)),
    ],
)
def test_splits_of_a_hand(arguments: tuple[int, ...], splits: tuple[int, int]) -> None:
    after_a = divided(deal(2, *arguments), "A")
    assert len({end.text() for end in after_a}) == len(after_a) == splits[0]
    after_b = divided(after_a[0], "B")
    assert len({end.text() for end in after_b}) == len(after_b) == splits[1]


def test_961_pairs_of_splits_lead_to_3844_openings_with_2_to_10_cards() -> None:
    pairs = [pair for end in divided(deal(3), "A") for pair in divided(end, "B")]
    assert len(set(pairs)) == len(pairs) == 961
    openings = []
    for pair in pairs:
        chosen = by_chance(pair)
        for take_a in chosen.legal_moves():
            for take_b in chosen.play(take_a).legal_moves():
                openings.append(by_chance(chosen.play(take_a).play(take_b)))
    assert len({opening.hands for opening in openings}) == len(openings) == 3844
    assert {hand.size for opening in openings for hand in opening.hands} == set(range(2, 11))
    assert {opening.hands[0].size + opening.hands[1].size for opening in openings} == {12}


def test_a_game_on_24_cards_has_at_most_48_turns_and_each_point_stays_somewhere() -> None:
    longest = 0
    for seed in range(30):
        turns = 0
        start_hands = captured = (0, 0)
        for position, step in random_game(deal(seed), Random(seed)):
            held = [total(hand.cards) for hand in position.hands]
            assert sum(held) + sum(position.points) + total(c for r in position.tableau for c in r if c != "-") == 198
            if position.stage.name in ("play", "end") and turns == 0 and not position.stage.chain:
                start_hands = (held[0], held[1])
            if step == ".":
                gain = rank(position.stage.chain[0])
                captured = (
                    (captured[0] + gain, captured[1]) if position.to_move == "A" else (captured[0], captured[1] + gain)
                )
            turns += step in (".", "pass")
        assert position.scores() == (start_hands[0] + captured[0], start_hands[1] + captured[1])
        longest = max(longest, turns)
    assert 24 < longest <= 48


def test_a_game_of_48_turns_has_a_pass_before_every_capture() -> None:
    """A holds nothing and passes each time; B holds the cards to take one card after the other."""
    tableau = ",".join(DECK[:12]) + "/" + ",".join(DECK[12:24])
    hand = "".join(DECK[24:])
    position = at(f"pepper_corn {tableau} - {hand} 0-0 play/A")
    turns = 0
    while position.to_move is not None:
        takes_now = position.minimal_captures() if position.to_move == "B" else set()
        if not takes_now:
            position = position.play("pass")
        else:
            target, cards = min(takes_now, key=lambda capture: (-rank(capture[0]), total(capture[1]), capture[0]))
            for step in ("x" + target, *("+" + card for card in sorted(cards, key=DECK.index)), "."):
                position = position.play(step)
        turns += 1
    assert turns == 48
    assert position.scores() == (0, 198)


# ---------------------------------------------------------------- captures by steps and by subsets


def finished(position: ReferencePosition) -> set[tuple[str, frozenset[str]]]:
    """Every capture that the steps lead to."""
    found = set()
    for step in position.legal_moves() - {"pass"}:
        if step == ".":
            found.add((position.stage.chain[0], frozenset(position.stage.chain[1:])))
        else:
            found |= finished(position.play(step))
    return found


@pytest.mark.parametrize("name", DEALS)
def test_steps_lead_to_every_capture_and_to_no_other(name: str) -> None:
    compared = 0
    for seed in range(6):
        for position, _ in random_game(dealt(name, seed), Random(seed)):
            if position.stage.name != "play":
                continue
            captures = position.captures()
            assert finished(position) == captures
            compared += len(captures)
            minimal = position.minimal_captures()
            assert minimal <= captures
            for target, cards in captures:
                smaller = {frozenset(fewer) for fewer in combinations(cards, len(cards) - 1)}
                laid = set(position.stage.chain[1:])
                can_spare = any((target, fewer) in captures for fewer in smaller if laid <= fewer)
                assert ((target, cards) in minimal) == (not can_spare)
    assert compared > 0


# ---------------------------------------------------------------- text


@pytest.mark.parametrize("name", DEALS)
def test_texts_are_read_back_along_random_games_for_every_reader(name: str) -> None:
    for seed in range(4):
        for position, _ in random_game(dealt(name, seed), Random(100 + seed)):
            views = [position, position.seen_by("A"), position.seen_by("B"), position.seen_by("A").seen_by("B")]
            for view in views:
                again = ReferencePosition.from_text(view.text())
                assert again == view
                assert again.text() == view.text()


def test_runs_of_white_space_count_as_one_space() -> None:
    position = at("  pepper_corn\t4MS,-/9MS,AS\n AM5ML   6MW 0-0\r\nplay/A ")
    assert position.text() == "pepper_corn 4MS,-/9MS,AS AM5ML 6MW 0-0 play/A"
    assert at(f"{position.text()} : x4MS+5ML. pass pass").text() == "pepper_corn -,-/9MS,AS AM4MS 6MW 5-0 end"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "peas 9MS 4WL 5SW 0-0 play/A",
        "pepper_corn 9MS 4WL 5SW 0-0",
        "pepper_corn 9MS 4WL 5SW 0-0 play/A more",
        "pepper_corn 9MS\xa04WL 5SW 0-0 play/A",
        # options
        "pepper_corn{} 9MS 4WL 5SW 0-0 play/A",
        "pepper_corn{access=open} 9MS 4WL 5SW 0-0 play/A",
        "pepper_corn{empty_piles=false} 9MS 4WL 5SW 0-0 play/A",
        "pepper_corn{empty_piles=true,access=restricted} 9MS 4WL 5SW 0-0 play/A",
        "pepper_corn{empty_piles=true,empty_piles=true} 9MS 4WL 5SW 0-0 play/A",
        # tableau
        "pepper_corn 9MS,AS/4MS 4WL 5SW 0-0 play/A",
        "pepper_corn 9MS,,AS 4WL 5SW 0-0 play/A",
        "pepper_corn 9MS/ 4WL 5SW 0-0 play/A",
        "pepper_corn 9MK 4WL 5SW 0-0 play/A",
        "pepper_corn 9SM 4WL 5SW 0-0 play/A",
        "pepper_corn ? 4WL 5SW 0-0 play/A",
        "pepper_corn 9MS,-,-,-,-,-,-,-,-,-,-,-,- 4WL 5SW 0-0 play/A",
        "pepper_corn 9MS/-/-/-/-/-/-/-/- 4WL 5SW 0-0 play/A",
        "pepper_corn 9MS,-,-,-,-,-" + "/-,-,-,-,-,-" * 6 + " 4WL 5SW 0-0 end",
        # hands
        "pepper_corn 9MS 9MS 5SW 0-0 play/A",
        "pepper_corn 9MS 4WL 4WL 0-0 play/A",
        "pepper_corn 9MS 5ML4WL 5SW 0-0 play/A",
        "pepper_corn 9MS 4WL4WL 5SW 0-0 play/A",
        "pepper_corn 9MS 4WLL 5SW 0-0 play/A",
        "pepper_corn 9MS 4WL? 5SW 0-0 play/A",
        "pepper_corn 9MS -? 5SW 0-0 play/A",
        "pepper_corn 9MS ?4WL5ML 6LK7SK 0-0 split/A/0",
        # points
        "pepper_corn 9MS 4WL 5SW 00-0 play/A",
        "pepper_corn 9MS 4WL 5SW -1-0 play/A",
        "pepper_corn 9MS 4WL 5SW 0--1 play/A",
        "pepper_corn 9MS 4WL 5SW 1 play/A",
        "pepper_corn 9MS 4WL5ML 6LK7SK 1-0 split/A/0",
        # stages
        "pepper_corn 9MS 4WL 5SW 0-0 play/C",
        "pepper_corn 9MS 4WL 5SW 0-0 play/A/pass",
        "pepper_corn 9MS 4WL 5SW 0-0 play/A/passed/x9MS",
        "pepper_corn 9MS 4WL 5SW 0-0 End",
        "pepper_corn 9MS 4WL5ML 6LK7SK 0-0 split/A/1",
        "pepper_corn 9MS 4WL5ML 6LK7SK 0-0 split/B/1",
        "pepper_corn 9MS 4WL5ML 6LK7SK 0-0 split/A/00",
        "pepper_corn 9MS 4WL|5ML 6LK|7SK 0-0 show/4",
        "pepper_corn 9MS 4WL|5ML 6LK|7SK 0-0 choose/B",
        "pepper_corn 9MS 4WL|5ML 6LK|7SK 0-0 choose/A/0",
        "pepper_corn 9MS 4WL|5ML 6LK|7SK 0-0 reveal/0",
        # divisions
        "pepper_corn 9MS 4WL5ML 6LK|7SK 0-0 choose/A",
        "pepper_corn 9MS 4WL5ML|- 6LK|7SK 0-0 choose/A",
        "pepper_corn 9MS 5ML|4WL 6LK|7SK 0-0 choose/A",
        "pepper_corn 9MS 4WL|5ML| 6LK|7SK 0-0 choose/A",
        "pepper_corn 9MS 4WL|5ML|- 6LK|7SK 0-0 choose/A",
        "pepper_corn 9MS 4WL|5ML|6MW|7ML 6LK|7SK 0-0 choose/A",
        "pepper_corn 9MS 4WL|-|5ML6MW 6LK7SK 0-0 split/A/0",
        "pepper_corn 9MS 4WL|6MW|5ML7ML 6LK7SK 0-0 split/A/1",
        "pepper_corn 9MS 4WL|5ML|6MW7ML 6LK7SK 0-0 split/A/0",
        "pepper_corn 9MS 4WL|5ML|?? 6LK7SK 0-0 split/A/1",
        "pepper_corn 9MS 4WL5ML6MW 6LK|7SK|8MS 0-0 split/A/1",
        "pepper_corn 9MS 4WL5ML6MW 6LK|7SK 0-0 show/2",
        "pepper_corn 9MS 4WL|?|5ML 6LK|7SK 0-0 show/2",
        "pepper_corn{dealt_hands_known=true} 9MS 4WL5ML6MW ?? 0-0 split/A/1",
        # no card is left that the unknown one can be
        "pepper_corn 9MS XM|XK|? 6LK|7SK 0-0 show/2",
    ],
)
def test_texts_that_are_not_canonical_or_not_acceptable_are_refused(text: str) -> None:
    assert refused(text)


@pytest.mark.parametrize("unseen", [("AM", "3MW", "XM"), ("4MS", "4WL", "5ML"), ("AM", "AS", "6MW", "7ML")])
def test_points_have_to_be_made_up_by_cards_not_in_view(unseen: tuple[str, ...]) -> None:
    in_view = [card for card in DECK if card not in unseen]
    tableau = "/".join(",".join(in_view[row * 8 : row * 8 + 8]) for row in range(4))
    hand = "".join(in_view[32:]) or "-"
    possible = {
        (a, b) for a in range(17) for b in range(17) if not refused(f"pepper_corn {tableau} {hand} - {a}-{b} play/A")
    }
    dealt_out = [list(zip(unseen, places, strict=True)) for places in product((0, 1, None), repeat=len(unseen))]
    assert possible == {
        (total(card for card, place in cards if place == 0), total(card for card, place in cards if place == 1))
        for cards in dealt_out
    }


def test_a_capture_begun_has_to_be_possible() -> None:
    start = "pepper_corn 9MS,4MS/XL,XW 3MW5ML6SY - 0-0"
    assert not refused(f"{start} play/A/x9MS+3MW")
    assert not refused(f"{start} play/A/x9MS+5ML+6SY")
    for chain in ("xXL", "x8MS", "x9MS+6SY", "x9MS+5ML+3MW", "x9MS+3MW+3MW", "x9MS+XM", "x9MS+", "x", "x4MS+XY"):
        assert refused(f"{start} play/A/{chain}")
    assert refused(f"{start} play/B/x4MS")


# ---------------------------------------------------------------- what readers know


def test_worlds_of_one_seat_before_anything_is_hidden() -> None:
    assert deal(1).seen_by("A").worlds() == deal(1).seen_by("B").worlds() == [deal(1).text()]


@pytest.mark.parametrize(
    ("arguments", "count"), [((3, 8), 31), ((5, 5), 6 * 15), ((4, 5), 127), ((3, 8, 0, 0, False, True), 32)]
)
def test_worlds_of_the_second_splitter(arguments: tuple[int, ...], count: int) -> None:
    for position in divided(deal(4, *arguments), "A")[:2]:
        worlds = position.seen_by("B").worlds()
        assert len(set(worlds)) == len(worlds) == count
        assert position.text() in worlds


def test_worlds_in_the_show_stage_keep_the_order_of_showing() -> None:
    position = at("pepper_corn 9MS XS??? 2MK2SY2WL|3MW 0-0 show/1")
    worlds = position.worlds()
    # Of the four Crowns after XS three are in the hand; the lowest card lies in pile 0, the others not all with it.
    assert len(set(worlds)) == len(worlds) == 4 * 7
    assert all(re.search(" XS", world) for world in worlds)


def test_worlds_of_unknown_decisions_on_the_way() -> None:
    start = at("pepper_corn{dealt_hands_known=true} 9MS 4WL5ML6MW7ML 2MK3MW 0-0 split/A/0")
    unseen = start.play("?").play("?")
    assert unseen.text() == start.text()[: -len("0")] + "2"
    assert len(unseen.worlds()) == 4
    partly = start.play("5ML>0").play("?")
    assert partly.text().split()[2] == "4WL5ML|-|6MW7ML"
    assert sorted(world.split()[2] for world in partly.worlds()) == ["4WL5ML6MW|-|7ML", "4WL5ML|6MW|7ML"]
    assert partly.legal_moves() == {"7ML>0", "7ML>1"}
    # Named, but after a decision that is not known: forgotten as well.
    assert partly.play("7ML>1").text().split()[2] == "4WL5ML|-|6MW7ML"
    assert len(partly.play("7ML>1").worlds()) == 3


def test_decisions_on_cards_not_known() -> None:
    start = at("pepper_corn 9MS ??? ?? 0-0 split/A/0")
    assert start.legal_moves() == {"?>0", "?>1"}
    assert start.play("?>0").text() == start.play("?").text() == "pepper_corn 9MS ??? ?? 0-0 split/A/1"
    assert start.play("?>0").legal_moves() == {"?>0", "?>1"}
    second = at(f"{start.text()} : ?>0 ?>1")
    assert second.stage.text() == "split/B/0"
    # PC-03: the second of two cards goes to pile 1 in every world.
    assert second.legal_moves() == {"?>1"}
    assert refused(f"{second.text()} : ?>0")
    assert refused(f"{start.text()} : 5ML>0")


def test_unseen_choices_leave_every_outcome_open() -> None:
    chosen = at("pepper_corn AS 2MK5ML|6LK 3MW|7SK8YK 0-0 choose/A : ? ?")
    assert chosen.stage.text() == "reveal/??"
    assert chosen.chance_outcomes() == {f"*take{a}{b}": 0.25 for a in "01" for b in "01"}
    half = at("pepper_corn AS 2MK5ML|6LK 3MW|7SK8YK 0-0 choose/A : ? take1")
    assert half.chance_outcomes() == {"*take01": 0.5, "*take11": 0.5}
    assert [world.split()[-1] for world in half.worlds()] == ["reveal/01", "reveal/11"]


@pytest.mark.parametrize("text", ["9MS 4WL5ML 6LK7SK 0-0 show/0", "9MS 4WL 5SW 0-0 play/A", "9MS 4WL 5SW 0-0 end"])
def test_a_question_mark_stands_for_decisions_of_the_split_and_choices_only(text: str) -> None:
    assert refused(f"pepper_corn {text} : ?")


def test_wrong_steps_and_seats_are_refused() -> None:
    position = deal(1)
    for step in ("", "pass", "take0", ".", "*A", f"{position.hands[0].cards[0]}>0", f"{position.hands[0].cards[2]}>0"):
        with pytest.raises(ValueError, match="not possible"):
            position.play(step)
    for seat in ("", "C", "*"):
        with pytest.raises(ValueError, match="no such seat"):
            position.seen_by(seat)
        with pytest.raises(ValueError, match="no such seat"):
            position.observe("?", seat)
        with pytest.raises(ValueError, match="no such seat"):
            accessible(position, seat)


def shown_next(world: ReferencePosition) -> str:
    (outcome,) = world.chance_outcomes()
    return outcome


MANY = 250  # worlds that are not listed one by one


@pytest.mark.parametrize("name", DEALS)
def test_a_reader_follows_the_game_and_always_has_the_truth_among_the_worlds(name: str) -> None:
    listed = 0
    for seed in range(3):
        for position, step in random_game(dealt(name, seed), Random(200 + seed)):
            for seat in SEATS:
                view = position.seen_by(seat)
                assert view.seen_by(seat) == view
                assert view.to_move == position.to_move
                if step:
                    observed = position.observe(step, seat)
                    assert view.play(observed) == position.play(step).seen_by(seat)
                    if position.to_move != "*":
                        assert (observed == step) == (
                            position.stage.name not in ("split", "choose") or position.to_move == seat
                        )
                assert sum(view.chance_outcomes().values()) == pytest.approx(1 if position.to_move == "*" else 0)
                if position.stage.name not in ("split", "show", "choose", "reveal"):
                    assert view.worlds() == [position.text()]
                    continue
                texts = view.worlds()
                assert len(set(texts)) == len(texts)
                assert position.text() in texts
                if len(texts) > MANY:
                    continue
                listed += len(texts) > 1
                worlds = [ReferencePosition.from_text(text) for text in texts]
                assert all(world.seen_by(seat) == view for world in worlds)
                if view.stage.name in ("show", "reveal"):
                    shown = Counter(shown_next(world) for world in worlds)
                    assert view.chance_outcomes() == pytest.approx({o: n / len(worlds) for o, n in shown.items()})
                hidden = view.to_move == other_seat(seat) and not view.dealt_hands_known
                possible = {move for world in worlds for move in world.legal_moves()}
                if view.stage.name == "split" and hidden:
                    possible = {"?" + move[-2:] for move in possible}
                assert view.legal_moves() == possible
    assert listed > 0


@pytest.mark.parametrize(
    "hands_and_stage",
    [
        "9WY?? ?? 0-0 show/0",
        "9WY?? ?? 0-0 show/1",
        "5MLXS? XL? 0-0 show/0",
        "5ML|9WY|?? ?? 0-0 show/2",
        "AM|9WY XS?? 0-0 show/2",
    ],
)
def test_chances_of_what_is_shown_are_those_of_equally_likely_worlds(hands_and_stage: str) -> None:
    not_on_tableau = ("AM", "5ML", "9WY", "XS", "XW", "XL", "XY", "XK")
    rest = [card for card in DECK if card not in not_on_tableau]
    tableau = "/".join(",".join(rest[row * 7 : row * 7 + 7]) for row in range(4))
    view = at(f"pepper_corn {tableau} {hands_and_stage}")
    worlds = view.worlds()
    shown = Counter(shown_next(ReferencePosition.from_text(world)) for world in worlds)
    assert len(shown) > 1
    assert view.chance_outcomes() == pytest.approx({outcome: n / len(worlds) for outcome, n in shown.items()})


def test_a_complete_position_has_one_outcome_of_every_show() -> None:
    for seed in range(3):
        for position, step in random_game(deal(seed, 2, 4, 3, 4), Random(seed)):
            if position.stage.name in ("show", "reveal"):
                assert position.chance_outcomes() == {step: 1.0}
                assert position.worlds() == [position.text()]
