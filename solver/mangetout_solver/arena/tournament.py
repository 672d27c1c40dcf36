"""What is played: settings, deals and the contests between settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from mangetout_solver.arena.duplicate import Usage, play_rotations
from mangetout_solver.arena.settings import Setting, budget_text
from mangetout_solver.arena.statistics import Bounds, SequentialTest
from mangetout_solver.errors import InputError
from mangetout_solver.games.game import Game, Record
from mangetout_solver.limits import MAX_SEED

MAX_PAIRS = 1_000_000
MAX_SETTINGS = 16

# Changes with everything that changes results: the texts behind seeds, the order of moves, the units.
_PROTOCOL = 1


@dataclass(frozen=True)
class Contest:
    """Two settings by index: one alone against copies of the other at all other seats."""

    solo: int
    others: int


@dataclass(frozen=True)
class Unit:
    """A deal played with all rotations: a pair for two seats. The smallest thing that is recorded.

    contest, deal: indices, from 0. shares: win share of the setting that stands alone, by its seat.
    usage: of the setting alone and of the others.
    """

    contest: int
    deal: int
    shares: tuple[float, ...]
    usage: tuple[Usage, Usage]

    @property
    def outcome(self) -> float:
        """The mean win share of the setting that stands alone."""
        return sum(self.shares) / len(self.shares)


@dataclass(frozen=True)
class Tournament:
    """Every two settings meet over the same deals: those of the seeds `seed` to `seed + pairs - 1`.

    With two seats every two settings make one contest, with more seats two: either stands alone once.
    bounds: a sequential test that may end the tournament of two settings and two seats before all pairs are played.
    Raises InputError (``settings``, ``pairs``, ``seed``, ``sprt``, ``options.<name>``).
    """

    game: Game
    options: Mapping[str, str]
    settings: tuple[Setting, ...]
    seed: int
    pairs: int
    bounds: Bounds | None = None

    def __post_init__(self) -> None:
        if not 2 <= len(self.settings) <= MAX_SETTINGS:
            raise InputError("settings", f"found {len(self.settings)}, expected 2 to {MAX_SETTINGS}")
        if not 1 <= self.pairs <= MAX_PAIRS:
            raise InputError("pairs", f"found {self.pairs}, expected 1 to {MAX_PAIRS}")
        if not 0 <= self.seed <= MAX_SEED - self.pairs + 1:
            raise InputError("seed", f"found {self.seed}, expected 0 to {MAX_SEED - self.pairs + 1}")
        contests = len(self.contests)
        if self.bounds is not None and contests != 1:
            raise InputError("sprt", f"found {contests} contests, expected two settings and a game for two")

    @cached_property
    def players(self) -> int:
        """Number of seats."""
        return self.game.deal(self.seed, self.options).players

    @cached_property
    def contests(self) -> tuple[Contest, ...]:
        """All contests, in the order in which they are played on each deal."""
        seats = range(len(self.settings))
        return tuple(Contest(a, b) for a in seats for b in seats if a < b or (a > b and self.players > 2))

    def sequential_test(self) -> SequentialTest | None:
        """The test of this tournament, before its first pair."""
        return None if self.bounds is None else SequentialTest(self.bounds)

    def play(self, contest: int, deal: int) -> Unit:
        """Plays one unit. Under budgets other than time its outcome depends on the arguments alone."""
        seed = self.seed + deal
        start = Record(self.game, (self.game.deal(seed, self.options),), ())
        sides = self.contests[contest]
        shares, usage = play_rotations(start, seed, self.settings[sides.solo], self.settings[sides.others])
        return Unit(contest, deal, shares, usage)

    def header(self) -> dict[str, object]:
        """All that the results depend on, as JSON values."""
        bounds = self.bounds
        return {
            "protocol": _PROTOCOL,
            "game": self.game.name,
            "options": dict(sorted(self.options.items())),
            "players": self.players,
            "settings": [setting.text for setting in self.settings],
            "budget": budget_text(self.settings),
            "seed": self.seed,
            "pairs": self.pairs,
            "sprt": None
            if bounds is None
            else {"elo0": bounds.elo0, "elo1": bounds.elo1, "alpha": bounds.alpha, "beta": bounds.beta},
        }
