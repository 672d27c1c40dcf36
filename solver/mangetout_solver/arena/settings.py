"""Engine settings that compete, as text: `simulations=1000`, `time=0.05,trees=2`, `level=3`, `random`.

Every setting searches on one thread. The kind and amount of its budget are told apart from the rest of it, so that a
report can say whether budgets were equal.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from mangetout_solver.engine import analyze
from mangetout_solver.errors import InputError, UnknownNameError
from mangetout_solver.games.game import Record
from mangetout_solver.levels import MAX_LEVEL, MIN_LEVEL, choose_move, drawn_move, lines_needed
from mangetout_solver.limits import Limits, SearchOptions


class BudgetKind(Enum):
    """What limits a setting's decisions."""

    SIMULATIONS = "simulations"
    TIME = "time"
    LEVEL = "level"
    NONE = "none"


@dataclass(frozen=True)
class Choice:
    """A decision. simulations: those it took, 0 where they are not counted."""

    move: int
    simulations: int = 0


class Player(Protocol):
    """Whoever decides. It is given nothing but its own view of the record."""

    def choose(self, record: Record, seed: int) -> Choice:
        """The move for the seat to move. Same record and seed, same move, unless the budget is time."""


class Setting(Player, Protocol):
    """A player that a text describes."""

    @property
    def text(self) -> str:
        """The canonical text; `parse_setting` reads it back."""

    @property
    def budget(self) -> tuple[BudgetKind, float]:
        """Kind and amount for one decision."""


@dataclass(frozen=True)
class RandomSetting:
    """Uniformly random legal moves: the reference below which nothing should fall."""

    text = "random"
    budget = (BudgetKind.NONE, 0.0)

    def choose(self, record: Record, seed: int) -> Choice:
        return Choice(random.Random(seed).choice(record.current.legal_moves()))


@dataclass(frozen=True)
class LevelSetting:
    """An artificial opponent of `mangetout_solver.levels`."""

    level: int

    @property
    def text(self) -> str:
        return f"level={self.level}"

    @property
    def budget(self) -> tuple[BudgetKind, float]:
        return BudgetKind.LEVEL, self.level

    def choose(self, record: Record, seed: int) -> Choice:
        return Choice(choose_move(record, self.level, seed))


@dataclass(frozen=True)
class SearchSetting:
    """A search with one limit, simulations or time, over that many trees. exact_cards: see SearchOptions."""

    limits: Limits
    trees: int = 1
    exact_cards: int | None = None

    @property
    def text(self) -> str:
        kind, amount = self.budget
        trees = f",trees={self.trees}" if self.trees != 1 else ""
        exact_cards = f",exact_cards={self.exact_cards}" if self.exact_cards is not None else ""
        return f"{kind.value}={amount}{trees}{exact_cards}"

    @property
    def budget(self) -> tuple[BudgetKind, float]:
        if self.limits.time is not None:
            return BudgetKind.TIME, self.limits.time
        assert self.limits.simulations is not None
        return BudgetKind.SIMULATIONS, self.limits.simulations

    def choose(self, record: Record, seed: int) -> Choice:
        options = SearchOptions(seed=seed, trees=self.trees, exact_cards=self.exact_cards, lines=lines_needed(record))
        analysis = analyze(record, limits=self.limits, options=options)
        move = record.game.parse_move(record.current, drawn_move(analysis, seed))
        return Choice(move, analysis.counters.simulations)


def parse_setting(text: str, field: str = "setting") -> Setting:
    """Reads a setting. Raises InputError or UnknownNameError under `field` or ``<field>.<name>``."""
    if text == "random":
        return RandomSetting()
    values: dict[str, str] = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        if not equals:
            raise InputError(field, f"found {part[:40]!r}, expected random or name=value such as simulations=1000")
        if name not in _READERS:
            raise UnknownNameError(f"{field}.{name[:40]}", name[:40], sorted([*_READERS, "random"]))
        if name in values:
            raise InputError(f"{field}.{name}", "found twice, expected once")
        values[name] = value
    budgets = [name for name in values if name in _BUDGETS]
    if len(budgets) != 1:
        found = " and ".join(budgets) or "none"
        raise InputError(field, f"found {found}, expected one of {', '.join(_BUDGETS)}")
    numbers = {name: _READERS[name](f"{field}.{name}", value) for name, value in values.items()}
    if "level" in numbers:
        if len(numbers) > 1:
            raise InputError(field, "found more than a level, expected a level to stand alone")
        level = int(numbers["level"])
        if not MIN_LEVEL <= level <= MAX_LEVEL:
            raise InputError(f"{field}.level", f"found {level}, expected {MIN_LEVEL} to {MAX_LEVEL}")
        return LevelSetting(level)
    trees = int(numbers.get("trees", 1))
    exact_cards = int(numbers["exact_cards"]) if "exact_cards" in numbers else None
    try:
        SearchOptions(trees=trees, exact_cards=exact_cards)
        if "time" in numbers:
            return SearchSetting(Limits(time=numbers["time"]), trees, exact_cards)
        return SearchSetting(Limits(simulations=int(numbers["simulations"])), trees, exact_cards)
    except InputError as error:
        # The limits know their own names; the caller knows those of the settings.
        raise InputError(f"{field}.{error.field.rpartition('.')[2]}", error.reason) from None


EQUAL_TIME = f"equal {BudgetKind.TIME.value}"


def budget_text(settings: Sequence[Setting]) -> str:
    """What was equal: `equal simulations`, `equal time`, else the kinds of budget. Random players have none."""
    budgets = {setting.budget for setting in settings if setting.budget[0] is not BudgetKind.NONE}
    kinds = sorted({kind.value for kind, _ in budgets})
    if not kinds:
        return "no search"
    searching = sum(setting.budget[0] is not BudgetKind.NONE for setting in settings)
    return ("equal " if len(budgets) == 1 and searching > 1 else "") + " against ".join(kinds)


def is_timed(settings: Sequence[Setting]) -> bool:
    """Whether the clock decides about any move, so that results differ from run to run."""
    return any(setting.budget[0] is BudgetKind.TIME for setting in settings)


def _whole(field: str, text: str) -> float:
    if not (text.isascii() and text.isdigit() and len(text) <= 13):
        raise InputError(field, f"found {text[:20]!r}, expected a whole number")
    return int(text)


def _seconds(field: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(field, f"found {text[:20]!r}, expected a number of seconds") from None


_BUDGETS = ("simulations", "time", "level")
_READERS: dict[str, Callable[[str, str], float]] = {
    "simulations": _whole,
    "time": _seconds,
    "level": _whole,
    "trees": _whole,
    "exact_cards": _whole,
}
