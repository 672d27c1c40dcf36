"""How long certificates of PEAS are, and what it takes to write and to check them: `python -m benchmarks.certificates`.

The first positions of the set `14` of `exact_sets`, half of random and half of sensible play, and what the same kind of
play leads to from there. Of each position one certificate says who wins the round, and one what the margin is. Nodes
are positions in which the walk goes on. Cells are median / most; seconds are of processor time. The last line is the
summary as JSON, with means.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections.abc import Callable, Iterator
from random import Random
from statistics import mean, median

from mangetout_solver.exact.peas import checker
from mangetout_solver.exact.peas.certificate import certify
from mangetout_solver.exact.peas.solver import DoubleDummy
from mangetout_solver.games.peas import view
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control

from benchmarks import exact_sets

PLIES = 14
MEMORY = 64 << 20
COLUMNS = ("moves", "bytes", "gzipped", "nodes", "seconds to write", "seconds to check")
PLAY = {"random": exact_sets.random_move, "sensible": exact_sets.sensible_move}


def positions(left: int, play: str, count: int) -> Iterator[Position]:
    """The positions with `left` plies left."""
    entries = [entry for entry in exact_sets.read(str(PLIES), development=False) if f"-{play}-" in entry.id]
    for number, entry in enumerate(entries[:count]):
        position, rng = entry.position, Random(number)
        for _ in range(PLIES - left):
            position = position.play(PLAY[play](position, rng))
        yield position


def measure(position: Position, margins: tuple[int, ...] | None) -> tuple[float, ...]:
    """What COLUMNS name, of one certificate that has been checked."""
    started = time.process_time()
    certificate = certify(position, DoubleDummy(MEMORY), Control(), margins=margins)
    written = time.process_time()
    assert certificate is not None
    text = certificate.text
    checked = checker.check(text)
    ended = time.process_time()
    assert checked == [str(claim) for claim in certificate.claims]
    start = checker.parse(certificate.position)
    nodes = 0
    for claim in certificate.claims:
        walk = checker.Walk(*((0, claim.margin) if claim.holds else (1, 1 - claim.margin)), following(claim.moves))
        walk.walk(start, [])
        nodes += len(walk.least)
    moves = sum(len(claim.moves) for claim in certificate.claims)
    packed = len(gzip.compress(text.encode(), mtime=0))
    return moves, len(text), packed, nodes, written - started, ended - written


def following(moves: tuple[str, ...]) -> Callable[[checker.Position, list[checker.Move]], checker.Move]:
    """Chooses the moves of a plan one after the other."""
    plan = iter(moves)

    def choose(position: checker.Position, path: list[checker.Move]) -> checker.Move:
        card, pod = next(plan).split("@")
        return card, int(pod)

    return choose


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plies", type=int, nargs="+", default=[8, 10, 12, 14], help="plies left, at most 14")
    parser.add_argument("--count", type=int, default=20, help="positions of each kind of play")
    parser.add_argument("--play", nargs="+", choices=list(PLAY), default=list(PLAY), help="kinds of play")
    arguments = parser.parse_args()
    print("|".join(["| plies left ", " play ", " claim ", *(f" {name} " for name in COLUMNS)]) + "|")
    print("|" + " --- |" * 3 + " --: |" * len(COLUMNS))
    summary = []
    for left in arguments.plies:
        for play in arguments.play:
            found: dict[str, list[tuple[float, ...]]] = {"winner": [], "margin": []}
            for number, position in enumerate(positions(left, play, arguments.count), 1):
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
