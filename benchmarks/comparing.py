"""Contenders that take turns at the same work, and the ratios of their speeds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Generic, TypeVar

Place = TypeVar("Place")


@dataclass(frozen=True)
class Result:
    """One measurement. answer: what every contender that gives one must agree on."""

    rate: float
    answer: object = None


@dataclass(frozen=True)
class Trial(Generic[Place]):
    """One kind of measurement. place: makes the position of a deal; each contender measures it with a seed."""

    name: str
    place: Callable[[int], Place]
    contenders: dict[str, Callable[[Place, int], Result]]


@dataclass(frozen=True)
class Comparison:
    """A ratio of two contenders' rates in one trial, and what it should be."""

    trial: str
    numerator: str
    denominator: str
    at_least: float | None = None
    at_most: float | None = None

    @property
    def wanted(self) -> str:
        """The bound as a text."""
        if self.at_least is not None:
            return f"at least {self.at_least:g}"
        return "-" if self.at_most is None else f"at most {self.at_most:g}"

    def met(self, ratio: float) -> str:
        """Whether a ratio is within the bound, as a text."""
        if self.at_least is None and self.at_most is None:
            return "-"
        within = (self.at_least is None or ratio >= self.at_least) and (self.at_most is None or ratio <= self.at_most)
        return "yes" if within else "no"


# trial, contender, deal: the rate of each repeat
Rates = dict[str, dict[str, dict[int, list[float]]]]


@dataclass(frozen=True)
class Suite:
    """The trials of one game, and the comparisons to draw from them."""

    title: str
    trials: Sequence[Trial]
    comparisons: Sequence[Comparison]

    def run(self, deals: Sequence[int], repeats: int) -> Rates:
        """Measures everything, the contenders taking turns. AssertionError where two that must agree do not."""
        rates: Rates = {
            trial.name: {contender: {deal: [] for deal in deals} for contender in trial.contenders}
            for trial in self.trials
        }
        for repeat in range(repeats):
            for deal in deals:
                print(f"{self.title}: repeat {repeat + 1} of {repeats}, deal {deal}", file=sys.stderr)
                for trial in self.trials:
                    place = trial.place(deal)
                    answers = []
                    for contender, measure in trial.contenders.items():
                        result = measure(place, repeat + 1)
                        rates[trial.name][contender][deal].append(result.rate)
                        if result.answer is not None:
                            answers.append(result.answer)
                    assert all(answer == answers[0] for answer in answers), f"{trial.name}: not the same results"
        return rates

    def report(self, rates: Rates) -> Iterator[str]:
        """The tables, line by line, in Markdown."""
        yield f"## {self.title}"
        yield ""
        for trial, contenders in rates.items():
            deals = list(next(iter(contenders.values())))
            yield f"| {trial} | " + " | ".join(f"deal {deal}" for deal in deals) + " | median | lowest to highest |"
            yield "|---|" + "--:|" * (len(deals) + 2)
            for contender, by_deal in contenders.items():
                medians = [median(by_deal[deal]) for deal in deals]
                single = [rate for deal in deals for rate in by_deal[deal]]
                spread = f"{_short(min(single))} to {_short(max(single))}"
                yield f"| {contender} | " + " | ".join([*map(_short, medians), _short(median(medians)), spread]) + " |"
            yield ""
        yield "| ratio | of | to | median | deals | wanted | met |"
        yield "|---|---|---|--:|--:|---|---|"
        for comparison in self.comparisons:
            found = ratios(rates, comparison)
            middle = median(found)
            yield (
                f"| {comparison.trial} | {comparison.numerator} | {comparison.denominator} | {middle:.3g}"
                f" | {min(found):.3g} to {max(found):.3g} | {comparison.wanted} | {comparison.met(middle)} |"
            )
        yield ""


def ratios(rates: Rates, comparison: Comparison) -> list[float]:
    """The ratio of each deal: the median over the repeats, each of which measured both contenders in turn."""
    numerators = rates[comparison.trial][comparison.numerator]
    denominators = rates[comparison.trial][comparison.denominator]
    return [
        median(above / below for above, below in zip(numerators[deal], denominators[deal], strict=True))
        for deal in numerators
    ]


def _short(rate: float) -> str:
    """Three digits of a rate."""
    return f"{float(f'{rate:.3g}'):,.0f}"
