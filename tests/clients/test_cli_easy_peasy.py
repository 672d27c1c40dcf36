"""Easy Peasy at the terminal: positions of whole games against their notation, what comes next, and play."""

from __future__ import annotations

import re
from typing import Any

import pytest
from mangetout.v1 import game_pb2
from mangetout_client import Client

from tests.clients.terminal import (
    assert_nothing_is_lost_where_it_is_narrow_and_plain,
    play,
    printed,
    random_game,
    record_of,
    rows_of,
    show,
    some_of_each_stage,
)

STAGES = {"deal", "begin", "turn", "draw", "flipped", "bonus", "reveal", "score", "end"}
_CARD = re.compile(r"\b[RPGXYZ](?:10|[1-9])\b")


def pile_text(pile: str) -> str:
    """A pile as drawn, from the notation: open/beneath."""
    match = re.fullmatch(r"([A-Z]\d+)?(?:(\?)|\((\w+)\))?", pile)
    if match is None:
        return "-"
    beneath = match[2] or match[3]
    return (match[1] or "-") + (f"/{beneath}" if beneath else "")


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_easy_peasy_shows_rows_hands_and_scores_in_every_stage(client: Client, server: Any, players: int) -> None:
    stages = set()
    options = {"players": players, "rounds": 2, "turns": 12, "piles": 1 + players % 3, "hand": 2 if players > 4 else 4}
    for stage, position in some_of_each_stage(random_game(client, "easy_peasy", players, **options), 2):
        stages.add(stage)
        for viewer in (None, players - 1):
            seat = [] if viewer is None else ["--seat", "ABCDEF"[viewer]]
            lines = show(server, position.notation, *seat)
            seen = client.get_position(position.notation, seat=viewer).position
            _, rows, hands, tops, *_, scores, last, clock, _, _ = seen.notation.split()
            assert seen.next in lines[0]
            assert lines[1].startswith(f" round {clock[0]} of 2")
            if stage == "end":
                result = rows_of(lines[2:])
                for letter, score, of_last in zip(
                    "ABCDEF", scores.split("-"), last.strip("!").split("-"), strict=False
                ):
                    assert result[letter] == [score, of_last]
                continue
            drawn = rows_of(lines)
            for number, top in enumerate(tops.split(",")):
                assert any(line.startswith(f" discard pile {number}: {top}") for line in lines)
            for letter, row, hand, score in zip(
                "ABCDEF", rows.split("/"), hands.split("/"), scores.split("-"), strict=False
            ):
                assert drawn[letter][: 2 + row.count(",")] == [*map(pile_text, row.split(",")), score]
                line = next(line for line in lines if re.match(rf" {letter}( \(.*?\))?: ", line))
                assert ("you" in line) == (seat[1:] == [letter])
                cards = line.partition(": ")[2].partition("was stuck")[0]
                assert _CARD.findall(cards) == _CARD.findall(re.sub(r"(?=[A-Z])", " ", hand))
                hidden = re.search(r"(\d+) hidden card", cards)
                assert (int(hidden[1]) if hidden else 0) == hand.count("?")
    assert stages - {"lot"} == STAGES


def test_what_others_hold_is_not_drawn_for_a_seat(client: Client, server: Any) -> None:
    hidden_cards = 0
    for _, position in some_of_each_stage(random_game(client, "easy_peasy", 3, players=4, rounds=1, turns=12), 2):
        view = position.easy_peasy
        shuffled = {card for shuffle in view.shuffles for card in shuffle.cards}
        for viewer, letter in enumerate("ABCD"):
            others = {card for seat, player in enumerate(view.players) if seat != viewer for card in player.hand}
            hidden_cards += len(others)
            text = "\n".join(show(server, position.notation, "--seat", letter)[:-2])
            # The cards of a shuffle are known to all, but not where they are.
            assert not (others - shuffled) & set(_CARD.findall(text))
    assert hidden_cards


def test_easy_peasy_tells_how_a_match_stands(server: Any) -> None:
    stuck = "easy_peasy{match=points} R9?,P1(G4)/G8,X5? P2R3G7X10/????? P4,R8 G2G3 - B>6@0+2 3-12 3-6 3/17 up turn/A"
    assert show(server, stuck, "--seat", "A")[:-2] == [
        "easy_peasy: A (you) to move: play a card, or turn the Up&Down card and draw (6 choices)",
        " round 3, to 30 points: 17 turns finished, cut off at 400",
        " Up&Down: UP, the same rank or a higher one",
        " discard pile 0: P4",
        " discard pile 1: R8",
        " under both: G2 G3",
        " draw pile: 20 cards",
        "",
        "        row     row             last",
        "         0       1     score   round",
        " ────────────────────────────────────",
        "  > A   R9/?   P1/G4       3       3",
        "    B    G8    X5/?       12       6",
        "",
        "open/beneath, ? nobody has seen",
        " A (you): P2 R3 G7 X10",
        " B: 5 hidden cards  (was stuck: cards above 6, but for 2)",
        "",
    ]


def test_the_shuffles_that_hidden_cards_come_from_are_told() -> None:
    view = game_pb2.EasyPeasyView(tops=["R1", "R2"], round=1, rounds=3)
    view.shuffles.add(cards=["P1", "P2", "P3"])
    view.players.add(unknown=3, unknown_by_shuffle=[1, 2], stuck={"rank": 4, "shuffle": 1, "free": 2})
    view.players.add(hand=["G1"], unknown=1, unknown_by_shuffle=[1], stuck={"above": True, "rank": 7, "free": 0})
    text = printed(game_pb2.Position(game="easy_peasy", easy_peasy=view))
    assert " hidden since shuffle 1: P1 P2 P3\n" in text
    told = "was stuck: cards below 4, but for 2 since shuffle 1"
    assert f" A: 3 hidden cards, 2 since shuffle 1  ({told})\n" in text
    assert " B: G1  1 hidden card  (was stuck: cards from before shuffle 1 above 7)" in text


def test_every_stage_of_easy_peasy_has_words_for_what_comes_next(client: Client, server: Any) -> None:
    words = {
        "deal": "a card is dealt",
        "begin": "begin with UP or DOWN",
        "turn": "play a card, or turn the Up&Down card and draw",
        "draw": r"[AB] draws a card",
        "flipped": "play a card(, or turn the Up&Down card again if nothing fits)?",
        "bonus": "play a card on the same pile, turn a pile of the row, or neither",
        "reveal": r"a card of [AB]'s row is turned up",
        "score": r"a card of [AB]'s row is turned up|[AB] shows the hand",
        "end": "",
    }
    told: dict[str, set[str]] = {}
    for seed in (1, 2):
        for stage, position in some_of_each_stage(
            random_game(client, "easy_peasy", seed, rounds=2, hand=2, turns=12), 8
        ):
            assert re.fullmatch(words[stage], position.next), position.notation
            told.setdefault(stage, set()).add(position.next)
            if position.is_chance:
                assert f"chance comes next: {position.next} (" in show(server, position.notation)[0]
    assert set(told) == set(words)
    assert any("shows the hand" in text for text in told["score"])
    lot = show(server, "easy_peasy R5?,R6?/P5?,P6? G1G2G3G4/???? X1,X2 - - - 12-12 12-12! 2/0 - lot/AB")
    assert lot[0] == "easy_peasy: chance comes next: who begins is drawn (2 outcomes)"
    assert lot[-5:-3] == [" A (may begin): G1 G2 G3 G4", " B (may begin): 4 hidden cards"]


@pytest.mark.parametrize(
    ("stuck", "again", "words"),
    [
        ("again", "", "play a card, or turn the Up&Down card again if nothing fits"),
        ("again", "/again", "play a card"),
        ("end", "", "play a card, or end the turn if nothing fits"),
        ("forbid", "", "play a card"),
    ],
)
def test_a_player_who_has_turned_the_card_is_told_what_is_left(
    client: Client, stuck: str, again: str, words: str
) -> None:
    options = "" if stuck == "again" else f"{{stuck={stuck}}}"
    shown = "A>8@0+2" if again else "-"
    hand = "P9R9G9X9" if again else "P2R9G9X10"
    position = f"easy_peasy{options} R10?,P1?/G8?,X5? {hand}/???? P4,R8 G2 - {shown} 0-0 0-0 1/17 up flipped/A{again}"
    assert client.get_position(position).position.next == words


@pytest.mark.parametrize("players", [2, 6])
def test_a_narrow_terminal_without_colours_and_line_signs_loses_nothing(client: Client, players: int) -> None:
    positions = random_game(client, "easy_peasy", 1, players=players, rounds=2, turns=12, hand=2)
    for _, position in some_of_each_stage(positions, 3):
        assert_nothing_is_lost_where_it_is_narrow_and_plain(position, 1)


@pytest.mark.parametrize(("players", "seat"), [(2, "A"), (3, "C"), (6, "B")])
def test_a_match_is_played_to_its_end_and_keeps_what_others_hold(
    server: Any, client: Client, players: int, seat: str
) -> None:
    options = {"players": str(players), "rounds": "2", "turns": "12", "hand": "2"}
    result = play(server, "easy_peasy", "--seat", seat, options=options, stdin="board\n" + "1\n" * 100)
    record = record_of(result)
    final = client.get_position(record).position
    assert record.startswith(client.deal("easy_peasy", options=options, seed=3).position.notation + " : ")
    totals = ", ".join(f"{'ABCDEF'[result.seat]} {result.score:g}" for result in final.returns)
    assert f"\nTotal: {totals} (penalty points, lower is better)\n" in result.stdout
    # Everything was drawn for the record, and of it the person saw the own cards.
    assert "?" not in record.partition(" : ")[2]
    assert set(re.findall(r"^\*.*  ([A-F]) (?:draws|is dealt) ", result.stdout, re.M)) == {seat}
    others = "ABCDEF"[:players].replace(seat, "")
    hands = re.findall(rf"^ ([{others}]): (.*)$", result.stdout, re.M)
    assert {letter for letter, _ in hands} == set(others)
    number = re.compile(r"\d+ hidden cards?(, \d+ since shuffle \d)*(  \(was stuck.*)?")
    assert all(number.fullmatch(cards) for _, cards in hands)
    assert set(re.findall(r"^([A-F]) plays ", result.stdout, re.M)) == set(others)


def test_a_match_left_early_keeps_what_others_hold(server: Any, client: Client) -> None:
    result = play(server, "easy_peasy", "--seat", "B", options={"players": "3"}, stdin="1\n" * 6)
    assert "left unfinished" in result.stdout
    record = record_of(result)
    assert re.fullmatch(r"\?{4}/[A-Z0-9]+/\?{4}", record.split()[2])
    assert " *? " in record
    position = client.get_position(record).position
    assert position.seat_to_move == 1
    assert position.notation == client.get_position(record, seat=1).position.notation
