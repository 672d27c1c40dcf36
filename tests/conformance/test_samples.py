"""The measure of samples tells fair ones from others."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.conformance.samples import assert_fits

FAIR = {"a": 0.5, "b": 0.3, "c": 0.19, "rare": 0.005, "rarer": 0.005}


def drawn(weights: dict[str, float], draws: int) -> Counter[str]:
    return Counter(Random(3).choices(list(weights), list(weights.values()), k=draws))


@pytest.mark.parametrize("draws", [5, 50, 500, 5000])
def test_a_fair_sample_fits(draws: int) -> None:
    assert_fits(drawn(FAIR, draws), FAIR, "fair")


@pytest.mark.parametrize("change", [{"a": 0.3, "b": 0.5}, {"rare": 0.1}, {"rare": 0.0, "rarer": 0.0}, {"c": 0.0}])
def test_another_sample_does_not(change: dict[str, float]) -> None:
    with pytest.raises(AssertionError, match="biased: chi-square"):
        assert_fits(drawn(FAIR | change, 5000), FAIR, "biased")


def test_an_outcome_that_cannot_be_does_not_fit() -> None:
    with pytest.raises(AssertionError, match="cannot be"):
        assert_fits(Counter({"a": 90, "d": 1}), FAIR, "other")
