"""What outcomes of pairs prove: win shares and Elo with intervals, and a sequential test.

The unit is the pair, or with n seats the set of n games of one deal with the seats rotated: games of one deal are not
independent, pairs are. An outcome is the mean win share of one side over its unit, 0 to 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from statistics import NormalDist

from mangetout_solver.errors import InputError

CONFIDENCE = 0.95
_QUANTILE = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)

# Units of made-up outcomes 0 and 1, in the proportion of equal players: for two, half of them lost pairs and half won.
# Without them a few equal outcomes would pass for certainty. Tests look at short series again and again, and need more.
_PSEUDO_INTERVAL = 2.0
_PSEUDO_TEST = 4.0


def share_of_elo(elo: float) -> float:
    """The expected win share, 0 to 1, of a player that is `elo` points stronger than its only opponent."""
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))


def elo_of_share(share: float) -> float:
    """The inverse of `share_of_elo`; infinite for 0 and 1."""
    if share <= 0.0 or share >= 1.0:
        return math.copysign(math.inf, share - 0.5)
    return 400.0 * math.log10(share / (1.0 - share))


@dataclass(frozen=True)
class Interval:
    """A mean and its 95 % interval: low <= mean <= high."""

    mean: float
    low: float
    high: float

    def holds(self, value: float) -> bool:
        """Whether the value lies in the interval, ends included."""
        return self.low <= value <= self.high

    def as_elo(self) -> Interval:
        """Of shares of two players, the same in Elo; ends may be infinite."""
        return Interval(*(elo_of_share(share) for share in (self.mean, self.low, self.high)))


@dataclass
class Outcomes:
    """Running sums over outcomes of units. players: number of seats, which fixes the share of an equal player."""

    players: int = 2
    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, outcome: float) -> None:
        """Adds the outcome of a further unit."""
        self.count += 1
        self.total += outcome
        self.squares += outcome * outcome

    @property
    def fair(self) -> float:
        """The expected outcome among equal players."""
        return 1.0 / self.players

    def regularised(self, pseudo: float) -> tuple[float, float]:
        """Mean and variance of one outcome, with so many made-up ones that equal players would have in the mean."""
        units = self.count + pseudo
        won = pseudo * self.fair
        mean = (self.total + won) / units
        return mean, ((self.squares + won) / units - mean * mean) * units / (units - 1)

    def interval(self) -> Interval:
        """The mean win share with a normal interval; at least one outcome is needed.

        The interval stands around the mean that one lost and one won pair more would give, or as much for more seats
        (Agresti and Coull 1998 add as much to single games). Ends are clipped to 0 and 1.
        """
        mean = self.total / self.count
        centre, variance = self.regularised(_PSEUDO_INTERVAL)
        margin = _QUANTILE * math.sqrt(variance / (self.count + _PSEUDO_INTERVAL))
        return Interval(mean, max(0.0, min(mean, centre - margin)), min(1.0, max(mean, centre + margin)))


@dataclass(frozen=True)
class Bounds:
    """A sequential test, stated before it begins: H0 "the first setting is elo0 stronger" against H1 "elo1 stronger".

    alpha, beta: bounds, up to overshoot and approximation, on the probabilities to accept H1 under H0 and H0 under H1.
    Raises InputError (``sprt``, ``alpha``, ``beta``).
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (-2000 <= self.elo0 < self.elo1 <= 2000):
            raise InputError("sprt", f"found {self.elo0:g},{self.elo1:g}, expected elo0 below elo1, -2000 to 2000")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0.0 < value < 0.5:
                raise InputError(name, f"found {value:g}, expected a probability above 0 and below 0.5")

    @property
    def lower(self) -> float:
        """At or below this log-likelihood ratio H0 is accepted."""
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """At or above this log-likelihood ratio H1 is accepted."""
        return math.log((1.0 - self.beta) / self.alpha)


class Decision(Enum):
    """What a sequential test has come to."""

    H0 = "H0 accepted"
    H1 = "H1 accepted"
    OPEN = "open"


class SequentialTest:
    """Generalised sequential probability ratio test on pairs (Van den Bergh, "A practical introduction to the GSPRT").

    The log-likelihood ratio of N pairs with mean x and variance s^2 is N (m1 - m0) (2x - m0 - m1) / (2 s^2), where m0
    and m1 are the shares expected under H0 and H1; s^2 counts two lost and two won pairs more. The first crossing
    decides; later pairs change nothing.
    """

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self.llr = 0.0
        self.decision = Decision.OPEN
        self._low, self._high = share_of_elo(bounds.elo0), share_of_elo(bounds.elo1)
        self._outcomes = Outcomes()

    @property
    def pairs(self) -> int:
        """Pairs that the test has taken into account."""
        return self._outcomes.count

    def add(self, outcome: float) -> Decision:
        """Takes the next pair into account, in deal order, unless the test is decided."""
        if self.decision is not Decision.OPEN:
            return self.decision
        outcomes, low, high = self._outcomes, self._low, self._high
        outcomes.add(outcome)
        _, variance = outcomes.regularised(_PSEUDO_TEST)
        self.llr = (high - low) * (2.0 * outcomes.total - outcomes.count * (low + high)) / (2.0 * variance)
        if self.llr >= self.bounds.upper:
            self.decision = Decision.H1
        elif self.llr <= self.bounds.lower:
            self.decision = Decision.H0
        return self.decision
