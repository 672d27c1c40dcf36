"""How long certificates are, and what it takes to write and to check them: `python -m benchmarks.certificates`.

The first positions of the sets `peas-14` and `pepper_corn-12` of `exact_sets`, half of random and half of sensible
play, and what the same kind of play leads to from there. Left are plies in PEAS, cards on the tableau in Pepper. Corn!
Of each position one certificate says who wins, and one what the margin is. Nodes are positions in which the walk goes
on. Cells are median / most; seconds are of processor time. The last line is the summary as JSON, with means.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from statistics import mean, median

from mangetout_solver.exact.certificates import checker
from mangetout_solver.exact.certificates.writer import Engine, certify
from mangetout_solver.exact.peas.solver import DoubleDummy
from mangetout_solver.exact.pepper_corn.solver import PlaySolver
from mangetout_solver.games.game import Record
from mangetout_solver.games.peas import view
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game
from mangetout_solver.search.control import Control

from benchmarks import exact_sets

MEMORY = 64 << 20
COLUMNS = ("moves", "bytes", "gzipped", "nodes", "seconds to write", "seconds to check")
PLAY = {"random": exact_sets.random_move, "sensible": exact_sets.sensible_move}


@dataclass(frozen=True)
class Certified:
    """A game. entries: name of the set. left: in the positions measured. steps: margins with which A's outcome gets
    better."""

    entries: str
    left: Sequence[int]
    engine: Callable[[int], Engine]
    steps: Callable[[Position], Sequence[int]]


GAMES: Mapping[str, Certified] = {
    # The holder of the pea wins with a margin of 0.
    "peas": Certified("peas-14", (8, 10, 12, 14), DoubleDummy, lambda position: (view(position).pea,)),
    "pepper_corn": Certified("pepper_corn-12", (8, 10, 12), PlaySolver, lambda _: (0, 1)),
}


def positions(name: str, left: int, play: str) -> Iterator[Position]:
    """Those with so much left, from games that come so far."""
    wanted = exact_sets.PositionSet(name, 1, left)
    entries = [entry for entry in exact_sets.read(GAMES[name].entries, development=False) if f"-{play}-" in entry.id]
    for number, entry in enumerate(entries):
        position, rng = entry.position, Random(number)
        while not position.is_terminal and not wanted.is_reached(position):
            position = position.play(PLAY[play](position, rng))
        if not position.is_terminal:
            yield position


def margins_of_the_outcome(name: str, position: Position) -> list[int]:
    """The margins that decide who wins: the last one that is reached, and the first one that is not."""
    engine, steps = GAMES[name].engine(MEMORY), GAMES[name].steps(position)
    reached = [step for step in steps if engine.at_least(position, step, Control())]
    return reached[-1:] + [step for step in steps if step not in reached][:1]


def measure(name: str, position: Position, margins: Sequence[int] | None) -> tuple[float, ...]:
    """What COLUMNS name, of one certificate that has been checked."""
    started = time.process_time()
    certificate = certify(Record(game(name), (position,), ()), GAMES[name].engine(MEMORY), Control(), margins=margins)
    written = time.process_time()
    assert certificate is not None
    text = certificate.text
    checked = checker.check(text)
    ended = time.process_time()
    assert checked == [str(claim) for claim in certificate.claims]
    rules = checker.rules_of(name)
    start = rules.parse(certificate.position)
    nodes = 0
    for claim in certificate.claims:
        seat, need = (0, claim.margin) if claim.holds else (1, 1 - claim.margin)
        walk = checker.Walk(rules, seat, need, following(claim.moves))
        walk.walk(start, [])
        nodes += len(walk.least)
    moves = sum(len(claim.moves) for claim in certificate.claims)
    packed = len(gzip.compress(text.encode(), mtime=0))
    return moves, len(text), packed, nodes, written - started, ended - written


def following(moves: tuple[str, ...]) -> Callable[[checker.Placed, list[str]], str]:
    """Chooses the moves of a plan one after the other."""
    plan = iter(moves)
    return lambda position, path: next(plan)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", nargs="+", choices=list(GAMES), default=list(GAMES), help="(default: both)")
    parser.add_argument("--left", type=int, nargs="+", help="plies or cards left, of what the game's set has or less")
    parser.add_argument("--count", type=int, default=20, help="positions of each kind of play")
    parser.add_argument("--play", nargs="+", choices=list(PLAY), default=list(PLAY), help="kinds of play")
    arguments = parser.parse_args()
    print("|".join(["| game ", " left ", " play ", " claim ", *(f" {name} " for name in COLUMNS)]) + "|")
    print("|" + " --- |" * 4 + " --: |" * len(COLUMNS))
    summary = []
    for name in arguments.game:
        for left in arguments.left or GAMES[name].left:
            for play in arguments.play:
                found: dict[str, list[tuple[float, ...]]] = {"winner": [], "margin": []}
                for number, position in enumerate(islice(positions(name, left, play), arguments.count), 1):
                    print(f"{name}, {left} left, {play}: {number} of {arguments.count}", file=sys.stderr)
                    found["winner"].append(measure(name, position, margins_of_the_outcome(name, position)))
                    found["margin"].append(measure(name, position, None))
                for claim, rows in found.items():
                    figures = {
                        column: {"mean": mean(cells), "median": median(cells), "max": max(cells)}
                        for column, cells in zip(COLUMNS, zip(*rows, strict=True), strict=True)
                    }
                    about = {"game": name, "left": left, "play": play, "claim": claim, "positions": len(rows)}
                    summary.append({**about, **figures})
                    cells = (f"{short(column['median'])} / {short(column['max'])}" for column in figures.values())
                    print(f"| {name} | {left} | {play} | {claim} | {' | '.join(cells)} |", flush=True)
    print(json.dumps(summary))


def short(figure: float) -> str:
    """Two digits of a fraction, all of a large number."""
    return f"{figure:,.0f}" if figure >= 10 else f"{figure:.2g}"


if __name__ == "__main__":
    main()
