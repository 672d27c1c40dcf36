"""Positions of every registered game for the pytest-benchmark suites; a new game appears by itself."""

from __future__ import annotations

from itertools import islice

import pytest
from mangetout_solver.bench import positions
from mangetout_solver.games.registry import games

# A fresh deal, and the same after some moves.
each_case = pytest.mark.parametrize(
    ("game", "position"),
    [pytest.param(game, position, id=name) for game in games() for name, position in islice(positions(game), 2)],
)
