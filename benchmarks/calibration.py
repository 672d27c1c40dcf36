"""Whether predicted win shares come true, and errors are as large as told: `python -m benchmarks.calibration GAME`.

The engine plays against itself from what each seat knows. Every prediction of the seat to move, where it has a choice,
is held to the share of the win that the seat ends with: Brier score and ten bins. One position of each game is searched
with several seeds more, and each estimate held to the mean of the others: how often it lies within 1.96 of its errors.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from mangetout_solver.analysis import Analysis, Estimate, Exact, Interval
from mangetout_solver.arena.plot import check
from mangetout_solver.arena.seeds import search_seed
from mangetout_solver.engine import analyze
from mangetout_solver.errors import InputError
from mangetout_solver.games.game import Game, Record
from mangetout_solver.games.registry import game, games
from mangetout_solver.levels import drawn_move, lines_needed
from mangetout_solver.limits import Limits, SearchOptions
from numpy.typing import NDArray

from benchmarks.result_file import ResultFile

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIRST_SEED = 800_000
REPEATS = 12
BINS = 10
_QUANTILE = 1.96
# Apart from those of play.
_REPEAT_ROTATION = 1_000

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class PlayedGame:
    """predictions: of each decision the seat, and the share of the win that it was told. shares: of the win, by seat.
    repeats: mean and error of the mover's share, by seed, at one position of the game; none where no value was an
    estimate."""

    predictions: list[tuple[int, float]]
    shares: list[float]
    repeats: list[tuple[float, float]]


@dataclass(frozen=True)
class Bin:
    """predicted, seen: mean shares. error: of `seen`, games being drawn at random and not decisions."""

    count: int
    predicted: float
    seen: float
    error: float


@dataclass(frozen=True)
class Calibration:
    """brier: mean squared difference between prediction and outcome; constant: the same for a prediction that never
    moves from the mean outcome. bins: those with predictions in them, by tenths of the share. covered: how many of
    `repeated` estimates lay within 1.96 errors of the others' mean; spread: their standard deviation over the error
    they told, both as root mean squares."""

    games: int
    decisions: int
    brier: float
    constant: float
    bins: tuple[Bin, ...]
    repeated: int
    covered: int
    spread: float


def play(found: Game, options: Mapping[str, str], seed: int, simulations: int, repeats: int) -> PlayedGame:
    """A game of the engine against itself."""
    record = Record(found, (found.deal(seed, options),), ())
    predictions: list[tuple[int, float]] = []
    choices: list[Record] = []
    while not record.current.is_terminal:
        position = record.current
        seat = position.seat_to_move
        if seat is None:
            record = record.draw_chance(seed)
            continue
        seen = record.redacted(seat)
        analysis = _search(seen, search_seed(seed, 0, seat, len(record.moves)), simulations)
        if len(position.legal_moves()) > 1:
            predictions.append((seat, _mean(analysis, seat)))
            choices.append(seen)
        move = found.parse_move(position, drawn_move(analysis, seed))
        record = Record(found, (*record.positions, position.play(move)), (*record.moves, move))
    chosen = Random(seed).choice(choices)
    seat = chosen.current.seat_to_move
    assert seat is not None
    again = [
        _search(chosen, search_seed(seed, _REPEAT_ROTATION + index, seat, len(chosen.moves)), simulations)
        for index in range(repeats)
    ]
    estimates = [analysis.values[seat].win_share for analysis in again]
    return PlayedGame(
        predictions,
        list(record.current.win_shares()),
        [(value.mean, value.standard_error) for value in estimates if isinstance(value, Estimate)],
    )


def _search(record: Record, seed: int, simulations: int) -> Analysis:
    return analyze(
        record, limits=Limits(simulations=simulations), options=SearchOptions(seed=seed, lines=lines_needed(record))
    )


def _mean(analysis: Analysis, seat: int) -> float:
    match analysis.values[seat].win_share:
        case Estimate(mean, _):
            return mean
        case Exact(value):
            return value
        case Interval(low, high):
            return (low + high) / 2


def judge(played: Sequence[PlayedGame]) -> Calibration:
    """At least one game with a decision is needed."""
    of_game = np.array([number for number, one in enumerate(played) for _ in one.predictions])
    predicted = np.array([share for one in played for _, share in one.predictions])
    seen = np.array([one.shares[seat] for one in played for seat, _ in one.predictions])
    place = np.minimum((predicted * BINS).astype(int), BINS - 1)
    bins = [
        _bin(predicted[place == b], seen[place == b], of_game[place == b]) for b in range(BINS) if (place == b).any()
    ]
    repeated, covered, variance, told = 0, 0, 0.0, 0.0
    for one in played:
        means, errors = np.array(one.repeats).reshape(-1, 2).T
        if len(means) < 2:
            continue
        others = (means.sum() - means) / (len(means) - 1)
        # The mean of the others has an error, too.
        error = np.sqrt(errors**2 + means.var(ddof=1) / (len(means) - 1))
        repeated += len(means)
        covered += int((np.abs(means - others) <= _QUANTILE * error).sum())
        variance += len(means) * means.var(ddof=1)
        told += float((errors**2).sum())
    return Calibration(
        len(played),
        len(predicted),
        float(((predicted - seen) ** 2).mean()),
        float(((seen.mean() - seen) ** 2).mean()),
        tuple(bins),
        repeated,
        covered,
        math.sqrt(variance / told) if told else math.nan,
    )


def _bin(predicted: Numbers, seen: Numbers, of_game: NDArray[np.int64]) -> Bin:
    off = seen - seen.mean()
    by_game = np.bincount(of_game, off)
    return Bin(len(seen), float(predicted.mean()), float(seen.mean()), float(np.sqrt((by_game**2).sum()) / len(seen)))


def draw(found: Calibration, title: str) -> Figure:
    """Bins with 95 % intervals, against predictions that come true."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 5), layout="constrained")
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, 1], color="black", linewidth=0.8)
    axes.errorbar(
        [each.predicted for each in found.bins],
        [each.seen for each in found.bins],
        yerr=[_QUANTILE * each.error for each in found.bins],
        fmt="o",
        capsize=3,
    )
    axes.set(xlabel="predicted share of the win", ylabel="share that the seat ended with", title=title)
    axes.set(xlim=(0, 1), ylim=(0, 1))
    return figure


def _options(words: Sequence[str]) -> dict[str, str]:
    options = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise InputError("option", f"found {word!r}, expected NAME=VALUE")
        options[name] = value
    return options


def main(words: Sequence[str] | None = None) -> int:
    """words: the arguments, those of the command line by default. Exit code: 0, or 2 for bad input."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration", description=__doc__.partition("\n")[0])
    parser.add_argument("game", choices=[each.name for each in games()])
    parser.add_argument("--games", type=int, default=100, help=f"deals from seed {FIRST_SEED} (default: %(default)s)")
    parser.add_argument("--simulations", type=int, default=2_000, help="for each decision (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=REPEATS, help="searches of one position (default: %(default)s)")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of the rules")
    parser.add_argument("--out", type=Path, metavar="FILE", help="of games, to go on with later")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the bins: .svg or .png")
    chosen = parser.parse_args(words)
    try:
        options = _options(chosen.option)
        if chosen.plot:
            check(chosen.plot)
        found = game(chosen.game)
        found.deal(FIRST_SEED, options)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    settings = {"game": found.name, "options": options, "simulations": chosen.simulations, "searches": chosen.repeats}
    file = ResultFile(PlayedGame, chosen.out, settings)
    played = []
    for seed in range(FIRST_SEED, FIRST_SEED + chosen.games):
        played.append(file.result(str(seed), partial(play, found, options, seed, chosen.simulations, chosen.repeats)))
        print(f"{len(played)} of {chosen.games} games", end="\r", file=sys.stderr)
    print(file=sys.stderr)
    result = judge(played)
    print(f"{found.title}, {chosen.simulations:,} simulations: {result.games:,} games, {result.decisions:,} decisions")
    print(f"Brier score {result.brier:.4f}; a constant has {result.constant:.4f}")
    print("| predicted | decisions | mean | seen | 95 % |\n| --- | --: | --: | --: | --- |")
    for each in result.bins:
        low = min(int(each.predicted * BINS), BINS - 1) / BINS
        margin = _QUANTILE * each.error
        print(
            f"| {low:.1f} to {low + 1 / BINS:.1f} | {each.count:,} | {each.predicted:.3f} | {each.seen:.3f} "
            f"| {each.seen - margin:.3f} to {each.seen + margin:.3f} |"
        )
    if result.repeated:
        print(
            f"Errors: {result.covered / result.repeated:.1%} of {result.repeated:,} estimates within 1.96 of theirs; "
            f"seeds spread {result.spread:.2f} times as far as told"
        )
    if chosen.plot:
        draw(result, f"{found.title}, {chosen.simulations:,} simulations a decision").savefig(chosen.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
