"""The split with both deals open: values known from elsewhere, and those of small splits by brute force."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from mangetout_solver.exact.pepper_corn.solver import PlaySolver
from mangetout_solver.exact.pepper_corn.split import Payoff, Split, SplitSolution
from mangetout_solver.games.decktet import CARD_NUMBERS, CARDS
from mangetout_solver.games.pepper_corn.positions import build
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control
from pepper_corn_brute_force import margin as brute_force
from scipy.optimize import linprog

from tests.exact.asking import margin_of

MEMORY = 1 << 24
KNOWN = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data/pepper_corn_splits.jsonl").read_text("utf-8").splitlines()
]
Piles = tuple[tuple[int, ...], tuple[int, ...]]
Margin = Callable[[Position], int]


def split_of(tableau: list[list[int]], dealt: list[list[int]], empty_piles: bool = False) -> Position:
    hands = [sorted(hand) for hand in dealt]
    return build(tableau, hands, phase="split", seat=0, hands_known=True, empty_piles=empty_piles)


def solve(position: Position, payoff: Payoff, max_nodes: int | None = None) -> tuple[Split, SplitSolution]:
    split = Split(position, PlaySolver(MEMORY), payoff)
    split.run(Control(), max_nodes)
    return split, split.solution()


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known["id"])
def test_known_values(known: dict[str, object]) -> None:
    numbers = CARD_NUMBERS
    tableau = [[numbers[card] for card in row] for row in known["tableau"]]  # type: ignore[attr-defined]
    dealt = [[numbers[card] for card in known["dealt"][seat]] for seat in "AB"]  # type: ignore[index]
    _, solution = solve(split_of(tableau, dealt), Payoff.MARGIN)
    assert solution.low == pytest.approx(known["value"], abs=1e-6)
    assert solution.high == pytest.approx(known["value"], abs=1e-6)
    # Lazily: most openings need not be known.
    assert solution.solved < 3844 / 4


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known["id"])
def test_known_values_of_cells(known: dict[str, Any]) -> None:
    tableau = [[CARD_NUMBERS[card] for card in row] for row in known["tableau"]]
    dealt = {seat: [CARD_NUMBERS[card] for card in known["dealt"][seat]] for seat in "AB"}
    for cell in known["cells"]:
        piles = []
        for seat in "AB":
            pile = [CARD_NUMBERS[card] for card in cell[f"pile_{seat}"]]
            piles.append((pile, [card for card in dealt[seat] if card not in pile]))
        found = value_of_choice(
            tableau, piles[0], piles[1], Payoff.MARGIN, lambda p: margin_of(PlaySolver(MEMORY), p, 200)
        )
        assert found == pytest.approx(cell["value"], abs=1e-6)


def piles_of(cards: list[int], empty_piles: bool) -> Iterator[Piles]:
    """The divisions, the pile with the lowest card first."""
    first, *others = sorted(cards)
    for sides in product((0, 1), repeat=len(others)):
        piles: tuple[list[int], list[int]] = ([first], [])
        for card, side in zip(others, sides, strict=True):
            piles[side].append(card)
        if piles[1] or empty_piles:
            yield tuple(piles[0]), tuple(piles[1])


def value_of_matrix(payoffs: list[list[float]]) -> float:
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
    """By the piles of both. A chooses the row, a pile of B; B the column, a pile of A."""
    return value_of_matrix(
        [
            [
                opening_value(tableau, [[*a[1 - given], *b[taken]], [*a[given], *b[1 - taken]]], payoff, margin)
                for given in (0, 1)
            ]
            for taken in (0, 1)
        ]
    )


def brute_force_value(tableau: list[list[int]], dealt: list[list[int]], empty_piles: bool, payoff: Payoff) -> float:
    """Every opening solved, every choice and the whole game of divisions by linear programs."""
    return value_of_matrix(
        [
            [value_of_choice(tableau, a, b, payoff, brute_force) for b in piles_of(dealt[1], empty_piles)]
            for a in piles_of(dealt[0], empty_piles)
        ]
    )


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("payoff", Payoff)
def test_small_splits(seed: int, payoff: Payoff) -> None:
    rng = Random(f"split {seed}")
    cards = rng.sample(range(36), 12)
    rows, columns = rng.choice([(1, 4), (2, 2), (2, 3), (1, 6)])
    tableau = [cards[row * columns :][:columns] for row in range(rows)]
    rest = cards[rows * columns :]
    dealt = [rest[:3], rest[3:6]]
    empty_piles = seed % 3 == 0
    expected = brute_force_value(tableau, dealt, empty_piles, payoff)
    _, solution = solve(split_of(tableau, dealt, empty_piles), payoff)
    assert solution.low == pytest.approx(expected)
    assert solution.high == pytest.approx(expected)
    for mixture in solution.mixtures:
        assert sum(part.probability for part in mixture) == pytest.approx(1.0)


def test_a_lot_counts_half() -> None:
    # Hands of equal points and numbers of cards come about where all cards dealt are of one rank.
    numbers = [CARD_NUMBERS[card] for card in ("9MS", "9WY", "XM", "XS", "XW", "XL", "2MK", "3MW")]
    tableau, dealt = [numbers[6:], numbers[:2]], [numbers[2:4], numbers[4:6]]
    expected = brute_force_value(tableau, dealt, False, Payoff.SHARE)
    _, solution = solve(split_of(tableau, dealt), Payoff.SHARE)
    assert solution.low == pytest.approx(expected)
    assert solution.high == pytest.approx(expected)


def test_what_is_proven_when_nodes_run_out() -> None:
    known = KNOWN[-1]
    tableau = [[CARD_NUMBERS[card] for card in row] for row in known["tableau"]]
    dealt = [[CARD_NUMBERS[card] for card in known["dealt"][seat]] for seat in "AB"]
    position = split_of(tableau, dealt)
    split = Split(position, PlaySolver(MEMORY), Payoff.MARGIN)
    before = split.solution()
    assert before.low < known["value"] < before.high
    for _ in range(3):
        split.run(Control(), 20_000)
        after = split.solution()
        assert before.low <= after.low <= known["value"] <= after.high <= before.high
        before = after
    split.run(Control())
    assert split.solution().low == pytest.approx(known["value"])
