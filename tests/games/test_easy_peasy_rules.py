"""Easy Peasy by its rulings, each on positions made by hand."""

from __future__ import annotations

from random import Random

import pytest
from mangetout_solver.games.easy_peasy import EasyPeasy, view
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import parse_record

GAME = EasyPeasy()
BASE = "easy_peasy R9?,P1(G4)/G8?,X5? R3P3G7X10/P2X6 P4,R8 - - - 0-0 0-0 1/6 up"
TURN = f"{BASE} turn/A"


def after(text: str) -> str:
    return GAME.format_position(parse_record(text).current)


def stage(text: str) -> str:
    return after(text).rsplit(" ", 1)[1]


def moves(text: str) -> set[str]:
    position = parse_record(text).current
    return {GAME.format_move(position, move) for move in position.legal_moves()}


def outcomes(text: str) -> dict[str, float]:
    position = parse_record(text).current
    return {GAME.format_move(position, outcome): chance for outcome, chance in position.chance_outcomes()}


def to_the_end(position: Position, seed: int) -> list[Position]:
    rng, positions = Random(seed), [position]
    while not positions[-1].is_terminal:
        here = positions[-1]
        if here.is_chance:
            steps, weights = zip(*here.chance_outcomes(), strict=True)
            positions.append(here.play(rng.choices(steps, weights)[0]))
        else:
            positions.append(here.play(rng.choice(here.legal_moves())))
    return positions


# ---------------------------------------------------------------- deck and deal


@pytest.mark.parametrize(
    ("players", "colours", "dealt", "draw_pile"),
    [(2, 4, 16, 22), (3, 4, 24, 14), (4, 5, 32, 16), (5, 6, 40, 18), (6, 6, 48, 10)],
)
def test_cards_in_play_and_in_the_draw_pile(players: int, colours: int, dealt: int, draw_pile: int) -> None:
    """EP-01, EP-02 and the table of cards in play."""
    shown = view(GAME.deal(1, {"players": str(players)}))
    assert (shown.settings.colours, shown.draw_pile) == (colours, draw_pile)
    row_cards = sum(2 for row in shown.rows for _ in row)
    assert row_cards + sum(len(hand.cards) for hand in shown.hands) == dealt
    known = {pile.open for row in shown.rows for pile in row} | set(shown.tops)
    assert len(known | {card for era in shown.eras for card in era}) == 10 * colours == dealt + 2 + draw_pile
    assert max(card % 6 for era in shown.eras for card in era) == colours - 1


def test_nobody_knows_the_cards_under_the_rows_at_first() -> None:
    """EP-02."""
    position = GAME.deal(3, {})
    for seat in range(2):
        rows = GAME.format_position(position.redacted(seat)).split(" ")[1]
        assert rows == GAME.format_position(position).split(" ")[1]
        assert rows.count("?") == 4
        assert position.redacted(seat).count_worlds() == 27_405


DEAL = "easy_peasy {rows} R3P3G7X10/P2X6G3X3/P5X4R4 {tops} - - - 0-0-0 0-0-0 1/0 - deal/ABC : *G5"


def test_the_greatest_sum_of_open_row_cards_begins() -> None:
    """EP-03, the example of the rules: 10, 13 and 9."""
    text = DEAL.format(rows="R9?,P1?/G8?,X5?/P7?,R2?", tops="P4,R8")
    assert stage(text) == "begin/B"
    assert moves(text) == {"up", "down"}


def test_lots_are_drawn_among_those_with_the_greatest_sum() -> None:
    """EP-03."""
    text = DEAL.format(rows="R9?,P1?/G8?,R2?/R7?,G2?", tops="P4,R8")
    assert stage(text) == "lot/AB"
    assert outcomes(text) == {"*A": 0.5, "*B": 0.5}
    assert stage(f"{text} *B") == "begin/B"


def test_a_deal_in_which_two_are_level_begins_with_either() -> None:
    """EP-03."""
    begins = set()
    for seed in range(60):
        shown = view(GAME.deal(seed, {"colours": "6", "ranks": "3", "hand": "1"}))
        sums = [sum((pile.open or 0) // 6 + 1 for pile in row) for row in shown.rows]
        assert shown.seat is not None
        assert sums[shown.seat] == max(sums)
        if sums[0] == sums[1]:
            begins.add(shown.seat)
    assert begins == {0, 1}


def test_a_later_round_is_dealt_place_by_place() -> None:
    start = "easy_peasy R1,-/P1,- -/X2 P4,R8 - - - 0-0 0-0 1/6 up score/A/0 : *=0 *=2"
    assert after(start) == "easy_peasy ?,?/?,? -/- -,- - - - 0-2 0-2 2/0 - deal/B"
    assert len(outcomes(start)) == 40
    rows = f"{start} *R1 *R2 *R3 *R4"
    assert after(rows) == "easy_peasy R1?,R2?/R3?,R4? -/- -,- - - - 0-2 0-2 2/0 - deal/B"
    hands = f"{rows} *R5 *R6 *P1 *P2 *P3 *P4 *P5 *P6 *P7"
    assert after(hands) == "easy_peasy R1?,R2?/R3?,R4? P1P2P3P4/P5P6P7 R5,R6 - - - 0-2 0-2 2/0 - deal/B"
    assert len(outcomes(hands)) == 27
    assert after(f"{hands} *X9") == ("easy_peasy R1?,R2?/R3?,R4? P1P2P3P4/P5P6P7X9 R5,R6 - - - 0-2 0-2 2/0 - begin/B")


def test_who_begins_a_later_round() -> None:
    """EP-04: most points so far, or in the last round."""
    scored = "R1,-/P1,- -/X2 P4,R8 - - - 9-0 0-0 2/6 up score/A/0 : *=0 *=2"
    assert stage(f"easy_peasy {scored}") == "deal/A"
    assert stage(f"easy_peasy{{first=last}} {scored}") == "deal/B"


LEVEL = "R3,(X1)/P3,-/G3(R2),- -/X5/R4 P4,R8 - - - 8-3-3 0-0-0 2/6 up score/A/0 : *=0 *=5 *=4"
NEXT = "*{} *P1 *R1 *R7 *P5 *G1 *R5 *R6 *P2 *P6 *P7 *P8 *P9 *P10 *R8 *R9 *R10 *G5 *G6 *G7"


def test_a_tie_there_is_broken_by_the_new_deal_or_by_the_row_just_scored() -> None:
    """EP-05. The points are 8, 8 and 8: A has a row of 4, B of 3, C of 5."""
    assert after(f"easy_peasy {LEVEL}").split(" ")[7:9] == ["8-8-8", "0-5-5"]
    assert stage(f"easy_peasy {LEVEL}") == "deal/ABC"
    assert stage(f"easy_peasy {LEVEL} {NEXT.format('P4')}") == "begin/B"
    assert stage(f"easy_peasy {LEVEL} {NEXT.format('X7')}") == "lot/AB"
    assert stage(f"easy_peasy{{first_tie=scored}} {LEVEL}") == "deal/C"
    assert stage(f"easy_peasy{{first_tie=scored}} {LEVEL} {NEXT.format('P4')}") == "begin/C"
    level_rows = LEVEL.replace("P3,-/G3(R2),- -/X5/R4", "P2(R2),-/G3,- -/X5/X2X3").replace("*=4", "*=5")
    assert stage(f"easy_peasy{{first_tie=scored}} {level_rows}") == "deal/AB"
    assert stage(f"easy_peasy{{first_tie=scored}} {level_rows} {NEXT.format('P4')}") == "lot/AB"
    by_round = LEVEL.replace("8-3-3", "8-1-3")
    assert stage(f"easy_peasy{{first=last}} {by_round}") == "deal/BC"


def test_the_first_player_chooses_the_direction_and_then_has_its_turn() -> None:
    """EP-06."""
    text = "easy_peasy R9?,P1?/G8?,X1? R3P3G7X10/P2X6G3X3 P4,R8 - - - 0-0 0-0 1/0 - begin/A"
    assert moves(text) == {"up", "down"}
    assert after(f"{text} : up").endswith("1/0 up turn/A")
    assert after(f"{text} : down").endswith("1/0 down turn/A")
    assert "flip" in moves(f"{text} : up")


# ---------------------------------------------------------------- playing


def test_a_card_fits_by_the_direction_on_either_pile() -> None:
    """EP-07, EP-08: equal ranks fit both ways; the tops are 4 and 8. Face-down cards cannot be played."""
    text = "easy_peasy R9?,P8?/G6(R5),? R3P3G4X10/P2X6 P4,R8 - - - 0-0 0-0 1/6 {} turn/A"
    assert moves(text.format("up")) == {
        "G4>0", "P8>0", "P8>1", "R9>0", "R9>1", "X10>0", "X10>1", "flip",
    }  # fmt: skip
    assert moves(text.format("down")) == {"R3>0", "R3>1", "P3>0", "P3>1", "G4>0", "G4>1", "P8>1", "flip"}


def test_the_example_of_a_turn() -> None:
    """The rules: red 8 from the row on purple 4; the colours differ, so the turn is over."""
    text = "easy_peasy R8?,P1?/G8?,X5? R3/P2 P4,G2 - - - 0-0 0-0 1/6 up turn/A : R8>0"
    assert after(text) == "easy_peasy ?,P1?/G8?,X5? R3/P2 R8,G2 P4 - - 0-0 0-0 1/7 up turn/B"


def test_flipping_is_allowed_to_who_can_play_and_then_playing_is_a_must() -> None:
    """EP-09, EP-10, EP-11, EP-33: flip, draw two, then play; drawn cards too."""
    assert after(f"{TURN} : flip").endswith("down draw/A/2")
    assert after(f"{TURN} : flip *R1").endswith("down draw/A/1")
    drawn = f"{TURN} : flip *R1 *X7"
    assert after(drawn) == ("easy_peasy R9?,P1(G4)/G8?,X5? R1R3P3G7X7X10/P2X6 P4,R8 - - - 0-0 0-0 1/6 down flipped/A")
    assert moves(drawn) == {f"{card}>{pile}" for card in ("R1", "P1", "R3", "P3", "G7", "X7") for pile in (0, 1)} - {
        "G7>0",
        "X7>0",
    }


def test_draws_come_from_all_that_nobody_has_seen() -> None:
    """EP-02, EP-13: pile and face-down row cards are alike until they are seen."""
    chances = outcomes(f"{TURN} : flip")
    assert set(chances.values()) == {1 / 27}
    assert not chances.keys() & {"*R9", "*G4", "*P4", "*R8", "*R3", "*X6"}


STUCK = "easy_peasy{options} R9?,P9?/G8?,X5? P10X10/P2X6 P3,R4 - - - 0-0 0-0 1/6 up turn/A : flip *G7 *P8"


def test_a_player_stuck_after_a_flip_of_choice_flips_again() -> None:
    """EP-12 again: the second flip is legal only when nothing fits, and shows it."""
    assert moves(STUCK.format(options="")) == {"flip"}
    text = after(f"{STUCK.format(options='')} flip")
    assert text.endswith("A>4@0+0 0-0 0-0 1/6 up draw/A/2/again")
    assert after(f"{STUCK.format(options='')} flip *R1 *R2").endswith("A>4@0+2 0-0 0-0 1/6 up flipped/A/again")
    played = moves(f"{STUCK.format(options='')} flip *R1 *R2")
    assert "P10>0" in played
    assert not played & {"flip", "R1>0", "R2>0"}
    assert "flip" not in moves(f"{TURN} : flip *R1 *X7")


def test_a_player_stuck_after_a_flip_of_choice_ends_the_turn() -> None:
    """EP-12 end."""
    text = STUCK.format(options="{stuck=end}")
    assert moves(text) == {"stuck"}
    assert after(f"{text} stuck").endswith("G7P8P10X10/P2X6 P3,R4 - - A>4@0+0 0-0 0-0 1/7 down turn/B")


def test_a_flip_that_might_leave_the_player_stuck_is_forbidden() -> None:
    """EP-12 forbid: a card usable before the draw must fit after the flip."""
    text = "easy_peasy{{stuck=forbid}} R9?,P9?/G8?,X5? {}/P2X6 P3,R4 - - - 0-0 0-0 1/6 up turn/A"
    assert "flip" not in moves(text.format("P10X10"))
    assert "flip" in moves(text.format("R3P10X10"))
    assert "flip" in moves(text.format("P10X10").replace("P9?", "P1?"))
    assert moves(text.format("R3P10") + " : flip *X1 *G9") == {"R3>0", "R3>1", "X1>0", "X1>1"}


def test_a_forced_flip_always_yields_a_play() -> None:
    for rule in ("again", "end", "forbid"):
        text = f"easy_peasy{{stuck={rule}}} R1?,P2?/G8?,X5? P1X2/X6 P4,R8 - - - 0-0 0-0 1/6 up turn/A"
        assert moves(text) == {"flip"}
        fitting = {f"{card}>{pile}" for card in ("R1", "P1", "P2", "X2") for pile in (0, 1)}
        assert moves(f"{text} : flip *R9 *P9") == fitting


# A small deck of which 13 cards lie in the open or in hands: R5 alone is left to draw.
SHORT = "easy_peasy{colours=2,ranks=7,hand=1} R7/P7 {hand}/P2 P4,R4 {discards} - - 0-0 0-0 1/6 up turn/A"


def short(hand: str, discards: str) -> str:
    return SHORT.replace("{hand}", hand).replace("{discards}", discards)


def test_the_discards_are_shuffled_in_mid_draw_with_the_tops_left() -> None:
    """EP-13."""
    text = short("R3P5", "R1P1R2P3R6P6") + " : flip"
    assert outcomes(text) == {"*R5": 1.0}
    drawn = f"{text} *R5"
    assert after(drawn) == (
        "easy_peasy{colours=2,ranks=7,hand=1} R7/P7 R3R5P5/P2 P4,R4 - R1P1R2P3R6P6 - 0-0 0-0 1/6 down draw/A/1"
    )
    assert outcomes(drawn) == {f"*{card}": pytest.approx(1 / 6) for card in ("R1", "P1", "R2", "P3", "R6", "P6")}
    # The pile that is used up by the last draw is left as it is.
    assert after(f"{drawn} *R6").endswith("R3R5P5R6/P2 P4,R4 - R1P1R2P3R6P6 - 0-0 0-0 1/6 down flipped/A")


def test_with_only_the_tops_left_there_is_less_to_draw() -> None:
    """EP-14: one card, then none at all."""
    one = short("R1P1R2P3R3P5R6P6", "-")
    assert stage(f"{one} : flip *R5") == "flipped/A"
    none = short("R1P1R2P3R3P5R5R6P6", "-")
    assert stage(f"{none} : flip") == "flipped/A"
    assert {"R1>0", "R3>1"} <= moves(f"{none} : flip")


def test_a_row_card_that_is_played_leaves_the_card_beneath_face_down() -> None:
    """EP-15."""
    assert after(f"{TURN} : R9>0").split(" ")[1] == "?,P1(G4)/G8?,X5?"
    down = TURN.replace("P1(G4)", "P5(G4)")
    assert after(f"{down} : P5>0").split(" ")[1] == "R9?,(G4)/G8?,X5?"


# ---------------------------------------------------------------- bonus actions


def test_a_card_on_its_own_colour_earns_a_bonus_action() -> None:
    """EP-16: the card covered counts, the first ones too; the other pile does not."""
    assert stage(f"{TURN} : R9>1") == "bonus/A/1"
    assert stage(f"{TURN} : R9>0") == "turn/B"
    assert stage(f"{TURN} : G7>0 G8>1") == "turn/A"
    assert stage(f"{TURN} : G7>0 G8>0") == "bonus/B/0"


BONUS = "easy_peasy R9?,P6(G4)/G8?,X5? R3P3P7G7X10/P2X6 P4,R8 - - - 0-0 0-0 1/6 up turn/A : P7>0"


def test_bonus_actions() -> None:
    """EP-17, EP-18, EP-22: the same pile only, in the direction, any colour; a row pile; or none."""
    assert moves(BONUS) == {"+G7", "+R9", "+X10", "+turn0", "+turn1", "."}
    assert after(f"{BONUS}+R9").endswith("1/7 up turn/B")
    chain = "easy_peasy R9?,P6(G4)/G8?,X5? R3P8P9X10/P2X6 P4,R8 - - - 0-0 0-0 1/6 up turn/A : P6>0+P8+P9+X10"
    assert after(chain) == "easy_peasy R9?,(G4)/G8?,X5? R3/P2X6 X10,R8 P4P6P8P9 - - 0-0 0-0 1/7 up turn/B"
    assert stage(f"{BONUS}.") == "turn/B"
    assert "." in moves(BONUS.replace("G7X10", "").replace("R9?", "-").replace("P6(G4)", "R1"))


def test_a_single_open_card_cannot_be_turned_down() -> None:
    """EP-19."""
    text = "easy_peasy R2,-/G8?,X5? R3P7/P2X6 P4,R8 - - - 0-0 0-0 1/6 up turn/A : P7>0"
    assert moves(text) == {"."}


def test_turning_a_row_pile() -> None:
    """EP-18, EP-20, EP-23: cards change places, the turn is over, and what lay open stays known to all."""
    assert after(f"{BONUS}+turn1").split(" ")[1] == "R9?,G4(P6)/G8?,X5?"
    assert stage(f"{BONUS}+turn1") == "turn/B"
    unknown = f"{BONUS}+turn0"
    assert stage(unknown) == "reveal/A/0"
    assert set(outcomes(unknown).values()) == {1 / 26}
    turned = after(f"{unknown} *X9")
    assert turned.split(" ")[1] == "X9(R9),P6(G4)/G8?,X5?"
    assert turned.endswith("turn/B")
    position = parse_record(f"{unknown} *X9").current
    assert all("X9(R9)" in GAME.format_position(position.redacted(seat)) for seat in range(2))
    single = BONUS.replace("R9?", "?").replace("P6(G4)", "(G4)")
    assert after(f"{single}+turn0 *X9").split(" ")[1] == "X9,(G4)/G8?,X5?"
    assert after(f"{single}+turn1").split(" ")[1] == "?,G4/G8?,X5?"


def test_a_card_turned_up_is_played_from_the_next_turn_on() -> None:
    """EP-21."""
    turned = f"{BONUS}+turn0 *X9"
    assert stage(turned) == "turn/B"
    assert {"X9>0", "X9>1"} <= moves(f"{turned} G8>1")


def test_the_example_of_bonus_actions() -> None:
    """The rules: green 8 from hand on green 7, green 9 from the row on it, then the card beneath; the turn is over."""
    text = "easy_peasy G9?,R1?/G5?,X5? R3G8/P2X6 P4,G7 - - - 0-0 0-0 1/6 up turn/A"
    assert after(f"{text} : G8>1+G9+turn0 *P10") == (
        "easy_peasy P10,R1?/G5?,X5? R3/P2X6 P4,G9 G7G8 - - 0-0 0-0 1/7 up turn/B"
    )


def test_an_accident_is_no_move() -> None:
    """EP-32: no row card comes to light but by a bonus action or to score."""
    assert not {move for move in moves(TURN) if "turn" in move}


# ---------------------------------------------------------------- the end of a round


def test_the_round_ends_with_the_whole_turn() -> None:
    """EP-24, EP-26: an emptied hand lets the chain go on from the row."""
    text = "easy_peasy R5?,R9/G8?,X5? R4/P2X6 P4,R1 - - - 0-0 0-0 1/6 up turn/A : R4>1"
    assert stage(text) == "bonus/A/1"
    assert stage(f"{text}+R5+turn0 *P10") == "score/A/0"
    assert stage(f"{text}+R5.") == "score/A/0"
    both = "easy_peasy R5,-/G8?,X5? R4/P2X6 P4,R1 - - - 0-0 0-0 1/6 up turn/A : R4>1+R5. *G1 *G2 *=0 *=8"
    assert after(both).split(" ")[8] == "0-16"


def test_a_row_is_empty_without_face_down_cards_only() -> None:
    """EP-25."""
    text = "easy_peasy R5{},-/G8?,X5? R4R6/P2X6 P4,P1 - - - 0-0 0-0 1/6 up turn/A : R5>1"
    assert stage(text.format("")) == "score/A/0"
    assert stage(text.format("?")) == "turn/B"
    assert stage(text.format("(G1)")) == "turn/B"


def test_nobody_plays_after_the_end() -> None:
    """EP-27: the others count as they are."""
    text = "easy_peasy R5,-/G8?,X5?/G1?,X1? R4R6/P2X6/P3 P4,P1 - - - 0-0-0 0-0-0 1/1 up turn/A : R5>1"
    assert stage(text) == "score/A/0"


SCORES = (
    "easy_peasy{{rounds=1}} R6,R2/P2,G2/R1,- -/X2P6{}/G3P9 P4,R8 - - - 0-0-0 0-0-0 1/7 up score/A/0 : *=0 *={} *=12"
)


def test_the_examples_of_scoring() -> None:
    """EP-28, EP-29: 8 against 18 and 12 is nothing; 8 against 8 and 12 is doubled."""
    assert parse_record(SCORES.format("X10", 18)).current.scores() == (0, 18, 12)
    assert parse_record(SCORES.format("", 8)).current.scores() == (16, 8, 12)


def test_hand_and_row_of_others_are_compared_and_of_the_ender_added() -> None:
    """EP-28, EP-29: also the face-down cards."""
    text = "easy_peasy{rounds=1} -,-/P2(G10),G2? R3R4/X2P6 P4,R8 - - - 0-0 0-0 1/7 up score/A/0 : *X7 *=7 *=8"
    assert parse_record(text).current.scores() == (0, 21)
    more = "easy_peasy{rounds=1} -,-/P2,G2 R3R4/X2P6 P4,R8 - - - 0-0 0-0 1/7 up score/A/0 : *=7 *=8"
    assert parse_record(more).current.scores() == (0, 8)
    tie = "easy_peasy{rounds=1} -,-/P2,G2 R3R4/X2P5 P4,R8 - - - 0-0 0-0 1/7 up score/A/0 : *=7 *=7"
    assert parse_record(tie).current.scores() == (14, 7)


def test_a_round_that_goes_on_too_long_is_cut_off() -> None:
    """EP-34: all score as if another had ended it; a regular end in the last turn counts."""
    text = "easy_peasy{{rounds={},turns=5}} R5{},-/G8?,X5? R4R6/P2X6 P4,P1 - - - 0-0 0-0 1/9 up turn/A : R5>1"
    assert stage(text.format(1, "")) == "score/A/0"
    cut = text.format(1, "(G1)")
    assert after(cut).endswith("0-0! 1/10 up score/-/0")
    assert after(f"{cut} *X1 *X2 *=10 *=8") == (
        "easy_peasy{rounds=1,turns=5} -,-/-,- -/- -,- - - - 10-16 10-16! 1/0 - end"
    )
    assert parse_record(f"{cut} *X1 *X2 *=10 *=8").current.win_shares() == (1, 0)
    later = after(f"{text.format(2, '(G1)')} *X1 *X2 *=10 *=8")
    assert later.endswith("10-16 10-16! 2/0 - deal/B")


def test_rounds_are_cut_off_after_the_turns_of_each_player() -> None:
    """EP-34, reached by playing: no end before, and the flag."""
    for seed in range(40):
        positions = to_the_end(GAME.deal(seed, {"turns": "4", "rounds": "1", "players": "3", "hand": "6"}), seed)
        scoring = next(view(position) for position in positions if view(position).phase == "score")
        assert scoring.cut_off == (scoring.seat is None)
        assert scoring.turns == 12 if scoring.cut_off else scoring.turns <= 12
        assert view(positions[-1]).cut_off == scoring.cut_off


# ---------------------------------------------------------------- the end of the match


def shares(text: str) -> tuple[float, ...]:
    return parse_record(text).current.win_shares()


def test_the_least_points_win_the_match() -> None:
    """EP-30: then the least in the last round, then all share."""
    end = "easy_peasy -,-/-,-/-,- -/-/- -,- - - - {} {} 3/0 - end"
    assert shares(end.format("20-31-40", "20-0-9")) == (1, 0, 0)
    assert shares(end.format("20-20-40", "20-0-9")) == (0, 1, 0)
    assert shares(end.format("20-20-40", "9-9-0")) == (0.5, 0.5, 0)
    assert shares(end.format("20-20-20", "9-9-9!")) == pytest.approx((1 / 3,) * 3)


def test_a_match_of_rounds_has_its_rounds() -> None:
    """EP-30."""
    for rounds in (1, 2, 5):
        positions = to_the_end(GAME.deal(rounds, {"rounds": str(rounds)}), rounds)
        assert view(positions[-1]).round == rounds
        assert sum(view(position).phase == "begin" for position in positions) == rounds


def test_a_match_of_points_ends_with_the_round_in_which_they_are_reached() -> None:
    """EP-31: 30 for two players, else 50."""
    short_of = "easy_peasy{match=points} R1,-/P1,- R2/X2 P4,R8 - - - 27-0 0-0! 9/400 up score/-/0 : *=2 *=2"
    assert stage(short_of) == "deal/A"
    assert stage(short_of.replace("27-0", "28-0")) == "end"
    three = (
        "easy_peasy{match=points} R1,-/P1,-/G1,- R2/X2/P2 P4,R8 - - - 47-8-0 0-0-0! 9/600 up score/-/0 : *=2 *=2 *=2"
    )
    assert stage(three) == "deal/A"
    assert stage(three.replace("47-8", "48-8")) == "end"
    assert stage(three.replace("=points", "=points,points=60").replace("47-8", "57-8")) == "deal/A"
    for seed in range(5):
        last = view(to_the_end(GAME.deal(seed, {"match": "points", "points": "20"}), seed)[-1])
        before = [score - of_last for score, of_last in zip(last.scores, last.last_scores, strict=True)]
        assert max(before) < 20 <= max(last.scores)


def test_points_come_every_round_and_bound_the_steps_of_a_match() -> None:
    """One that has not ended the round holds cards in hand and row."""
    for seed in range(20):
        options = {"match": "points", "points": "12", "turns": "3", "colours": "3", "hand": "2", "stuck": "end"}
        positions = to_the_end(GAME.deal(seed, options), seed)
        assert len(positions) - 1 <= positions[0].max_steps
        for position in positions:
            if view(position).phase == "deal":
                assert sum(score > 0 for score in view(position).last_scores) >= 1


def test_the_playout_policy_plays_a_card_where_one_fits() -> None:
    """It draws where nothing fits alone, and turns piles of a row or ends a turn where no further card does."""
    played = drawn = ended = 0
    for seed in range(60):
        position = GAME.deal(seed, {})
        for here in to_the_end(position, seed)[:-1]:
            if here.is_chance or view(here).phase == "begin":
                continue
            words = {move: GAME.format_move(here, move) for move in here.legal_moves()}
            cards = {
                move for move, word in words.items() if ">" in word or (word.startswith("+") and "turn" not in word)
            }
            found = {here.policy_step(index) for index in range(6)}
            assert found <= (cards or set(words))
            played += len(found & cards)
            drawn += any(words[move] == "flip" for move in found)
            ended += any(words[move] == "." for move in found)
    assert min(played, drawn, ended) > 20
