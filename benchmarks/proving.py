"""Proofs by the exact engine, one after the other, and what they cost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from mangetout_solver.exact.peas.rounds import Rounds
from mangetout_solver.exact.peas.solver import TECHNIQUES as PEAS_TECHNIQUES
from mangetout_solver.exact.pepper_corn.plays import Plays
from mangetout_solver.exact.pepper_corn.solver import TECHNIQUES as PEPPER_CORN_TECHNIQUES
from mangetout_solver.exact.solution import Outcome
from mangetout_solver.exact.solving import nearest_middle
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control
from rich.table import Table

_POLL_SECONDS = 0.02

Engine = Rounds | Plays
# What each engine can do without.
TECHNIQUES: Mapping[str, tuple[str, ...]] = {"peas": PEAS_TECHNIQUES, "pepper_corn": PEPPER_CORN_TECHNIQUES}
_ENGINES: Mapping[str, type[Engine]] = {"peas": Rounds, "pepper_corn": Plays}


@dataclass(frozen=True)
class Proof:
    """answer: seat letter of the winner or "draw", or A's margin; None if stopped before it was proven. seconds:
    processor time, in which a new context was made too; elapsed: the same by the clock. nodes: of the search.
    table_bytes: memory of the table."""

    answer: str | int | None
    seconds: float
    elapsed: float
    nodes: int
    table_bytes: int


@contextmanager
def processor_limit(seconds: float) -> Iterator[Control]:
    """A Control that ends a search when this process has used so many more seconds of processor time."""
    control, done = Control(), threading.Event()
    end = time.process_time() + seconds

    def watch() -> None:
        while not done.wait(_POLL_SECONDS):
            if time.process_time() >= end:
                control.stop()
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield control
    finally:
        done.set()
        watcher.join()


def winner(context: Engine, position: Position, control: Control, max_nodes: int | None = None) -> str | None:
    """Who wins with best play, or "draw"; None when stopped. max_nodes: for each question that is asked."""
    left = _halve(context, position, lambda outcome: outcome.shares[0], control, max_nodes)
    shares = {outcome.shares[0] for outcome in left}
    return None if len(shares) > 1 else {1.0: "A", 0.5: "draw", 0.0: "B"}[shares.pop()]


def margin(context: Engine, position: Position, control: Control, max_nodes: int | None = None) -> int | None:
    """A's margin; None when stopped."""
    low, high = margin_ends(context, position, control, max_nodes)
    return low if low == high else None


def margin_ends(context: Engine, position: Position, control: Control, max_nodes: int | None = None) -> tuple[int, int]:
    """The least and the most that A's margin is known to be; equal unless stopped."""
    left = _halve(context, position, lambda outcome: outcome.margin, control, max_nodes)
    return left[0].margin, left[-1].margin


def _halve(
    context: Engine,
    position: Position,
    worth: Callable[[Outcome], float],
    control: Control,
    max_nodes: int | None,
) -> Sequence[Outcome]:
    """The outcomes that are worth what best play is, by questions that halve what it may be; more when stopped."""
    outcomes: Sequence[Outcome] = context.outcomes(position)
    while steps := [b.margin for a, b in pairwise(outcomes) if worth(b) > worth(a)]:
        asked = nearest_middle(steps, outcomes[0].margin, outcomes[-1].margin)
        found = context.at_least(position, asked, control, max_nodes)
        if found is None:
            break
        outcomes = [outcome for outcome in outcomes if (outcome.margin >= asked) == found]
    return outcomes


def new_context(game: str, memory_bytes: int | None, without: Collection[str] = (), threads: int = 1) -> Engine:
    """memory_bytes: None as the engine has it by default. without: names of its TECHNIQUES."""
    engine = _ENGINES[game]
    if memory_bytes is None:
        return engine(threads=threads, without=without)
    return engine(memory_bytes, threads=threads, without=without)


def prove(
    position: Position,
    seconds: float,
    memory_bytes: int | None,
    *,
    max_nodes: int | None = None,
    without: Collection[str] = (),
    threads: int = 1,
    find: Callable[[Engine, Position, Control, int | None], str | int | None] = winner,
) -> Proof:
    """Proves who wins, or what `find` finds, in a new context."""
    with processor_limit(seconds) as control:
        began, began_by_clock = time.process_time(), time.perf_counter()
        context = new_context(position.game_name, memory_bytes, without, threads)
        found = find(context, position, control, max_nodes)
        spent, elapsed = time.process_time() - began, time.perf_counter() - began_by_clock
    return Proof(found, round(spent, 6), round(elapsed, 6), context.nodes, context.table_bytes)


def figures(proofs: Sequence[Proof], measure: str) -> dict[str, float | None]:
    """Median, 90th and 99th percentile (nearest rank) and maximum of `seconds`, `elapsed` or `nodes`.

    Positions that were not solved are harder than all others; None where the figure is one of theirs.
    """
    solved = sorted(getattr(proof, measure) for proof in proofs if proof.answer is not None)
    return {
        name: solved[rank] if (rank := ceil(share * len(proofs)) - 1) < len(solved) else None
        for name, share in (("median", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1.0))
    }


def figures_table(proofs: Sequence[Proof], title: str) -> Table:
    """The figures of each measure."""
    table = Table("", "median", "p90", "p99", "max", title=title)
    for measure, form in (("seconds", ",.4f"), ("elapsed", ",.4f"), ("nodes", ",.0f")):
        found = figures(proofs, measure).values()
        table.add_row(measure, *("not solved" if value is None else format(value, form) for value in found))
    return table
