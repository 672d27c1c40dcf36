"""The exact engine against itself with something left out: brute force ends where this begins.

    python -m tests.exact.agreement [--positions N] [--plies L ...] [--random] [--moves] [--first SEED]
                                    [--without NAME ...]

compares margins with those found without each technique, or without the table, which shows positions that are taken for
one another. Positions are of the real game, with --random of random ones, and reached by random play; with --moves the
margins after every move are compared too. A position follows from its plies left and its seed: a run that was stopped
goes on with --first, and a difference is found again. Exit status 1 at the first difference.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable

from mangetout_solver.exact.peas.solver import TECHNIQUES, DoubleDummy
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game

from tests.exact.asking import is_margin, margin_of
from tests.exact.instances import random_midgame, real_midgame

MEMORY = 64 << 20
TABLE = "table"


def compare(positions: Iterable[Position], omitted: Iterable[str], memory: int = MEMORY) -> int:
    """The margins of positions, which a whole engine finds and one without each of what is omitted confirms.

    omitted: names of techniques, or TABLE.

    Every engine keeps its table from one position to the next. Returns the number of positions; AssertionError with
    the position at a difference.
    """
    engine = DoubleDummy(memory)
    others = {name: DoubleDummy(0) if name == TABLE else DoubleDummy(memory, without=[name]) for name in omitted}
    compared = 0
    for position in positions:
        margin = margin_of(engine, position)
        for name, other in others.items():
            text = game("peas").format_position(position)
            assert is_margin(other, position, margin), f"{text}: the margin is {margin}, but not without {name}"
        compared += 1
    return compared


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.exact.agreement")
    parser.add_argument("--positions", type=int, default=300, help="(default: %(default)s)")
    parser.add_argument("--plies", type=int, nargs="+", default=[14, 15, 16], help="left to play, by turns")
    parser.add_argument("--random", action="store_true", help="random games, not the real one")
    parser.add_argument("--moves", action="store_true", help="also compare after every move")
    parser.add_argument("--first", type=int, default=0, help="seed of the first one (default: %(default)s)")
    parser.add_argument(
        "--without",
        nargs="+",
        choices=[*TECHNIQUES, TABLE],
        default=TECHNIQUES,
        metavar="NAME",
        help="each of these in turn: %(choices)s (default: all but the table)",
    )
    arguments = parser.parse_args()
    began, margins = time.monotonic(), 0
    for seed in range(arguments.first, arguments.first + arguments.positions):
        plies = arguments.plies[seed % len(arguments.plies)]
        position = (random_midgame if arguments.random else real_midgame)(plies, seed)
        moves = position.legal_moves() if arguments.moves else []
        try:
            margins += compare([position, *map(position.play, moves)], arguments.without)
        except AssertionError as error:
            sys.exit(f"{plies} plies left, seed {seed}: {error}")
        print(
            f"no difference: {seed + 1 - arguments.first} positions, {margins} margins without each of "
            f"{len(arguments.without)}; {time.monotonic() - began:.0f} s; next --first {seed + 1}",
            flush=True,
        )


if __name__ == "__main__":
    main()
