"""The exact engine against brute force: the margin of random positions, and that after every move.

    python -m tests.exact.against_brute_force [--hidden] [--instances N] [--cards K ...] [--first SEED]

With --hidden one of the hands is hidden. A position follows from its number of cards and its seed: a run that was
stopped goes on with --first, and a difference is found again. Exit status 1 at the first difference.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from random import Random

from mangetout_solver.exact.peas.solver import SWEEP, DoubleDummy
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game
from peas_brute_force import MAX_HANDS, margins

from tests.exact.asking import SMALL, at_least, is_margin
from tests.exact.instances import hidden_with, position_with

# Beyond what points alone come to, and beyond what anything does.
EDGES = (-SWEEP - 1, -SWEEP, 1 - SWEEP, SWEEP, SWEEP + 1)
REPORT_EVERY = 250


def check(position: Position, rng: Random) -> int:
    """Asks a new context for everything about a position; returns its margin. AssertionError at a difference."""
    context = DoubleDummy(SMALL)
    after = margins(position)
    margin = min(after.values()) if position.seat_to_move else max(after.values())
    asked = [margin, margin + 1, margin + rng.randint(-9, 9), rng.choice(EDGES)]
    rng.shuffle(asked)
    for threshold in asked:
        found = at_least(context, position, threshold)
        assert found == (margin >= threshold), f"at least {threshold} is {found}, and the margin {margin}"
    for move, expected in after.items():
        child = position.play(move)
        if child.seat_to_move is not None:
            assert is_margin(context, child, expected), f"after move {move} the margin is {expected}"
    groups = context.groups(position)
    assert sorted(move for group in groups for move in group) == position.legal_moves(), f"groups {groups}"
    assert groups == sorted(tuple(sorted(group)) for group in groups), f"groups {groups}"
    for group in groups:
        assert len({after[move] for move in group}) == 1, f"group {group} of moves of unequal margin"
    return margin


def check_instance(cards: int, seed: int, *, hidden: bool = False) -> int:
    """As `check`, of a random position; the error names it."""
    position = hidden_with(cards, seed, MAX_HANDS) if hidden else position_with(cards, seed)
    try:
        return check(position, Random(seed))
    except AssertionError as error:
        raise AssertionError(f"{game('peas').format_position(position)}: {error}") from error


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.exact.against_brute_force")
    parser.add_argument("--instances", type=int, default=5000, help="positions (default: %(default)s)")
    parser.add_argument("--cards", type=int, nargs="+", default=[2, 3, 4], help="cards in the larger hand, by turns")
    parser.add_argument("--first", type=int, default=0, help="seed of the first one (default: %(default)s)")
    parser.add_argument("--hidden", action="store_true", help="one hand hidden (default: both open)")
    arguments = parser.parse_args()
    kinds: Counter[str] = Counter()
    began, end = time.monotonic(), arguments.first + arguments.instances
    for seed in range(arguments.first, end):
        cards = arguments.cards[seed // 2 % len(arguments.cards)]
        try:
            margin = check_instance(cards, seed, hidden=arguments.hidden)
        except AssertionError as error:
            sys.exit(f"{cards} cards, seed {seed}: {error}")
        kinds[f"{cards} cards"] += 1
        kinds["sweeps" if abs(margin) == SWEEP else "level" if margin == 0 else "decided by points"] += 1
        if (seed + 1) % REPORT_EVERY == 0 or seed + 1 == end:
            counts = ", ".join(f"{name} {count}" for name, count in sorted(kinds.items()))
            spent = time.monotonic() - began
            print(f"no difference: {counts}; {spent:.0f} s; next --first {seed + 1}", flush=True)


if __name__ == "__main__":
    main()
