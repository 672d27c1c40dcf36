"""The calibration of win shares: what is counted, on games made up for it, and games as they are played."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from mangetout_solver.games.registry import game

from benchmarks.calibration import PlayedGame, judge, main, play


def test_predictions_are_held_to_what_their_seat_ends_with() -> None:
    found = judge(
        [
            PlayedGame([(0, 0.75), (1, 0.25), (0, 0.95)], [1.0, 0.0], []),
            PlayedGame([(0, 0.75)], [0.0, 1.0], []),
        ]
    )
    assert (found.games, found.decisions) == (2, 4)
    assert found.brier == pytest.approx((0.25**2 + 0.25**2 + 0.05**2 + 0.75**2) / 4)
    assert found.constant == pytest.approx(0.25)
    assert [(each.count, each.predicted, each.seen) for each in found.bins] == [
        (1, 0.25, 0.0),
        (2, 0.75, 0.5),
        (1, 0.95, 1.0),
    ]


@pytest.mark.parametrize("decisions", [1, 8])
def test_the_error_of_a_bin_counts_games_and_not_decisions(decisions: int) -> None:
    """Half of 400 games are won, and told so or not at random: the error is that of 400 coins."""
    rng = Random(1)
    wins = [float(rng.random() < 0.5) for _ in range(400)]
    found = judge([PlayedGame([(0, 0.55)] * decisions, [won, 1.0 - won], []) for won in wins])
    assert found.bins[0].error == pytest.approx(0.5 / 20, rel=0.02)


@pytest.mark.parametrize(("told", "covered"), [(1.0, 0.95), (0.5, 0.73), (3.0, 1.0)])
def test_errors_are_held_to_how_far_seeds_spread(told: float, covered: float) -> None:
    rng = Random(2)
    games = [
        PlayedGame([(0, 0.5)], [1.0, 0.0], [(rng.gauss(0.4, 0.01), told * 0.01) for _ in range(12)]) for _ in range(300)
    ]
    found = judge(games)
    assert found.repeated == 3600
    assert found.covered / found.repeated == pytest.approx(covered, abs=0.02)
    assert found.spread == pytest.approx(1.0 / told, rel=0.03)


@pytest.mark.parametrize("name", [found.name for found in map(game, ("peas", "erbsenzaehlen", "pepper_corn"))])
def test_a_game_is_played_to_its_end(name: str) -> None:
    found = play(game(name), {}, 3, 40, 3)
    assert found == play(game(name), {}, 3, 40, 3)
    assert sum(found.shares) == pytest.approx(1.0)
    assert {seat for seat, _ in found.predictions} == set(range(len(found.shares)))
    assert all(0.0 <= share <= 1.0 for _, share in found.predictions)
    assert len(found.repeats) <= 3


def test_a_run_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, picture = tmp_path / "games.jsonl", tmp_path / "bins.svg"
    words = ["peas", "--simulations", "30", "--repeats", "2", "--out", str(out)]
    assert main([*words, "--games", "2"]) == 0
    first = out.read_text().splitlines()
    # What is in the file is believed and not played again, but for the line that was being written.
    marked = [json.dumps(json.loads(line) | {"shares": [0.5, 0.5]}) for line in first]
    out.write_text("\n".join(marked) + "\n" + first[0][:40])
    assert main([*words, "--games", "3", "--plot", str(picture)]) == 0
    assert out.read_text().splitlines()[:2] == marked
    assert len(out.read_text().splitlines()) == 3
    assert "3 games" in capsys.readouterr().out
    assert picture.read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("words", "part"),
    [(["--option", "pods"], "expected NAME=VALUE"), (["--plot", "bins.txt"], ".svg"), (["--option", "x=1"], "x")],
)
def test_bad_input_is_named(words: list[str], part: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["peas", "--games", "1", *words]) == 2
    assert part in capsys.readouterr().err
