"""Compares the speed of PEAS here with PEAS by hand and in other libraries: ``python -m benchmarks.versus``.

All contenders take turns within one run and one thread, on the same deals, and a second is one of processor time, so
that ratios hold on a busy machine too. README.md says what is measured.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from mangetout_solver.games.peas import Peas, view
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control
from mangetout_solver.search.mcts import TreeSearch
from peas_inlined import InlinedSearch, random_rounds, random_rounds_by_contract

from benchmarks import peas_openspiel, peas_pyplai

PLIES = (0, 4)
# About as much of each contender as fits in a second.
ROUNDS = 200_000
SIMULATIONS = 100_000
OPENSPIEL_SIMULATIONS = 1_000
PYPLAI_SECONDS = 0.8
OPENSPIEL_ROUNDS_SECONDS = 0.25

GENERIC = "Mangetout"
INLINED = "by hand"
OPENSPIEL = "OpenSpiel"
OPENSPIEL_BOARD = "OpenSpiel, bare board"
PYPLAI = "pyplAI"


# Pods, hands, plays and the holder of the pea, as both other libraries' modules take them.
Parts = tuple[list[int], tuple[tuple[str, ...], tuple[str, ...]], list[list[tuple[str, str]]], str]


@dataclass(frozen=True)
class Place:
    """A position, all cards known, in the terms of each contender."""

    deal: int
    position: Position
    openspiel: peas_openspiel.PeasState
    parts: Parts


@dataclass(frozen=True)
class Result:
    """One measurement. answer: what every contender that gives one must agree on."""

    rate: float
    answer: object = None


@dataclass(frozen=True)
class Trial:
    """One kind of measurement. Each contender measures a place with a seed."""

    name: str
    plies: int
    contenders: dict[str, Callable[[Place, int], Result]]


@dataclass(frozen=True)
class Comparison:
    """A ratio of two contenders' rates in one trial, and what it should be."""

    trial: str
    numerator: str
    denominator: str
    at_least: float | None = None
    at_most: float | None = None

    @property
    def wanted(self) -> str:
        """The bound as a text."""
        if self.at_least is not None:
            return f"at least {self.at_least:g}"
        return "-" if self.at_most is None else f"at most {self.at_most:g}"

    def met(self, ratio: float) -> str:
        """Whether a ratio is within the bound, as a text."""
        if self.at_least is None and self.at_most is None:
            return "-"
        within = (self.at_least is None or ratio >= self.at_least) and (self.at_most is None or ratio <= self.at_most)
        return "yes" if within else "no"


def place(deal: int, plies: int) -> Place:
    """A standard deal after some random moves. AssertionError where the libraries see other legal moves."""
    game = Peas()
    chooser = random.Random(deal)
    position = game.deal(deal, {})
    for _ in range(plies):
        position = position.play(chooser.choice(position.legal_moves()))
    shown = view(position)
    parts: Parts = (
        [pod.value for pod in shown.pods],
        (shown.hands[0].cards, shown.hands[1].cards),
        [[("AB"[seat], card) for seat, card in pod.plays] for pod in shown.pods],
        "AB"[shown.pea],
    )
    found = Place(deal, position, peas_openspiel.position(*parts), parts)
    moves = {game.format_move(position, move) for move in position.legal_moves()}
    openspiel_moves = {found.openspiel.action_to_string(move) for move in found.openspiel.legal_actions()}
    pyplai_moves = {
        f"{peas_pyplai.CARD_NAMES[move % 24]}@{move // 24}"
        for move in peas_pyplai.legal_moves(peas_pyplai.position(*parts))
    }
    assert moves == openspiel_moves == pyplai_moves, "the libraries play by other rules"
    return found


def _rounds(play: Callable[[Position, int, int], int]) -> Callable[[Place, int], Result]:
    def measure(at: Place, seed: int) -> Result:
        started = process_time()
        wins = play(at.position, seed, ROUNDS)
        return Result(ROUNDS / (process_time() - started), wins)

    return measure


def _openspiel_rounds(*, through_openspiel: bool) -> Callable[[Place, int], Result]:
    def measure(at: Place, seed: int) -> Result:
        return Result(
            peas_openspiel.playouts_per_second(
                at.openspiel, OPENSPIEL_ROUNDS_SECONDS, seed, through_openspiel=through_openspiel
            )
        )

    return measure


def _generic_search(at: Place, seed: int) -> Result:
    mover = at.position.seat_to_move
    assert mover is not None
    tree = TreeSearch(at.position.redacted(mover), observer=mover, seed=seed)
    control = Control()
    started = process_time()
    tree.run(control, SIMULATIONS)
    seconds = process_time() - started
    return Result(SIMULATIONS / seconds, [(move.move, move.visits) for move in tree.root_moves()])


def _inlined_search(at: Place, seed: int) -> Result:
    mover = at.position.seat_to_move
    assert mover is not None
    tree = InlinedSearch(at.position.redacted(mover), seed)
    started = process_time()
    tree.run(SIMULATIONS)
    seconds = process_time() - started
    return Result(SIMULATIONS / seconds, tree.root_visits())


def _openspiel_search(*, board_rollouts: bool) -> Callable[[Place, int], Result]:
    def measure(at: Place, seed: int) -> Result:
        return Result(
            peas_openspiel.ismcts_per_second(at.openspiel, OPENSPIEL_SIMULATIONS, seed, board_rollouts=board_rollouts)
        )

    return measure


def _pyplai_search(at: Place, seed: int) -> Result:
    random.seed(seed)  # pyplAI draws from the shared generator
    return Result(peas_pyplai.ismcts_per_second(*at.parts, PYPLAI_SECONDS))


def _search_name(plies: int) -> str:
    return f"simulations/s, after {plies} moves"


TRIALS = (
    Trial(
        "random rounds/s",
        0,
        {
            GENERIC: _rounds(random_rounds_by_contract),
            INLINED: _rounds(random_rounds),
            OPENSPIEL_BOARD: _openspiel_rounds(through_openspiel=False),
            OPENSPIEL: _openspiel_rounds(through_openspiel=True),
        },
    ),
    *(
        Trial(
            _search_name(plies),
            plies,
            {
                GENERIC: _generic_search,
                INLINED: _inlined_search,
                OPENSPIEL: _openspiel_search(board_rollouts=False),
                OPENSPIEL_BOARD: _openspiel_search(board_rollouts=True),
                PYPLAI: _pyplai_search,
            },
        )
        for plies in PLIES
    ),
)

COMPARISONS = (
    Comparison(TRIALS[0].name, INLINED, GENERIC),
    Comparison(TRIALS[0].name, GENERIC, OPENSPIEL_BOARD),
    Comparison(TRIALS[0].name, GENERIC, OPENSPIEL),
    Comparison(_search_name(0), INLINED, GENERIC, at_most=1.5),
    Comparison(_search_name(0), GENERIC, OPENSPIEL),
    Comparison(_search_name(0), GENERIC, OPENSPIEL_BOARD),
    Comparison(_search_name(0), GENERIC, PYPLAI),
    Comparison(_search_name(4), INLINED, GENERIC, at_most=1.5),
    Comparison(_search_name(4), GENERIC, OPENSPIEL, at_least=200),
    Comparison(_search_name(4), GENERIC, OPENSPIEL_BOARD),
    Comparison(_search_name(4), GENERIC, PYPLAI, at_least=100),
)

# trial, contender, deal: the rate of each repeat
Rates = dict[str, dict[str, dict[int, list[float]]]]


def run(deals: Sequence[int], repeats: int) -> Rates:
    """Measures everything, the contenders taking turns. AssertionError where two that must agree do not."""
    places = {(deal, plies): place(deal, plies) for deal in deals for plies in PLIES}
    rates: Rates = {
        trial.name: {contender: {deal: [] for deal in deals} for contender in trial.contenders} for trial in TRIALS
    }
    for repeat in range(repeats):
        for deal in deals:
            print(f"repeat {repeat + 1} of {repeats}, deal {deal}", file=sys.stderr)
            for trial in TRIALS:
                answers = []
                for contender, measure in trial.contenders.items():
                    result = measure(places[deal, trial.plies], repeat + 1)
                    rates[trial.name][contender][deal].append(result.rate)
                    if result.answer is not None:
                        answers.append(result.answer)
                assert all(answer == answers[0] for answer in answers), f"{trial.name}: not the same results"
    return rates


def ratios(rates: Rates, comparison: Comparison) -> list[float]:
    """The ratio of each deal: the median over the repeats, each of which measured both contenders in turn."""
    numerators = rates[comparison.trial][comparison.numerator]
    denominators = rates[comparison.trial][comparison.denominator]
    return [
        median(above / below for above, below in zip(numerators[deal], denominators[deal], strict=True))
        for deal in numerators
    ]


def environment() -> dict[str, str]:
    """What ran, and where."""
    return {
        "mangetout": version("mangetout"),
        "open_spiel": version("open_spiel"),
        "pyplAI": version("pyplAI"),
        "numpy": version("numpy"),
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "CPU": f"{_cpu()}, {os.cpu_count()} cores",
    }


def _cpu() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def _load() -> str:
    return " ".join(f"{load:.2f}" for load in os.getloadavg())


def _short(rate: float) -> str:
    """Three digits of a rate."""
    return f"{float(f'{rate:.3g}'):,.0f}"


def report(rates: Rates) -> Iterator[str]:
    """The tables, line by line, in Markdown."""
    deals = list(next(iter(rates[TRIALS[0].name].values())))
    for trial, contenders in rates.items():
        yield f"| {trial} | " + " | ".join(f"deal {deal}" for deal in deals) + " | median | lowest to highest |"
        yield "|---|" + "--:|" * (len(deals) + 2)
        for contender, by_deal in contenders.items():
            medians = [median(by_deal[deal]) for deal in deals]
            single = [rate for deal in deals for rate in by_deal[deal]]
            cells = [*map(_short, medians), _short(median(medians)), f"{_short(min(single))} to {_short(max(single))}"]
            yield f"| {contender} | " + " | ".join(cells) + " |"
        yield ""
    yield "| ratio | of | to | median | deals | wanted | met |"
    yield "|---|---|---|--:|--:|---|---|"
    for comparison in COMPARISONS:
        found = ratios(rates, comparison)
        middle = median(found)
        yield (
            f"| {comparison.trial} | {comparison.numerator} | {comparison.denominator} | {middle:.3g}"
            f" | {min(found):.3g} to {max(found):.3g} | {comparison.wanted} | {comparison.met(middle)} |"
        )


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.versus", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer deals and repeats, about 40 seconds")
    parser.add_argument("--json", action="store_true", help="print all measurements as JSON instead of tables")
    options = parser.parse_args()
    deals, repeats = ((1, 2), 2) if options.quick else ((1, 2, 3, 4, 5), 4)

    load = _load()
    started = perf_counter()
    rates = run(deals, repeats)
    about = environment() | {
        "load average at start": load,
        "load average at end": _load(),
        "duration": f"{perf_counter() - started:.0f} s",
    }
    if options.json:
        compared = [
            {**vars(comparison), "by_deal": found, "median": median(found)}
            for comparison in COMPARISONS
            if (found := ratios(rates, comparison))
        ]
        print(json.dumps({"environment": about, "rates": rates, "ratios": compared}, indent=2))
        return
    for name, text in about.items():
        print(f"{name}: {text}")
    print()
    for line in report(rates):
        print(line)


if __name__ == "__main__":
    main()
