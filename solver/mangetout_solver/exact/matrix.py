"""Games in which two players choose a row and a column of a matrix unseen: what the rows get of the columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

Matrix = NDArray[np.float64]


def two_by_two(payoffs: Sequence[float]) -> float:
    """Value of the game [[a, b], [c, d]]."""
    a, b, c, d = payoffs
    least = max(min(a, b), min(c, d))
    most = min(max(a, c), max(b, d))
    return least if least == most else (a * d - b * c) / (a + d - b - c)


def weights(payoffs: Sequence[float]) -> list[float]:
    """How often each outcome of a game of two by two comes about in equilibrium."""
    a, b, c, d = payoffs
    if max(min(a, b), min(c, d)) == min(max(a, c), max(b, d)):
        row = 0 if min(a, b) >= min(c, d) else 1
        column = 0 if max(a, c) <= max(b, d) else 1
        return [float(place == 2 * row + column) for place in range(4)]
    x, y = (d - c) / (a + d - b - c), (d - b) / (a + d - b - c)
    return [x * y, x * (1 - y), (1 - x) * y, (1 - x) * (1 - y)]


def equilibrium(payoffs: Matrix) -> tuple[Matrix, Matrix]:
    """A mixture of the rows that gets the most at least, and one of the columns that allows the least at most: the
    solution of one linear program and of its dual."""
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
        raise RuntimeError(f"the linear program of a matrix game was not solved: {answer.message}")
    return _mixture(answer.x[:rows]), _mixture(-answer.ineqlin.marginals)


def _mixture(chances: Matrix) -> Matrix:
    """Chances that add up to one, whatever the tolerance of the solver left of that."""
    positive: Matrix = np.clip(chances, 0.0, 1.0)
    positive /= positive.sum()
    return positive
