"""Plays a tournament, in this process or in several workers.

Workers are spawned. A worker holds one end of a pipe whose other end only this process has: when that closes, because
the tournament is stopped or this process was killed, the worker ends at once, and the units in flight are lost.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import Synchronized

from mangetout_solver.arena.results import Results
from mangetout_solver.arena.settings import is_timed
from mangetout_solver.arena.statistics import Decision
from mangetout_solver.arena.tournament import Tournament, Unit
from mangetout_solver.errors import InputError

# Units given out for each process, so that none waits for its next one.
_AHEAD = 2


def usable_cores() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0))


def run(results: Results, processes: int = 1) -> Iterator[Unit]:
    """Plays all units of the tournament that the results lack, adds each to them as it ends, and yields it.

    Ends early when the sequential test of the tournament is decided; deals are taken into account in order, so that
    the decision and the pairs it rests on do not depend on which process is first. Where the clock limits a setting,
    workers are bound to one core each; both settings play all their moves there, in turn.

    Raises InputError (``processes``), when first advanced; BrokenProcessPool when a worker was killed.
    """
    tournament = results.tournament
    timed = is_timed(tournament.settings)
    most = usable_cores() if timed else 1024
    if not 1 <= processes <= most:
        raise InputError("processes", f"found {processes}, expected 1 to {most}")
    missing = (
        (contest, deal)
        for deal in range(tournament.pairs)
        for contest in range(len(tournament.contests))
        if results.get(contest, deal) is None
    )
    decided = _Decided(results)
    if processes == 1 and not timed:
        while not decided() and (place := next(missing, None)) is not None:
            unit = tournament.play(*place)
            results.add(unit)
            yield unit
        return
    with _workers(processes, bound=timed) as pool:
        running: set[Future[Unit]] = set()
        while not decided():
            for place in islice(missing, _AHEAD * processes - len(running)):
                with _interrupts_held():
                    running.add(pool.submit(Tournament.play, tournament, *place))
            if not running:
                return
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                unit = future.result()
                results.add(unit)
                yield unit


class _Decided:
    """Feeds the sequential test, if there is one, with the pairs played so far, in the order of deals."""

    def __init__(self, results: Results) -> None:
        self._results = results
        self._test = results.tournament.sequential_test()

    def __call__(self) -> bool:
        test = self._test
        if test is None:
            return False
        while test.decision is Decision.OPEN and (unit := self._results.get(0, test.pairs)) is not None:
            test.add(unit.outcome)
        return test.decision is not Decision.OPEN


@contextmanager
def _workers(processes: int, bound: bool) -> Iterator[ProcessPoolExecutor]:
    context = multiprocessing.get_context("spawn")
    theirs, ours = context.Pipe(duplex=False)
    started = context.Value("i", 0) if bound else None
    pool = ProcessPoolExecutor(processes, context, initializer=_begin_worker, initargs=(theirs, started))
    try:
        yield pool
    finally:
        ours.close()
        pool.shutdown(cancel_futures=True)
        theirs.close()


def _begin_worker(hangup: Connection, started: Synchronized[int] | None) -> None:
    if started is not None:
        with started.get_lock():
            index = started.value
            started.value += 1
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[index % len(cores)]})

    def follow() -> None:
        hangup.poll(None)
        os._exit(0)

    threading.Thread(target=follow, name="hangup", daemon=True).start()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Processes started here never see a terminal's interrupt, which is for this one; here it waits until the end."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
