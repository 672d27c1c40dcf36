"""A sample of what `python -m tests.exact.pepper_corn.against_brute_force` tries, and that it tries what matters."""

from __future__ import annotations

from collections import Counter

from mangetout_solver.exact.pepper_corn.solver import PlaySolver
from mangetout_solver.games.pepper_corn import view

from tests.exact.asking import SMALL, is_margin, margin_of
from tests.exact.pepper_corn.against_brute_force import MOST, check_instance
from tests.exact.pepper_corn.instances import random_position, rebuilt


def test_margins_and_steps() -> None:
    found = {check_instance(seed) for seed in range(250)}
    assert min(found) < 0 < max(found)


def test_rules_that_matter() -> None:
    differ: Counter[str] = Counter()
    context = PlaySolver(SMALL)
    for seed in range(400):
        position = random_position(seed)
        found = view(position)
        if found.target is not None:
            differ["within captures"] += 1
            continue
        others = {
            "access": rebuilt(position, restricted=found.access == "open"),
            "passed": rebuilt(position, passed=not found.passed),
            "conversion": rebuilt(position, matching=found.deck == "extended" and found.conversion == "any"),
        }
        margin = margin_of(context, position, MOST)
        differ.update(rule for rule, other in others.items() if not is_margin(context, other, margin))
    assert all(differ[kind] >= 5 for kind in ("within captures", "access", "passed", "conversion")), differ
