"""Intervals hold the truth as often as they say, and the sequential test errs no more often than it says."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Iterable, Iterator
from itertools import islice

import pytest
from mangetout_solver.arena.statistics import (
    Bounds,
    Decision,
    Interval,
    Outcomes,
    SequentialTest,
    elo_of_share,
    share_of_elo,
)
from mangetout_solver.errors import InputError


def interval_of(outcomes: Iterable[float], players: int = 2) -> Interval:
    sums = Outcomes(players)
    for outcome in outcomes:
        sums.add(outcome)
    return sums.interval()


def pairs_of(elo: float, spread: float, *key: object) -> Iterator[float]:
    """Pairs of two decided games, without end; the deal is worth a normal amount of Elo to who has its first seat."""
    chance = random.Random(f"{elo} {spread} {key}")
    while True:
        deal = chance.gauss(0.0, spread)
        won = (chance.random() < share_of_elo(elo + deal)) + (chance.random() < share_of_elo(elo - deal))
        yield won / 2


def true_share(elo: float, spread: float) -> float:
    """The mean outcome of `pairs_of`, by the midpoint rule over the deal's quantiles."""
    deals = [statistics.NormalDist(0.0, spread or 1e-9).inv_cdf((i + 0.5) / 2000) for i in range(2000)]
    return statistics.fmean(share_of_elo(elo + deal) for deal in deals)


def elo_with_share(share: float, spread: float) -> float:
    low, high = -2000.0, 2000.0
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if true_share(middle, spread) < share else (low, middle)
    return low


def test_elo_and_share_are_inverse() -> None:
    assert share_of_elo(0) == 0.5
    assert share_of_elo(400) == pytest.approx(10 / 11)
    for elo in range(-1000, 1001, 50):
        assert elo_of_share(share_of_elo(elo)) == pytest.approx(elo)
        assert share_of_elo(elo) + share_of_elo(-elo) == pytest.approx(1.0)
    assert (elo_of_share(0.0), elo_of_share(1.0)) == (-math.inf, math.inf)


@pytest.mark.parametrize(("elo", "spread"), [(0.0, 0.0), (0.0, 400.0), (120.0, 150.0), (300.0, 300.0), (500.0, 0.0)])
@pytest.mark.parametrize("pairs", [10, 40, 200])
def test_an_interval_of_95_percent_holds_the_truth_that_often(elo: float, spread: float, pairs: int) -> None:
    """Within three standard deviations from below; short series may be on the safe side."""
    runs = 1200
    source, truth = pairs_of(elo, spread, pairs), true_share(elo, spread)
    held = sum(interval_of(islice(source, pairs)).holds(truth) for _ in range(runs))
    tolerance = 3 * math.sqrt(0.95 * 0.05 / runs)
    assert held / runs > 0.95 - tolerance
    if pairs == 200 and elo < 500:
        assert held / runs < 0.95 + tolerance


@pytest.mark.parametrize("players", [3, 6])
@pytest.mark.parametrize("share", [0.5, 1.0, 2.0])
def test_the_same_with_more_seats(players: int, share: float) -> None:
    """Games of a deal won independently, at `share` times the fair rate."""
    runs, units = 800, 40
    chance = random.Random(f"{players} {share}")
    rate = share / players
    held = sum(
        interval_of(
            [sum(chance.random() < rate for _ in range(players)) / players for _ in range(units)], players
        ).holds(rate)
        for _ in range(runs)
    )
    assert held / runs > 0.95 - 3 * math.sqrt(0.95 * 0.05 / runs)


def test_the_pair_is_the_unit() -> None:
    """The same 200 games: pairs that the deal decides prove more than pairs that one side wins whole."""
    split = interval_of([0.5] * 60 + [1.0] * 22 + [0.0] * 18)
    whole = interval_of([1.0] * 52 + [0.0] * 48)
    assert split.mean == whole.mean == 0.52
    assert split.high - split.low < 0.75 * (whole.high - whole.low)


def test_few_equal_outcomes_are_no_certainty() -> None:
    for outcome in (0.0, 0.5, 1.0):
        found = interval_of([outcome] * 4)
        assert found.low <= found.mean == outcome <= found.high
        assert found.high - found.low > 0.3
    assert interval_of([1.0] * 4).as_elo().high == math.inf
    assert interval_of([1.0]).holds(0.5)


@pytest.mark.parametrize("players", [2, 3, 6])
def test_intervals_lie_between_0_and_1_around_the_mean(players: int) -> None:
    chance = random.Random(players)
    for _ in range(500):
        outcomes = [
            chance.choice((0.0, 0.25, 0.5, 0.75, 1.0)) ** chance.choice((1, 3)) for _ in range(chance.randint(1, 12))
        ]
        found = interval_of(outcomes, players)
        assert found.mean == pytest.approx(statistics.fmean(outcomes))
        assert 0.0 <= found.low <= found.mean <= found.high <= 1.0


def test_exchanging_the_sides_mirrors_the_interval() -> None:
    outcomes = [0.0, 0.25, 1.0, 1.0, 0.5, 0.75]
    one, other = interval_of(outcomes), interval_of([1 - outcome for outcome in outcomes])
    assert (one.low, one.high) == pytest.approx((1 - other.high, 1 - other.low))
    assert one.as_elo().mean == pytest.approx(-other.as_elo().mean)


def decide(bounds: Bounds, outcomes: Iterator[float]) -> SequentialTest:
    test = SequentialTest(bounds)
    while test.decision is Decision.OPEN:
        test.add(next(outcomes))
    return test


@pytest.mark.parametrize("spread", [0.0, 150.0, 500.0])
@pytest.mark.parametrize(
    "bounds", [Bounds(0, 60), Bounds(0, 120, 0.1, 0.05), Bounds(-60, 60, 0.02, 0.1), Bounds(100, 200)]
)
def test_the_sequential_test_errs_no_more_often_than_stated(bounds: Bounds, spread: float) -> None:
    runs = 500
    for elo, wrong, stated in ((bounds.elo0, Decision.H1, bounds.alpha), (bounds.elo1, Decision.H0, bounds.beta)):
        source = pairs_of(elo_with_share(share_of_elo(elo), spread), spread, bounds)
        errors = sum(decide(bounds, source).decision is wrong for _ in range(runs))
        assert errors / runs < stated + 3 * math.sqrt(stated * (1 - stated) / runs)


def test_the_sequential_test_is_shorter_where_the_truth_is_clearer() -> None:
    bounds = Bounds(0, 50)
    lengths = []
    for elo in (25.0, 50.0, 150.0):
        source = pairs_of(elo, 100.0)
        lengths.append(statistics.fmean(decide(bounds, source).pairs for _ in range(150)))
    assert lengths[0] > lengths[1] > lengths[2]


def test_the_ratio_is_that_of_the_formula() -> None:
    """With the mean of the outcomes, and the variance of the outcomes with two lost and two won pairs."""
    test = SequentialTest(Bounds(0, 10, 0.001, 0.001))
    outcomes: list[float] = []
    low, high = share_of_elo(0), share_of_elo(10)
    for outcome in islice(pairs_of(30.0, 200.0), 50):
        outcomes.append(outcome)
        assert test.add(outcome) is Decision.OPEN
        variance = statistics.variance([*outcomes, 0.0, 0.0, 1.0, 1.0])
        mean = statistics.fmean(outcomes)
        expected = len(outcomes) * (high - low) * (2 * mean - low - high) / (2 * variance)
        assert test.llr == pytest.approx(expected, abs=1e-9)
        assert test.pairs == len(outcomes)


def test_the_first_crossing_decides_for_good() -> None:
    test = SequentialTest(Bounds(0, 200))
    while test.add(1.0) is Decision.OPEN:
        pass
    pairs, llr = test.pairs, test.llr
    assert llr >= test.bounds.upper
    for _ in range(100):
        assert test.add(0.0) is Decision.H1
    assert (test.pairs, test.llr) == (pairs, llr)


def test_a_few_pairs_decide_nothing() -> None:
    """Equal outcomes have no variance of their own."""
    for outcome in (0.0, 0.5, 1.0):
        test = SequentialTest(Bounds(0, 20))
        assert [test.add(outcome) for _ in range(5)] == [Decision.OPEN] * 5


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ((10, 10), "sprt"),
        ((20, 10), "sprt"),
        ((math.nan, 10), "sprt"),
        ((0, math.inf), "sprt"),
        ((0, 10, 0.0), "alpha"),
        ((0, 10, 0.5), "alpha"),
        ((0, 10, math.nan), "alpha"),
        ((0, 10, 0.05, 1.0), "beta"),
    ],
)
def test_bounds_that_bound_nothing_are_refused(arguments: tuple[float, ...], field: str) -> None:
    with pytest.raises(InputError) as caught:
        Bounds(*arguments)
    assert caught.value.field == field
