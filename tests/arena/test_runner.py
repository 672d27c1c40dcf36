"""Playing in several processes gives what playing in one does."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children
from pathlib import Path

import pytest
from mangetout_solver.arena.duplicate import Usage
from mangetout_solver.arena.report import Report
from mangetout_solver.arena.results import Results
from mangetout_solver.arena.runner import run, usable_cores
from mangetout_solver.arena.statistics import Bounds, Decision
from mangetout_solver.arena.tournament import Tournament, Unit
from mangetout_solver.errors import InputError

Small = Callable[..., Tournament]


def reported(report: Report) -> dict[str, object]:
    """All of a report that does not depend on the clock."""
    values = report.as_dict()
    for usage in values["usage"]:  # type: ignore[attr-defined]
        del usage["processor_seconds"]
    return values


def played(tournament: Tournament, processes: int) -> Report:
    results = Results(tournament)
    for _ in run(results, processes):
        pass
    return Report.of(results)


@pytest.mark.parametrize(
    "arguments",
    [
        {"settings": ("simulations=60", "simulations=20,trees=2", "random"), "pairs": 5},
        {"settings": ("simulations=60", "random"), "pairs": 200, "bounds": Bounds(0, 150)},
    ],
)
def test_the_number_of_processes_changes_nothing(small: Small, arguments: dict[str, object]) -> None:
    settings = arguments.pop("settings")
    one, three = (played(small(*settings, **arguments), processes) for processes in (1, 3))
    assert reported(one) == reported(three)
    assert one.complete
    if one.sequential is not None:
        assert one.sequential.decision is not Decision.OPEN
        assert 1 < len(one.contests[0].outcomes) < 200


def test_every_unit_is_yielded_once(small: Small) -> None:
    for processes in (1, 2):
        results = Results(small("random", "level=1", "simulations=2", pairs=4))
        units = [(unit.contest, unit.deal) for unit in run(results, processes)]
        assert sorted(units) == [(contest, deal) for contest in range(3) for deal in range(4)]


def test_workers_take_up_what_one_process_began(small: Small, tmp_path: Path) -> None:
    tournament = small(pairs=8)
    path = tmp_path / "small.jsonl"
    with Results.recorded(tournament, path, resume=False) as results:
        begun = run(results)
        for _ in range(3):
            next(begun)
    with Results.recorded(tournament, path, resume=True) as results:
        assert len(list(run(results, 2))) == 5
    assert reported(Report.of(results)) == reported(played(tournament, 1))


def test_the_sequential_test_follows_the_order_of_deals(small: Small) -> None:
    """Won pairs of later deals are there first, but the early ones were lost."""
    tournament = small("level=1", "random", pairs=200, bounds=Bounds(0, 200))
    results = Results(tournament)
    for deal in (*range(199, 60, -1), *range(61)):
        share = float(deal > 60)
        results.add(Unit(0, deal, (share, share), (Usage(), Usage())))
    assert list(run(results)) == []
    report = Report.of(results)
    assert report.sequential is not None
    assert report.sequential.decision is Decision.H0
    assert set(report.contests[0].outcomes) == {0.0}
    assert len(report.contests[0].outcomes) < 20


def test_a_decided_test_waits_for_no_gap(small: Small) -> None:
    results = Results(small("level=1", "random", pairs=200, bounds=Bounds(0, 200)))
    for deal in range(1, 61):
        results.add(Unit(0, deal, (1.0, 1.0), (Usage(), Usage())))
    assert Report.of(results).contests[0].outcomes == ()
    # Deal 0 is missing, so nothing is decided; with it all is.
    assert [unit.deal for unit in run(results)] == [0]
    assert Report.of(results).complete


def test_a_timed_worker_stays_on_one_core(small: Small) -> None:
    results = Results(small("time=0.001", "time=0.001,trees=2", pairs=2))
    before = os.sched_getaffinity(0)
    for _ in run(results, 1):
        assert [len(os.sched_getaffinity(child.pid)) for child in active_children() if child.pid] == [1]
    assert os.sched_getaffinity(0) == before
    report = Report.of(results)
    assert report.budget == "equal time"
    assert report.time_ratio is not None
    assert report.time_ratio >= 1.0
    assert all(use.simulations > 0 for use in report.usage)


@pytest.mark.parametrize(
    ("settings", "processes"),
    [(("random", "level=1"), 0), (("random", "time=0.001"), usable_cores() + 1), (("random", "level=1"), 2000)],
)
def test_too_many_processes_are_refused(small: Small, settings: tuple[str, ...], processes: int) -> None:
    with pytest.raises(InputError) as caught:
        next(run(Results(small(*settings)), processes))
    assert caught.value.field == "processes"


def test_workers_end_with_the_run(small: Small) -> None:
    playing = run(Results(small("simulations=200", "random", pairs=500)), 2)
    next(playing)
    children = active_children()
    assert len(children) == 2
    playing.close()
    assert active_children() == []


def test_a_killed_worker_is_no_silence(small: Small) -> None:
    results = Results(small("simulations=200", "random", pairs=500))
    playing = run(results, 2)
    next(playing)
    pid = active_children()[0].pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(BrokenProcessPool):
        list(playing)
    assert 0 < len(results) < 500
