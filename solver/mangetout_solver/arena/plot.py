"""Draws how the result of a tournament settled. Needs matplotlib, which the extra `plot` installs."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from mangetout_solver.arena.report import Report
from mangetout_solver.errors import InputError

_FORMATS = (".svg", ".png")


def check(path: Path) -> None:
    """Raises InputError (``plot``) where `draw` could not write such a file; cheap, to be asked before play begins."""
    if path.suffix.lower() not in _FORMATS:
        raise InputError("plot", f"found {str(path)!r}, expected a name that ends in {' or '.join(_FORMATS)}")
    if importlib.util.find_spec("matplotlib") is None:
        raise InputError("plot", "matplotlib is not installed, expected it: pip install 'mangetout[plot]'")


def draw(report: Report, path: Path) -> None:
    """Writes a picture: Elo, or with more than two seats the win share, with its 95 % interval over the pairs played.

    Raises InputError as `check`, OSError.
    """
    check(path)
    from matplotlib.figure import Figure

    tournament = report.tournament
    two = tournament.players == 2
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot()
    for contest in report.contests:
        running = [share.as_elo() if two else share for share in contest.running()]
        pairs = range(1, len(running) + 1)
        line = axes.plot(pairs, [r.mean for r in running], label=f"{contest.solo} against {contest.others}")
        # Infinite ends, of results that are all won or all lost, are left out.
        axes.fill_between(
            pairs, [r.low for r in running], [r.high for r in running], color=line[0].get_color(), alpha=0.2
        )
    axes.axhline(0.0 if two else 1.0 / tournament.players, color="black", linewidth=0.8)
    axes.set_xlabel("pairs" if two else f"deals, each played {tournament.players} times")
    axes.set_ylabel("Elo difference, 95 % interval" if two else "win share, 95 % interval")
    axes.set_title(f"{tournament.game.title}, deals from seed {tournament.seed}")
    axes.legend()
    figure.savefig(path)
