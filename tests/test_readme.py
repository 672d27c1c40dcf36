"""What README.md shows works as it stands there."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mangetout_solver.games.registry import parse_record

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^mangetout .*$", README, re.MULTILINE)
PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
LINKS = re.findall(r"\]\(([^)#]+)\)", README)


def test_there_is_something_to_try() -> None:
    assert len(COMMANDS) == 1
    assert len(PYTHON) == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_command_finds_a_move(command: str) -> None:
    program, *arguments = shlex.split(command)
    assert program == "mangetout"
    run = subprocess.run(
        [sys.executable, "-m", "mangetout_cli", *arguments, "--simulations", "500"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Best move of A" in run.stdout


def test_command_shows_a_canonical_record() -> None:
    text = shlex.split(COMMANDS[0])[2]
    assert parse_record(text).format() == text


@pytest.mark.parametrize("code", PYTHON)
def test_python_prints_a_move_and_its_value(code: str, server: Any) -> None:
    assert "127.0.0.1:50151" in code
    run = subprocess.run(
        [sys.executable, "-c", code.replace("127.0.0.1:50151", server.target)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert " on pod " in run.stdout
    assert "mean:" in run.stdout


@pytest.mark.parametrize("link", LINKS)
def test_link_leads_to_a_file(link: str) -> None:
    assert (Path(__file__).parent.parent / link).exists()


@pytest.mark.parametrize("target", ["run", "test"])
def test_make_targets_exist(target: str) -> None:
    makefile = (Path(__file__).parent.parent / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^make {target} ", README, re.MULTILINE)
    assert re.search(rf"^{target}: .*## ", makefile, re.MULTILINE)
