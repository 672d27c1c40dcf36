"""`mangetout tournament`: tiny ones."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mangetout_cli.main import app
from typer.testing import CliRunner, Result

_PATIENCE = 60.0
_RULES = ("--option", "pods=1,2,-3")


def tournament(*arguments: str) -> Result:
    """Runs the command in this process, on a short game."""
    return CliRunner().invoke(app, ["tournament", "peas", *arguments, *_RULES], env={"COLUMNS": "100"})


def answered(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_the_table_tells_share_elo_verdict_and_budget() -> None:
    result = tournament("simulations=100", "random", "--pairs", "12", "--seed", "4", "--processes", "1")
    assert result.exit_code == 0, result.output
    for part in ("PEAS", "simulations", "seed 4", "12", "against random", "Elo, 95 %", "shown", "Simulations a move"):
        assert part in result.stdout
    assert "Not finished" not in result.stdout
    # Nothing is drawn where nobody watches.
    assert result.stderr == ""


def test_a_difference_that_is_not_shown_is_called_so() -> None:
    result = tournament("random", "random", "--pairs", "4", "--processes", "1")
    assert "not shown" in result.stdout


def test_json_states_what_was_played() -> None:
    value = answered(tournament("simulations=20", "level=1", "random", "--pairs", "3", "--processes", "2", "--json"))
    header = value["tournament"]
    assert header["settings"] == ["simulations=20", "level=1", "random"]
    assert (header["seed"], header["pairs"], header["options"]) == (1, 3, {"pods": "1,2,-3"})
    assert value["complete"]
    assert [(c["setting"], c["against"], c["pairs"], c["games"]) for c in value["contests"]] == [
        ("simulations=20", "level=1", 3, 6),
        ("simulations=20", "random", 3, 6),
        ("level=1", "random", 3, 6),
    ]
    assert all(c["win_share"]["low"] <= c["win_share"]["mean"] <= c["win_share"]["high"] for c in value["contests"])
    assert [use["moves"] for use in value["usage"]] == [36, 36, 36]


def test_a_sequential_test_states_its_bounds_and_stops() -> None:
    arguments = ("simulations=200", "random", "--sprt", "0,200", "--alpha", "0.1", "--max-pairs", "300")
    value = answered(tournament(*arguments, "--processes", "1", "--json"))
    assert value["tournament"]["sprt"] == {"elo0": 0.0, "elo1": 200.0, "alpha": 0.1, "beta": 0.05}
    test = value["sequential_test"]
    assert test["decision"] == "H1 accepted"
    assert test["llr"] >= test["upper"] > 0 > test["lower"]
    assert value["contests"][0]["pairs"] < 300
    assert "H1 accepted" in " ".join(tournament(*arguments, "--processes", "1").stdout.split())


def test_an_undecided_test_ends_at_its_last_pair() -> None:
    value = answered(tournament("random", "random", "--sprt", "-5,5", "--max-pairs", "3", "--processes", "1", "--json"))
    assert value["sequential_test"]["decision"] == "open"
    assert value["complete"]


def test_equal_time_is_called_so() -> None:
    value = answered(tournament("time=0.001", "time=0.001,trees=2", "--pairs", "1", "--processes", "1", "--json"))
    assert value["tournament"]["budget"] == "equal time"


def test_time_that_was_not_equal_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from mangetout_solver.arena.report import Report

    arguments = ("time=0.001", "time=0.001,trees=2", "--pairs", "1", "--processes", "1")
    for ratio, told in ((1.02, False), (1.5, True)):
        monkeypatch.setattr(Report, "time_ratio", ratio)
        assert ("1.50 times the processor time" in " ".join(tournament(*arguments).stdout.split())) == told


def test_a_file_is_written_resumed_and_drawn(tmp_path: Path) -> None:
    path, picture = tmp_path / "pairs.jsonl", tmp_path / "elo.svg"
    arguments = ("level=1", "random", "--pairs", "4", "--processes", "1", "--out", str(path))
    first = answered(tournament(*arguments, "--json"))
    whole = path.read_bytes()
    assert tournament(*arguments).exit_code == 2
    path.write_bytes(whole[:-200])
    again = answered(tournament(*arguments, "--resume", "--json", "--plot", str(picture)))
    assert again["contests"] == first["contests"]
    assert path.read_bytes().count(b"\n") == whole.count(b"\n")
    assert picture.read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (["random"], "settings"),
        (["random", "simulations=many"], "settings[1].simulations"),
        (["speed=2", "random"], "settings[0].speed"),
        (["random", "random", "--pairs", "0"], "pairs"),
        (["random", "random", "--seed", "-1"], "seed"),
        (["random", "random", "--processes", "0"], "processes"),
        (["random", "random", "--option", "jokers=2"], "options.jokers"),
        (["random", "random", "--sprt", "10"], "sprt"),
        (["random", "random", "--sprt", "10,0"], "sprt"),
        (["random", "random", "level=1", "--sprt", "0,10"], "sprt"),
        (["random", "random", "--sprt", "0,10", "--alpha", "2"], "alpha"),
        (["random", "random", "--alpha", "0.1"], "alpha"),
        (["random", "random", "--beta", "0.1"], "beta"),
        (["random", "random", "--sprt", "0,10", "--pairs", "5"], "pairs"),
        (["random", "random", "--max-pairs", "5"], "max_pairs"),
        (["random", "random", "--resume"], "resume"),
        (["random", "random", "--plot", "elo.pdf"], "plot"),
    ],
)
def test_bad_input_names_the_field(arguments: list[str], field: str) -> None:
    for json_option in ([], ["--json"]):
        result = tournament(*arguments, *json_option)
        assert result.exit_code == 2
        assert isinstance(result.exception, SystemExit)
        assert "Traceback" not in result.output
    error = json.loads(result.stdout)["error"]
    assert [violation["field"] for violation in error["violations"]] == [field]


def test_an_unknown_game_and_another_tournament_are_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["tournament", "chess", "random", "random"])
    assert result.exit_code == 2
    assert result.stderr.startswith("error: game: 'chess' is not known")
    path = tmp_path / "pairs.jsonl"
    arguments = ("random", "level=1", "--pairs", "1", "--processes", "1", "--out", str(path))
    answered(tournament(*arguments, "--json"))
    result = tournament(*arguments, "--resume", "--seed", "2")
    assert result.exit_code == 2
    assert "seed 1, not 2" in result.stderr


def test_a_picture_without_matplotlib_is_refused_before_play(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    path = tmp_path / "pairs.jsonl"
    result = tournament("random", "random", "--plot", str(tmp_path / "elo.svg"), "--out", str(path))
    assert result.exit_code == 2
    assert "pip install 'mangetout[plot]'" in result.stderr
    assert not path.exists()


@contextmanager
def under_way(path: Path, processes: int) -> Iterator[subprocess.Popen[str]]:
    """A long tournament in a session of its own, as a terminal gives it, that has written its first pairs."""
    command = [sys.executable, "-m", "mangetout_cli", "tournament", "peas", "simulations=300", "random"]
    command += ["--pairs", "100000", "--processes", str(processes), "--out", str(path), "--json"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            until(lambda: path.exists() and path.read_bytes().count(b"\n") > 4)
            yield process
        finally:
            process.kill()


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize("processes", [1, 2])
def test_an_interrupt_ends_with_what_is_known(tmp_path: Path, processes: int) -> None:
    path = tmp_path / "pairs.jsonl"
    with under_way(path, processes) as process:
        # As the key does it: to the program and its workers.
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=_PATIENCE)
    assert process.returncode == 130
    assert errors == ""
    value = json.loads(output)
    assert not value["complete"]
    assert value["contests"][0]["pairs"] > 0
    assert path.read_bytes().endswith(b"\n")


def test_workers_do_not_outlive_the_program(tmp_path: Path) -> None:
    with under_way(tmp_path / "pairs.jsonl", 2) as process:
        pids = workers(process.pid)
        assert len(pids) == 2
        process.kill()
        process.wait(_PATIENCE)
        until(lambda: not any(is_running(pid) for pid in pids))


def test_a_killed_worker_ends_the_program_with_one_line(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    with under_way(path, 2) as process:
        os.kill(int(workers(process.pid)[0]), signal.SIGKILL)
        output, errors = process.communicate(timeout=_PATIENCE)
    assert process.returncode == 1
    assert errors == ""
    assert "--resume" in json.loads(output)["error"]["message"]
    assert path.read_bytes().endswith(b"\n")


def workers(pid: int) -> list[str]:
    """The processes that play, not the one that multiprocessing tracks its resources with."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [child for child in children if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text()]


def is_running(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
