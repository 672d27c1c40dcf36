"""Toys that are dealt, and tournaments small enough to play in a moment."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from mangetout_solver.arena.settings import parse_setting
from mangetout_solver.arena.statistics import Bounds
from mangetout_solver.arena.tournament import Tournament
from mangetout_solver.games.game import Game
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game

sys.path.insert(0, str(Path(__file__).parent.parent / "search"))

from toy_game import Toy


class DealtToy(Toy):
    """A toy whose deals come from a function of the seed."""

    def __init__(self, dealt: Callable[[int], Position]) -> None:
        self._dealt = dealt

    def deal(self, seed: int, options: Mapping[str, str]) -> Position:
        return self._dealt(seed)


@pytest.fixture
def toy_game() -> Callable[[Callable[[int], Position]], Game]:
    """A game that deals toys."""
    return DealtToy


@pytest.fixture
def small() -> Callable[..., Tournament]:
    """A tournament of PEAS with three pods, some tens of milliseconds a pair."""

    def make(
        *settings: str,
        pairs: int = 6,
        seed: int = 1,
        bounds: Bounds | None = None,
        pods: str = "1,2,-3",
    ) -> Tournament:
        parsed = tuple(parse_setting(text) for text in settings or ("simulations=30", "random"))
        return Tournament(game("peas"), {"pods": pods}, parsed, seed, pairs, bounds)

    return make
