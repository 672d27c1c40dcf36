"""The exact engine against itself with something left out: brute force ends where this begins.

    python -m tests.exact.agreement [--game NAME] [--positions N] [--left L ...] [--random] [--moves] [--first SEED]
                                    [--without NAME ...]

compares margins with those found without each technique, or without the table, which shows positions that are taken for
one another. Positions of PEAS have so many plies left and are of the real game, with --random of random ones, and
reached by random play; those of Pepper. Corn! have so many cards left on a board of 3 x 8 and are reached by random or
by sensible play. With --moves the margins after every move are compared too. A position follows from what is left and
its seed: a run that was stopped goes on with --first, and a difference is found again. Exit status 1 at the first
difference.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from mangetout_solver.exact.peas import solver as peas
from mangetout_solver.exact.pepper_corn import solver as pepper_corn
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game

from tests.exact import instances
from tests.exact.asking import Engine, is_margin, margin_of
from tests.exact.pepper_corn.against_brute_force import MOST
from tests.exact.pepper_corn.instances import real_midgame

MEMORY = 64 << 20
TABLE = "table"

Midgame = Callable[[int, int], Position]


class MakeEngine(Protocol):
    def __call__(self, memory_bytes: int, *, without: Sequence[str] = ()) -> Engine: ...


@dataclass(frozen=True)
class Compared:
    """A game's engine. most: no margin is greater. real, random: positions from what is left and a seed, of the game as
    it is played and of any."""

    make: MakeEngine
    techniques: Sequence[str]
    most: int
    left: Sequence[int]
    real: Midgame
    random: Midgame | None = None


GAMES: Mapping[str, Compared] = {
    "peas": Compared(
        peas.DoubleDummy,
        peas.TECHNIQUES,
        peas.SWEEP,
        (14, 15, 16),
        instances.real_midgame,
        instances.random_midgame,
    ),
    "pepper_corn": Compared(pepper_corn.PlaySolver, pepper_corn.TECHNIQUES, MOST, (14, 15, 16), real_midgame),
}


def compare(name: str, positions: Iterable[Position], omitted: Iterable[str], memory: int = MEMORY) -> int:
    """Margins of positions, found by the whole engine of a game and confirmed by one without each of what is omitted.

    omitted: names of techniques, or TABLE.

    Every engine keeps its table from one position to the next. Returns the number of positions; AssertionError with
    the position at a difference.
    """
    compared = GAMES[name]
    engine = compared.make(memory)
    others = {part: compared.make(0) if part == TABLE else compared.make(memory, without=[part]) for part in omitted}
    count = 0
    for position in positions:
        margin = margin_of(engine, position, compared.most)
        for part, other in others.items():
            text = game(name).format_position(position)
            assert is_margin(other, position, margin), f"{text}: the margin is {margin}, but not without {part}"
        count += 1
    return count


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.exact.agreement")
    parser.add_argument("--game", choices=list(GAMES), default="peas", help="(default: %(default)s)")
    parser.add_argument("--positions", type=int, default=300, help="(default: %(default)s)")
    parser.add_argument("--left", type=int, nargs="+", help="plies left to play, or cards to take, by turns")
    parser.add_argument("--random", action="store_true", help="random games of PEAS, not the real one")
    parser.add_argument("--moves", action="store_true", help="also compare after every move")
    parser.add_argument("--first", type=int, default=0, help="seed of the first one (default: %(default)s)")
    parser.add_argument(
        "--without",
        nargs="+",
        metavar="NAME",
        help=f"techniques, each in turn (default: all), or {TABLE}",
    )
    arguments = parser.parse_args()
    compared = GAMES[arguments.game]
    omitted = arguments.without or compared.techniques
    if unknown := {*omitted} - {*compared.techniques, TABLE}:
        parser.error(f"{arguments.game} does not know {', '.join(unknown)}")
    midgame = compared.random if arguments.random else compared.real
    if midgame is None:
        parser.error(f"there are no random games of {arguments.game}")
    lefts = arguments.left or compared.left
    began, margins = time.monotonic(), 0
    for seed in range(arguments.first, arguments.first + arguments.positions):
        left = lefts[seed % len(lefts)]
        position = midgame(left, seed)
        moves = position.legal_moves() if arguments.moves else []
        try:
            margins += compare(arguments.game, [position, *map(position.play, moves)], omitted)
        except AssertionError as error:
            sys.exit(f"{left} left, seed {seed}: {error}")
        print(
            f"no difference: {seed + 1 - arguments.first} positions, {margins} margins without each of "
            f"{len(omitted)}; {time.monotonic() - began:.0f} s; next --first {seed + 1}",
            flush=True,
        )


if __name__ == "__main__":
    main()
