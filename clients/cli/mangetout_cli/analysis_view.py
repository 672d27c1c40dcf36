"""Analyses for people."""

from __future__ import annotations

from collections.abc import Iterable

from mangetout.v1 import analysis_pb2, common_pb2
from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mangetout_cli import seats, words


def analysis_parts(
    analysis: analysis_pb2.Analysis, score_unit: str = "", margin_unit: str = ""
) -> list[RenderableType]:
    """What to print of an analysis: the best move in words, its worth, the lines, and what the values mean."""
    viewer = viewpoint(analysis)
    parts: list[RenderableType] = [Text(analysis.explanation)] if analysis.explanation else []
    parts += [_summary(analysis, viewer, score_unit, margin_unit)]
    if analysis.lines:
        parts += [_lines(analysis, viewer), _expected_play(analysis), ""]
    return [*parts, words.concept(analysis) + words.assumption(analysis)]


def progress_text(analysis: analysis_pb2.Analysis) -> str:
    """A partial analysis in one line."""
    seconds = analysis.search_time.ToTimedelta().total_seconds()
    best = value_of(analysis.values, viewpoint(analysis), analysis.utility)
    worth = f", {words.win_share(best.win_share)}" if best else ""
    return f"{seconds:.1f} s, {amount_searched(analysis)}; best so far {analysis.best_move.notation}{worth}"


def amount_searched(analysis: analysis_pb2.Analysis) -> str:
    """How much was searched: simulations, or nodes where there is no tree but a proof."""
    counters = analysis.counters
    if counters.tree_nodes:
        return words.amount(counters.simulations, "simulation")
    return words.amount(counters.nodes, "node")


def viewpoint(analysis: analysis_pb2.Analysis) -> int:
    """The seat whose values are shown: the one that asked, with open cards the one to move."""
    return analysis.seat if analysis.HasField("seat") else analysis.seat_to_move


def value_of(
    values: Iterable[common_pb2.PlayerValue], seat: int, utility: common_pb2.Utility.ValueType
) -> common_pb2.PlayerValue | None:
    """The value of one seat among those of all players, by the win that its share is of."""
    return next((value for value in values if value.seat == seat and value.utility == utility), None)


def utilities(analysis: analysis_pb2.Analysis) -> list[common_pb2.Utility.ValueType]:
    """The wins that the analysis has shares of: in a match that of the match, then that of the round."""
    return list(dict.fromkeys(value.utility for value in analysis.values))


def _summary(analysis: analysis_pb2.Analysis, viewer: int, score_unit: str, margin_unit: str) -> Table:
    """Everything but the lines, as one table of names and facts."""
    mover, reader = seats.letter(analysis.seat_to_move), seats.letter(viewer)
    heading = f"Best move of {mover}" if analysis.seat_to_move == viewer else f"Expected of {mover}"
    rows: list[tuple[str, str | Text]] = [(heading, _best(analysis))]
    if len(analysis.turn_plan) > 1:
        rows.append(("Whole turn", analysis.turn_description))
    wins = utilities(analysis)
    for utility in wins:
        value = value_of(analysis.values, viewer, utility)
        if value is None:
            continue
        rows.append((f"{words.win(utility, wins)} of {reader}", words.win_share(value.win_share)))
        if value.HasField("score"):
            unit = f"; {score_unit}" if score_unit else ""
            rows.append((f"Score of {reader}", words.score(value.score) + unit))
        if value.HasField("margin"):
            unit = f"; {margin_unit}" if margin_unit else ""
            rows.append((f"Margin of {reader}", words.score(value.margin) + unit))
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
    if len({value.seat for value in analysis.values}) == 2:
        return []
    wins = utilities(analysis)
    rows: list[tuple[str, str | Text]] = []
    for value in analysis.values:
        if value.seat != viewer:
            score = f"; score {words.score(value.score)}" if value.HasField("score") else ""
            name = f"{words.win(value.utility, wins)} of {seats.letter(value.seat)}"
            rows.append((name, words.win_share(value.win_share) + score))
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
    text = f"{amount_searched(analysis)} in {seconds:.2f} s"
    if seconds > 0:
        text += f" ({(counters.simulations if counters.tree_nodes else counters.nodes) / seconds:,.0f}/s)"
    if analysis.HasField("seat"):
        handled = "all listed" if counters.worlds_enumerated else "sampled"
        text += f"; other hands can be in {words.amount(counters.worlds, 'way')}, {handled}"
    return text


def _lines(analysis: analysis_pb2.Analysis, viewer: int) -> Table:
    """The root moves and their worth, best first."""
    table = Table(box=box.SIMPLE_HEAD)
    reader = seats.letter(viewer)
    table.add_column("#", justify="right")
    table.add_column("Move", no_wrap=True)
    wins = utilities(analysis)
    # Margins say more than scores, and two win shares leave no room for these.
    margins = any(value.HasField("margin") for line in analysis.lines for value in line.values)
    with_score = len(wins) < 2 and not margins
    headers = [f"{words.win(utility, wins)} of {reader}" for utility in wins]
    headers += [f"Margin of {reader}"] if margins else [f"Score of {reader}"] if with_score else []
    for header in headers:
        table.add_column(header)
    visited = any(line.visits for line in analysis.lines)
    if visited:
        table.add_column("Visits", justify="right", no_wrap=True)
    mixed = any(line.HasField("probability") for line in analysis.lines)
    if mixed:
        table.add_column("Mix", justify="right", no_wrap=True)
    proven = any(line.HasField("hidden_hands") for line in analysis.lines)
    if proven:
        table.add_column("Beats, cards open", justify="right")
    counted = not proven and any(line.HasField("worlds_won") for line in analysis.lines)
    if counted:
        table.add_column("Ahead in about", justify="right")
    equal = any(line.equal_moves for line in analysis.lines)
    if equal:
        table.add_column("Equal moves", overflow="fold")
    for line in analysis.lines:
        values = [value_of(line.values, viewer, utility) for utility in wins]
        shares = [words.win_share(value.win_share) if value else "" for value in values]
        searched = values[-1] if values else None
        table.add_row(
            str(line.rank),
            line.move.notation,
            *shares,
            *([_margin(searched)] if margins else []),
            *([_score(searched)] if with_score else []),
            *([f"{line.visits:,}"] if visited else []),
            *([f"{100 * line.probability:.1f} %"] if mixed else []),
            *([_hands_won(line.hidden_hands)] if proven else []),
            *([_worlds_won(line, analysis.counters)] if counted else []),
            *([" ".join(line.equal_moves)] if equal else []),
        )
    return table


def _margin(value: common_pb2.PlayerValue | None) -> str:
    return words.score(value.margin) if value is not None and value.HasField("margin") else ""


def _score(value: common_pb2.PlayerValue | None) -> str:
    return words.score(value.score) if value is not None and value.HasField("score") else ""


def _hands_won(hands: analysis_pb2.HiddenHands) -> str:
    if hands.sure:
        return "surely all"
    return f"{hands.looked_at - hands.beaten:,} of {hands.looked_at:,} hands" if hands.looked_at else ""


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
