"""Checks the statistics of tournaments by simulation: ``python -m benchmarks.arena_statistics``.

How often the 95 % interval holds the truth, and how often the sequential test errs, for pairs whose two games depend on
each other through the deal. docs/strength/measuring.md has the figures.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np
from mangetout_solver.arena.statistics import Bounds, Decision, Outcomes, SequentialTest, share_of_elo
from numpy.typing import NDArray

SEED = 1
PAIRS = (10, 20, 50, 200, 1000)
ELOS = (0.0, 50.0, 150.0, 300.0, 500.0)
BOUNDS = (
    Bounds(0, 20),
    Bounds(0, 50),
    Bounds(-20, 20),
    Bounds(0, 100),
    Bounds(100, 200),
    Bounds(300, 400),
    Bounds(0, 300),
)
PLAYERS = (3, 6)
LENGTHS = (10, 50, 200)


@dataclass(frozen=True)
class Deals:
    """How deals treat the players. spread: standard deviation, in Elo, of what the first seat's cards are worth.
    draws: share of drawn games between equals."""

    spread: float
    draws: float

    @property
    def name(self) -> str:
        return f"spread {self.spread:g} Elo" + (f", {100 * self.draws:g} % draws" if self.draws else "")

    def probabilities(self, elo: float) -> NDArray[np.float64]:
        """Of the pair outcomes 0, 1/4, 1/2, 3/4, 1, the two seats exchanged, for a player `elo` stronger."""
        nodes, weights = np.polynomial.hermite_e.hermegauss(41)
        total = np.zeros(5)
        for node, weight in zip(nodes, weights / weights.sum(), strict=True):
            games = (self._game(elo + self.spread * node), self._game(elo - self.spread * node))
            total += weight * np.convolve(*games)
        return total

    def _game(self, elo: float) -> NDArray[np.float64]:
        share = share_of_elo(elo)
        drawn = self.draws * 4 * share * (1 - share)
        return np.array([1 - share - drawn / 2, drawn, share - drawn / 2])

    def elo_with_share(self, share: float) -> float:
        """The strength at which the mean pair outcome is this share: deals that decide games hide strength."""
        low, high = -4000.0, 4000.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if self.probabilities(middle) @ OUTCOMES < share else (low, middle)
        return low


OUTCOMES = np.arange(5) / 4
DEALS = (Deals(0, 0), Deals(150, 0), Deals(300, 0.1), Deals(600, 0))


def pair_coverage(generator: np.random.Generator, deals: Deals, elo: float, pairs: int, runs: int) -> float:
    """The share of runs whose interval holds the true win share."""
    probabilities = deals.probabilities(elo)
    truth = float(probabilities @ OUTCOMES)
    counts = generator.multinomial(pairs, probabilities, size=runs)
    totals, squares = counts @ OUTCOMES, counts @ OUTCOMES**2
    held = sum(
        Outcomes(2, pairs, float(t), float(q)).interval().holds(truth) for t, q in zip(totals, squares, strict=True)
    )
    return held / runs


def seats_coverage(
    generator: np.random.Generator, players: int, strength: float, spread: float, units: int, runs: int
) -> tuple[float, float]:
    """The same for one player of this strength (1: equal) against `players` - 1, all rotations; also the true share.

    Seats of a deal have log-normal strengths; a player wins with probability in proportion to seat times strength.
    """
    seats = np.exp(spread * generator.standard_normal((runs, units, players)))
    solo = strength * seats
    chance = solo / (solo + seats.sum(axis=2, keepdims=True) - seats)
    outcomes = (generator.random(chance.shape) < chance).mean(axis=2)
    many = np.exp(spread * generator.standard_normal((400_000, players)))
    truth = float((strength * many / (strength * many + many.sum(axis=1, keepdims=True) - many)).mean())
    totals, squares = outcomes.sum(axis=1), (outcomes**2).sum(axis=1)
    held = sum(
        Outcomes(players, units, float(t), float(q)).interval().holds(truth)
        for t, q in zip(totals, squares, strict=True)
    )
    return held / runs, truth


def accepted_shares(
    generator: np.random.Generator, deals: Deals, bounds: Bounds, elo: float, runs: int
) -> tuple[float, float, float]:
    """Shares of runs that accept H0 and H1 where the true difference is `elo`, and the mean number of pairs."""
    probabilities = deals.probabilities(deals.elo_with_share(share_of_elo(elo)))
    accepted = {Decision.H0: 0, Decision.H1: 0}
    pairs = 0
    for _ in range(runs):
        test = SequentialTest(bounds)
        while test.decision is Decision.OPEN:
            for outcome in generator.choice(OUTCOMES, 64, p=probabilities).tolist():
                if test.add(outcome) is not Decision.OPEN:
                    break
        accepted[test.decision] += 1
        pairs += test.pairs
    return accepted[Decision.H0] / runs, accepted[Decision.H1] / runs, pairs / runs


def main() -> None:
    """Prints all tables as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the runs")
    factor = 10 if parser.parse_args().quick else 1
    generator = np.random.default_rng(SEED)

    runs = 20_000 // factor
    print(f"Coverage of the 95 % interval in %, two seats, {runs} runs a figure\n")
    print("| deals | pairs | " + " | ".join(f"{elo:g} Elo" for elo in ELOS) + " |")
    print("| --- | --: |" + " --: |" * len(ELOS))
    for deals in DEALS:
        for pairs in PAIRS:
            row = [f"{100 * pair_coverage(generator, deals, elo, pairs, runs):.1f}" for elo in ELOS]
            print(f"| {deals.name} | {pairs} | " + " | ".join(row) + " |", flush=True)

    runs = 4_000 // factor
    print(f"\nCoverage in %, one player alone, all rotations, {runs} runs a figure\n")
    print("| seats | true win share in % | " + " | ".join(f"{units} deals" for units in LENGTHS) + " |")
    print("| --: | --: |" + " --: |" * len(LENGTHS))
    for players in PLAYERS:
        for strength in (0.5, 1.0, 4.0):
            found = [seats_coverage(generator, players, strength, 0.7, units, runs) for units in LENGTHS]
            row = [f"{100 * coverage:.1f}" for coverage, _ in found]
            print(f"| {players} | {100 * found[0][1]:.1f} | " + " | ".join(row) + " |", flush=True)

    runs = 4_000 // factor
    print(f"\nSequential test, alpha = beta = 5 %, {runs} runs a figure: errors in % and mean pairs\n")
    print("| H0, H1 in Elo | deals | H1 accepted under H0 | H0 accepted under H1 | pairs under H0 | under H1 |")
    print("| --- | --- | --: | --: | --: | --: |")
    for bounds in BOUNDS:
        for deals in DEALS:
            _, wrong1, pairs0 = accepted_shares(generator, deals, bounds, bounds.elo0, runs)
            wrong0, _, pairs1 = accepted_shares(generator, deals, bounds, bounds.elo1, runs)
            errors = f"{100 * wrong1:.1f} | {100 * wrong0:.1f}"
            print(
                f"| {bounds.elo0:g}, {bounds.elo1:g} | {deals.name} | {errors} | {pairs0:.0f} | {pairs1:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
