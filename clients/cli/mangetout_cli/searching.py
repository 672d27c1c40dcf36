"""Follows a search while it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mangetout.v1 import analysis_pb2
from rich.console import Console
from rich.status import Status

from mangetout_cli.analysis_view import progress_text

REPORT_SECONDS = 0.25


def follow(answers: Iterable[analysis_pb2.StreamAnalysisResponse], console: Console) -> analysis_pb2.Analysis:
    """Waits for the final answer, and shows the partial ones in a line on the console if that is a terminal; else as
    `last_of`."""
    status = Status("searching", console=console)
    if console.is_terminal:
        status.start()
    try:
        return last_of(answers, lambda analysis: status.update(progress_text(analysis)))
    finally:
        status.stop()


def last_of(
    answers: Iterable[analysis_pb2.StreamAnalysisResponse], show: Callable[[analysis_pb2.Analysis], None]
) -> analysis_pb2.Analysis:
    """Waits for the final answer and shows each on the way.

    An interrupt ends the wait: the best answer so far is returned, or the interrupt goes on where there is none.
    """
    last: analysis_pb2.Analysis | None = None
    try:
        for answer in answers:
            last = answer.analysis
            show(last)
    except KeyboardInterrupt:
        if last is None:
            raise
    finally:
        # Tells the server that nobody listens any more.
        close = getattr(answers, "close", None)
        if close is not None:
            close()
    if last is None:
        raise RuntimeError("the server ended a search without an answer")
    return last
