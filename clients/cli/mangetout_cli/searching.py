"""Follows a search while it runs."""

from __future__ import annotations

from collections.abc import Iterable

from mangetout.v1 import analysis_pb2
from rich.console import Console
from rich.status import Status

from mangetout_cli.analysis_view import progress_text

REPORT_SECONDS = 0.25


def follow(answers: Iterable[analysis_pb2.StreamAnalysisResponse], console: Console) -> analysis_pb2.Analysis:
    """Waits for the final answer, and shows the partial ones on the console if that is a terminal.

    An interrupt ends the wait: the best answer so far is returned, or the interrupt goes on where there is none.
    """
    last: analysis_pb2.Analysis | None = None
    status = Status("searching", console=console)
    if console.is_terminal:
        status.start()
    try:
        for answer in answers:
            last = answer.analysis
            status.update(progress_text(last))
    except KeyboardInterrupt:
        if last is None:
            raise
    finally:
        status.stop()
        # Tells the server that nobody listens any more.
        close = getattr(answers, "close", None)
        if close is not None:
            close()
    if last is None:
        raise RuntimeError("the server ended a search without an answer")
    return last
