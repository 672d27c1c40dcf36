"""The commands, asked of a server over a real socket."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict
from mangetout.v1 import analysis_pb2, engine_pb2, game_pb2
from mangetout_cli import connection, output
from mangetout_cli.main import app
from mangetout_solver.games import registry
from mangetout_solver.games.game import Game
from typer.testing import CliRunner, Result

RECORD = "peas +1/-2/+3 B1B2B3 R1R2R3 A : B1@0 R1@0"
# What A sees of the same.
SEEN_BY_A = "peas +1/-2/+3 B1B2B3 ??? A : B1@0 R1@0"
_CORPUS = json.loads((Path(__file__).parent.parent / "data" / "invalid_peas.json").read_text("utf-8"))

GAMES = registry.games()

Mangetout = Callable[..., Result]


@pytest.fixture
def mangetout(server: Any) -> Mangetout:
    """Runs the program against the common server."""

    def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
        environment = {"MANGETOUT_SERVER": server.target, "COLUMNS": "100"}
        return CliRunner().invoke(app, arguments, input=stdin, env=environment)

    return run


def answered(result: Result) -> Any:
    """The JSON value that a successful command wrote, and it wrote nothing else."""
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def refused(result: Result) -> dict[str, Any]:
    """The error that a command wrote as JSON for input that cannot be used."""
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    error = json.loads(result.stdout)["error"]
    assert set(error) == {"code", "message", "violations"}
    return dict(error)


def test_games_are_listed_in_short(mangetout: Mangetout) -> None:
    text = mangetout("games").stdout
    response = ParseDict(answered(mangetout("games", "--json")), engine_pb2.ListGamesResponse())
    assert [game.name for game in response.games] == [game.name for game in GAMES]
    for game in GAMES:
        assert f" {game.name} " in text
        assert game.title in text


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_game_is_explained_with_its_page_options_notation_and_example(mangetout: Mangetout, game: Game) -> None:
    text = mangetout("games", game.name).stdout
    # Where nobody watches the page stands as it is.
    assert text.startswith(game.how_to_play())
    below = " ".join(text.removeprefix(game.how_to_play()).split())
    for part in (game.score_unit, "Notation:", f"Example: {game.example}"):
        assert part in below
    rows = {line.split()[0]: line.split() for line in text.splitlines() if line.strip()}
    for option in game.options:
        assert rows[option.name][1] == option.type
        assert option.description.split()[0] in rows[option.name]
    response = ParseDict(answered(mangetout("games", game.name, "--json")), engine_pb2.GetGameResponse())
    assert response.how_to_play == game.how_to_play()
    assert response.game.name == game.name


def test_a_page_is_laid_out_at_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    output.show_page("# PEAS\n\nTake **pods**.\n\n- [not markup]\n")
    text = capsys.readouterr().out
    assert "PEAS" in text
    assert "[not markup]" in text
    assert not set("#*") & set(text)


def test_an_unknown_game_is_not_explained(mangetout: Mangetout) -> None:
    error = refused(mangetout("games", "pease", "--json"))
    assert error["code"] == "NOT_FOUND"
    assert [violation["field"] for violation in error["violations"]] == ["game"]


def test_the_example_of_every_game_can_be_shown(mangetout: Mangetout) -> None:
    for game in answered(mangetout("games", "--json"))["games"]:
        assert mangetout("show", game["example"]).exit_code == 0


def test_the_same_seed_deals_the_same(mangetout: Mangetout) -> None:
    first = answered(mangetout("deal", "--game", "peas", "--seed", "7", "--json"))
    again = answered(mangetout("deal", "--game", "peas", "--seed", "7", "--json"))
    assert first == again
    assert ParseDict(first, game_pb2.DealResponse()).seed == 7


def test_a_deal_is_shown_to_a_seat_and_takes_options(mangetout: Mangetout) -> None:
    result = mangetout("deal", "--game", "peas", "--seed", "7", "--seat", "b", "--option", "ranks=5")
    assert result.exit_code == 0
    notation = next(line for line in result.stdout.splitlines() if line.startswith("peas{"))
    assert notation.startswith("peas{ranks=5} ")
    assert notation.split()[2] == "??????????"
    assert "B (you" in result.stdout
    assert "seed 7" in result.stdout


def test_show_draws_a_position_and_plays_further_moves(mangetout: Mangetout) -> None:
    text = mangetout("show", RECORD, "B2@1").stdout
    assert "peas: B to move: lay a card on a pod (4 choices)\n" in text
    assert "peas +1[A=B1,B=R1]/-2[A=B2]/+3 B3 R2R3 A" in text
    position = answered(mangetout("show", RECORD, "B2@1", "--seat", "A", "--json"))["position"]
    assert position["notation"].split()[3] == "??"
    assert position["seatToMove"] == 1


def test_zeros_are_written_to_json(mangetout: Mangetout) -> None:
    assert answered(mangetout("show", RECORD, "--json"))["position"]["seatToMove"] == 0


def test_show_tells_how_a_round_was_judged(mangetout: Mangetout) -> None:
    result = mangetout("show", RECORD, "B2@1", "R2@1", "B3@2", "R3@2")
    assert result.exit_code == 0
    # Every card of B has another colour than the parent's.
    assert [line.split()[-1] for line in result.stdout.splitlines() if line.split()[:1] in (["0"], ["1"], ["2"])] == [
        "A",
        "A",
        "A",
    ]
    assert "A wins" in result.stdout


def test_moves(mangetout: Mangetout) -> None:
    response = answered(mangetout("moves", RECORD, "--json"))
    notations = [move["notation"] for move in response["moves"]]
    assert sorted(notations) == ["B2@1", "B2@2", "B3@1", "B3@2"]
    text = mangetout("moves", RECORD).stdout
    assert "A to move" in text
    assert all(notation in text for notation in notations)
    over = mangetout("moves", RECORD, "B2@1", "R2@1", "B3@2", "R3@2")
    assert over.exit_code == 0
    assert "over" in over.stdout


def test_perft_divides(mangetout: Mangetout) -> None:
    response = answered(mangetout("perft", "2", RECORD, "--json"))
    assert int(response["count"]) == sum(int(entry["count"]) for entry in response["divided"]) > 4
    text = mangetout("perft", "2", RECORD).stdout
    assert f"{int(response['count']):,}" in text
    assert mangetout("perft", "0", RECORD).exit_code == 0


def test_hint_tells_move_worth_lines_and_meaning(mangetout: Mangetout) -> None:
    early = "peas{colours=2,ranks=8} +1/-2/+3/-1/+2/-3/+1 B1B3B5B7R2R4R6 ??????? A : B1@0 B2@0"
    result = mangetout("hint", early, "--time", "0.3", "--lines", "2")
    assert result.exit_code == 0
    parts = ("Best found for A: ", "Best move of A", "Win share of A", "Score of A", "Why it stopped", "Expected play")
    for part in (*parts, "Ahead in about", " of 28", "cannot see"):
        assert part in result.stdout
    # Nothing is drawn while it runs where nobody watches.
    assert result.stderr == ""


def test_hint_tells_against_which_hands_moves_win(mangetout: Mangetout) -> None:
    result = mangetout("hint", SEEN_BY_A, "--time", "5", "--lines", "0")
    assert result.exit_code == 0
    for part in ("Beats, cards open", "surely all", "proven to win the round for A, whatever", "nothing is left"):
        assert part in result.stdout
    assert "Ahead in about" not in result.stdout


def test_hint_as_json_is_the_final_answer_and_nothing_else(mangetout: Mangetout) -> None:
    answer = answered(mangetout("hint", SEEN_BY_A, "--simulations", "500", "--seed", "3", "--lines", "0", "--json"))
    analysis = ParseDict(answer, analysis_pb2.AnalyzeResponse()).analysis
    assert analysis.is_final
    assert analysis.seed == 3
    assert len(analysis.lines) == 4
    assert analysis.seat == 0


def test_hint_passes_its_options_on(mangetout: Mangetout) -> None:
    options = ["--simulations", "500", "--json"]
    chosen = answered(mangetout("hint", SEEN_BY_A, *options, "--choose", "B3@2"))["analysis"]
    assert chosen["bestMove"]["notation"] == "B3@2"
    avoided = answered(mangetout("hint", SEEN_BY_A, *options, "--avoid", "B3@2", "--avoid", "B2@1", "--lines", "0"))
    assert {line["move"]["notation"] for line in avoided["analysis"]["lines"]} == {"B2@2", "B3@1"}
    wide = answered(mangetout("hint", SEEN_BY_A, *options, "--trees", "2", "--threads", "2", "--memory", "64M"))
    assert wide["analysis"]["isFinal"]


def test_hint_with_open_cards_proves(mangetout: Mangetout) -> None:
    options = ["--perfect-information", "--until-solved"]
    analysis = answered(mangetout("hint", RECORD, *options, "--json"))["analysis"]
    assert "seat" not in analysis
    assert analysis["concept"] == "SOLUTION_CONCEPT_PERFECT_INFORMATION"
    text = mangetout("hint", RECORD, *options).stdout
    assert "proven" in text
    assert "open cards" in text


def test_hint_for_the_seat_that_waits_names_the_move_expected_of_the_other(mangetout: Mangetout) -> None:
    result = mangetout("hint", RECORD, "--seat", "B", "--time", "0.2")
    assert result.exit_code == 0
    assert "Expected of A" in result.stdout
    assert "Win share of B" in result.stdout


def test_a_record_comes_from_standard_input(mangetout: Mangetout) -> None:
    result = mangetout("hint", "-", "--simulations", "200", "--json", stdin=SEEN_BY_A + "\n")
    assert answered(result)["analysis"]["isFinal"]


def test_a_record_file_may_hold_comments_and_line_ends(mangetout: Mangetout, tmp_path: Path) -> None:
    path = tmp_path / "round.peas"
    path.write_text("# A deal of three pods\npeas +1/-2/+3 B1B2B3 R1R2R3 A  # A holds the pea\n:\nB1@0\n\tR1@0\n")
    for argument, stdin in ((str(path), None), ("-", path.read_text())):
        shown = answered(mangetout("show", argument, "--json", stdin=stdin))["position"]
        assert shown == answered(mangetout("show", RECORD, "--json"))["position"]


def test_an_error_in_a_record_file_is_shown_on_its_line(mangetout: Mangetout, tmp_path: Path) -> None:
    path = tmp_path / "round.peas"
    path.write_text("# A deal\npeas +1/-2/+3 B1B2X3 R1R2R3 A\n")
    result = mangetout("show", str(path))
    assert result.exit_code == 2
    _, line, caret = result.stderr.splitlines()
    assert line == "  peas +1/-2/+3 B1B2X3 R1R2R3 A"
    assert line[caret.index("^")] == "X"


def _states() -> Iterator[Any]:
    """The states of the corpus that a command line can say."""
    for case in _CORPUS["states"]:
        state = case["state"]
        if "game" in state or "repeat_last_move" in case or "repeat_moves" in case:
            continue
        notation = case.get("before", "") + state.get("notation", "") * case.get("repeat_notation", 1)
        commands = ["hint"] if "calls" in case else ["show", "moves", "hint", "perft"]
        yield pytest.param(commands, [notation, *state.get("moves", [])], case, id=case["name"])


@pytest.mark.parametrize(("commands", "record", "case"), list(_states()))
def test_bad_input_ends_in_exit_code_2_and_names_the_field(
    mangetout: Mangetout, commands: list[str], record: list[str], case: dict[str, Any]
) -> None:
    for command in commands:
        arguments = [command, *(["1"] if command == "perft" else []), "--", *record]
        error = refused(mangetout(command, "--json", *arguments[1:]))
        assert error["code"] == case.get("code", "INVALID_ARGUMENT")
        assert [violation["field"] for violation in error["violations"]] == [case["field"]]
        result = mangetout(*arguments)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert result.stderr.startswith(f"error: {case['field']}: ")
        assert "Traceback" not in result.output
        # One line, and where the place is known the text and a caret.
        assert len(result.stderr.splitlines()) in (1, 3)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (["hint", RECORD, "--time", "0"], "limits.time"),
        (["hint", RECORD, "--until-solved"], "limits.until_solved"),
        (["hint", RECORD, "--memory", "1"], "limits.memory_bytes"),
        (["hint", RECORD, "--trees", "1000"], "options.trees"),
        (["hint", RECORD, "--choose", "hello"], "options.chosen_moves[0]"),
        (["hint", RECORD, "--seat", "C"], "seat"),
        (["show", RECORD, "--seat", "C"], "seat"),
        (["deal", "--game", "chess"], "game"),
        (["deal", "--game", "peas", "--option", "ranks=many"], "options.ranks"),
        (["perft", "13", RECORD], "depth"),
        (["play", "--game", "peas", "--seat", "C"], "seat"),
        (["play", "--game", "chess"], "game"),
    ],
)
def test_what_a_server_refuses_is_bad_input(mangetout: Mangetout, arguments: list[str], field: str) -> None:
    error = refused(mangetout(*arguments, "--json"))
    assert [violation["field"] for violation in error["violations"]] == [field]
    assert field in mangetout(*arguments).stderr


def test_seats_in_errors_are_letters_for_people(mangetout: Mangetout) -> None:
    assert "expected A to B" in mangetout("show", RECORD, "--seat", "C").stderr
    assert "found '1', expected a letter" in mangetout("show", RECORD, "--seat", "1").stderr


def test_bytes_that_are_no_text_are_refused(mangetout: Mangetout) -> None:
    assert refused(mangetout("show", "peas \udcff", "--json"))["code"] == "INVALID_ARGUMENT"
    refused(mangetout("show", "-", "--json", stdin=b"peas \xff\xfe\x00"))


def test_a_server_that_does_not_answer_is_no_bad_input() -> None:
    for more in ([], ["--json"]):
        result = CliRunner().invoke(app, ["show", RECORD, "--server", "127.0.0.1:1", *more])
        assert result.exit_code == 1
        assert isinstance(result.exception, SystemExit)
        assert "Traceback" not in result.output
    assert json.loads(result.stdout)["error"]["code"] == "UNAVAILABLE"


def test_without_a_server_one_is_embedded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "LOCAL_PORT", 1)
    monkeypatch.delenv("MANGETOUT_SERVER", raising=False)
    assert answered(CliRunner().invoke(app, ["deal", "--game", "peas", "--seed", "1", "--json"]))["seed"] == "1"


def test_the_local_service_is_found(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "LOCAL_PORT", int(server.target.rpartition(":")[2]))
    assert connection.local_service() == server.target


def test_a_port_that_belongs_to_something_else_is_soon_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        monkeypatch.setattr(connection, "LOCAL_PORT", other.getsockname()[1])
        begin = time.monotonic()
        assert connection.local_service() is None
        assert time.monotonic() - begin < 5


def test_bench_prints_rates_and_one_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    from mangetout_solver import bench

    rows = (bench.BenchRow("first", 2000, 30_000, 0.5), bench.BenchRow("second", 1000, 10_000, 0.5))
    result = bench.BenchResult(rows=rows, signature="0123abcd")
    monkeypatch.setattr(bench, "run", lambda progress=None: result)
    text = CliRunner().invoke(app, ["bench"], env={"COLUMNS": "100"}).stdout
    for part in ("first", "4,000", "second", "3,000", "40,000", "signature 0123abcd"):
        assert part in text
    value = answered(CliRunner().invoke(app, ["bench", "--json"]))
    assert value["signature"] == "0123abcd"
    assert [row["simulations"] for row in value["rows"]] == [2000, 1000]
    assert value["rate"] == pytest.approx(3000)
