"""The commands and the service with a game for three to six, whose deals begin with a chance event."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import mangetout_toys as toys
import pytest
from mangetout_cli.demo import run_demo
from mangetout_cli.main import app
from mangetout_client import Client
from mangetout_solver.errors import NotationError
from mangetout_solver.games import registry
from mangetout_solver.games.options import IntOption, check_names
from mangetout_solver.games.position import Position, _restore
from rich.console import Console
from typer.testing import CliRunner, Result

from tests.search.toy_game import Toy

Mangetout = Callable[..., Result]


class SeveralSeats(Toy):
    """Random trees as a registered game: its positions are written as the bytes they consist of."""

    name = "several_seats"
    title = "Several Seats"
    min_players, max_players = 3, 6
    hidden_information = False
    options = (IntOption("players", "4", "Number of players.", low=3, high=6),)
    notation_help = "several_seats RULES STATE"

    def how_to_play(self) -> str:
        return "# Several Seats\n"

    def deal(self, seed: int, options: Mapping[str, str]) -> Position:
        check_names(options, ["players"])
        players = self.options[0].of(options)
        # The first chance event of the tree, whichever moves lead there.
        position = toys.random_tree(seed, players=players, depth=12, chance=40, ends=0)
        while not position.is_chance:
            position = position.play(position.legal_moves()[0])
        return position

    def parse_position(self, text: str, field: str = "notation") -> Position:
        match = re.fullmatch(r"several_seats ([0-9a-f]{80}) ([0-9a-f]{32})", text.strip())
        if match is None:
            raise NotationError(field, 1, text[:20], self.notation_help)
        return _restore("toy_tree", bytes.fromhex(match[1]), bytes.fromhex(match[2]))

    def format_position(self, position: Position) -> str:
        return f"{self.name} {position.rules.hex()} {position.state.hex()}"


@pytest.fixture
def several(monkeypatch: pytest.MonkeyPatch, start_server: Callable[..., Any]) -> Any:
    """A server that knows the game as well."""
    monkeypatch.setitem(registry._GAMES, SeveralSeats.name, SeveralSeats())
    return start_server(search_threads=2)


@pytest.fixture
def mangetout(several: Any) -> Mangetout:
    def run(*arguments: str, stdin: str | None = None) -> Result:
        environment = {"MANGETOUT_SERVER": several.target, "COLUMNS": "100"}
        return CliRunner().invoke(app, arguments, input=stdin, env=environment)

    return run


def deal(several: Any, players: int, seed: int = 1) -> str:
    """A deal after its chance events: the notation of a decision."""
    with Client(several.target) as client:
        dealt = client.deal(SeveralSeats.name, options={"players": str(players)}, seed=seed).position
        assert dealt.is_chance
        assert dealt.choices == len(client.list_moves(dealt.notation).outcomes)
        return client.play_moves(dealt.notation, chance_seed=seed).position.notation


def test_the_game_is_listed_and_explained(mangetout: Mangetout) -> None:
    assert re.search(r" several_seats +Several Seats +3-6 ", mangetout("games").stdout)
    text = mangetout("games", "several_seats").stdout
    assert text.startswith("# Several Seats\n")
    assert re.search(r" players +int +4 +3 to 6 +Number of players\.", text)


@pytest.mark.parametrize("players", [3, 6])
def test_show_tells_whose_turn_it_is_and_how_a_game_ended(mangetout: Mangetout, several: Any, players: int) -> None:
    letters = set()
    for seed in range(1, 8):
        start = deal(several, players, seed)
        with Client(several.target) as client:
            position = client.get_position(start).position
            assert position.choices == len(client.list_moves(start).moves)
            letter = "ABCDEF"[position.seat_to_move]
            letters.add(letter)
            text = mangetout("show", start, "--seat", letter).stdout
            unit = "choice" if position.choices == 1 else "choices"
            assert text.startswith(f"several_seats: {letter} (you) to move ({position.choices} {unit})\n")
            moves: list[str] = []
            while not position.returns:
                answer = client.play_moves(start, moves, chance_seed=seed)
                moves += [event.notation for event in answer.drawn]
                if answer.position.HasField("seat_to_move"):
                    moves.append(client.list_moves(start, moves=moves).moves[0].notation)
                position = client.get_position(start, moves=moves).position
        assert not position.HasField("choices")
        text = mangetout("show", start, *moves).stdout
        assert len(position.returns) == players
        totals = ", ".join(f"{'ABCDEF'[r.seat]} {r.score:g}" for r in position.returns)
        assert f"\nTotal: {totals} (points)\n" in text
        winners = ["ABCDEF"[r.seat] for r in position.returns if r.win_share > 0]
        ending = f"{winners[0]} wins" if len(winners) == 1 else f"{' and '.join(winners)} share the win"
        assert text.startswith(f"several_seats: {ending}\n")
    assert len(letters) > 1


@pytest.mark.parametrize("players", [3, 6])
def test_a_hint_has_a_value_for_every_seat(mangetout: Mangetout, several: Any, players: int) -> None:
    start = deal(several, players)
    text = mangetout("hint", start, "--simulations", "400", "--seed", "1").stdout
    answer = json.loads(mangetout("hint", start, "--simulations", "400", "--seed", "1", "--json").stdout)["analysis"]
    assert [value["seat"] for value in answer["values"]] == list(range(players))
    own = "ABCDEF"[answer["seatToMove"]]
    assert text.startswith(f"Best found for {own}: ")
    for letter in "ABCDEF"[:players]:
        assert f"│ Win share of {letter} " in text
    assert f"│ Win share of {'ABCDEFG'[players]} " not in text


def test_a_seat_that_takes_no_part_is_refused_by_its_letter(mangetout: Mangetout, several: Any) -> None:
    result = mangetout("show", deal(several, 3), "--seat", "D")
    assert result.exit_code == 2
    assert "found D, expected A to C" in result.stderr


@pytest.mark.parametrize("seat", ["A", "E"])
def test_a_game_is_played_with_four_opponents(mangetout: Mangetout, seat: str) -> None:
    arguments = ["--game", "several_seats", "--option", "players=5", "--seed", "3", "--level", "1", "--seat", seat]
    result = mangetout("play", *arguments, stdin="hint\n" + "1\n" * 12)
    assert result.exit_code == 0, result.output
    assert f"You are {seat}; opponents play at level 1" in result.stdout
    opponents = set(re.findall(r"^([A-E]) plays ", result.stdout, re.M))
    assert len(opponents) > 1
    assert seat not in opponents
    assert re.search(r"^Total: A .*, E [\d.-]+ \(points\)$", result.stdout, re.M)


def test_a_tournament_for_several_tells_what_an_even_share_is(several: Any) -> None:
    arguments = [
        "several_seats",
        "simulations=20",
        "random",
        "--option",
        "players=5",
        "--pairs",
        "4",
        "--processes",
        "1",
    ]
    result = CliRunner().invoke(app, ["tournament", *arguments], env={"COLUMNS": "100"})
    assert result.exit_code == 0, result.output
    assert "even: 20.0 %" in result.stdout
    assert "Elo" not in result.stdout
    assert "Setting, alone" in result.stdout


def test_the_demo_draws_what_a_deal_begins_with(several: Any) -> None:
    console = Console(record=True, width=100)
    run_demo(several.target, console)
    text = console.export_text()
    for game in registry.games():
        assert f"{game.title}: a hint for " in text
    assert text.count("Best found for ") + text.count("Likeliest in ") == len(registry.games())
