"""Proofs by the exact engine, one after the other, and what they cost."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil

from mangetout_solver.exact.peas.solver import DoubleDummy
from mangetout_solver.games.peas import view
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control
from rich.table import Table

_POLL_SECONDS = 0.02


@dataclass(frozen=True)
class Proof:
    """winner: seat letter, None if stopped before it was proven. seconds: processor time, in which a new context was
    made too. nodes: of the search. table_bytes: memory of the table."""

    winner: str | None
    seconds: float
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


def winner(context: DoubleDummy, position: Position, control: Control) -> str | None:
    """Who wins the round with best play; None when stopped."""
    pea = view(position).pea
    a_wins = context.at_least(position, 0 if pea == 0 else 1, control)
    return None if a_wins is None else "A" if a_wins else "B"


def new_context(memory_bytes: int | None) -> DoubleDummy:
    """None: memory as the engine has it by default."""
    return DoubleDummy() if memory_bytes is None else DoubleDummy(memory_bytes)


def prove(position: Position, seconds: float, memory_bytes: int | None) -> Proof:
    """Proves the winner in a new context."""
    with processor_limit(seconds) as control:
        began = time.process_time()
        context = new_context(memory_bytes)
        found = winner(context, position, control)
        spent = time.process_time() - began
    return Proof(found, round(spent, 6), context.nodes, context.table_bytes)


def figures(proofs: Sequence[Proof], measure: str) -> dict[str, float | None]:
    """Median, 90th and 99th percentile (nearest rank) and maximum of `seconds` or `nodes`.

    Positions that were not solved are harder than all others; None where the figure is one of theirs.
    """
    solved = sorted(getattr(proof, measure) for proof in proofs if proof.winner is not None)
    return {
        name: solved[rank] if (rank := ceil(share * len(proofs)) - 1) < len(solved) else None
        for name, share in (("median", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1.0))
    }


def figures_table(proofs: Sequence[Proof], title: str) -> Table:
    """The figures of both measures."""
    table = Table("", "median", "p90", "p99", "max", title=title)
    for measure, form in (("seconds", ",.4f"), ("nodes", ",.0f")):
        found = figures(proofs, measure).values()
        table.add_row(measure, *("not solved" if value is None else format(value, form) for value in found))
    return table
