"""Splits of few cards, and what they are worth by brute force and linear programs over all openings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random

import numpy as np
from mangetout_solver.exact.stage import Payoff
from mangetout_solver.games.decktet import CARDS
from mangetout_solver.games.pepper_corn.positions import build
from mangetout_solver.games.position import Position
from pepper_corn_brute_force import margin as brute_force
from scipy.optimize import linprog

Piles = tuple[tuple[int, ...], tuple[int, ...]]
Matrix = list[list[float]]
Margin = Callable[[Position], int]


def split_of(tableau: list[list[int]], dealt: list[list[int]], empty_piles: bool = False) -> Position:
    hands = [sorted(hand) for hand in dealt]
    return build(tableau, hands, phase="split", seat=0, hands_known=True, empty_piles=empty_piles)


def piles_of(cards: list[int], empty_piles: bool) -> Iterator[Piles]:
    """The divisions, the pile with the lowest card first."""
    first, *others = sorted(cards)
    for sides in product((0, 1), repeat=len(others)):
        piles: tuple[list[int], list[int]] = ([first], [])
        for card, side in zip(others, sides, strict=True):
            piles[side].append(card)
        if piles[1] or empty_piles:
            yield tuple(piles[0]), tuple(piles[1])


def value_of_matrix(payoffs: Matrix) -> float:
    """Of the columns' program, which is the rows' dual."""
    matrix = np.array(payoffs)
    rows, columns = matrix.shape
    answer = linprog(
        [0.0] * columns + [1.0],
        A_ub=np.hstack([matrix, -np.ones((rows, 1))]),
        b_ub=np.zeros(rows),
        A_eq=[[1.0] * columns + [0.0]],
        b_eq=[1.0],
        bounds=[(0.0, None)] * columns + [(None, None)],
    )
    return float(answer.fun)


def opening_value(tableau: list[list[int]], hands: list[list[int]], payoff: Payoff, margin: Margin) -> float:
    """The hand with fewer points begins, then the one with fewer cards, else either (PC-06)."""
    ranks = [(sum(CARDS[card].points for card in hand), len(hand)) for hand in hands]
    starters = [seat for seat in (0, 1) if ranks[seat] == min(ranks)]
    margins = [margin(build(tableau, [sorted(hand) for hand in hands], seat=seat)) for seat in starters]
    return sum(payoff.of(found) for found in margins) / len(margins)


def value_of_choice(
    tableau: list[list[int]], a: Sequence[Sequence[int]], b: Sequence[Sequence[int]], payoff: Payoff, margin: Margin
) -> float:
    """By the piles of both."""
    return value_of_matrix(choice_game(tableau, a, b, payoff, margin))


def choice_game(
    tableau: list[list[int]], a: Sequence[Sequence[int]], b: Sequence[Sequence[int]], payoff: Payoff, margin: Margin
) -> Matrix:
    """A chooses the row, a pile of B; B the column, a pile of A."""
    return [
        [
            opening_value(tableau, [[*a[1 - given], *b[taken]], [*a[given], *b[1 - taken]]], payoff, margin)
            for given in (0, 1)
        ]
        for taken in (0, 1)
    ]


def brute_force_game(tableau: list[list[int]], dealt: list[list[int]], empty_piles: bool, payoff: Payoff) -> Matrix:
    """Of the game of divisions: every opening solved, every choice by a linear program."""
    return [
        [value_of_choice(tableau, a, b, payoff, brute_force) for b in piles_of(dealt[1], empty_piles)]
        for a in piles_of(dealt[0], empty_piles)
    ]


def small_split(seed: int) -> tuple[list[list[int]], list[list[int]], bool]:
    """A board, hands of three cards, and whether piles may be empty."""
    rng = Random(f"split {seed}")
    cards = rng.sample(range(36), 12)
    rows, columns = rng.choice([(1, 4), (2, 2), (2, 3), (1, 6)])
    tableau = [cards[row * columns :][:columns] for row in range(rows)]
    rest = cards[rows * columns :]
    return tableau, [rest[:3], rest[3:6]], seed % 3 == 0
