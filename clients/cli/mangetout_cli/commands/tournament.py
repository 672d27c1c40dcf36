"""`mangetout tournament`."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.console import RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from mangetout_cli import output
from mangetout_cli.errors import Failure
from mangetout_cli.options import JsonOption, RulesOption, parse_rules

if TYPE_CHECKING:
    from mangetout_solver.arena.report import Report, SequentialReport
    from mangetout_solver.arena.results import Results
    from mangetout_solver.arena.statistics import Bounds, Interval

_EXIT_INTERRUPTED = 130
_DEFAULT_PAIRS = 100
_DEFAULT_MAX_PAIRS = 10_000
_DEFAULT_ERROR = 0.05
_FAIR_TIME_RATIO = 1.1


def tournament(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Game, as listed by `games`.")],
    settings: Annotated[
        list[str],
        typer.Argument(
            metavar="SETTING...",
            help="Two or more of: simulations=N, time=SECONDS (both with ,trees=N and ,exact_cards=N if wanted), "
            "level=N, random.",
        ),
    ],
    pairs: Annotated[
        int | None,
        typer.Option("--pairs", metavar="N", help=f"Pairs to play between two settings. Default: {_DEFAULT_PAIRS}."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Seed of the first deal; the next ones follow.")] = 1,
    option: RulesOption = None,
    processes: Annotated[
        int | None, typer.Option("--processes", metavar="N", help="Worker processes. Default: one a core.")
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option("--sprt", metavar="ELO0,ELO1", help="Stop as soon as a sequential test of these is decided."),
    ] = None,
    alpha: Annotated[
        float | None, typer.Option("--alpha", metavar="P", help="Chance to accept ELO1 if ELO0 is true. Default: 0.05.")
    ] = None,
    beta: Annotated[
        float | None, typer.Option("--beta", metavar="P", help="Chance to accept ELO0 if ELO1 is true. Default: 0.05.")
    ] = None,
    max_pairs: Annotated[
        int | None, typer.Option("--max-pairs", metavar="N", help="Pairs after which an open test ends; with --sprt.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Also write each pair to this file as it ends.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the pairs in the file of --out.")] = False,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw the result over the pairs: .svg or .png.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Measure strength: settings of the engine play each deal from all seats. Ctrl-C ends it with what is known."""
    # Like `bench`, this measures the solver itself and not a service.
    from mangetout_solver.arena import plot as drawing
    from mangetout_solver.arena.report import Report
    from mangetout_solver.arena.results import Results
    from mangetout_solver.arena.runner import usable_cores
    from mangetout_solver.arena.settings import parse_setting
    from mangetout_solver.arena.tournament import Tournament
    from mangetout_solver.errors import InputError
    from mangetout_solver.games.registry import game as game_by_name

    try:
        if plot is not None:
            drawing.check(plot)
        if resume and out is None:
            raise InputError("resume", "found no file, expected --out with the file to go on with")
        bounds = _bounds(sprt, alpha, beta)
        planned = Tournament(
            game_by_name(game),
            parse_rules(option),
            tuple(parse_setting(text, f"settings[{index}]") for index, text in enumerate(settings)),
            seed,
            _pairs(pairs, max_pairs, bounds is not None),
            bounds,
        )
        with Results(planned) if out is None else Results.recorded(planned, out, resume) as results:
            finished = _play(results, usable_cores() if processes is None else processes)
    except InputError as error:
        raise Failure.bad_input(error.field, error.reason) from error
    except BrokenProcessPool as error:
        kept = "" if out is None else f"; --out {out} --resume goes on from the pairs played"
        raise Failure("INTERNAL", f"a worker process was killed{kept}") from error
    report = Report.of(results)
    if json:
        output.print_json(report.as_dict())
    else:
        output.show(*_parts(report))
    if plot is not None:
        drawing.draw(report, plot)
    if not finished:
        raise typer.Exit(_EXIT_INTERRUPTED)


def _bounds(sprt: str | None, alpha: float | None, beta: float | None) -> Bounds | None:
    from mangetout_solver.arena.statistics import Bounds

    if sprt is None:
        for name, value in (("alpha", alpha), ("beta", beta)):
            if value is not None:
                raise Failure.bad_input(name, "found without a sequential test, expected --sprt beside it")
        return None
    try:
        elo0, elo1 = (float(part) for part in sprt.split(","))
    except ValueError:
        raise Failure.bad_input("sprt", f"found {sprt!r}, expected two Elo differences such as 0,20") from None
    return Bounds(elo0, elo1, _DEFAULT_ERROR if alpha is None else alpha, _DEFAULT_ERROR if beta is None else beta)


def _pairs(pairs: int | None, max_pairs: int | None, sequential: bool) -> int:
    """The pairs to play at most. A number to play and a number to stop at are different promises."""
    if sequential and pairs is not None:
        raise Failure.bad_input("pairs", "found with a sequential test, expected --max-pairs in its place")
    if not sequential and max_pairs is not None:
        raise Failure.bad_input("max_pairs", "found without a sequential test, expected --pairs in its place")
    if sequential:
        return _DEFAULT_MAX_PAIRS if max_pairs is None else max_pairs
    return _DEFAULT_PAIRS if pairs is None else pairs


def _play(results: Results, processes: int) -> bool:
    """Plays on until the end, or until interrupted: then False. Progress is drawn on a terminal only."""
    from mangetout_solver.arena.runner import run

    errors = output.console(stderr=True)
    total = results.tournament.pairs * len(results.tournament.contests)
    columns = (TextColumn("pairs"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, disable=not errors.is_terminal, transient=True) as progress:
        task = progress.add_task("pairs", total=total, completed=len(results))
        try:
            for _ in run(results, processes):
                progress.update(task, completed=len(results))
        except KeyboardInterrupt:
            return False
    return True


def _parts(report: Report) -> list[RenderableType]:
    """What to print of a report: the contests, how they were played, and what the figures mean."""
    played = report.tournament
    seeds = f"deals from seed {played.seed}, each from all seats"
    parts: list[RenderableType] = [f"{played.game.title}: {report.budget}; {seeds}", _contests(report), _usage(report)]
    if report.sequential is not None:
        parts.append(_sequential(report.sequential))
    if report.time_ratio is not None and report.time_ratio > _FAIR_TIME_RATIO:
        parts.append(
            f"The time was not equal in fact: one setting had {report.time_ratio:.2f} times the processor time of "
            "another. Repeat this on an idle machine."
        )
    if not report.complete:
        parts.append("Not finished: these are the pairs played so far.")
    return parts


def _contests(report: Report) -> Table:
    seats = report.tournament.players
    two = seats == 2
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("Setting" if two else "Setting, alone", overflow="fold")
    table.add_column("Pairs" if two else "Deals", justify="right")
    table.add_column("Win share, 95 %" if two else f"Win share, 95 %\neven: {100 / seats:.1f} %", no_wrap=True)
    if two:
        table.add_column("Elo, 95 %", no_wrap=True)
    table.add_column("Difference")
    for contest in report.contests:
        row = [f"{contest.solo}\nagainst {contest.others}", f"{len(contest.outcomes):,}"]
        row.append(_interval(contest.share, lambda share: f"{100 * share:.1f} %"))
        if two:
            row.append(_interval(contest.elo, lambda elo: f"{elo:+.0f}"))
        table.add_row(*row, "shown" if contest.shown else "not shown")
    return table


def _interval(interval: Interval | None, text: Callable[[float], str]) -> str:
    """The mean and, on a line of their own, the ends."""
    if interval is None:
        return ""
    return f"{text(interval.mean)}\n{text(interval.low)} to {text(interval.high)}"


def _usage(report: Report) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("Setting")
    for header in ("Moves", "Simulations a move", "Processor ms a move"):
        table.add_column(header, justify="right")
    for setting, use in zip(report.tournament.settings, report.usage, strict=True):
        moves = max(use.moves, 1)
        simulations = f"{use.simulations / moves:,.0f}" if use.simulations else ""
        table.add_row(setting.text, f"{use.moves:,}", simulations, f"{1000 * use.seconds / moves:.2f}")
    return table


def _sequential(test: SequentialReport) -> str:
    bounds = test.bounds
    return (
        f"Sequential test of H0 {bounds.elo0:+g} Elo against H1 {bounds.elo1:+g} Elo, alpha {bounds.alpha:g}, "
        f"beta {bounds.beta:g}: {test.decision.value}; log-likelihood ratio {test.llr:.2f}, "
        f"decided at {bounds.lower:.2f} or {bounds.upper:.2f}. The intervals do not allow for its stopping."
    )
