"""Positions of the plain twin of Pepper. Corn! for its tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from mangetout_solver.games.pepper_corn.reference import ReferencePosition, accessible


def at(record: str) -> ReferencePosition:
    """The position at the end of a record; words are taken apart into steps."""
    start, _, words = record.partition(" : ")
    position = ReferencePosition.from_text(start)
    for word in words.split():
        for step in re.findall(r"[x+~]\w+|\.", word) if word[0] in "x+~." else [word]:
            position = position.play(step)
    return position


def refused(record: str) -> bool:
    """Whether the text, or a step on the way, is refused."""
    try:
        at(record)
    except ValueError:
        return True
    return False


def targets(position: ReferencePosition, seat: str) -> set[str]:
    return {position.tableau[row][column] for row, column in accessible(position, seat)}


def steps_at(position: ReferencePosition) -> list[str]:
    return sorted(position.legal_moves() or position.chance_outcomes())


def random_game(start: ReferencePosition, rng: Random) -> Iterator[tuple[ReferencePosition, str]]:
    """Every position of a random game with the step played there, and the end with an empty step."""
    position = start
    while steps := steps_at(position):
        # Seldom passing makes long games.
        if len(steps) > 1 and "pass" in steps and rng.random() < 0.8:
            steps.remove("pass")
        step = rng.choice(steps)
        yield position, step
        position = position.play(step)
    yield position, ""
