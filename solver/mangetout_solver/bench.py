"""The fixed benchmark: same positions, seeds and simulation limits each time, one thread, cold.

Its signature is one number made of every root move's visits. A change that does not touch search, rules or random
numbers leaves it as it is; one that does says the new number in its commit.
"""

from __future__ import annotations

import random
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mangetout_solver.games.game import Game
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import games
from mangetout_solver.search.control import Control
from mangetout_solver.search.mcts import RootMove, TreeSearch

SEEDS = (1, 2)
PLIES = (0, 4, 8, 12)
SIMULATIONS = 20_000


@dataclass(frozen=True)
class BenchRow:
    """One position. nodes: moves made in simulations; seconds: search alone."""

    name: str
    simulations: int
    nodes: int
    seconds: float


@dataclass(frozen=True)
class BenchResult:
    """All positions. signature: a number of up to ten digits."""

    rows: tuple[BenchRow, ...]
    signature: str

    @property
    def simulations(self) -> int:
        """Simulations over all rows."""
        return sum(row.simulations for row in self.rows)

    @property
    def seconds(self) -> float:
        """Search time over all rows."""
        return sum(row.seconds for row in self.rows)

    @property
    def rate(self) -> float:
        """Simulations per second over all rows."""
        return self.simulations / self.seconds


def positions(game: Game) -> Iterator[tuple[str, Position]]:
    """The game's positions: deals by seed, after some random moves as long as it lasts; chance events are drawn."""
    for seed in SEEDS:
        chooser = random.Random(seed)
        position = game.deal(seed, {})
        for ply in range(max(PLIES) + 1):
            while position.is_chance:
                outcomes, weights = zip(*position.chance_outcomes(), strict=True)
                position = position.play(chooser.choices(outcomes, weights)[0])
            if position.is_terminal:
                break
            if ply in PLIES:
                yield f"{game.name}, deal {seed}, after {ply} moves", position
            position = position.play(chooser.choice(position.legal_moves()))


def run(progress: Callable[[str], None] | None = None) -> BenchResult:
    """Searches every position of every game as its mover sees it, and with open cards."""
    rows, checksum = [], 0
    for game in games():
        for name, position in positions(game):
            mover = position.seat_to_move
            for observer in (mover, None):
                row_name = name if observer is not None else name + ", open cards"
                if progress is not None:
                    progress(row_name)
                root = position if observer is None else position.redacted(observer)
                row, moves = _search(row_name, game, root, observer)
                rows.append(row)
                checksum = zlib.crc32(_digest(moves), checksum)
    return BenchResult(tuple(rows), str(checksum))


def _search(name: str, game: Game, root: Position, observer: int | None) -> tuple[BenchRow, list[RootMove]]:
    stage = game.stage_start(root) if root.is_secret else None
    tree = TreeSearch(root, observer=observer, seed=1, stage=stage)
    started = time.perf_counter()
    tree.run(Control(), SIMULATIONS)
    seconds = time.perf_counter() - started
    return BenchRow(name, tree.simulations, tree.nodes, seconds), tree.root_moves()


def _digest(moves: list[RootMove]) -> bytes:
    return ",".join(f"{move.move}:{move.visits}" for move in moves).encode()
