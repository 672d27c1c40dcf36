"""Long runs of a split: killed, they go on where they were; checkpoints of anything else are refused by name."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from mangetout_solver.games.decktet import CARD_NUMBERS
from mangetout_solver.games.pepper_corn.notation import mirrored
from mangetout_solver.games.pepper_corn.positions import build
from mangetout_solver.games.registry import game

from benchmarks.split_run import main

ROOT = Path(__file__).parents[3]
KNOWN = json.loads((ROOT / "tests/data/pepper_corn_splits.jsonl").read_text("utf-8").splitlines()[-1])
SMALL = "pepper_corn 9MS,XY,2WL,6LK AS4MS8MS 5YK9WYXM 0-0 split/A/0"
Openings = dict[tuple[int, int], list[list[int]]]


def known_position() -> str:
    tableau = [[CARD_NUMBERS[card] for card in row] for row in KNOWN["tableau"]]
    hands = [sorted(CARD_NUMBERS[card] for card in KNOWN["dealt"][seat]) for seat in "AB"]
    return game("pepper_corn").format_position(build(tableau, hands, phase="split", seat=0, hands_known=True))


def openings(path: Path) -> Openings:
    return {(kept, taken): bounds for kept, taken, _, bounds in json.loads(path.read_text("utf-8"))["openings"]}


def ends(text: str) -> list[tuple[float, float]]:
    return [(float(low), float(high)) for low, high in re.findall(r"of A (\S+) to (\S+),", text)]


def is_within(after: Openings, before: Openings) -> bool:
    return all(
        old[0] <= new[0] <= new[1] <= old[1]
        for key, bounds in before.items()
        for old, new in zip(bounds, after[key], strict=True)
    )


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "split.json"
    command = [known_position(), "--margin", "--checkpoint", str(path), "--memory", str(1 << 24)]
    running = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.split_run", *command, "--every", "0.02"], cwd=ROOT, stdout=subprocess.PIPE
    )
    while running.poll() is None and not (path.exists() and len(openings(path)) > 20):
        time.sleep(0.01)
    assert running.poll() is None, "solved before it could be killed"
    os.kill(running.pid, signal.SIGKILL)
    running.communicate()
    killed = openings(path)
    assert len(killed) > 20
    # A bit more, and what is known only narrows.
    assert main([*command, "--nodes", "2000"]) == 1
    first = capsys.readouterr().out
    assert first.startswith(f"goes on with {len(killed)} openings")
    later = openings(path)
    assert is_within(later, killed)
    assert main(command) == 0
    last = capsys.readouterr().out
    assert is_within(openings(path), later)
    (before,), (after,) = ends(first), ends(last)
    assert before[0] <= after[0] <= after[1] <= before[1]
    assert after == pytest.approx((KNOWN["value"], KNOWN["value"]), abs=1e-6)
    assert "\nmixture of A\n" in last
    # All is known: nothing is left to search, from the other side of the table either.
    command[0] = mirrored(command[0])
    assert main(command) == 0
    again = capsys.readouterr().out
    assert ends(again) == [after]
    assert " 0 nodes," in again


def test_what_is_known_holds_for_the_other_payoff(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "split.json"
    assert main([SMALL, "--margin", "--checkpoint", str(path)]) == 0
    before = openings(path)
    capsys.readouterr()
    assert main([SMALL, "--checkpoint", str(path)]) == 0
    assert capsys.readouterr().out.startswith(f"goes on with {len(before)} openings")
    assert is_within(openings(path), before)


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        (SMALL.replace("9MS,XY", "9LK,XY"), "checkpoint.key: found that of pepper_corn 9MS,XY"),
        (SMALL.replace("pepper_corn", "pepper_corn{access=restricted}"), "checkpoint.key: "),
        (SMALL.replace("pepper_corn", "pepper_corn{empty_piles=true}"), "checkpoint.key: "),
    ],
)
def test_a_checkpoint_of_another_position_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], position: str, reason: str
) -> None:
    path = tmp_path / "split.json"
    assert main([SMALL, "--checkpoint", str(path)]) == 0
    before = path.read_bytes()
    assert main([position, "--checkpoint", str(path)]) == 2
    assert f"error: {reason}" in capsys.readouterr().err
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": 2}, "checkpoint.format: found 2, expected 1"),
        ({"openings": [[99, 0, 1, [[0, 1]]]]}, "checkpoint.openings[0]: found cards 99"),
        ({"openings": [[1, 1, 1, [[0, 1], [0, 1], [0, 1]]]]}, "checkpoint.openings[0]: found bounds for 3 beginnings"),
        ({"openings": [[1, 1, 1, [[190, 191]]]]}, "checkpoint.openings[0]: found bounds ((190, 191),)"),
        ({"openings": 5}, "checkpoint: "),
        ({"openings": [[1, 1]]}, "checkpoint: "),
    ],
)
def test_a_checkpoint_that_cannot_be_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, object], reason: str
) -> None:
    path = tmp_path / "split.json"
    assert main([SMALL, "--checkpoint", str(path)]) == 0
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | changes), "utf-8")
    assert main([SMALL, "--checkpoint", str(path)]) == 2
    assert f"error: {reason}" in capsys.readouterr().err


def test_a_file_of_another_kind_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "split.json"
    for text in ("", "[]", '{"format": 1}'):
        path.write_text(text, "utf-8")
        assert main([SMALL, "--checkpoint", str(path)]) == 2
        assert "is no checkpoint of a split" in capsys.readouterr().err
        assert path.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        ("pepper_corn 9MS,XY AS4MS 5YK 0-15 play/A", "expected the beginning of a split or a choice"),
        ("pepper_corn 9MS,XY,2WL,6LK AS|4MS|8MS 5YK9WYXM 0-0 split/A/1", "expected the beginning of a split"),
        ("pepper_corn 9MS,XY,2WL,6LK ??? 5YK9WYXM 0-0 split/A/0", "found cards that are not known"),
        ("pepper_corn 9MS,XY/?,?/2WL,6LK AS4MS8MS 5YK9WYXM 0-0 split/A/0", "found a card face down"),
        (
            "pepper_corn 9MS AS4MS 2SY2MK2WL3MW3LY3SK4YK4WL5ML 0-0 split/A/0",
            "found 1 and 255 divisions, expected at most 128",
        ),
    ],
)
def test_what_is_no_split_is_refused(capsys: pytest.CaptureFixture[str], position: str, reason: str) -> None:
    assert main([position]) == 2
    assert reason in capsys.readouterr().err
