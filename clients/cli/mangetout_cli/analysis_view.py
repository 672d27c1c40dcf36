"""Analyses for people."""

from __future__ import annotations

from collections.abc import Iterable

from mangetout.v1 import analysis_pb2, common_pb2
from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mangetout_cli import seats, words


def analysis_parts(analysis: analysis_pb2.Analysis, score_unit: str = "") -> list[RenderableType]:
    """What to print of an analysis: the best move in words, its worth, the lines, and what the values mean."""
    viewer = viewpoint(analysis)
    parts: list[RenderableType] = [Text(analysis.explanation)] if analysis.explanation else []
    parts += [_summary(analysis, viewer, score_unit)]
    if analysis.lines:
        parts += [_lines(analysis, viewer), _expected_play(analysis), ""]
    return [*parts, words.concept(analysis)]


def progress_text(analysis: analysis_pb2.Analysis) -> str:
    """A partial analysis in one line."""
    seconds = analysis.search_time.ToTimedelta().total_seconds()
    best = value_of(analysis.values, viewpoint(analysis))
    worth = f", {words.win_share(best.win_share)}" if best else ""
    simulations = words.amount(analysis.counters.simulations, "simulation")
    return f"{seconds:.1f} s, {simulations}; best so far {analysis.best_move.notation}{worth}"


def viewpoint(analysis: analysis_pb2.Analysis) -> int:
    """The seat whose values are shown: the one that asked, with open cards the one to move."""
    return analysis.seat if analysis.HasField("seat") else analysis.seat_to_move


def value_of(values: Iterable[common_pb2.PlayerValue], seat: int) -> common_pb2.PlayerValue | None:
    """The value of one seat among those of all players."""
    return next((value for value in values if value.seat == seat), None)


def _summary(analysis: analysis_pb2.Analysis, viewer: int, score_unit: str) -> Table:
    """Everything but the lines, as one table of names and facts."""
    mover, reader = seats.letter(analysis.seat_to_move), seats.letter(viewer)
    heading = f"Best move of {mover}" if analysis.seat_to_move == viewer else f"Expected of {mover}"
    rows: list[tuple[str, str | Text]] = [(heading, _best(analysis))]
    if len(analysis.turn_plan) > 1:
        rows.append(("Whole turn", analysis.turn_description))
    value = value_of(analysis.values, viewer)
    if value is not None:
        rows.append((f"Win share of {reader}", words.win_share(value.win_share)))
        if value.HasField("score"):
            unit = f"; {score_unit}" if score_unit else ""
            rows.append((f"Score of {reader}", words.score(value.score) + unit))
    rows += _others(analysis, viewer)
    rows.append(("Cards known", f"those {reader} sees" if analysis.HasField("seat") else "all"))
    rows.append(("Why it stopped", words.stop_reason(analysis)))
    rows.append(("Work done", _work(analysis)))
    table = Table(box=box.ROUNDED, show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for row in rows:
        table.add_row(*row)
    return table


def _others(analysis: analysis_pb2.Analysis, viewer: int) -> list[tuple[str, str | Text]]:
    """What the other seats get, a row each. With two players their shares add up to one: the reader's says it all."""
    if len(analysis.values) == 2:
        return []
    rows: list[tuple[str, str | Text]] = []
    for value in analysis.values:
        if value.seat != viewer:
            score = f"; score {words.score(value.score)}" if value.HasField("score") else ""
            rows.append((f"Win share of {seats.letter(value.seat)}", words.win_share(value.win_share) + score))
    return rows


def _best(analysis: analysis_pb2.Analysis) -> Text:
    move = analysis.best_move
    text = Text(move.notation, style="bold green")
    if move.description:
        text.append(f"  {move.description}", style="not bold default")
    return text


def _work(analysis: analysis_pb2.Analysis) -> str:
    counters = analysis.counters
    seconds = analysis.search_time.ToTimedelta().total_seconds()
    text = f"{words.amount(counters.simulations, 'simulation')} in {seconds:.2f} s"
    if seconds > 0:
        text += f" ({counters.simulations / seconds:,.0f}/s)"
    if analysis.HasField("seat"):
        handled = "all listed" if counters.worlds_enumerated else "sampled"
        text += f"; hidden cards can lie in {words.amount(counters.worlds, 'way')}, {handled}"
    return text


def _lines(analysis: analysis_pb2.Analysis, viewer: int) -> Table:
    """The root moves and their worth, best first."""
    table = Table(box=box.SIMPLE_HEAD)
    reader = seats.letter(viewer)
    table.add_column("#", justify="right")
    table.add_column("Move", no_wrap=True)
    for header in (f"Win share of {reader}", f"Score of {reader}"):
        table.add_column(header)
    table.add_column("Visits", justify="right", no_wrap=True)
    mixed = any(line.HasField("probability") for line in analysis.lines)
    if mixed:
        table.add_column("Mix", justify="right", no_wrap=True)
    counted = any(line.HasField("worlds_won") for line in analysis.lines)
    if counted:
        table.add_column("Wins in about", justify="right")
    for line in analysis.lines:
        value = value_of(line.values, viewer)
        share = words.win_share(value.win_share) if value else ""
        score = words.score(value.score) if value and value.HasField("score") else ""
        strategy = [f"{100 * line.probability:.1f} %"] if mixed else []
        worlds = [_worlds_won(line, analysis.counters)] if counted else []
        table.add_row(str(line.rank), line.move.notation, share, score, f"{line.visits:,}", *strategy, *worlds)
    return table


def _worlds_won(line: analysis_pb2.Line, counters: analysis_pb2.SearchCounters) -> str:
    return f"{line.worlds_won:,} of {counters.worlds:,}" if line.HasField("worlds_won") else ""


def _expected_play(analysis: analysis_pb2.Analysis) -> Table:
    """How play is expected to go on after each of the root moves."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(justify="right")
    grid.add_row("", Text("Expected play", style="bold"))
    for line in analysis.lines:
        grid.add_row(f"  {line.rank}", " ".join(line.principal_variation))
    return grid
