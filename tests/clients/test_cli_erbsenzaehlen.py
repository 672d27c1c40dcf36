"""Erbsenzählen at the terminal: positions of whole games against their notation, what comes next, and play."""

from __future__ import annotations

import re
from typing import Any

import pytest
from mangetout_client import Client

from tests.clients.terminal import (
    assert_nothing_is_lost_where_it_is_narrow_and_plain,
    play,
    random_game,
    record_of,
    rows_of,
    show,
    some_of_each_stage,
)

STAGES = {"draw", "play", "complete", "end"}


def column_text(column: str) -> str:
    """A column as drawn, from the notation: what the topmost red protects stands in brackets."""
    return re.sub(r"^(.*R)", r"[\1]", column)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_erbsenzaehlen_shows_displays_and_counts_in_every_stage(client: Client, server: Any, players: int) -> None:
    stages = set()
    labels = ("giant peas", "mush", "thieves", "bad luck", "turns to miss")
    options = {"players": players, "completion": "owner", "cards": "9,9,9,8,8,8", "mush": 9}
    for stage, position in some_of_each_stage(random_game(client, "erbsenzaehlen", players, **options), 4):
        stages.add(stage)
        lines = show(server, position.notation)
        assert position.next in lines[0]
        _, displays, centre, hand, place = position.notation.split()
        turn = place.split("/")[1] if "/" in place else ""
        header = next(line for line in lines if line.endswith("box")).split()
        assert header == ["A", *"BCDE"[: players - 1], "centre", "box"] if not turn else f"> {turn} " in lines[2]
        columns, numbers = zip(*(display.split(";") for display in displays.split("/")), strict=True)
        points, others = centre.split(";")
        for value in range(1, 7):
            line = next(line for line in lines if re.match(rf"  {value}  ", line))
            drawn = [column_text(column.split(",")[value - 1]) for column in columns]
            green, red = points.split(",")[value - 1].split("+")
            assert line.split()[: players + 5] == [str(value), *drawn, str(value), green, "+", red]
        for index, label in enumerate(labels):
            line = next(line for line in lines if line.startswith(f"  {label} "))
            counts = [number.split(",")[index] for number in numbers]
            drawn = line.split()[len(label.split()) :][:players]
            assert [count.replace("-", "0") for count in drawn] == counts
        for name, count in zip(("mush", "thieves", "bad luck", "bonus"), others.split(","), strict=True):
            assert any(re.search(rf"  {name} +{count if count != '0' else '-'} ", line) for line in lines)
        turned_up = next((line for line in lines if line.startswith(" turned up, not used: ")), "")
        assert re.findall(r"[1-6][GR]", turned_up) == re.findall(r"[1-6][GR]", hand)
        assert ("bonus pea" in turned_up) == ("+" in hand)
        if stage == "end":
            result = rows_of(lines[-players - 6 :])
            for letter, counts in zip("ABCDE", numbers, strict=False):
                assert result[letter] == counts.split(",")[:2]
    assert stages == STAGES


_POOLED = (
    "erbsenzaehlen{partners=pooled} G,-,-,-,G,-;0,1,0,1,0/-,G,G,-,-,-;0,0,0,0,0/-,-,G,-,-,-;0,0,0,0,0 "
    "13+3,12+3,10+3,11+3,9+3,9+3;20,5,4,5 - play/A"
)


def test_an_exchange_under_way_is_told_partner_by_partner(server: Any) -> None:
    begun = show(server, _POOLED, "xBC-5+3,")
    assert begun[0].startswith("erbsenzaehlen: A to move: choose the cards to exchange with C (")
    assert begun[-6:-2] == [
        " exchange under way with B and C",
        "   A gives 5 for 3 of B",
        "   A gives ... for ... of C",
        "",
    ]
    assert "   A gives 5 for 3 + 2 of B" in show(server, _POOLED, "xB-5+3+2")
    assert " exchanged in this turn with B" in show(server, _POOLED, "xB-5+3+2.")


def test_what_bars_an_exchange_and_who_completes_a_sequence_is_told(server: Any) -> None:
    unlimited = _POOLED.replace("partners=pooled", "unlimited_exchanges=3")
    assert " must not come back in this turn: 1 position" in show(server, unlimited, "xB-5+3+2.")
    owner = (
        "erbsenzaehlen{completion=owner} G,RG,G,G,G,-;0,0,0,0,0/-,-,-,-,-,-;0,0,0,0,0 "
        "13+3,12+2,11+3,10+3,9+3,8+3;21,5,5,5 6G play/A : 6G ^1@0"
    )
    lines = show(server, owner)
    assert lines[0] == "erbsenzaehlen: A to move: choose the 2 that leaves with the complete sequence (2 choices)"
    assert " A has a complete sequence and gives up a 2" in lines


def test_a_narrow_terminal_without_colours_and_line_signs_loses_nothing(client: Client) -> None:
    positions = random_game(client, "erbsenzaehlen", 1, players=5, cards="9,9,9,8,8,8")
    for _, position in some_of_each_stage(positions, 3):
        assert_nothing_is_lost_where_it_is_narrow_and_plain(position, 1)


@pytest.mark.parametrize(("players", "seat"), [(2, "B"), (5, "A")])
def test_a_game_of_erbsenzaehlen_is_played_to_its_end(server: Any, client: Client, players: int, seat: str) -> None:
    options = {"players": str(players), "cards": "9,9,9,8,8,8", "mush": "5"}
    result = play(server, "erbsenzaehlen", "--seat", seat, options=options, stdin="1\n" * 200)
    record = record_of(result)
    final = client.get_position(record).position
    totals = ", ".join(f"{'ABCDE'[result.seat]} {result.score:g}" for result in final.returns)
    assert f"\nTotal: {totals} (giant peas, higher is better)\n" in result.stdout
    assert set(re.findall(r"^([A-E]) plays ", result.stdout, re.M)) == set("ABCDE"[:players]) - {seat}


def test_several_moves_of_a_turn_may_be_typed_in_a_line_and_no_more(server: Any, client: Client) -> None:
    start = client.deal("erbsenzaehlen", seed=3).position.notation
    drawn = client.play_moves(start, chance_seed=3)
    cards = list(drawn.position.erbsenzaehlen.drawn)
    assert len(cards) > 1
    turn = " ".join([*cards, "end"])
    refused = [f"{turn} *mush", f"{turn} end", f"{cards[0]} 9G end", "end *mush"]
    result = play(server, "erbsenzaehlen", stdin="\n".join([*refused, turn, "quit\n"]))
    assert "found *mush after the end of your turn, expected no further move" in result.stdout
    assert "found end after the end of your turn, expected no further move" in result.stdout
    assert "found '9G'" in result.stdout
    assert result.stdout.splitlines()[-1].startswith(f"Record: {drawn.record} {turn} *")


def test_equal_cards_turned_up_in_a_row_are_told_in_one_line(server: Any) -> None:
    result = play(server, "erbsenzaehlen", options={"cards": "0,0,0,0,0,0", "red": "0,0,0,0,0,0"}, stdin="1\n" * 60)
    assert re.search(r"^(\*mush ){2,4} pea mush is turned up$", result.stdout, re.M)
