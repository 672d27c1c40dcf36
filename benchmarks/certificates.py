"""How long certificates of PEAS are, and what it takes to write and to check them: `python -m benchmarks.certificates`.

Positions of the real game with both hands known, reached by random play and by sensible play: the moves of a search of
300 simulations that does not see the other hand. Of each position one certificate says who wins the round, and one what
the margin is. Cells are median / most; seconds are of processor time. The last line is the summary as JSON, with means.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections.abc import Callable, Iterator
from statistics import mean, median

from mangetout_solver.engine import analyze
from mangetout_solver.exact.peas import checker
from mangetout_solver.exact.peas.certificate import certify
from mangetout_solver.exact.peas.solver import DoubleDummy
from mangetout_solver.games.game import Record
from mangetout_solver.games.peas import Peas, view
from mangetout_solver.games.position import Position
from mangetout_solver.limits import Limits, SearchOptions
from mangetout_solver.search.control import Control

GAME = Peas()
PLIES = 20
SIMULATIONS = 300
MEMORY = 64 << 20
COLUMNS = ("moves", "bytes", "gzipped", "visited", "seconds to write", "seconds to check")


def random_move(position: Position, seed: int) -> int:
    return position.random_step(seed)


def sensible_move(position: Position, seed: int) -> int:
    """The move that a short search finds for the seat to move, which does not see the other hand."""
    record = Record(GAME, (position,), ())
    analysis = analyze(record, limits=Limits(simulations=SIMULATIONS), options=SearchOptions(seed=seed, lines=0))
    return GAME.parse_move(position, analysis.best_move)


def positions(left: int, move: Callable[[Position, int], int], count: int, first: int) -> Iterator[Position]:
    """The positions with `left` plies left that play leads to from deals of seeds from `first` on."""
    for seed in range(first, first + count):
        position = GAME.deal(seed, {})
        for ply in range(PLIES - left):
            position = position.play(move(position, PLIES * seed + ply))
        yield position


def measure(position: Position, margins: tuple[int, ...] | None) -> tuple[float, ...]:
    """What COLUMNS name, of one certificate that has been checked."""
    started = time.process_time()
    certificate = certify(position, DoubleDummy(MEMORY), Control(), margins=margins, force=True)
    written = time.process_time()
    assert certificate is not None
    text = certificate.text
    checked = checker.check(text)
    ended = time.process_time()
    assert checked == [str(claim) for claim in certificate.claims]
    start = checker.parse(certificate.position)
    visited = 0
    for claim in certificate.claims:
        walk = checker.Walk(*((0, claim.margin) if claim.holds else (1, 1 - claim.margin)), following(claim.moves))
        walk.walk(start, [])
        visited += len(walk.least)
    moves = sum(len(claim.moves) for claim in certificate.claims)
    packed = len(gzip.compress(text.encode(), mtime=0))
    return moves, len(text), packed, visited, written - started, ended - written


def following(moves: tuple[str, ...]) -> Callable[[checker.Position, list[checker.Move]], checker.Move]:
    """Chooses the moves of a plan one after the other."""
    plan = iter(moves)

    def choose(position: checker.Position, path: list[checker.Move]) -> checker.Move:
        card, pod = next(plan).split("@")
        return card, int(pod)

    return choose


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plies", type=int, nargs="+", default=[8, 10, 12, 14], help="plies left")
    parser.add_argument("--count", type=int, default=20, help="positions of each kind of play")
    parser.add_argument("--first", type=int, default=1, help="seed of the first deal")
    arguments = parser.parse_args()
    print("|".join(["| plies left ", " play ", " claim ", *(f" {name} " for name in COLUMNS)]) + "|")
    print("|" + " --- |" * 3 + " --: |" * len(COLUMNS))
    summary = []
    for left in arguments.plies:
        for play, move in (("random", random_move), ("sensible", sensible_move)):
            found: dict[str, list[tuple[float, ...]]] = {"winner": [], "margin": []}
            for number, position in enumerate(positions(left, move, arguments.count, arguments.first), 1):
                print(f"{left} plies left, {play}: {number} of {arguments.count}", file=sys.stderr)
                # The holder of the pea wins with a margin of 0.
                found["winner"].append(measure(position, (view(position).pea,)))
                found["margin"].append(measure(position, None))
            for claim, rows in found.items():
                figures = {
                    name: {"mean": mean(column), "median": median(column), "max": max(column)}
                    for name, column in zip(COLUMNS, zip(*rows, strict=True), strict=True)
                }
                summary.append({"plies": left, "play": play, "claim": claim, "positions": len(rows), **figures})
                cells = (f"{short(column['median'])} / {short(column['max'])}" for column in figures.values())
                print(f"| {left} | {play} | {claim} | {' | '.join(cells)} |", flush=True)
    print(json.dumps(summary))


def short(figure: float) -> str:
    """Two digits of a fraction, all of a large number."""
    return f"{figure:,.0f}" if figure >= 10 else f"{figure:.2g}"


if __name__ == "__main__":
    main()
