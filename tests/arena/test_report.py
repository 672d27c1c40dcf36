"""Contests between settings, and what a report says of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import mangetout_toys as toys
import pytest
from mangetout_solver.arena import plot
from mangetout_solver.arena.duplicate import Usage
from mangetout_solver.arena.report import Report
from mangetout_solver.arena.results import Results
from mangetout_solver.arena.runner import run
from mangetout_solver.arena.settings import parse_setting
from mangetout_solver.arena.statistics import Bounds
from mangetout_solver.arena.tournament import Contest, Tournament, Unit
from mangetout_solver.errors import InputError, UnknownNameError
from mangetout_solver.games.game import Game
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game, games

Small = Callable[..., Tournament]
ToyGame = Callable[[Callable[[int], Position]], Game]


def with_outcomes(tournament: Tournament, *contests: list[float]) -> Report:
    """A report of these outcomes, both games of a pair alike."""
    results = Results(tournament)
    for contest, outcomes in enumerate(contests):
        for deal, outcome in enumerate(outcomes):
            results.add(Unit(contest, deal, (outcome,) * tournament.players, (Usage(3, 30, 0.5), Usage(3, 0, 0.25))))
    return Report.of(results)


def test_every_two_settings_meet(small: Small) -> None:
    tournament = small("random", "level=1", "level=2", "level=3")
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert list(tournament.contests) == [Contest(a, b) for a, b in pairs]


def test_with_more_seats_each_setting_stands_alone_once(toy_game: ToyGame) -> None:
    trees = toy_game(lambda seed: toys.random_tree(seed, players=3))
    settings = tuple(parse_setting(text) for text in ("random", "level=1", "level=2"))
    tournament = Tournament(trees, {}, settings, 1, 1)
    assert [(c.solo, c.others) for c in tournament.contests] == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]


def test_a_search_is_shown_to_beat_random_players_of_three(toy_game: ToyGame) -> None:
    """Alone it wins more than a third; alone against two searches a random player wins less."""
    trees = toy_game(lambda seed: toys.random_tree(seed, players=3, depth=6, chance=20))
    settings = (parse_setting("simulations=300"), parse_setting("random"))
    results = Results(Tournament(trees, {}, settings, 1, 120))
    for _ in run(results):
        pass
    alone, against = Report.of(results).contests
    assert (alone.solo, alone.others) == ("simulations=300", "random")
    assert (against.solo, against.others) == ("random", "simulations=300")
    assert alone.share is not None
    assert against.share is not None
    assert alone.fair_share == pytest.approx(1 / 3)
    assert alone.share.low > 1 / 3 > against.share.high
    assert alone.shown
    assert against.shown
    assert alone.elo is None


@pytest.mark.parametrize("name", [game.name for game in games()])
def test_every_game_can_be_played(name: str) -> None:
    tournament = Tournament(game(name), {}, (parse_setting("simulations=2000"), parse_setting("random")), 1, 4)
    results = Results(tournament)
    for _ in run(results):
        pass
    share = Report.of(results).contests[0].share
    assert share is not None
    # Seven of the eight games at least.
    assert share.mean > 0.8


def test_equal_settings_show_no_difference(small: Small) -> None:
    results = Results(small("random", "random", pairs=60))
    for _ in run(results):
        pass
    assert not Report.of(results).contests[0].shown


def test_a_difference_is_shown_where_the_interval_leaves_out_zero(small: Small) -> None:
    clear, unclear = (with_outcomes(small(pairs=20), o).contests[0] for o in ([1.0, 0.5] * 10, [1.0, 0.25] * 4))
    assert clear.elo is not None
    assert clear.elo.low > 0
    assert clear.shown
    assert unclear.elo is not None
    assert unclear.elo.low < 0 < unclear.elo.high
    assert not unclear.shown


def test_usage_is_added_up_by_setting(small: Small) -> None:
    report = with_outcomes(small("level=1", "level=2", "random", pairs=2), [1.0], [0.5, 0.5], [0.0])
    assert report.usage == (Usage(9, 90, 1.5), Usage(6, 30, 0.75), Usage(9, 0, 0.75))
    assert not report.complete


def test_a_report_before_the_first_pair_claims_nothing(small: Small) -> None:
    report = with_outcomes(small(bounds=Bounds(0, 10)))
    contest = report.contests[0]
    assert contest.share is None
    assert contest.elo is None
    assert not contest.shown
    values = report.as_dict()
    assert values["contests"][0]["win_share"] is None  # type: ignore[index]
    assert values["sequential_test"]["decision"] == "open"  # type: ignore[index]


def test_a_report_is_strict_json(small: Small) -> None:
    values = with_outcomes(small(), [1.0] * 6).as_dict()
    read = json.loads(json.dumps(values, allow_nan=False))
    assert read["complete"]
    contest = read["contests"][0]
    assert contest["elo"]["mean"] is contest["elo"]["high"] is None
    assert contest["elo"]["low"] > 0
    assert contest["win_share"]["mean"] == contest["win_share"]["high"] == 1.0
    assert (contest["pairs"], contest["games"]) == (6, 12)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"settings": ()}, "settings"),
        ({"settings": (parse_setting("random"),)}, "settings"),
        ({"pairs": 0}, "pairs"),
        ({"pairs": 10**7}, "pairs"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**64 - 2}, "seed"),
        ({"options": {"ranks": "many"}}, "options.ranks"),
        ({"settings": (parse_setting("random"),) * 3, "bounds": Bounds(0, 10)}, "sprt"),
    ],
)
def test_a_tournament_that_cannot_be_played_is_refused(change: dict[str, object], field: str) -> None:
    fields: dict[str, object] = {
        "game": game("peas"),
        "options": {},
        "settings": (parse_setting("random"), parse_setting("level=1")),
        "seed": 2**64 - 10,
        "pairs": 10,
        "bounds": None,
    }
    Tournament(**fields)  # type: ignore[arg-type]
    with pytest.raises(InputError) as caught:
        Tournament(**{**fields, **change})  # type: ignore[arg-type]
    assert caught.value.field == field


def test_an_option_that_the_game_lacks_is_refused() -> None:
    with pytest.raises(UnknownNameError):
        Tournament(game("peas"), {"jokers": "2"}, (parse_setting("random"),) * 2, 1, 1)


def test_a_picture_shows_every_contest(small: Small, tmp_path: Path) -> None:
    report = with_outcomes(small("level=1", "level=2", "random"), [1.0, 0.5], [0.5, 0.5, 0.0], [1.0] * 3)
    plot.draw(report, tmp_path / "elo.svg")
    plot.draw(report, tmp_path / "elo.PNG")
    assert ElementTree.parse(tmp_path / "elo.svg").getroot().tag.endswith("svg")
    assert (tmp_path / "elo.PNG").read_bytes().startswith(b"\x89PNG")


def test_a_picture_of_shares_for_more_seats_and_of_nothing(toy_game: ToyGame, small: Small, tmp_path: Path) -> None:
    trees = toy_game(lambda seed: toys.random_tree(seed, players=4))
    tournament = Tournament(trees, {}, (parse_setting("random"), parse_setting("level=1")), 1, 3)
    for name, report in (("four", with_outcomes(tournament, [0.25, 0.5, 1.0])), ("none", with_outcomes(small()))):
        plot.draw(report, tmp_path / f"{name}.svg")
        assert (tmp_path / f"{name}.svg").stat().st_size > 1000


def test_a_picture_needs_a_known_format() -> None:
    for name in ("elo", "elo.pdf", "elo.svg.gz"):
        with pytest.raises(InputError, match=r"\.svg or \.png"):
            plot.check(Path(name))


def test_a_picture_needs_matplotlib(small: Small, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"mangetout\[plot\]"):
        plot.draw(with_outcomes(small()), tmp_path / "elo.svg")
    assert not (tmp_path / "elo.svg").exists()


@pytest.mark.parametrize(
    ("settings", "ratio"),
    [(("time=0.01", "time=0.01,trees=2"), 2.0), (("time=0.01", "time=0.02"), None), (("level=1", "level=1"), None)],
)
def test_equal_time_is_checked_against_the_processor(
    small: Small, settings: tuple[str, ...], ratio: float | None
) -> None:
    """Outcomes are given with half a second for three moves of the first and a quarter for three of the second."""
    report = with_outcomes(small(*settings), [1.0, 0.5])
    assert report.time_ratio == ratio
    assert report.as_dict()["time_ratio"] == ratio
    assert with_outcomes(small(*settings)).time_ratio is None
