"""`mangetout solve`: one position or several, for people and for programs, and what remains open."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict
from mangetout.v1 import analysis_pb2, common_pb2
from mangetout_cli.main import app
from mangetout_cli.solving_view import SolvingProgress, proven, result_line, summary_line
from rich.console import Console
from typer.testing import CliRunner, Result

A_WINS = "peas +1/-2/+3 B1B5R2 V1V3Y5 A"
B_WINS = "peas +1/-2/+3 B1B2B3 R1R2R3 B"
UNKNOWN = "peas +1/-2/+3 B1B5R2 ??? A"
# More cards than the real game has: not solved in the moments that the tests wait.
HARD = "peas{ranks=8} +1/-2/+3/-4/+5/-6/+7/-8/+9/-5/+4/-3 B1B4B7R2R5R8V1V4V7Y2Y5Y8 B2B5B8R1R4R7V2V5V8Y1Y4Y7 A"

Solve = Callable[..., Result]


@pytest.fixture
def solve(server: Any) -> Solve:
    """Runs the command against the common server."""

    def run(*arguments: str, stdin: str | None = None) -> Result:
        environment = {"MANGETOUT_SERVER": server.target, "COLUMNS": "120"}
        return CliRunner().invoke(app, ["solve", *arguments], input=stdin, env=environment)

    return run


def objects(result: Result) -> list[dict[str, Any]]:
    """What --json wrote: one object a line."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def analysis_of(found: dict[str, Any]) -> analysis_pb2.Analysis:
    return ParseDict(found, analysis_pb2.AnalyzeResponse()).analysis


def test_a_position_is_proven_for_people(solve: Solve) -> None:
    result = solve(A_WINS)
    assert result.exit_code == 0
    for part in (
        "proven to win the round for A",
        "Margin of A",
        "120 for all pods",
        "nothing is left to search",
        " node",
    ):
        assert part in result.stdout
    assert "simulation" not in result.stdout
    assert "Visits" not in result.stdout
    # Nothing is drawn while it runs where nobody watches.
    assert result.stderr == ""


def test_every_move_is_proven_on_demand(solve: Solve) -> None:
    (found,) = objects(solve(A_WINS, "--moves", "--json"))
    lines = analysis_of(found).lines
    moves = [text for line in lines for text in (line.move.notation, *line.equal_moves)]
    assert sorted(moves) == sorted(f"{card}@{pod}" for card in ("B1", "B5", "R2") for pod in range(3))
    assert all(value.margin.HasField("exact") for line in lines for value in line.values)
    (found,) = objects(solve(A_WINS, "--json"))
    assert len(analysis_of(found).lines) == 1
    shown = solve(A_WINS, "--moves").stdout
    assert all(text in shown for text in moves)


def test_further_moves_are_played_first(solve: Solve) -> None:
    (found,) = objects(solve(A_WINS, "B1@0", "--json"))
    assert analysis_of(found).position == "peas +1[A=B1]/-2/+3 B5R2 V1V3Y5 A"


def test_the_winner_alone(solve: Solve) -> None:
    (found,) = objects(solve(A_WINS, "--winner", "--json"))
    assert not any(value.HasField("margin") for value in analysis_of(found).values)
    assert "Margin" not in solve(A_WINS, "--winner").stdout


def test_a_limit_leaves_the_interval_and_the_reason(solve: Solve) -> None:
    for limit in (["--nodes", "3000"], ["--seconds", "0.1", "--memory", "16M"]):
        (found,) = objects(solve(HARD, *limit, "--json"))
        analysis = analysis_of(found)
        assert analysis.stop_reason == analysis_pb2.STOP_REASON_LIMIT
        assert analysis.values[0].margin.interval.low < analysis.values[0].margin.interval.high
    result = solve(HARD, "--nodes", "3000")
    assert result.exit_code == 0
    for part in ("is not proven to win or to lose", "between -120 and 120, proven", "a limit of the request"):
        assert part in result.stdout


def test_nodes_make_it_repeatable(solve: Solve) -> None:
    answers = [analysis_of(objects(solve(HARD, "--nodes", "3000", "--json"))[0]) for _ in range(2)]
    for answer in answers:
        answer.ClearField("search_time")
    assert answers[0] == answers[1]


def test_a_file_of_positions(solve: Solve, tmp_path: Path) -> None:
    path = tmp_path / "positions.peas"
    path.write_text(f"# Two rounds\n{A_WINS}\n\n{B_WINS} : R1@0\n")
    for argument, stdin in ((str(path), None), ("-", path.read_text())):
        found = [analysis_of(each) for each in objects(solve(argument, "--json", stdin=stdin))]
        assert [analysis.position.split()[1] for analysis in found] == ["+1/-2/+3", "+1[B=R1]/-2/+3"]
        assert all(analysis.stop_reason == analysis_pb2.STOP_REASON_SOLVED for analysis in found)
    first, second, summary = solve(str(path)).stdout.splitlines()
    assert first.startswith("   1  A wins, margin of A 120; ")
    assert second.startswith("   2  B wins, margin of A -120; ")
    assert summary.startswith("2 of 2 positions solved, ")


def test_bad_positions_of_a_file_are_named_and_the_others_solved(solve: Solve) -> None:
    result = solve("-", "--json", stdin=f"{A_WINS}\n{UNKNOWN}\nnonsense\n{B_WINS}\n")
    assert result.exit_code == 2
    assert [next(iter(found)) for found in objects(result)] == ["analysis", "error", "error", "analysis"]
    errors = [found["error"] for found in objects(result) if "error" in found]
    assert [[violation["field"] for violation in error["violations"]] for error in errors] == [["state.notation"]] * 2
    assert "cards of B that are not known" in errors[0]["message"]
    result = solve("-", stdin=f"{A_WINS}\n{UNKNOWN}\n{B_WINS}\n")
    assert result.exit_code == 2
    assert result.stderr.startswith("position 2: error: state.notation: found cards of B that are not known")
    assert "2 of 3 positions solved" in result.stdout


def test_a_split_is_solved_with_all_divisions_of_the_mixture(solve: Solve) -> None:
    split = "pepper_corn 9MS,XY,2WL,6LK AS4MS8MS 5YK9WYXM 0-0 split/A/0"
    analysis = analysis_of(objects(solve(split, "--moves", "--json"))[0])
    assert analysis.stop_reason == analysis_pb2.STOP_REASON_SOLVED
    assert len(analysis.lines) == 3
    assert sum(line.probability for line in analysis.lines) == pytest.approx(1.0)
    assert analysis.values[0].margin.HasField("exact")
    text = solve(split, "--moves").stdout
    assert "Mix" in text
    assert "is an equilibrium once the value is proven" in " ".join(text.split())


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ([UNKNOWN], "state.notation"),
        ([A_WINS, "B1@0", "B1@1"], "state.moves[1]"),
        # A card that lies face down, and hands that divide in too many ways.
        (["pepper_corn 9MS,XY/?,?/2WL,6LK AS4MS8MS 5YK9WYXM 0-0 split/A/0"], "limits.until_solved"),
        (["pepper_corn 9MS AS4MS8MS 2SY2MK2WL3MW3LY3SK4YK4WL5ML5YK 0-0 split/A/0"], "state.notation"),
        ([A_WINS, "--seconds", "0"], "limits.time"),
        ([A_WINS, "--memory", "1"], "limits.memory_bytes"),
        ([A_WINS, "--memory", "much"], "memory"),
        ([A_WINS, "--nodes", "0"], "nodes"),
        (["no-such-file.peas"], "record"),
    ],
)
def test_what_cannot_be_solved_is_bad_input(solve: Solve, arguments: list[str], field: str) -> None:
    result = solve(*arguments, "--json")
    assert result.exit_code == 2
    assert [violation["field"] for violation in json.loads(result.stdout)["error"]["violations"]] == [field]
    result = solve(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")


def test_several_positions_take_no_further_moves(solve: Solve) -> None:
    result = solve("-", "B1@0", stdin=f"{A_WINS}\n{B_WINS}\n")
    assert result.exit_code == 2
    assert "moves: found with 2 positions" in result.stderr
    assert solve("-", stdin="# nothing\n\n").exit_code == 2


def values(low: float, high: float, share: tuple[float, float]) -> list[common_pb2.PlayerValue]:
    """Of A and B, for a margin of A in [low, high] and a share of A in `share`."""

    def value(ends: tuple[float, float]) -> common_pb2.Value:
        if ends[0] == ends[1]:
            return common_pb2.Value(exact=common_pb2.ExactValue(value=ends[0]))
        return common_pb2.Value(interval=common_pb2.IntervalValue(low=ends[0], high=ends[1]))

    utility = common_pb2.UTILITY_ROUND
    return [
        common_pb2.PlayerValue(seat=0, win_share=value(share), margin=value((low, high)), utility=utility),
        common_pb2.PlayerValue(
            seat=1, win_share=value((1 - share[1], 1 - share[0])), margin=value((-high, -low)), utility=utility
        ),
    ]


def test_what_is_proven_in_words() -> None:
    for low, high, share, text in (
        (-120, 120, (0.0, 1.0), "winner open, margin of A -120 to 120"),
        (0, 8, (1.0, 1.0), "A wins, margin of A 0 to 8"),
        (-2, -2, (0.0, 0.0), "B wins, margin of A -2"),
    ):
        analysis = analysis_pb2.Analysis(values=values(low, high, share))
        assert proven(analysis) == text
        assert result_line(analysis, 7).startswith(f"   7  {text}; ")
        assert "not all proven: interrupted" in result_line(analysis, 7)
    alone = analysis_pb2.Analysis(values=values(0, 8, (1.0, 1.0)))
    for value in alone.values:
        value.ClearField("margin")
    assert proven(alone) == "A wins"
    assert summary_line([alone], 3).startswith("0 of 3 positions solved, 0 nodes")


def test_progress_is_drawn_at_a_terminal_and_nowhere_else() -> None:
    for terminal in (True, False):
        console = Console(file=io.StringIO(), force_terminal=terminal, width=120)
        with SolvingProgress(2, console) as progress:
            for low in (-120, -18, 2):
                progress.update(analysis_pb2.Analysis(values=values(low, 120 if low < 0 else 2, (0.0, 1.0))))
                progress._progress.refresh()
            progress.next_position()
            progress._progress.refresh()
        drawn = console.file.getvalue()  # type: ignore[attr-defined]
        if terminal:
            for part in ("positions", "0 of 2", "1 of 2", "margin of A -120 to 120", "margin of A -18 to 120"):
                assert part in drawn
        else:
            assert drawn == ""
