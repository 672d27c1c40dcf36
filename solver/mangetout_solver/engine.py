"""The one door to searching: picks the searcher for game, information and limits."""

from __future__ import annotations

from collections.abc import Iterator

from mangetout_solver import expected, mixed, sampled, solved
from mangetout_solver.analysis import Analysis
from mangetout_solver.exact.registry import ENGINES
from mangetout_solver.games.game import Record
from mangetout_solver.limits import Limits, SearchOptions
from mangetout_solver.question import Question
from mangetout_solver.search.control import Control


def analyze(
    record: Record,
    *,
    seat: int | None = None,
    perfect_information: bool = False,
    limits: Limits,
    options: SearchOptions,
    control: Control | None = None,
) -> Analysis:
    """The final analysis; see `search`."""
    *_, final = search(
        record,
        seat=seat,
        perfect_information=perfect_information,
        limits=limits,
        options=options,
        control=control,
    )
    return final


def search(
    record: Record,
    *,
    seat: int | None = None,
    perfect_information: bool = False,
    limits: Limits,
    options: SearchOptions,
    control: Control | None = None,
    report_interval: float | None = None,
) -> Iterator[Analysis]:
    """Yields partial analyses every `report_interval` seconds, and last exactly one final one.

    seat: whose knowledge is used, default the seat to move. perfect_information: search with all cards open instead.
    All input is checked before the first search step, when the iterator is first advanced.

    Raises PreconditionError (game over), PositionError (``notation``, cards that must be known are not), InputError
    (``seat``, ``limits.*``, ``options.*``).
    """
    control = Control() if control is None else control
    question = Question.check(record, seat, perfect_information, limits, options)
    if not question.exact:
        searcher = sampled.search
    elif question.stage is not None:
        searcher = mixed.search
    elif ENGINES[question.game.name].covers(question.position):
        searcher = solved.search
    else:
        searcher = expected.search
    yield from searcher(question, limits, options, control, report_interval)
