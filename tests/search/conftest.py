"""Records of toys, and makes the helpers of this folder importable."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from mangetout_solver.games.game import Record
from mangetout_solver.games.position import Position

sys.path.insert(0, str(Path(__file__).parent))

from toy_game import Toy


@pytest.fixture
def toy_record() -> Callable[[Position], Record]:
    """A record that starts and ends at a position of a toy."""
    return lambda position: Record(Toy(), (position,), ())
