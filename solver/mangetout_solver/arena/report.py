"""What a tournament has shown so far."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from mangetout_solver.arena.duplicate import Usage
from mangetout_solver.arena.results import Results
from mangetout_solver.arena.settings import EQUAL_TIME, BudgetKind, budget_text
from mangetout_solver.arena.statistics import CONFIDENCE, Bounds, Decision, Interval, Outcomes
from mangetout_solver.arena.tournament import Tournament, Unit


@dataclass(frozen=True)
class ContestReport:
    """One setting, alone, against another at all other seats. outcomes: one a pair, in the order of deals."""

    solo: str
    others: str
    players: int
    outcomes: tuple[float, ...]

    @property
    def fair_share(self) -> float:
        """The win share of an equal player."""
        return 1.0 / self.players

    @cached_property
    def share(self) -> Interval | None:
        """The win share of `solo`; None before the first pair."""
        return deque(self.running(), maxlen=1).pop() if self.outcomes else None

    @property
    def elo(self) -> Interval | None:
        """The Elo of `solo` above `others`, for two seats; ends may be infinite. None before the first pair."""
        return self.share.as_elo() if self.share is not None and self.players == 2 else None

    @property
    def shown(self) -> bool:
        """Whether a difference is shown: whether the interval leaves the share of an equal player out."""
        return self.share is not None and not self.share.holds(self.fair_share)

    def running(self) -> Iterator[Interval]:
        """The win share after each pair."""
        sums = Outcomes(self.players)
        for outcome in self.outcomes:
            sums.add(outcome)
            yield sums.interval()


@dataclass(frozen=True)
class SequentialReport:
    """Where the sequential test stands. llr: log-likelihood ratio; it decides at `bounds.lower` and `bounds.upper`."""

    bounds: Bounds
    decision: Decision
    llr: float


@dataclass(frozen=True)
class Report:
    """All contests of a tournament. usage: by setting, over all its contests.

    complete: all pairs are played, or the sequential test is decided.
    """

    tournament: Tournament
    contests: tuple[ContestReport, ...]
    usage: tuple[Usage, ...]
    sequential: SequentialReport | None
    complete: bool

    @property
    def budget(self) -> str:
        """The kind of budget, and whether it was equal."""
        return budget_text(self.tournament.settings)

    @property
    def time_ratio(self) -> float | None:
        """Of equal time, the largest processor time a move over the smallest; None for other budgets.

        On an idle machine it is 1 but for rounding; where others take the processor away, the clock is no fair judge.
        """
        timed = [
            use.seconds / use.moves
            for setting, use in zip(self.tournament.settings, self.usage, strict=True)
            if setting.budget[0] is BudgetKind.TIME and use.seconds > 0
        ]
        return max(timed) / min(timed) if self.budget == EQUAL_TIME and timed else None

    @staticmethod
    def of(results: Results) -> Report:
        """Judges the units played, in the order of deals, up to a gap or to the decision of the sequential test."""
        tournament = results.tournament
        test = tournament.sequential_test()
        usage = [Usage()] * len(tournament.settings)
        contests = []
        complete = True
        for index, contest in enumerate(tournament.contests):
            units: list[Unit] = []
            for unit in results.in_order(index):
                units.append(unit)
                usage[contest.solo] += unit.usage[0]
                usage[contest.others] += unit.usage[1]
                if test is not None and test.add(unit.outcome) is not Decision.OPEN:
                    break
            decided = test is not None and test.decision is not Decision.OPEN
            complete = complete and (decided or len(units) == tournament.pairs)
            solo, others = (tournament.settings[i].text for i in (contest.solo, contest.others))
            contests.append(ContestReport(solo, others, tournament.players, tuple(unit.outcome for unit in units)))
        sequential = None if test is None else SequentialReport(test.bounds, test.decision, test.llr)
        return Report(tournament, tuple(contests), tuple(usage), sequential, complete)

    def as_dict(self) -> dict[str, object]:
        """The report as JSON values; infinite ends of intervals are null."""
        sequential = self.sequential
        return {
            "tournament": self.tournament.header(),
            "complete": self.complete,
            "time_ratio": self.time_ratio,
            "confidence": CONFIDENCE,
            "contests": [
                {
                    "setting": contest.solo,
                    "against": contest.others,
                    "pairs": len(contest.outcomes),
                    "games": len(contest.outcomes) * contest.players,
                    "fair_share": contest.fair_share,
                    "win_share": _interval(contest.share),
                    "elo": _interval(contest.elo),
                    "shown": contest.shown,
                }
                for contest in self.contests
            ],
            "sequential_test": None
            if sequential is None
            else {
                "decision": sequential.decision.value,
                "llr": sequential.llr,
                "lower": sequential.bounds.lower,
                "upper": sequential.bounds.upper,
            },
            "usage": [
                {
                    "setting": setting.text,
                    "moves": use.moves,
                    "simulations": use.simulations,
                    "processor_seconds": use.seconds,
                }
                for setting, use in zip(self.tournament.settings, self.usage, strict=True)
            ],
        }


def _interval(interval: Interval | None) -> dict[str, float | None] | None:
    if interval is None:
        return None
    ends = {"mean": interval.mean, "low": interval.low, "high": interval.high}
    return {name: value if math.isfinite(value) else None for name, value in ends.items()}
