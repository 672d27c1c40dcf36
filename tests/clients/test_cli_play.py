"""A round played at the terminal, scripted through standard input."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from mangetout_cli.main import app
from mangetout_client import Client
from typer.testing import CliRunner, Result

_CARD = re.compile(r"\b[BRVY][1-6]\b")
_DECK_ROUND = ["--seed", "11", "--level", "1"]


def play(server: Any, *arguments: str, stdin: str | bytes) -> Result:
    environment = {"MANGETOUT_SERVER": server.target, "COLUMNS": "120"}
    return CliRunner().invoke(app, ["play", "--game", "peas", *arguments], input=stdin, env=environment)


def test_a_round_is_played_to_its_end(server: Any, client: Client) -> None:
    result = play(server, *_DECK_ROUND, stdin="1\n" * 10)
    assert result.exit_code == 0, result.output
    assert "Judging" in result.stdout
    unit = re.escape(client.get_game("peas").game.score_unit)
    assert re.search(rf"^Total: A -?\d+, B -?\d+ \({unit}\)$", result.stdout, re.M)
    assert re.search(r"^[AB] wins$", result.stdout, re.M)
    record = result.stdout.splitlines()[-1].removeprefix("Record: ")
    position = client.get_position(record).position
    assert len(position.returns) == 2
    # The record begins with the deal that the seed names.
    assert record.startswith(client.deal("peas", seed=11).position.notation + " : ")


@pytest.mark.parametrize("seat", ["A", "B"])
def test_no_card_of_the_opponent_is_shown_before_it_is_played(server: Any, client: Client, seat: str) -> None:
    hands = client.deal("peas", seed=11).position.peas.hands
    other = "BA"["AB".index(seat)]
    hidden = set(hands["AB".index(other)].cards)
    result = play(server, *_DECK_ROUND, "--seat", seat, stdin="moves\nboard\n" + "1\nboard\n" * 10)
    assert result.exit_code == 0, result.output
    before_the_end = result.stdout.partition("Judging")[0]
    assert before_the_end != result.stdout
    for line in before_the_end.splitlines():
        if line.startswith(f"{other} plays "):
            hidden.discard(line.removeprefix(f"{other} plays ")[:2])
        assert not hidden & set(_CARD.findall(line)), line
    assert hidden == set()


def test_the_same_seed_and_moves_give_the_same_round(server: Any) -> None:
    first, again = (play(server, *_DECK_ROUND, stdin="1\n" * 10).stdout for _ in range(2))
    assert first == again


def test_commands_and_texts_that_are_no_move_do_not_end_the_round(server: Any) -> None:
    stdin = (
        "help\n\nhint\nmoves\nboard\nB9@77\nnonsense\n99999999999\n0000000015\n0\n-1\n[bold]\n\x00\nR1@3 B2@4\nquit\n"
    )
    result = play(server, *_DECK_ROUND, "--hint-time", "0.1", stdin=stdin)
    assert result.exit_code == 0, result.output
    assert "ask the engine" in result.stdout
    assert "Best move of A" in result.stdout
    assert "left unfinished" in result.stdout
    assert "Traceback" not in result.output


def test_a_hint_that_the_server_refuses_does_not_end_the_round(server: Any) -> None:
    result = play(server, *_DECK_ROUND, "--hint-time", "0", stdin="hint\nquit\n")
    assert result.exit_code == 0, result.output
    assert "limits.time" in result.stdout


def test_a_move_may_be_typed_in_any_case(server: Any, client: Client) -> None:
    deal = client.deal("peas", seed=11).position
    seat = deal.seat_to_move
    move = client.list_moves(deal.notation).moves[-1].notation
    result = play(server, *_DECK_ROUND, "--seat", "AB"[seat], stdin=f"{move.lower()}\n")
    assert result.exit_code == 0
    assert f" : {move} " in result.stdout.splitlines()[-1]


@pytest.mark.parametrize("stdin", ["", "quit\n", "1\n1\n", b"\xff\xfe\x00\n"])
def test_input_that_ends_early_leaves_the_round_and_keeps_the_opponents_cards(
    server: Any, client: Client, stdin: str | bytes
) -> None:
    result = play(server, *_DECK_ROUND, stdin=stdin)
    assert result.exit_code == 0, result.output
    assert "left unfinished" in result.stdout
    record = result.stdout.splitlines()[-1].removeprefix("Record: ")
    assert record.split()[3] == "??????????"
    assert client.get_position(record).position.HasField("seat_to_move")


def test_json_keeps_the_talk_on_standard_error(server: Any, client: Client) -> None:
    finished = play(server, *_DECK_ROUND, "--json", stdin="1\n" * 10)
    value = json.loads(finished.stdout)
    assert "Judging" in finished.stderr
    assert client.get_position(value["record"]).position.notation == value["position"]["notation"]
    left = json.loads(play(server, *_DECK_ROUND, "--json", stdin="").stdout)
    assert left["position"]["peas"]["hands"][1]["cards"] == []


def test_options_reach_the_deal(server: Any) -> None:
    result = play(server, "--seed", "4", "--option", "ranks=5", stdin="quit\n")
    assert result.stdout.splitlines()[-1].startswith("Record: peas{ranks=5} ")


# -- Pepper. Corn!: secret decisions and chance at the table

_SPLIT = ["--seed", "11", "--level", "1", "--option", "rows=2", "--option", "columns=4"]
_HANDS = ["--option", "hand_a=3", "--option", "hand_b=3"]


def play_corn(server: Any, *arguments: str, stdin: str) -> Result:
    environment = {"MANGETOUT_SERVER": server.target, "COLUMNS": "120"}
    game = ["play", "--game", "pepper_corn", *_SPLIT, *_HANDS]
    return CliRunner().invoke(app, [*game, *arguments], input=stdin, env=environment)


@pytest.mark.parametrize("seat", ["A", "B"])
def test_a_game_of_pepper_corn_is_played_to_its_end(server: Any, client: Client, seat: str) -> None:
    result = play_corn(server, "--seat", seat, stdin="1\n" * 60)
    assert result.exit_code == 0, result.output
    record = result.stdout.splitlines()[-1].removeprefix("Record: ")
    assert len(client.get_position(record).position.returns) == 2
    assert re.search(r"^Total: A \d+, B \d+ \(points, higher is better\)$", result.stdout, re.M)
    other = "BA"["AB".index(seat)]
    # Two decisions of the division and one choice of a pile.
    assert result.stdout.count(f"{other} decides, unseen") == 3
    before_the_piles_are_shown = re.split(r"^\*", result.stdout, maxsplit=1, flags=re.M)[0]
    dealt = client.get_position(record.partition(" : ")[0]).position.pepper_corn.hands["AB".index(other)].cards
    assert not any(card in before_the_piles_are_shown for card in dealt)


def test_a_turn_may_be_typed_as_one_word(server: Any, client: Client) -> None:
    split = "1\n" * 2
    record = play_corn(server, stdin=split).stdout.splitlines()[-1].removeprefix("Record: ")
    assert client.get_position(record).position.seat_to_move == 0
    capture = next(turn.words[0] for turn in client.list_moves(record).turns if turn.words[0] != "pass")
    again = play_corn(server, stdin=f"{split}{capture}\n")
    assert again.exit_code == 0, again.output
    assert again.stdout.splitlines()[-1].startswith(f"Record: {record} {capture} ")


def test_a_game_left_at_the_split_keeps_the_others_division(server: Any) -> None:
    result = play_corn(server, "--seat", "B", stdin="quit\n")
    record = result.stdout.splitlines()[-1].removeprefix("Record: ")
    assert record.endswith(" : ? ?")
    assert " ??? " in record


def test_a_match_is_played_over_rounds_and_shows_no_card_dealt_to_the_opponent(server: Any, client: Client) -> None:
    options = ["--option", "scope=match", "--option", "pods=1,-2,3", "--option", "ranks=3"]
    result = play(server, *options, "--seed", "5", "--level", "1", stdin="1\n" * 9)
    assert result.exit_code == 0, result.output
    record = result.stdout.splitlines()[-1].removeprefix("Record: ")
    assert len(client.get_position(record).position.returns) == 2
    rounds = re.split(r"^Judging", result.stdout, flags=re.M)[:-1]
    assert len(rounds) == sum(client.get_position(record).position.peas.wins)
    assert len(re.findall("^[AB] wins the round$", result.stdout, re.M)) == len(rounds) - 1
    deals = re.split(r"\*[+-]\d \*[+-]\d \*[+-]\d", record)[1:]
    assert len(deals) == len(rounds) - 1
    for shown, deal in zip(rounds[1:], deals, strict=True):
        before_play, *_ = re.split(r"^(?:B plays|A, your move)", shown, maxsplit=1, flags=re.M)
        assert set(re.findall(r"^\*(\w\d)>", before_play, re.M)) == set(re.findall(r"\*(\w\d)>A", deal))
        assert "*?" not in shown
