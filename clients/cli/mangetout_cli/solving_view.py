"""Proofs for people: what is proven so far, while it narrows, and in a line once it is over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType

from mangetout.v1 import analysis_pb2, common_pb2
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from mangetout_cli import seats, words
from mangetout_cli.analysis_view import amount_searched, value_of

_OPEN = "winner open"


def proven(analysis: analysis_pb2.Analysis) -> str:
    """Who wins the round at hand and the margin of A, as far as they are proven: `A wins, margin of A 4`."""
    value = value_of(analysis.values, 0, common_pb2.UTILITY_ROUND)
    if value is None:
        return _OPEN
    text = _winner(value.win_share)
    if not value.HasField("margin"):
        return text
    margin = value.margin
    if margin.HasField("exact"):
        return f"{text}, margin of A {words.number(margin.exact.value)}"
    return f"{text}, margin of A {words.number(margin.interval.low)} to {words.number(margin.interval.high)}"


def _winner(share: common_pb2.Value) -> str:
    """By what is proven of A's win share."""
    if share.HasField("exact"):
        known = {1.0: f"{seats.letter(0)} wins", 0.0: f"{seats.letter(1)} wins"}
        return known.get(share.exact.value, f"win share of A {words.win_share(share)}")
    if (share.interval.low, share.interval.high) == (0.0, 1.0):
        return _OPEN
    return f"win share of A {words.win_share(share)}"


def result_line(analysis: analysis_pb2.Analysis, number: int) -> str:
    """A position of several, by its number, and what came of it."""
    seconds = analysis.search_time.ToTimedelta().total_seconds()
    text = (
        f"{number:>4}  {proven(analysis)}; {analysis.best_move.notation}, {amount_searched(analysis)}, {seconds:.2f} s"
    )
    if analysis.stop_reason == analysis_pb2.STOP_REASON_SOLVED:
        return text
    return f"{text}; not all proven: {words.stop_reason(analysis)}"


def summary_line(analyses: Sequence[analysis_pb2.Analysis], positions: int) -> str:
    """What came of all positions."""
    solved = sum(analysis.stop_reason == analysis_pb2.STOP_REASON_SOLVED for analysis in analyses)
    seconds = sum(analysis.search_time.ToTimedelta().total_seconds() for analysis in analyses)
    nodes = sum(analysis.counters.nodes for analysis in analyses)
    return f"{solved} of {words.amount(positions, 'position')} solved, {words.amount(nodes, 'node')}, {seconds:.2f} s"


class SolvingProgress:
    """Progress on a console, if that is a terminal: a bar over the positions where there are several, and one that
    fills as the interval of the position at hand narrows."""

    def __init__(self, positions: int, console: Console) -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[text]}"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._positions = positions
        self._all = self._progress.add_task("positions", total=positions, visible=positions > 1, text="")
        self._one = self._progress.add_task("interval", total=None, text="")
        self._done = 0
        self._say_done()

    def __enter__(self) -> SolvingProgress:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def update(self, analysis: analysis_pb2.Analysis) -> None:
        """Shows what is proven of the position at hand."""
        value = value_of(analysis.values, 0, common_pb2.UTILITY_ROUND)
        text = f"{proven(analysis)}; {amount_searched(analysis)}"
        if value is None or not value.HasField("margin"):
            self._progress.update(self._one, text=text)
            return
        width = value.margin.interval.high - value.margin.interval.low
        # As wide as it can be: from all pods of the one to all pods of the other.
        self._progress.update(self._one, total=1.0, completed=1.0 - width / 240, text=text)

    def next_position(self) -> None:
        """Goes on to the next position."""
        self._done += 1
        self._say_done()
        self._progress.reset(self._one, total=None, text="")

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Clears the way for output, which would otherwise end up in the middle of the bars."""
        self._progress.stop()
        try:
            yield
        finally:
            self._progress.start()

    def _say_done(self) -> None:
        self._progress.update(self._all, completed=self._done, text=f"{self._done} of {self._positions}")
