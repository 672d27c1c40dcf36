"""The exact engine for Pepper. Corn! against brute force: the margin of random positions, and that after every step.

    python -m tests.exact.pepper_corn.against_brute_force [--instances N] [--first SEED]

A position follows from its seed: a run that was stopped goes on with --first, and a difference is found again. Exit
status 1 at the first difference.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from random import Random

from mangetout_solver.exact.pepper_corn.solver import PlaySolver
from mangetout_solver.games.decktet import CARD_NUMBERS, CARDS
from mangetout_solver.games.pepper_corn import view
from mangetout_solver.games.position import Position
from pepper_corn_brute_force import margins

from tests.exact.asking import SMALL, at_least, is_margin
from tests.exact.pepper_corn.instances import RULES, random_position

# A has all there is.
MOST = sum(card.points for card in CARDS)
# What no game comes to, and almost.
EDGES = (-MOST - 1, -MOST, 0, MOST, MOST + 1)
REPORT_EVERY = 250


def check(position: Position, rng: Random) -> int:
    """Asks a new context for everything about a position; returns its margin. AssertionError at a difference."""
    context = PlaySolver(SMALL)
    after = margins(position)
    assert sorted(after) == position.legal_moves(), f"legal are {position.legal_moves()}"
    margin: int = min(after.values()) if position.seat_to_move else max(after.values())
    asked = [margin, margin + 1, margin + rng.randint(-9, 9), rng.choice(EDGES)]
    rng.shuffle(asked)
    for threshold in asked:
        found = at_least(context, position, threshold)
        assert found == (margin >= threshold), f"at least {threshold} is {found}, and the margin {margin}"
    gains = context.most_gains(position)
    assert -gains[1] <= margin - margin_held(position) <= gains[0], f"gains of {gains}, and the margin {margin}"
    for move, expected in after.items():
        step = RULES.format_move(position, move)
        assert is_margin(context, position.play(move), expected), f"after {step} the margin is {expected}"
    groups = context.groups(position)
    assert sorted(move for group in groups for move in group) == position.legal_moves(), f"groups {groups}"
    assert groups == sorted(tuple(sorted(group)) for group in groups), f"groups {groups}"
    for group in groups:
        assert len({after[move] for move in group}) == 1, f"group {group} of steps of unequal margin"
    return margin


def margin_held(position: Position) -> int:
    """The margin if the game ended here."""
    found = view(position)
    ranks = [sum(CARDS[CARD_NUMBERS[card]].points for card in hand.cards) for hand in found.hands]
    return found.points[0] + ranks[0] - found.points[1] - ranks[1]


def check_instance(seed: int) -> int:
    """As `check`, of a random position; the error names it."""
    position = random_position(seed)
    try:
        return check(position, Random(seed))
    except AssertionError as error:
        raise AssertionError(f"{RULES.format_position(position)}: {error}") from error


def kinds(position: Position) -> list[str]:
    """What a position tells about the instances."""
    found = view(position)
    within = ["within captures"] if found.target else ["after a pass"] if found.passed else []
    decks = [found.deck, *([f"Excuse as {found.excuse}"] if found.deck == "extended" else []), found.access]
    return [*within, *decks]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.exact.pepper_corn.against_brute_force")
    parser.add_argument("--instances", type=int, default=5000, help="positions (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="seed of the first one (default: %(default)s)")
    arguments = parser.parse_args()
    counted: Counter[str] = Counter()
    began, end = time.monotonic(), arguments.first + arguments.instances
    for seed in range(arguments.first, end):
        try:
            check_instance(seed)
        except AssertionError as error:
            sys.exit(f"seed {seed}: {error}")
        counted.update(["positions", *kinds(random_position(seed))])
        if (seed + 1) % REPORT_EVERY == 0 or seed + 1 == end:
            counts = ", ".join(f"{name} {count}" for name, count in sorted(counted.items()))
            spent = time.monotonic() - began
            print(f"no difference: {counts}; {spent:.0f} s; next --first {seed + 1}", flush=True)


if __name__ == "__main__":
    main()
