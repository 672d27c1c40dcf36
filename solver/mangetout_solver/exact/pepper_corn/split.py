"""The split of Pepper. Corn! with both deals open: an equilibrium of dividing and choosing, play being exact.

Both players divide their cards unseen, then both choose one of the other's piles unseen (PC-01, PC-04). After the
divisions are shown the choice is a game of two by two of its own, whose value is a cell of the game of divisions;
behind each choice lies an opening that `PlaySolver` answers questions about. Openings are only known to lie between
bounds, so cells and the value do as well: the least that A's mixture is sure of and the most that B's allows. Questions
are asked where they can move one of these ends, in the manner of a double oracle (McMahan, Gordon and Blum 2003): of
the openings that A's mixture meets against the division that hurts it most, and of those of A's best reply to B's
mixture.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from mangetout_solver.exact.pepper_corn.solver import PlaySolver
from mangetout_solver.games.decktet import CARD_NUMBERS, CARDS
from mangetout_solver.games.pepper_corn.positions import GAP_CELL, GameView, build, view
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control

# What an opening is taken to be worth until it is known better; tempo counts for the seat that begins.
_TEMPO = 3.6
_SLOPE = 1.5
# Nodes of the first try of a question, and how many times as much the next one gets.
_FIRST_TRY = 20_000
_NEXT_TRY = 8
# About one cell, before mixtures are looked for again.
_QUESTIONS = 8
# Ends of the value that differ by no more are equal.
_TOLERANCE = 1e-9

Matrix = NDArray[np.float64]


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
class Division:
    """A mixture's part: the pile with the lowest card, the other pile, and how often it is chosen."""

    piles: tuple[tuple[str, ...], tuple[str, ...]]
    probability: float


@dataclass(frozen=True)
class SplitSolution:
    """low, high: what A's mixture is sure of and what B's mixture allows, to A, in the unit of the payoff; equal where
    the value is proven. mixtures: of A and of B, divisions that are chosen at all, most frequent first. solved:
    openings of which all that matters is known; asked: those that a question was asked about."""

    low: float
    high: float
    mixtures: tuple[tuple[Division, ...], tuple[Division, ...]]
    solved: int
    asked: int


class _Opening:
    """One way the hands may be made up. Where a lot decides who begins, both ways count half (PC-06)."""

    def __init__(self, starts: Sequence[Position], bounds: list[tuple[int, int]], guess: float) -> None:
        self.starts = starts
        self.bounds = bounds  # of A's margin from each
        self.guess = guess
        self.tries = 0

    def low(self, payoff: Payoff) -> float:
        return sum(payoff.of(low) for low, _ in self.bounds) / len(self.bounds)

    def high(self, payoff: Payoff) -> float:
        return sum(payoff.of(high) for _, high in self.bounds) / len(self.bounds)

    def estimate(self, payoff: Payoff) -> float:
        low, high = self.low(payoff), self.high(payoff)
        if payoff is Payoff.MARGIN:
            return min(high, max(low, self.guess))
        return min(high, max(low, 0.5 + self.guess / 40.0))

    def open_questions(self, payoff: Payoff) -> Iterable[tuple[int, int]]:
        """Number of a start and the margin to ask about, for those starts that are not decided."""
        for number, (low, high) in enumerate(self.bounds):
            if payoff.of(low) == payoff.of(high):
                continue
            first = [margin for margin in (1, 0) if low < margin <= high]
            yield number, first[0] if first else (low + high + 1) // 2


class Split:
    """A split being solved."""

    def __init__(self, position: Position, solver: PlaySolver, payoff: Payoff) -> None:
        """position: at the beginning of the split, all dealt cards known."""
        self._view = view(position)
        self._solver = solver
        self._payoff = payoff
        self._dealt = [tuple(CARD_NUMBERS[card] for card in hand.cards) for hand in self._view.hands]
        self._divisions = [_divisions(cards, self._view.empty_piles) for cards in self._dealt]
        self._openings: dict[tuple[int, int], _Opening] = {}
        rows, columns = (len(divisions) for divisions in self._divisions)
        # Of each cell the least, what it is taken to be worth, and the most.
        self._low, self._estimate, self._high = (np.zeros((rows, columns)) for _ in range(3))
        for row in range(rows):
            for column in range(columns):
                self._update(row, column)

    def run(self, control: Control, max_nodes: int | None = None) -> None:
        """Asks until the value is proven, `control` says stop or `max_nodes` are searched."""
        last = None if max_nodes is None else self._solver.nodes + max_nodes
        while True:
            x, _ = _row_mixture(self._estimate)
            y, _ = _column_mixture(self._estimate)
            worst = int(np.argmin(x @ self._low))
            best = int(np.argmax(self._high @ y))
            # Where what each mixture of the estimate is sure of meets, they are an equilibrium.
            if float(self._high[best] @ y) - float(x @ self._low[:, worst]) <= _TOLERANCE:
                return
            cells = [(int(row), worst) for row in np.flatnonzero(x > _TOLERANCE)]
            cells += [(best, int(column)) for column in np.flatnonzero(y > _TOLERANCE)]
            for row, column in cells:
                for _ in range(_QUESTIONS):
                    learnt = self._narrow(row, column, control, last)
                    if control.stop_reason is not None or (last is not None and self._solver.nodes >= last):
                        return
                    if not learnt or self._low[row, column] == self._high[row, column]:
                        break

    def solution(self) -> SplitSolution:
        """What is proven so far."""
        x, least = _row_mixture(self._low)
        y, most = _column_mixture(self._high)
        openings = self._openings.values()
        return SplitSolution(
            least,
            most,
            (self._mixture(0, x), self._mixture(1, y)),
            sum(opening.low(self._payoff) == opening.high(self._payoff) for opening in openings),
            sum(opening.tries > 0 for opening in openings),
        )

    # -- cells

    def _update(self, row: int, column: int) -> None:
        four = [self._opening(a, b) for a, b in self._ways(row, column)]
        self._low[row, column] = _two_by_two([opening.low(self._payoff) for opening in four])
        self._estimate[row, column] = _two_by_two([opening.estimate(self._payoff) for opening in four])
        self._high[row, column] = _two_by_two([opening.high(self._payoff) for opening in four])

    def _ways(self, row: int, column: int) -> list[tuple[int, int]]:
        """The cards of A's deal and of B's deal that A holds: A chooses a pile of B's, the row; B one of A's."""
        a, b = self._divisions[0][row], self._divisions[1][column]
        whole_a, whole_b = (1 << len(self._dealt[0])) - 1, (1 << len(self._dealt[1])) - 1
        return [(kept, taken) for taken in (b, whole_b ^ b) for kept in (a, whole_a ^ a)]

    def _opening(self, kept: int, taken: int) -> _Opening:
        key = (kept, taken)
        if key not in self._openings:
            self._openings[key] = self._make_opening(kept, taken)
        return self._openings[key]

    def _make_opening(self, kept: int, taken: int) -> _Opening:
        hands: tuple[list[int], list[int]] = ([], [])
        for cards, held in zip(self._dealt, (kept, taken), strict=True):
            for place, card in enumerate(cards):
                hands[0 if held >> place & 1 else 1].append(card)
        points = [sum(CARDS[card].points for card in hand) for hand in hands]
        ranked = [(points[seat], len(hands[seat])) for seat in range(2)]
        starters = [0, 1] if ranked[0] == ranked[1] else [ranked.index(min(ranked))]
        guess = sum(_SLOPE * (points[0] - points[1]) + (_TEMPO if seat == 0 else -_TEMPO) for seat in starters)
        starts = [_start(self._view, hands, seat) for seat in starters]
        bounds = []
        for start in starts:
            gains = self._solver.most_gains(start)
            bounds.append((points[0] - points[1] - gains[1], points[0] - points[1] + gains[0]))
        return _Opening(starts, bounds, guess / len(starters))

    def _narrow(self, row: int, column: int, control: Control, last: int | None) -> bool:
        """Asks about one opening of a cell, the one that decides most; whether something was learnt."""
        four = [self._opening(a, b) for a, b in self._ways(row, column)]
        weights = _weights([opening.estimate(self._payoff) for opening in four])
        for place in sorted(range(4), key=lambda i: (four[i].tries, -weights[i])):
            opening = four[place]
            for start, margin in opening.open_questions(self._payoff):
                nodes = _FIRST_TRY * _NEXT_TRY**opening.tries
                if last is not None:
                    nodes = min(nodes, last - self._solver.nodes)
                if nodes <= 0:
                    return False
                answer = self._solver.at_least(opening.starts[start], margin, control, nodes)
                low, high = opening.bounds[start]
                if answer is None:
                    opening.tries += 1
                    return False
                opening.tries = max(opening.tries, 1)
                opening.bounds[start] = (margin, high) if answer else (low, margin - 1)
                self._update(row, column)
                return True
        return False

    def _mixture(self, seat: int, probabilities: Matrix) -> tuple[Division, ...]:
        cards = [CARDS[card].id for card in self._dealt[seat]]
        found = []
        for division, probability in zip(self._divisions[seat], probabilities, strict=True):
            if probability > _TOLERANCE:
                piles = tuple(
                    tuple(card for place, card in enumerate(cards) if (division >> place & 1) == side)
                    for side in (1, 0)
                )
                found.append(Division((piles[0], piles[1]), float(probability)))
        return tuple(sorted(found, key=lambda part: -part.probability))


def _divisions(cards: Sequence[int], empty_piles: bool) -> list[int]:
    """The piles with the lowest card, as sets of places among the dealt cards (PC-03)."""
    whole = (1 << len(cards)) - 1
    return [pile for pile in range(1, whole + 1, 2) if empty_piles or pile != whole]


def _start(game: GameView, hands: Sequence[Sequence[int]], seat: int) -> Position:
    tableau = [[GAP_CELL if card is None else CARD_NUMBERS[card] for card in row] for row in game.tableau]
    return build(
        tableau,
        [sorted(hand) for hand in hands],
        seat=seat,
        restricted=game.access == "restricted",
        extended=game.deck == "extended",
        matching=game.conversion == "matching",
        excuse=game.excuse,
    )


# -- matrix games, the rows A's


def _two_by_two(payoffs: Sequence[float]) -> float:
    """Value of the game [[a, b], [c, d]]."""
    a, b, c, d = payoffs
    least = max(min(a, b), min(c, d))
    most = min(max(a, c), max(b, d))
    return least if least == most else (a * d - b * c) / (a + d - b - c)


def _weights(payoffs: Sequence[float]) -> list[float]:
    """How often each outcome of a game of two by two comes about in equilibrium."""
    a, b, c, d = payoffs
    if max(min(a, b), min(c, d)) == min(max(a, c), max(b, d)):
        row = 0 if min(a, b) >= min(c, d) else 1
        column = 0 if max(a, c) <= max(b, d) else 1
        return [float(place == 2 * row + column) for place in range(4)]
    x, y = (d - c) / (a + d - b - c), (d - b) / (a + d - b - c)
    return [x * y, x * (1 - y), (1 - x) * y, (1 - x) * (1 - y)]


def _row_mixture(payoffs: Matrix) -> tuple[Matrix, float]:
    """A mixture of the rows that gets the most at least, and what it is sure of."""
    rows, columns = payoffs.shape
    answer = linprog(
        [0.0] * rows + [-1.0],
        A_ub=np.hstack([-payoffs.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0.0, 1.0)] * rows + [(None, None)],
        method="highs",
    )
    if answer.x is None:
        raise RuntimeError(f"the linear program of a split was not solved: {answer.message}")
    mixture = np.clip(answer.x[:rows], 0.0, 1.0)
    mixture /= mixture.sum()
    return mixture, float((mixture @ payoffs).min())


def _column_mixture(payoffs: Matrix) -> tuple[Matrix, float]:
    """A mixture of the columns that allows the least at most, and what it allows."""
    mixture, sure = _row_mixture(-payoffs.T)
    return mixture, -sure
