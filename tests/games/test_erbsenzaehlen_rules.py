"""Erbsenzählen by hand, ruling by ruling."""

from __future__ import annotations

import pytest
from erbsenzaehlen_tools import EMPTY, NO_CARDS, after, current, displays, game, numbers, played, stage, steps
from mangetout_solver.errors import IllegalMoveError, InputError
from mangetout_solver.games.erbsenzaehlen import Erbsenzaehlen, view

GAME = Erbsenzaehlen()
FOUR_GREEN_ONES = "4+0,0+0,0+0,0+0,0+0,0+0;0,0,0,0"


def test_ez_01_two_to_five_play() -> None:
    for players in range(2, 6):
        assert GAME.deal(0, {"players": str(players)}).players == players
    for players in ("1", "6"):
        with pytest.raises(InputError, match="players"):
            GAME.deal(0, {"players": players})


def test_ez_02_a_seat_or_chance_begins() -> None:
    assert view(GAME.deal(7, {})).seat == 0
    assert view(GAME.deal(7, {"players": "4", "starter": "D"})).seat == 3
    assert {view(GAME.deal(seed, {"players": "3", "starter": "random"})).seat for seed in range(30)} == {0, 1, 2}
    with pytest.raises(InputError, match="expected one of the 3 players"):
        GAME.deal(0, {"players": "3", "starter": "D"})


def test_ez_03_four_cards_are_seen_before_any_decision_and_their_order_does_not_matter() -> None:
    start = "erbsenzaehlen{mush=1} " + after(
        game(EMPTY, EMPTY, centre="2+1,0+0,0+0,0+0,0+0,0+0;1,1,1,1", stage="draw/A/4", options="mush=1")
    )
    found = current(start, "*1G", "*mush", "*thief", "*1R")
    assert found == current(start, "*1R", "*thief", "*1G", "*mush")
    assert after(start, "*1G", "*mush", "*thief", "*1R").endswith(" 1G1R play/A")
    assert [current(start, *words).seat_to_move for words in (["*1G"], ["*1G", "*1G"], ["*1G", "*1G", "*luck"])] == [
        None
    ] * 3
    assert numbers(start, "*1G", "*mush", "*thief", "*luck") == ["0,1,1,1,0", "0,0,0,0,0"]


def test_ez_03_a_card_comes_as_often_as_there_are_of_its_kind() -> None:
    outcomes = current(game(EMPTY, EMPTY, centre="3+2,0+0,0+0,0+0,0+0,1+0;4,0,0,0", stage="draw/A/4", options="mush=4"))
    assert [(GAME.format_move(outcomes, kind), chance) for kind, chance in outcomes.chance_outcomes()] == [
        ("*1G", pytest.approx(0.3)),
        ("*1R", pytest.approx(0.2)),
        ("*6G", pytest.approx(0.1)),
        ("*mush", pytest.approx(0.4)),
    ]


def test_ez_04_the_rest_is_taken_where_less_than_four_are_left() -> None:
    text = game(EMPTY, EMPTY, centre="3+0,0+0,0+0,0+0,0+0,0+0;0,0,0,0")
    assert stage(text, "end") == "draw/B/3"
    assert after(text, "end", "*1G", "*1G", "*1G").endswith(f" {NO_CARDS} 1G1G1G play/B")


def test_ez_05_point_cards_may_be_left_over() -> None:
    text = game("-,G,-,-,-,-", "G,-,-,-,-,-", hand="1G4R")
    assert {"1G", "4R", "end"} <= steps(text)
    assert after(text, "1G", "end").startswith(
        "G,G,-,-,-,-;0,0,0,0,0/G,-,-,-,-,-;0,0,0,0,0 0+0,0+0,0+0,0+0,0+0,1+0;0,0,0,0 - "
    )
    box = view(current(text, "1G", "end")).box
    assert box[7] == 3, "the red 4 is in the box"
    # The first exchange closes placing.
    trading = game("-,GG,-,-,-,-", "GG,-,-,-,-,-", hand="1G4R")
    assert steps(trading, "xB-2+1+1.") == {"end"}


def test_ez_05_or_must_be_placed() -> None:
    text = game("-,GG,-,-,-,-", "GG,-,-,-,-,-", hand="1G4R+", options="mush=0,placing=must")
    assert steps(text) == {"1G", "4R", "bonus"}
    assert steps(text, "1G", "4R") == {"bonus", "xB", "end"}
    with pytest.raises(IllegalMoveError, match="must be placed before"):
        played(text, "1G", "end")


def test_ez_06_cards_are_placed_and_used_in_any_order() -> None:
    text = game(f"{EMPTY};0,0,1,1,0", "G,-,-,-,-,-", hand="1G1R")
    assert steps(text) == {"1G", "1R", "thief@B1", "luck@B", "end"}
    assert displays(text, "1G", "1R")[0] == "GR,-,-,-,-,-"
    assert displays(text, "1R", "thief@B1", "luck@B", "1G") == ["RGG,-,-,-,-,-", EMPTY]


def test_ez_07_columns_need_no_neighbours() -> None:
    assert displays(game(EMPTY, EMPTY, hand="2G6R"), "6R", "2G")[0] == "-,G,-,-,-,R"


def test_ez_08_a_card_goes_on_top_of_its_column() -> None:
    assert displays(game("-,GRG,-,-,-,-", EMPTY, hand="2R"), "2R")[0] == "-,GRGR,-,-,-,-"


def test_ez_09_to_11_red_protects_itself_and_what_lies_beneath_in_its_column() -> None:
    text = game(f"{EMPTY};0,0,3,0,0", "GGRG,G,R,-,-,-")
    assert steps(text) == {"thief@B1", "thief@B2", "end"}
    assert steps(text, "thief@B1") == {"thief@B2", "end"}, "lower columns are not protected"
    assert displays(text, "thief@B1", "thief@B2")[1] == "GGR,-,R,-,-,-"
    assert steps(text, "thief@B1", "thief@B2") == {"end"}


def test_ez_10_the_owner_cannot_trade_protected_cards_either() -> None:
    assert "xB" not in steps(game("-,-,-,-,GR,-", "G,-,-,G,-,-"))
    assert "xB" in steps(game("-,-,-,-,RG,-", "G,-,-,G,-,-"))
    assert "xB" not in steps(game("-,-,-,-,G,-", "G,-,-,GR,-,-"))


def test_ez_12_a_thief_is_played_at_once_or_kept() -> None:
    text = game(EMPTY, "-,-,G,-,-,-", centre="0+0,0+0,0+0,0+0,0+0,4+0;0,1,0,0", stage="draw/A/1")
    assert displays(text, "*thief", "thief@B3")[0] == "-,-,G,-,-,-"
    kept = ["*thief", "end", "*6G", "*6G", "*6G", "*6G", "end"]
    assert numbers(text, *kept)[0] == "0,0,1,0,0"
    # It lies there at the end of the turn before; the owner's next turn begins with its cards.
    longer = game(EMPTY, "-,-,G,-,-,-", centre="0+0,0+0,0+0,0+0,0+0,5+0;0,1,0,0", stage="draw/A/1")
    assert "thief@B3" in steps(longer, *kept, "*6G")
    assert "thief@B3" not in steps(longer, *kept)


def test_ez_13_a_thief_takes_any_unprotected_green_of_one_opponent() -> None:
    text = game(f"{EMPTY};0,0,1,0,0", "GG,-,RG,-,-,-", "-,GR,-,-,-,G")
    assert steps(text) == {"thief@B1", "thief@B3", "thief@C6", "end"}
    with pytest.raises(IllegalMoveError, match="C has no unprotected 2"):
        played(text, "thief@C2")
    with pytest.raises(IllegalMoveError, match="A is no opponent"):
        played(text, "thief@A1")


def test_ez_14_a_thief_without_a_target_is_kept() -> None:
    text = game("G,-,-,-,-,-;0,0,1,0,0", "R,-,GR,-,-,-")
    assert steps(text) == {"end"}
    assert numbers(text, "end")[0] == "0,0,1,0,0"


def test_ez_15_a_stolen_card_goes_on_top_of_the_thief_s_column() -> None:
    text = game("-,-,GR,-,-,-;0,0,1,0,0", "-,-,RGG,-,-,-")
    assert after(text, "thief@B3").startswith("-,-,GRG,-,-,-;0,0,0,0,0/-,-,RG,-,-,-;0,0,0,0,0 ")


def test_ez_16_and_18_a_bad_luck_pea_costs_the_whole_next_turn() -> None:
    text = game(f"{EMPTY};0,0,0,1,0", f"{EMPTY};0,0,1,1,0", EMPTY, centre="0+0,0+0,0+0,9+0,0+0,0+0;0,0,0,0")
    assert steps(text) == {"luck@B", "luck@C", "end"}
    assert numbers(text, "luck@B") == ["0,0,0,0,0", "0,0,1,1,1", "0,0,0,0,0"]
    assert stage(text, "luck@B", "end") == "draw/C/4"
    assert numbers(text, "luck@B", "end") == ["0,0,0,0,0", "0,0,1,1,0", "0,0,0,0,0"], "the marker is spent"
    assert stage(text, "luck@B", "end", *["*4G"] * 4, "end", *["*4G"] * 4, "end") == "draw/B/1"


def test_ez_17_bad_luck_peas_on_one_player_add_up() -> None:
    text = game(f"{EMPTY};0,0,0,3,0", EMPTY, centre="0+0,0+0,0+0,9+0,0+0,0+0;0,0,0,0")
    twice = [text, "luck@B", "luck@B", "end"]
    assert stage(*twice) == "draw/A/4"
    assert numbers(*twice)[1] == "0,0,0,0,1"
    assert stage(*twice, *["*4G"] * 4, "end") == "draw/A/4"
    assert stage(*twice, *["*4G"] * 4, "end", *["*4G"] * 4, "end") == "draw/B/1"


def test_ez_17_or_one_is_pending_at_most() -> None:
    text = game(f"{EMPTY};0,0,0,3,0", EMPTY, EMPTY, options="mush=0,missed_turns=one")
    assert steps(text, "luck@B") == {"luck@C", "end"}
    assert steps(text, "luck@B", "luck@C") == {"end"}
    with pytest.raises(IllegalMoveError, match="B has a turn to miss already"):
        played(text, "luck@B", "luck@B")


def test_ez_18_all_others_can_miss_their_turn() -> None:
    text = game(f"{EMPTY};0,0,0,2,0", EMPTY, EMPTY)
    assert after(text, "luck@B", "luck@C", "end").startswith(f"{EMPTY};0,0,0,0,0/{EMPTY};0,0,0,0,0/{EMPTY};0,0,0,0,0 ")
    assert stage(text, "luck@B", "luck@C", "end") == "draw/A/1"


def test_ez_19_a_bonus_pea_turns_up_three_more() -> None:
    text = game(EMPTY, EMPTY, centre=FOUR_GREEN_ONES, hand="2G+")
    assert steps(text) == {"2G", "bonus", "end"}
    assert stage(text, "bonus") == "draw/A/3"
    assert after(text, "bonus", "*1G", "*1G", "*1G").endswith(" 1G1G1G2G play/A")
    assert stage(text, "2G", "bonus") == "draw/A/3", "also after placing"


def test_ez_19_a_bonus_pea_cannot_be_kept_nor_used_after_an_exchange() -> None:
    text = game("-,GG,-,-,-,-", "GG,-,-,-,-,-", hand="+")
    assert " - draw/B/1" in after(text, "end")
    assert steps(text, "xB-2+1+1.") == {"end"}
    assert view(current(text, "xB")).box[15] == 5


def test_ez_19a_with_an_empty_centre_it_can_only_be_dropped() -> None:
    text = game(EMPTY, EMPTY, centre=NO_CARDS, hand="+")
    assert steps(text) == {"end"}
    with pytest.raises(IllegalMoveError, match="the centre is empty"):
        played(text, "bonus")


def test_ez_20_a_bonus_works_again_and_takes_what_is_left() -> None:
    text = game(EMPTY, EMPTY, centre="1+0,0+0,0+0,0+0,0+0,1+0;0,0,0,2", hand="+")
    assert after(text, "bonus", "*bonus", "*bonus", "*1G").endswith(";0,0,0,0 1G++ play/A")
    assert stage(text, "bonus", "*bonus", "*bonus", "*1G", "bonus") == "draw/A/1"
    assert steps(text, "bonus", "*bonus", "*bonus", "*1G", "bonus", "*6G") == {"1G", "6G", "end"}


def test_ez_21_any_number_of_action_cards_is_played_in_a_turn() -> None:
    text = game(f"{EMPTY};0,0,3,2,0", "GG,-,-,-,-,G", EMPTY)
    words = ["thief@B1", "luck@B", "thief@B6", "luck@B", "thief@B1"]
    assert after(text, *words).startswith(f"GG,-,-,-,-,G;0,0,0,0,0/{EMPTY};0,0,0,0,2/{EMPTY};0,0,0,0,0 ")


def test_ez_22_mush_is_piled_up_and_everything_is_public() -> None:
    text = game(EMPTY, EMPTY, centre="0+0,0+0,0+0,0+0,0+0,0+0;2,1,1,0", stage="draw/A/4", options="mush=2")
    position = current(text, "*mush", "*thief", "*mush", "*luck")
    assert numbers(text, "*mush", "*thief", "*mush", "*luck")[0] == "0,2,1,1,0"
    assert position.is_open
    assert [position.redacted(seat) for seat in range(2)] == [position] * 2


def test_ez_23_a_sequence_is_completed_at_once() -> None:
    text = game("G,GR,RG,-,G,GGG", "-,-,-,G,-,-", hand="4R5G")
    assert after(text, "4R").startswith("-,G,R,-,-,GG;1,0,0,0,0/")
    assert stage(text, "4R") == "play/A"
    assert displays(text, "4R", "5G")[0] == "-,G,R,-,G,GG", "the next card finds the columns as they are now"
    assert displays(text, "5G", "4R")[0] == "-,G,R,-,G,GG"
    stolen = game("G,G,G,-,G,G;0,0,1,0,0", "-,-,-,G,-,-")
    assert after(stolen, "thief@B4").startswith(f"{EMPTY};1,0,0,0,0/{EMPTY};0,0,0,0,0 ")


def test_ez_24_the_top_card_of_each_column_leaves() -> None:
    assert displays(game("GR,RG,G,-,R,RRG", EMPTY, hand="4G"), "4G")[0] == "G,R,-,-,-,RR"


def test_ez_24_or_the_one_its_owner_chooses() -> None:
    text = game("GGRG,RR,G,-,R,RRG", EMPTY, hand="4G5R", options="mush=0,completion=owner")
    assert stage(text, "4G") == "complete/A/A1"
    assert steps(text, "4G") == {"^1@0", "^1@1", "^1@2"}, "of the two greens below the red only the upper one"
    assert steps(text, "4G", "^1@2") == {"^2@0"}, "one of two reds is like the other"
    whole = "^1@2^2@0^3@0^4@0^5@0^6@1"
    assert after(text, "4G", whole).startswith("GRG,R,-,-,-,RG;1,0,0,0,0/")
    assert after(text, "4G", whole).endswith(" 5R play/A")
    assert played(text, "4G", whole).format().endswith(f" : 4G {whole}")
    assert numbers(text, "4G", "^1@0^2@0^3@0^4@0^5@0")[0] == "0,0,0,0,0", "the giant pea comes with the sixth card"


def test_ez_24_the_owner_decides_in_the_turn_of_another() -> None:
    text = game("-,-,-,-,-,GG", "G,G,G,G,GG,-", EMPTY, options="mush=0,completion=owner")
    position = current(text, "xB-6+5+1.")
    assert (position.seat_to_move, view(position).seat) == (None if position.is_chance else 0, 0)
    given = game("-,-,-,-,-,GG", "GG,G,G,G,GG,-", EMPTY, options="mush=0,completion=owner")
    chosen = current(given, "xB-6+5+1.")
    assert (chosen.seat_to_move, view(chosen).seat, view(chosen).completing) == (1, 0, (1, 1))
    assert not chosen.opens_turn
    assert stage(given, "xB-6+5+1.", "^1@0^2@0^3@0^4@0^5@0^6@0") == "play/A/traded=B"
    assert numbers(given, "xB-6+5+1.", "^1@0^2@0^3@0^4@0^5@0^6@0")[1] == "1,0,0,0,0"


def test_ez_25_giant_peas_are_not_counted_out() -> None:
    cards = "cards=15/15/15/14/14/14,mush=0"
    text = game("G,G,G,-,G,G;12,0,0,0,0", EMPTY, hand="4G", options=cards)
    assert numbers(text, "4G")[0] == "13,0,0,0,0"


def test_ez_25_or_no_more_are_awarded() -> None:
    text = game("G,G,G,-,G,G;1,0,0,0,0", f"{EMPTY};1,0,0,0,0", hand="4G", options="mush=0,giant_peas=2")
    assert after(text, "4G").startswith(f"{EMPTY};1,0,0,0,0/{EMPTY};1,0,0,0,0 "), "the sequence goes all the same"
    assert numbers(text.replace("giant_peas=2", "giant_peas=3"), "4G")[0] == "2,0,0,0,0"


def test_ez_26_protected_cards_count_in_a_sequence() -> None:
    assert numbers(game("R,R,R,-,R,R", EMPTY, hand="4R"), "4R")[0] == "1,0,0,0,0"


def test_ez_27_a_sequence_completed_in_the_turn_of_another_counts() -> None:
    text = game("-,-,-,-,-,GG", "GG,G,G,G,GG,-", EMPTY)
    assert after(text, "xB-6+5+1.").startswith(f"G,-,-,-,G,G;0,0,0,0,0/{EMPTY};1,0,0,0,0/{EMPTY};0,0,0,0,0 ")


def test_ez_27_the_active_player_s_sequence_comes_first() -> None:
    # B gives 5 + 1 for A's 6: both are complete, and one giant pea is left.
    text = game("-,G,G,G,-,GG", "GG,G,G,G,GG,-", options="mush=0,giant_peas=1")
    assert numbers(text, "xB-6+5+1.") == ["1,0,0,0,0", "0,0,0,0,0"]
    assert displays(text, "xB-6+5+1.") == [EMPTY, EMPTY]
    owner = game("-,G,G,G,-,GG", "GG,G,G,G,GG,-", options="mush=0,completion=owner")
    whole = "^1@0^2@0^3@0^4@0^5@0^6@0"
    assert stage(owner, "xB-6+5+1.") == "complete/A/A1/traded=B"
    assert stage(owner, "xB-6+5+1.", whole) == "complete/A/B1/traded=B"
    assert numbers(owner, "xB-6+5+1.", whole, whole) == ["1,0,0,0,0", "1,0,0,0,0"]


def test_ez_27_two_sequences_of_one_player_at_once() -> None:
    text = game("GG,GG,GG,GG,-,GG", "-,-,-,-,GG,-", hand="1G1G2G2G3G3G")
    # A has two of each left but the 5, and takes both.
    assert after(text, "1G", "1G", "2G", "2G", "3G", "3G", "xB+5+5-3-3-2-2.").startswith("GG,-,-,-,-,-;2,0,0,0,0/")


def test_ez_28_exchanges_come_after_all_placing_and_need_no_card_drawn() -> None:
    text = game("-,GG,-,-,-,-", "GG,-,-,-,-,-")
    assert steps(text) == {"xB", "end"}
    assert steps(text.replace(" - play", " 4G play"), "xB-2+1+1.") == {"end"}


def test_ez_29_an_exchange_has_one_partner() -> None:
    text = game("-,-,-,-,-,G", "-,-,G,-,-,-", "-,-,G,-,-,-")
    assert steps(text) == {"end"}
    with pytest.raises(IllegalMoveError, match="one partner"):
        played(text, "xBC")


def test_ez_29_or_several_pooled() -> None:
    text = game("G,-,-,-,G,-", "-,-,G,-,-,-", "-,-,G,-,-,-", options="mush=0,partners=pooled")
    assert steps(text) == {"xBC", "end"}
    assert steps(text, "xBC") == {"-5", "+3"}
    assert displays(text, "xBC-5+3,+3-1.") == ["-,-,GG,-,-,-", "-,-,-,-,G,-", "G,-,-,-,-,-"]
    assert stage(text, "xBC-5+3,+3-1.") == "play/A/traded=BC"
    with pytest.raises(IllegalMoveError, match="every partner named must give and get a card"):
        played(text, "xBC-5,")


def test_ez_29_pooled_cards_can_go_both_ways_so_that_each_partner_gives_and_gets() -> None:
    # B gets a 3 and C gives one: that B gives and C gets takes a 1 that comes back.
    text = game("GG,-,G,-,-,-", "G,-,-,-,-,-", "G,-,G,-,-,-", options="mush=0,partners=pooled")
    assert displays(text, "xBC-3-1+1,+3-1+1.") == ["GG,-,G,-,-,-", "G,-,G,-,-,-", "G,-,-,-,-,-"]
    assert current(text, "xBC-3").search_moves() == current(text, "xBC-3").legal_moves()


def test_ez_30_one_exchange_per_opponent_and_turn_in_any_order() -> None:
    text = game(
        "-,-,-,-,-,GG",
        "GG,GG,-,-,-,-",
        "GGG,-,GG,-,-,-",
        centre="0+0,0+0,0+0,0+0,0+0,0+9;0,0,0,0",
        options="mush=0,red=3/3/3/3/3/9",
    )
    assert steps(text, "xC-6+3+3.") == {"xB", "end"}
    assert steps(text, "xC-6+3+3.", "xB-3+2+1.") == {"end"}
    assert steps(text, "xB-6+2+2+1+1.") == {"xC", "end"}
    with pytest.raises(IllegalMoveError, match="A has exchanged cards with B in this turn"):
        played(text, "xB-6+2+2+1+1.", "xB")
    turn = ["xB-6+2+2+1+1.", "end", *["*6R"] * 4]
    assert steps(text, *turn) >= {"xA", "xC"}


def test_ez_30_or_as_many_as_bring_no_position_back() -> None:
    text = game("-,-,-,-,G,-", "G,-,-,G,-,-", options="mush=0,unlimited_exchanges=7")
    assert stage(text, "xB-5+4+1.") == "play/A/barred=A1-1A4-1A5+1B1+1B4+1B5-1"
    assert steps(text, "xB-5+4+1.") == {"end"}, "the way back is barred"
    wide = game("-,-,-,-,G,-", "G,-,-,G,-,-", "-,G,G,-,-,-", options="mush=0,unlimited_exchanges=7")
    round_trip = ["xB-5+4+1.", "xC-4+3+2-1.", "xB+5-3-2.", "xC-5+4+1."]
    assert steps(wide, *round_trip) == {"xB", "end"}
    assert len(view(current(wide, *round_trip)).barred) == 4
    with pytest.raises(IllegalMoveError, match="no exchange of equal points between A and C leads to a new position"):
        played(wide, *round_trip[:2], "xC+4-3-2+1.")


def test_ez_30_unlimited_ends_where_as_many_positions_are_barred_as_allowed() -> None:
    text = game("-,-,-,-,G,-", "G,-,-,G,-,-", "-,G,G,-,-,-", options="mush=0,unlimited_exchanges=2")
    assert steps(text, "xB-5+4+1.", "xC-4+3+2-1.") == {"end"}
    with pytest.raises(IllegalMoveError, match="2 exchanges have been made"):
        played(text, "xB-5+4+1.", "xC-4+3+2-1.", "xB")


@pytest.mark.parametrize("irreversible", ["thief@C6", "luck@B"])
def test_ez_30_what_cannot_be_undone_opens_the_way_back(irreversible: str) -> None:
    text = game("-,-,-,-,G,-;0,0,1,1,0", "G,-,-,G,-,-", "-,-,-,-,-,G", options="mush=0,unlimited_exchanges=7")
    assert "xB" not in steps(text, "xB-5+4+1.")
    assert stage(text, "xB-5+4+1.", irreversible) == "play/A"
    assert displays(text, "xB-5+4+1.", irreversible, "xB+5-4-1.")[1] == "G,-,-,G,-,-"


def test_ez_30_a_completed_sequence_opens_the_way_too() -> None:
    barring = game("GG,G,G,-,G,G", "-,-,-,GG,-,-", options="mush=0,unlimited_exchanges=7")
    assert stage(barring, "xB+4-3-1.") == "play/A/barred=A1+1A3+1A4-1B1-1B3-1B4+1"
    completing = game("GGG,G,GG,-,G,G", "-,-,-,GG,-,-", options="mush=0,unlimited_exchanges=7")
    assert stage(completing, "xB+4-3-1.") == "play/A"


def test_ez_31_only_unprotected_greens_are_traded_and_at_least_one_each_way() -> None:
    text = game("RGG,-,-,-,-,-", "-,RG,-,-,-,-")
    assert displays(text, "xB+2-1-1.") == ["R,G,-,-,-,-", "GG,R,-,-,-,-"]
    with pytest.raises(IllegalMoveError):
        played(text, "xB.")


def test_ez_32_null_trades_are_forbidden_but_not_overlapping_ones() -> None:
    assert "xB" not in steps(game("-,-,-,-,G,-", "-,-,-,-,G,-"))
    text = game("-,-,G,G,-,-", "GG,G,-,G,-,-")
    assert displays(text, "xB-4+4-3+2+1.") == displays(text, "xB-3+2+1.") == ["G,G,-,G,-,-", "G,-,G,G,-,-"]
    given = current(text, "xB-4")
    assert [len(moves) for moves in (given.legal_moves(), given.search_moves())] == [2, 1]


def test_ez_33_cards_received_may_go_on() -> None:
    text = game("-,-,-,-,-,G", "-,-,GG,-,-,-", "GG,G,-,-,-,-", EMPTY)
    assert displays(text, "xB-6+3+3.", "xC-3+2+1.")[0] == "G,G,G,-,-,-"


def test_ez_34_all_cards_arrive_before_a_sequence_is_looked_for() -> None:
    # The 6 completes A's row; that the 3 has arrived too decides which 3 leaves.
    text = game("R,R,R,GG,RG,-", "-,-,G,-,-,G")
    assert after(text, "xB+6-5-4+3.").startswith("-,-,R,-,-,-;1,0,0,0,0/")


def test_ez_35_nobody_is_asked() -> None:
    text = game("-,GG,-,-,-,-", "GG,-,-,-,-,-")
    record = played(text, "xB-2+1+1.")
    assert {position.seat_to_move for position in record.positions} == {0}


def test_ez_36_action_cards_after_an_exchange_but_no_second_one() -> None:
    text = game("-,GG,-,-,-,-;0,0,1,1,0", "GG,-,-,-,-,-", "-,-,-,-,-,G")
    assert steps(text, "xB-2+1+1.") == {"thief@B2", "thief@C6", "luck@B", "luck@C", "end"}
    assert steps(text, "xB-2+1+1.", "thief@C6", "luck@B") == {"end"}


def test_ez_37_the_turn_of_the_last_card_is_completed() -> None:
    text = game("G,G,G,-,G,G;0,0,1,1,0", "-,-,-,G,-,-", EMPTY, stage="draw/A/1")
    assert steps(text, "*6G") == {"6G", "thief@B4", "luck@B", "luck@C", "xB", "end"}
    assert stage(text, "*6G", "end") == "end"
    assert numbers(text, "*6G", "end")[0] == "0,0,1,1,0", "kept cards lapse"
    assert numbers(text, "*6G", "thief@B4", "end")[0] == "1,0,0,1,0"


def test_ez_38_turns_are_not_made_even() -> None:
    text = game(EMPTY, EMPTY, EMPTY, stage="draw/B/1")
    assert current(text, "*6G", "end").is_terminal


@pytest.mark.parametrize(
    ("players", "shares"),
    [
        (["2,0", "1,9", "1,0"], [1, 0, 0]),
        (["2,3", "2,4", "0,9"], [0, 1, 0]),
        (["2,4", "2,4", "1,8"], [0.5, 0.5, 0]),
        (["0,0", "0,0", "0,0"], [1 / 3, 1 / 3, 1 / 3]),
    ],
)
def test_ez_39_giant_peas_then_mush_then_a_shared_win(players: list[str], shares: list[float]) -> None:
    mush = sum(int(player[2]) for player in players)
    shown = [f"{EMPTY};{player},0,0,0" for player in players]
    position = current(game(*shown, centre=NO_CARDS, stage="end", options=f"mush={mush}"))
    assert position.win_shares() == pytest.approx(shares)
    assert position.scores() == tuple(int(player[0]) for player in players)


def test_ez_40_cards_left_over_are_worth_nothing() -> None:
    position = current(game("GGG,-,-,-,GG,GGG", EMPTY, centre=NO_CARDS), "end")
    assert position.scores() == (0, 0)
    assert position.win_shares() == (0.5, 0.5)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["xB-5."], r"\. is illegal: every partner named must give and get a card"),
        (["xB-5+4."], r"\. is illegal: what A gives is worth 1 more than what it takes"),
        (["xB+4-2."], r"\. is illegal: what A gives is worth 2 less than what it takes"),
        (["xB-6"], r"-6 is illegal: A has no unprotected 6 left to give"),
        (["xB+5"], r"\+5 is illegal: B has no unprotected 5 left to take"),
        (["xB-2-5"], r"-5 is illegal: cards of an exchange come by descending value"),
        (["xB-5,"], r", is illegal: B is the last partner"),
        (["xB", "end"], "end is illegal: A's exchange is under way"),
        ([".", "end"], r"\. is illegal: expected a decision of A"),
        (["xA"], "xA is illegal: A is no opponent"),
        (["xBC"], "xBC is illegal: B and C are not opponents of A"),
        (["bonus"], "bonus is illegal: no bonus pea is to be used"),
        (["end", "*1G"], r"\*1G is illegal: the centre has no card 1G"),
    ],
)
def test_what_is_illegal_is_told_why(words: list[str], reason: str) -> None:
    text = game("-,GG,-,-,G,-", "GGG,-,-,G,-,-")
    with pytest.raises(IllegalMoveError, match=reason):
        played(text, *words)
