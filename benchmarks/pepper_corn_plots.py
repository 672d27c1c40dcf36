"""Tables and pictures of what `benchmarks.pepper_corn_study` has proven: `python -m benchmarks.pepper_corn_plots`.

Figures are of the deals that are proven; tables say of how many. Needs matplotlib, which the extra `plot` installs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from mangetout_solver.arena.plot import check
from mangetout_solver.errors import InputError
from mangetout_solver.exact.matrix import Matrix
from mangetout_solver.exact.stage import Payoff
from numpy.typing import NDArray

from benchmarks.pepper_corn_study import ACCURACY, FOLDER, STUDIES, Beginnings, SplitWorth

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PICTURES = Path(__file__).parents[1] / "docs/exact"
WORDS = {"division": "best single division", "even": "most even division", "random": "random division"}
_SHARES = (10, 50, 90)  # per cent of deals or divisions, of what is less

Boards = dict[str, list[Beginnings]]
Deal = TypeVar("Deal", Beginnings, SplitWorth)


def read(paths: Iterable[Path]) -> tuple[Boards, dict[str, list[SplitWorth]]]:
    """The results of either study by board. Raises InputError (``data``) for a line that is none."""
    found: dict[str, dict[str, dict[str, Beginnings | SplitWorth]]] = {study: {} for study in STUDIES}
    for path in paths:
        for number, text in enumerate(path.read_text("utf-8").splitlines(), 1):
            try:
                line = json.loads(text)
                kind = STUDIES[line["study"]]
                board = f"{line['rows']} x {line['columns']}, hands of {line['hand']}"
                result = kind(**{field.name: line[field.name] for field in fields(kind)})
                found[line["study"]].setdefault(board, {})[line["id"]] = result
            except (ValueError, TypeError, KeyError) as error:
                raise InputError("data", f"{path}:{number} is no result of a study: {error!r}") from error
    first, split = ({board: list(by_id.values()) for board, by_id in found[study].items()} for study in STUDIES)
    return first, split  # type: ignore[return-value]


# -- the first move


def begun(deals: Sequence[Beginnings]) -> Matrix:
    """Margins of the seat that begins, by deal: where that is A and where it is B."""
    return np.array([[deal.margins[0][0], -deal.margins[1][0]] for deal in deals], dtype=float).reshape(-1, 2)


def worth_of_the_move(deals: Sequence[Beginnings]) -> Matrix:
    """By deal: half of what the margin changes by when the other seat begins."""
    worth: Matrix = begun(deals).sum(axis=1) / 2
    return worth


def of_fewer_points(deals: Sequence[Beginnings]) -> Matrix:
    """By deal whose hands differ in points: by how many, and the margin of the seat with fewer where it begins, as
    PC-06 has it, and where the other one does."""
    rows = []
    for deal in deals:
        lead = deal.points[0] - deal.points[1]
        by_beginner = [margin[0] if lead < 0 else -margin[0] for margin in deal.margins]
        if lead:
            rows.append((abs(lead), by_beginner[lead > 0], by_beginner[lead < 0]))
    return np.array(rows, dtype=float).reshape(-1, 3)


def per_point(points: Matrix, margins: Matrix) -> float:
    """Slope of the straight line through 0 with the least squares, 0 as nothing tells the seats apart; nan where there
    are no points."""
    return float(points @ margins / (points @ points)) if points.any() else np.nan


def first_tables(boards: Boards) -> list[str]:
    heads = ["board", "proven", "worth of the first move", *(f"{share} %" for share in _SHARES), "most"]
    rows = [[*heads, "beginner wins", "draws", "wins as A and as B", "same seat wins either way"]]
    heads = ["board", "hands differ", "by points", "it begins: margin", "wins", "draws", "other begins: margin", "wins"]
    fewer = [[*heads, "margin for a point fewer", "first move makes up for"]]
    for board, deals in boards.items():
        proven = [deal for deal in deals if deal.solved]
        rows.append([board, f"{len(proven)} of {len(deals)}"])
        if not proven:
            continue
        worth, margins = worth_of_the_move(proven), begun(proven)
        rows[-1] += [_mean(worth), *(f"{least:.1f}" for least in np.percentile(worth, _SHARES)), f"{worth.max():.1f}"]
        rows[-1] += [_share(margins > 0), _share(margins == 0)]
        rows[-1] += [_share(margins.min(axis=1) > 0), _share(margins.prod(axis=1) < 0)]
        points, begins, waits = of_fewer_points(proven).T
        if not len(points):
            continue
        slope = per_point(points, (begins + waits) / 2)
        fewer.append([board, f"{len(points)} of {len(proven)}", f"{points.mean():.1f}", _mean(begins)])
        fewer[-1] += [_share(begins > 0), _share(begins == 0), _mean(waits), _share(waits > 0)]
        fewer[-1] += [f"{slope:.2f}", f"{worth.mean() / -slope:.1f} points" if slope < 0 else ""]
    return [_table(rows), _table(fewer)]


def draw_first(boards: Boards, figure: Figure) -> None:
    axes = figure.add_subplot()
    for board, deals in boards.items():
        worth = worth_of_the_move([deal for deal in deals if deal.solved])
        axes.ecdf(worth, label=f"{board}: {worth.mean():.1f} on average, {_counts(deals)}")
    axes.set_xlabel("points that the first move is worth")
    axes.set_ylabel("share of deals in which it is worth that or less")
    axes.set_title("What the first move is worth")
    axes.legend()


def draw_fewer(boards: Boards, figure: Figure) -> None:
    panels = figure.subplots(1, len(boards), sharex=True, sharey=True, squeeze=False)[0]
    for axes, (board, deals) in zip(panels, boards.items(), strict=True):
        proven = [deal for deal in deals if deal.solved]
        points, begins, waits = of_fewer_points(proven).T
        worth, slope = worth_of_the_move(proven).mean(), per_point(points, (begins + waits) / 2)
        for margins, height, label, marker in (
            (begins, worth, "it begins (PC-06)", "o"),
            (waits, -worth, "the other begins", "x"),
        ):
            color = axes.plot(points, margins, marker, markersize=3, alpha=0.6, label=label)[0].get_color()
            if len(points):
                axes.axline((0.0, height), slope=slope, color=color, linewidth=1.0)
        axes.axhline(0.0, color="black", linewidth=0.8)
        axes.set_title(f"{board}: {_counts(deals)}", fontsize="medium")
        axes.set_xlabel("points fewer in hand")
    panels[0].set_ylabel("margin of the seat with fewer points")
    panels[0].legend()


# -- the split


def losses(deals: Sequence[SplitWorth], payoff: Payoff, strategy: str) -> Matrix:
    """What a way to divide gets less than the best mixture, of both seats of every deal."""
    of = [deal.worth[payoff.value] for deal in deals]
    lost = np.array([worth["mixture"][seat][0] - worth[strategy][seat][0] for worth in of for seat in range(2)])
    return np.where(abs(lost) > ACCURACY, lost, 0.0)


def losses_by_gap(deals: Sequence[SplitWorth]) -> dict[int, Matrix]:
    """By how many points the piles of a division differ, two each together and the odd number named: what each of them
    loses of the margin."""
    found: dict[int, list[float]] = {}
    for deal in deals:
        for seat, divisions in enumerate(deal.divisions):
            best = deal.worth[Payoff.MARGIN.value]["mixture"][seat][0]
            for gap, (sure, _) in divisions:
                found.setdefault(gap | 1, []).append(best - sure)
    return {gap: np.array(found[gap]) for gap in sorted(found)}


def split_tables(boards: Mapping[str, Sequence[SplitWorth]]) -> list[str]:
    heads = ["board", "proven", "way to divide", "margin lost", *(f"{share} %" for share in _SHARES), "most"]
    rows = [[*heads, "nothing lost", "share of the win lost", "most"]]
    facts = []
    for board, deals in boards.items():
        proven = [deal for deal in deals if deal.solved]
        if not proven:
            facts.append(f"{board}: 0 of {len(deals)} deals proven")
            continue
        for strategy, words in WORDS.items():
            lost, of_win = (losses(proven, payoff, strategy) for payoff in (Payoff.MARGIN, Payoff.SHARE))
            rows.append([board, f"{len(proven)} of {len(deals)}", words, _mean(_by_deal(lost))])
            rows[-1] += [*(f"{least:.1f}" for least in np.percentile(lost, _SHARES)), f"{lost.max():.1f}"]
            rows[-1] += [_share(lost == 0), _mean(_by_deal(of_win), 2), f"{of_win.max():.2f}"]
        shares = [deal.worth[Payoff.SHARE.value] for deal in proven]
        sure = sum(any(low == 1 for low, _ in worth["division"]) for worth in shares)
        values = np.array([deal.worth[Payoff.MARGIN.value]["mixture"][0][0] for deal in proven])
        leads = np.array([deal.points[0] - deal.points[1] for deal in proven], dtype=float)
        facts.append(
            f"{board}: a seat has a division that wins whatever the other does in {sure} of {len(proven)} deals; the "
            f"margin of the better one is {abs(values).mean():.1f} points on average, "
            f"{per_point(leads, values):.2f} for each point dealt more"
        )
    return [_table(rows), *facts]


def draw_split(boards: Mapping[str, Sequence[SplitWorth]], figure: Figure) -> None:
    panels = figure.subplots(len(boards), 3, squeeze=False)
    for (value, lost, by_gap), (board, deals) in zip(panels, boards.items(), strict=True):
        proven = [deal for deal in deals if deal.solved]
        leads = np.array([deal.points[0] - deal.points[1] for deal in proven], dtype=float)
        values = np.array([deal.worth[Payoff.MARGIN.value]["mixture"][0][0] for deal in proven])
        color = value.plot(leads, values, "o", markersize=3)[0].get_color()
        if leads.any():
            value.axline((0.0, 0.0), slope=per_point(leads, values), color=color, linewidth=1.0)
        value.axhline(0.0, color="black", linewidth=0.8)
        value.set_title(f"Value of the split\n{board}: {_counts(deals)}", fontsize="medium")
        value.set_xlabel("points dealt to A more than to B")
        value.set_ylabel("margin of A, both dividing best")
        for strategy, words in WORDS.items():
            lost.ecdf(losses(proven, Payoff.MARGIN, strategy), label=words)
        lost.set_title("What a way to divide loses\nagainst the best reply", fontsize="medium")
        lost.set_xlabel("points of the margin")
        lost.set_ylabel("share of deals in which it loses that or less")
        lost.legend(loc="lower right", fontsize="small")
        gaps = losses_by_gap(proven)
        least, median, most = np.array([np.percentile(each, _SHARES) for each in gaps.values()]).T
        line = by_gap.plot(list(gaps), median, label="median")
        by_gap.fill_between(list(gaps), least, most, color=line[0].get_color(), alpha=0.2, label="10 % to 90 %")
        by_gap.set_title("What a division loses that\nthe other foresees", fontsize="medium")
        by_gap.set_xlabel("points between its piles")
        by_gap.set_ylabel("points of the margin")
        by_gap.legend()


# -- in common


def _drawable(boards: dict[str, list[Deal]]) -> dict[str, list[Deal]]:
    """Those of which something is proven."""
    return {board: deals for board, deals in boards.items() if any(deal.solved for deal in deals)}


def _by_deal(of_seats: Matrix) -> Matrix:
    """Means of two seats each, which depend on each other."""
    means: Matrix = of_seats.reshape(-1, 2).mean(axis=1)
    return means


def _mean(values: Matrix, digits: int = 1) -> str:
    """With its 95 % interval."""
    spread = 1.96 * values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.inf
    return f"{values.mean():.{digits}f} ± {spread:.{digits}f}"


def _share(which: NDArray[np.bool_]) -> str:
    return f"{100 * which.mean():.0f} %"


def _table(rows: Sequence[Sequence[str]]) -> str:
    width = len(rows[0])
    marks = ["---", *["--:"] * (width - 1)]
    return "\n".join(f"| {' | '.join([*row, *[''] * (width - len(row))])} |" for row in (rows[0], marks, *rows[1:]))


def _counts(deals: Sequence[Beginnings | SplitWorth]) -> str:
    return f"{sum(deal.solved for deal in deals)} of {len(deals)} deals"


def save(path: Path, size: tuple[float, float], draw: Callable[[Figure], None]) -> None:
    """Writes a picture; of the same results the same file. Raises InputError (``plot``) without matplotlib."""
    check(path)
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.hashsalt": path.name}):
        figure = Figure(figsize=size, layout="constrained")
        draw(figure)
        figure.savefig(path, metadata={"Date": None})


def main(words: Sequence[str] | None = None) -> int:
    """words: the arguments, those of the command line by default. Exit code: 0, or 2 for bad input."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.pepper_corn_plots", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("files", type=Path, nargs="*", help=f"results (default: all in {FOLDER.name})")
    parser.add_argument(
        "--out", type=Path, default=PICTURES, metavar="FOLDER", help="for pictures (default: docs/exact)"
    )
    found = parser.parse_args(words)
    try:
        first, split = read(found.files or sorted(FOLDER.glob("*.jsonl")))
        for table in (*first_tables(first), *split_tables(split)):
            print(f"{table}\n")
        first, split = _drawable(first), _drawable(split)
        found.out.mkdir(parents=True, exist_ok=True)
        if first:
            save(found.out / "pepper_corn_first_move.svg", (7, 4.5), partial(draw_first, first))
            save(found.out / "pepper_corn_fewer_points.svg", (10, 4), partial(draw_fewer, first))
        if split:
            save(found.out / "pepper_corn_split.svg", (11, 4 * len(split)), partial(draw_split, split))
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
