"""The record of a tournament: whatever was cut short or does not belong is found, and nothing else is lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from mangetout_solver.arena.duplicate import Usage
from mangetout_solver.arena.report import Report
from mangetout_solver.arena.results import Results
from mangetout_solver.arena.runner import run
from mangetout_solver.arena.statistics import Bounds
from mangetout_solver.arena.tournament import Tournament, Unit
from mangetout_solver.errors import InputError

Small = Callable[..., Tournament]


def play(tournament: Tournament, path: Path, *, resume: bool = False, units: int | None = None) -> Results:
    """Plays up to so many further units, all where None."""
    with Results.recorded(tournament, path, resume) as results:
        playing = run(results)
        for _ in range(tournament.pairs * len(tournament.contests) if units is None else units):
            next(playing, None)
    return results


def shares(results: Results) -> list[tuple[float, ...]]:
    return [unit.shares for index in range(len(results.tournament.contests)) for unit in results.in_order(index)]


def without_seconds(path: Path) -> list[object]:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [lines[0], *((line["contest"], line["deal"], line["shares"]) for line in lines[1:])]


def test_the_file_says_what_is_played_and_how_each_game_ended(small: Small, tmp_path: Path) -> None:
    path = tmp_path / "small.jsonl"
    tournament = small("simulations=30", "random", pairs=3, seed=5)
    results = play(tournament, path)
    header, *units = map(json.loads, path.read_text().splitlines())
    assert header == tournament.header()
    for name, value in (("game", "peas"), ("seed", 5), ("pairs", 3), ("budget", "simulations"), ("sprt", None)):
        assert header[name] == value
    assert header["settings"] == ["simulations=30", "random"]
    assert [unit["deal"] for unit in units] == [0, 1, 2]
    assert [tuple(unit["shares"]) for unit in units] == shares(results)
    assert [side[:2] for side in units[0]["usage"]] == [[6, 180], [6, 0]]


def test_a_file_gives_back_what_was_written(small: Small, tmp_path: Path) -> None:
    path = tmp_path / "small.jsonl"
    tournament = small("random", "level=1", "simulations=5", pairs=2)
    played = play(tournament, path)
    with Results.recorded(tournament, path, resume=True) as again:
        assert shares(again) == shares(played)
        assert len(again) == len(played) == 6
        usage = [(use.moves, use.simulations) for use in Report.of(again).usage]
        assert usage == [(use.moves, use.simulations) for use in Report.of(played).usage]


@pytest.mark.parametrize("units", [0, 1, 4])
@pytest.mark.parametrize("cut", [0, 1, 20])
def test_a_run_cut_short_ends_as_one_that_was_not(small: Small, tmp_path: Path, units: int, cut: int) -> None:
    """`cut` bytes of the last line are missing, as if the program had been killed while it wrote."""
    tournament = small(pairs=5)
    whole, torn = tmp_path / "whole.jsonl", tmp_path / "torn.jsonl"
    expected = play(tournament, whole)
    play(tournament, torn, units=units)
    data = torn.read_bytes()
    torn.write_bytes(data[: len(data) - cut])
    resumed = play(tournament, torn, resume=True)
    assert shares(resumed) == shares(expected)
    assert without_seconds(torn) == without_seconds(whole)


def test_a_run_killed_anywhere_can_be_taken_up(small: Small, tmp_path: Path) -> None:
    tournament = small("random", "level=1", pairs=2)
    path = tmp_path / "small.jsonl"
    play(tournament, path)
    data = path.read_bytes()
    for length in range(0, len(data), 7):
        path.write_bytes(data[:length])
        with Results.recorded(tournament, path, resume=True) as results:
            assert len(results) == max(data[:length].count(b"\n") - 1, 0)
        assert path.read_bytes().endswith(b"\n")


def test_resuming_a_finished_run_plays_nothing(small: Small, tmp_path: Path) -> None:
    path = tmp_path / "small.jsonl"
    play(small(), path)
    before = path.read_bytes()
    assert len(play(small(), path, resume=True)) == 6
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"seed": 2}, "seed"),
        ({"pairs": 7}, "pairs"),
        ({"bounds": Bounds(0, 20)}, "sprt"),
        ({"settings": ("simulations=31", "random")}, "settings"),
        ({"pods": "1,2,3"}, "options"),
    ],
)
def test_another_tournament_is_not_resumed(small: Small, tmp_path: Path, change: dict[str, object], name: str) -> None:
    path = tmp_path / "small.jsonl"
    play(small(), path, units=1)
    before = path.read_bytes()
    settings = change.pop("settings", ())
    with pytest.raises(InputError) as caught:
        Results.recorded(small(*settings, **change), path, resume=True)
    assert caught.value.field == "out"
    assert f"has {name} " in caught.value.reason
    assert path.read_bytes() == before


def test_bounds_and_error_rates_belong_to_the_tournament(small: Small, tmp_path: Path) -> None:
    path = tmp_path / "small.jsonl"
    play(small(bounds=Bounds(0, 20)), path, units=1)
    for bounds in (Bounds(0, 21), Bounds(0, 20, alpha=0.1), Bounds(0, 20, beta=0.1)):
        with pytest.raises(InputError, match="sprt"):
            Results.recorded(small(bounds=bounds), path, resume=True)


def test_a_file_is_not_overwritten(small: Small, tmp_path: Path) -> None:
    path = tmp_path / "small.jsonl"
    path.write_text("precious\n")
    for resume, part in ((False, "exists"), (True, "no record")):
        with pytest.raises(InputError) as caught:
            Results.recorded(small(), path, resume)
        assert caught.value.field == "out"
        assert part in caught.value.reason
    assert path.read_text() == "precious\n"


@pytest.mark.parametrize(
    "line",
    [
        '{"contest":0,"deal":',
        "[]",
        "7",
        '{"contest":0,"deal":6,"shares":[1.0,0.0],"usage":[[1,1,1],[1,1,1]]}',
        '{"contest":1,"deal":0,"shares":[1.0,0.0],"usage":[[1,1,1],[1,1,1]]}',
        '{"contest":0,"deal":-1,"shares":[1.0,0.0],"usage":[[1,1,1],[1,1,1]]}',
        '{"contest":0,"deal":0,"shares":[1.0],"usage":[[1,1,1],[1,1,1]]}',
        '{"contest":0,"deal":0,"shares":[1.0,0.0],"usage":[[1,1,1]]}',
        '{"contest":0,"deal":0,"shares":[1.0,0.0]}',
    ],
)
def test_a_damaged_line_is_named(small: Small, tmp_path: Path, line: str) -> None:
    path = tmp_path / "small.jsonl"
    play(small(), path, units=2)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:2], line, *lines[2:], ""]))
    with pytest.raises(InputError, match="line 3"):
        Results.recorded(small(), path, resume=True)


def test_pairs_behind_a_gap_do_not_count_yet(small: Small) -> None:
    results = Results(small(pairs=5))
    for deal in (3, 0, 1):
        results.add(Unit(0, deal, (1.0, 0.0), (Usage(), Usage())))
    assert [unit.deal for unit in results.in_order(0)] == [0, 1]
    results.add(Unit(0, 2, (1.0, 1.0), (Usage(), Usage())))
    assert [unit.deal for unit in results.in_order(0)] == [0, 1, 2, 3]
    assert results.get(0, 4) is None
