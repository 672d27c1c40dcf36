"""What is proven of a stage in which both players decide at the same time, and what they play for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

TOLERANCE = 1e-8
"""Ends of a value that differ by no more are equal: linear programs are solved in floating point."""


class Payoff(Enum):
    """What both play for: shares of the win, 1 to 0 for A, or A's margin."""

    SHARE = "share"
    MARGIN = "margin"

    def of(self, margin: float) -> float:
        """What a margin is worth to A."""
        if self is Payoff.MARGIN:
            return margin
        return 1.0 if margin > 0 else 0.0 if margin < 0 else 0.5


@dataclass(frozen=True)
class Ends:
    """A value to A, proven to lie in [low, high]."""

    low: float
    high: float

    @property
    def closed(self) -> bool:
        """Whether it is proven, but for the rounding of linear programs."""
        return self.high - self.low <= TOLERANCE


@dataclass(frozen=True)
class Plan:
    """A seat's way through the stage.

    moves: its steps that are still to be made. probability: how often the mixture chooses it, of those that go on from
    the steps made. sure: by payoff, what it is worth to A if the other seat foresees it. reply: all steps of the other
    seat that are known to hold it to the least, those that promise most where several are.
    """

    moves: tuple[int, ...]
    probability: float
    sure: dict[Payoff, Ends]
    reply: tuple[int, ...]


@dataclass(frozen=True)
class StageSolution:
    """What is proven so far.

    values: by payoff, that of the stage to A; that of the payoff played for first, of SHARE always. plans: of A and of
    B, most frequent first, then by what they are sure of. Their mixtures are an equilibrium of what the outcomes are
    taken to be worth, an estimate, until solved: then they prove the value, and so are an equilibrium.
    """

    values: dict[Payoff, Ends]
    plans: tuple[tuple[Plan, ...], tuple[Plan, ...]]
    solved: bool
