"""One unit of a tournament: a deal played once for each seat that the player who stands alone can take."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from mangetout_solver.arena.seeds import search_seed
from mangetout_solver.arena.settings import Player
from mangetout_solver.games.game import Record


@dataclass(frozen=True)
class Usage:
    """What a side's decisions took. simulations: 0 where they are not counted; seconds: of processor time."""

    moves: int = 0
    simulations: int = 0
    seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.moves + other.moves, self.simulations + other.simulations, self.seconds + other.seconds)


def play_rotations(
    start: Record, deal_seed: int, solo: Player, others: Player
) -> tuple[tuple[float, ...], tuple[Usage, Usage]]:
    """Plays the deal once for each seat: in game r `solo` sits at seat r and copies of `others` at all other seats.

    With two seats these are the two games of a pair. Returns the win share of `solo` in each game, and the usage of
    `solo` and of each side `others`.

    All games advance together, one step of each in turn, so that whatever slows the machine down meets both sides
    alike. Chance events in play follow from the deal's seed and their index in the game alone (`Record.draw_chance`).
    """
    tables = [
        _Table(start, deal_seed, rotation, [solo if seat == rotation else others for seat in range(players)])
        for players in (start.current.players,)
        for rotation in range(players)
    ]
    while running := [table for table in tables if not table.record.current.is_terminal]:
        for table in running:
            table.step()
    shares = tuple(table.record.current.win_shares()[table.rotation] for table in tables)
    return shares, (sum((t.solo for t in tables), Usage()), sum((t.others for t in tables), Usage()))


class _Table:
    """A game under way."""

    def __init__(self, start: Record, deal_seed: int, rotation: int, players: Sequence[Player]) -> None:
        self.record = start
        self.rotation = rotation
        self.solo = self.others = Usage()
        self._deal_seed = deal_seed
        self._players = players

    def step(self) -> None:
        """Plays the next decision, or the chance events that come first."""
        record = self.record
        seat = record.current.seat_to_move
        if seat is None:
            self.record = record.draw_chance(self._deal_seed)
        else:
            move = self._decision(seat)
            self.record = Record(record.game, (*record.positions, record.current.play(move)), (*record.moves, move))

    def _decision(self, seat: int) -> int:
        seed = search_seed(self._deal_seed, self.rotation, seat, len(self.record.moves))
        seen = self.record.redacted(seat)
        started = time.process_time()
        choice = self._players[seat].choose(seen, seed)
        usage = Usage(1, choice.simulations, time.process_time() - started)
        if seat == self.rotation:
            self.solo += usage
        else:
            self.others += usage
        return choice.move
