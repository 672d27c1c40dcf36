"""Whether a sample fits its expectation."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

Outcome = TypeVar("Outcome", bound=Hashable)

# Outcomes expected less often than this are counted together.
FEWEST = 5.0


def chi_square(counts: Mapping[Outcome, int], expected: Mapping[Outcome, float]) -> float:
    """Pearson's statistic. Every outcome must be among the expected ones."""
    assert counts.keys() <= expected.keys(), "an outcome that cannot be"
    return sum((counts.get(outcome, 0) - mean) ** 2 / mean for outcome, mean in expected.items())


def chi_square_limit(degrees: int, deviations: float = 4.0) -> float:
    """What a fair sample exceeds with the probability of a normal one's `deviations` (4.0: 1 in 30,000).

    The approximation of Wilson and Hilferty (1931).
    """
    spread = 2 / (9 * degrees)
    return float(degrees * (1 - spread + deviations * spread**0.5) ** 3)


def assert_fits(counts: Mapping[Outcome, int], probability: Mapping[Outcome, float], where: object) -> None:
    """A sample agrees with the probabilities; a fair one fails once in a million times."""
    assert counts.keys() <= probability.keys(), (
        f"{where}: outcomes that cannot be: {counts.keys() - probability.keys()}"
    )
    draws = sum(counts.values())
    seen: dict[Outcome | None, int] = {None: 0}
    expected: dict[Outcome | None, float] = {None: 0.0}
    for outcome, chance in probability.items():
        # The rare outcomes share one class, and so does whatever is too rare for a class of its own.
        key = outcome if chance * draws >= FEWEST else None
        seen[key] = seen.get(key, 0) + counts.get(outcome, 0)
        expected[key] = expected.get(key, 0.0) + chance * draws
    if expected[None] < FEWEST:
        rare_seen, rare_expected = seen.pop(None), expected.pop(None)
        least = min(expected, key=lambda key: expected[key])
        seen[least] += rare_seen
        expected[least] += rare_expected
    if len(expected) > 1:
        found = chi_square(seen, expected)
        assert found < chi_square_limit(len(expected) - 1, 4.75), f"{where}: chi-square {found:.1f}: {seen}, {expected}"
