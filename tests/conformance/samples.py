"""Whether a sample fits its expectation."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

from scipy.stats import chisquare

Outcome = TypeVar("Outcome", bound=Hashable)

# Outcomes expected less often than this are counted together.
FEWEST = 5.0
# How often a fair sample fails.
RISK = 1e-6


def assert_fits(counts: Mapping[Outcome, int], probability: Mapping[Outcome, float], where: object) -> None:
    """A sample agrees with the probabilities by Pearson's chi-square test."""
    impossible = counts.keys() - probability.keys()
    assert not impossible, f"{where}: outcomes that cannot be: {impossible}"
    draws = sum(counts.values())
    seen: dict[Outcome | None, int] = {None: 0}
    expected: dict[Outcome | None, float] = {None: 0.0}
    for outcome, chance in probability.items():
        # The rare outcomes share one class.
        key = outcome if chance * draws >= FEWEST else None
        seen[key] = seen.get(key, 0) + counts.get(outcome, 0)
        expected[key] = expected.get(key, 0.0) + chance * draws
    if expected[None] < FEWEST:
        # Too rare together as well.
        rare_seen, rare_expected = seen.pop(None), expected.pop(None)
        least = min(expected, key=lambda key: expected[key])
        seen[least] += rare_seen
        expected[least] += rare_expected
    if len(expected) > 1:
        found = chisquare(list(seen.values()), list(expected.values()))
        assert found.pvalue > RISK, f"{where}: chi-square {found.statistic:.1f}: {seen}, {expected}"
