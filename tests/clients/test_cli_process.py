"""The program as a process of its own: serving, signals, pipes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from mangetout_client import Client

_PROGRAM = [sys.executable, "-m", "mangetout_cli"]
_PATIENCE = 60.0
_DEAL = "peas +1/+1/+1/+1/-2/-2/-2/+3/+2/-3 B3B5R1R3R5V3V5V6Y4Y5 ?????????? A"
# More cards than the real game has: not solved in the moments that the tests wait.
_HARD = "peas{ranks=8} +1/-2/+3/-4/+5/-6/+7/-8/+9/-5/+4/-3 B1B4B7R2R5R8V1V4V7Y2Y5Y8 B2B5B8R1R4R7V2V5V8Y1Y4Y7 A"


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*_PROGRAM, *arguments], input=stdin, capture_output=True, text=True, timeout=_PATIENCE, check=False
    )


@contextmanager
def served(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`mangetout serve --json` and the address it names."""
    command = [*_PROGRAM, "serve", "--port", "0", "--json", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            text = "".join(process.stdout.readline() for _ in range(3))
            yield process, json.loads(text)["address"]
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_serve_answers_until_it_is_told_to_stop(number: signal.Signals) -> None:
    with served() as (process, address):
        with Client(address) as client:
            client.wait_until_healthy(_PATIENCE)
        result = run("show", _DEAL, "--server", address)
        assert result.returncode == 0, result.stderr
        process.send_signal(number)
        _, errors = process.communicate(timeout=_PATIENCE)
        assert process.returncode == 0
        assert errors == ""


def test_serve_says_that_its_port_is_taken() -> None:
    with served() as (_, address):
        result = run("serve", "--port", address.rpartition(":")[2])
        assert result.returncode == 1
        assert result.stdout == ""
        assert address in result.stderr
        assert len(result.stderr.splitlines()) == 1


def test_the_demo_asks_for_a_hint_and_serves_on() -> None:
    command = [*_PROGRAM, "serve", "--port", "0", "--demo"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            lines: list[str] = []
            while not lines or (lines[-1] and not lines[-1].startswith("Serving on ")):
                lines.append(process.stdout.readline())
            text = "".join(lines)
            for part in ("a hint for", "Best move of", "Win share of", "Expected play", "hidden cards"):
                assert part in text
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=_PATIENCE)
            assert process.returncode == 0
            assert errors == ""
        finally:
            process.kill()


@contextmanager
def watched(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], Callable[[], bytes]]]:
    """The program with a terminal for its standard error, and a function that reads what is drawn, empty at the end."""
    pty = pytest.importorskip("pty")
    main, side = pty.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    command = [*_PROGRAM, *arguments]

    def read() -> bytes:
        try:
            return os.read(main, 4096)
        except OSError:
            # How a terminal says that its last writer is gone.
            return b""

    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=side, text=True, env=environment) as process:
        os.close(side)
        try:
            yield process, read
        finally:
            process.kill()
            os.close(main)


def interrupted(process: subprocess.Popen[str], read: Callable[[], bytes], after: bytes) -> str:
    """What a process writes that is interrupted once it has drawn `after`."""
    drawn = b""
    while after not in drawn:
        chunk = read()
        assert chunk, drawn
        drawn += chunk
    process.send_signal(signal.SIGINT)
    while read():
        pass
    output, _ = process.communicate(timeout=_PATIENCE)
    return output


def test_an_interrupt_during_a_hint_gives_the_best_so_far() -> None:
    with watched("hint", _DEAL, "--time", "50", "--json") as (process, read):
        output = interrupted(process, read, after=b"best so far")
        assert process.returncode == 0
    analysis = json.loads(output)["analysis"]
    assert not analysis["isFinal"]
    assert analysis["bestMove"]["notation"]


def test_an_interrupt_while_positions_are_solved_ends_with_what_is_proven(tmp_path: Path) -> None:
    path = tmp_path / "positions.peas"
    path.write_text("peas +1/-2/+3 B1B5R2 V1V3Y5 A\n" + f"{_HARD}\n" * 2)
    with watched("solve", str(path), "--json") as (process, read):
        output = interrupted(process, read, after=b"winner open")
        assert process.returncode == 130
    solved, stopped = (json.loads(line)["analysis"] for line in output.splitlines())
    assert solved["isFinal"]
    assert not stopped["isFinal"]
    assert stopped["values"][0]["margin"]["interval"] == {"low": -120.0, "high": 120.0}


def test_progress_is_drawn_on_a_terminal_only() -> None:
    with watched("hint", _DEAL, "--time", "1.5") as (process, read):
        drawn = b"".join(iter(read, b""))
        output, _ = process.communicate(timeout=_PATIENCE)
        assert process.returncode == 0
    assert b"best so far" in drawn
    assert "best so far" not in output
    assert "Best move of A" in output


def test_an_embedded_server_serves_one_command() -> None:
    result = run("deal", "--game", "peas", "--seed", "3", "--json")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["seed"] == "3"
    assert result.stderr == ""


def test_a_record_comes_through_a_pipe() -> None:
    result = run("hint", "-", "--time", "0.3", stdin=f"# a deal\n{_DEAL}\n")
    assert result.returncode == 0, result.stderr
    assert "Best move of A" in result.stdout


def test_bad_input_leaves_no_traceback() -> None:
    result = run("show", "peas +1/-2/+3 B1B2X3 R1R2R3 A")
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("error: state.notation: column ")
    assert result.stderr.splitlines()[-1].endswith("^")


def test_play_survives_a_closed_input() -> None:
    result = run("play", "--game", "peas", "--seed", "3")
    assert result.returncode == 0, result.stderr
    assert "left unfinished" in result.stdout


def test_a_terminal_without_unicode_gets_replacements() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    result = subprocess.run(
        [*_PROGRAM, "hint", _DEAL, "--time", "0.3"],
        capture_output=True,
        timeout=_PATIENCE,
        env=environment,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert b"Best move of A" in result.stdout


def test_an_output_that_is_closed_early_is_no_crash() -> None:
    command = [*_PROGRAM, "games"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert "Traceback" not in process.stderr.read()
        process.wait(_PATIENCE)
