"""What the suite is run on: every registered game, and the known games that only the tests have, in all variants.

A variant is a set of rules options that the game accepts. All of them are derived from what the game says of its
options: nothing here names a game.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Protocol, cast

from mangetout_solver.errors import InputError
from mangetout_solver.games import registry
from mangetout_solver.games.game import Game
from mangetout_solver.games.options import BoolOption, ChoiceOption, IntOption, IntsOption, Option
from mangetout_solver.games.position import Position

ROOT = Path(__file__).parents[2]
KNOWN_GAMES = "mangetout_known_games"
COMBINATIONS_TRIED = 1500
COMBINATIONS = 8
# A range of whole numbers up to this long is tried in full, a longer one at so many places.
VALUES = 5


class Twin(Protocol):
    """A position of the plain twin, the class `ReferencePosition` of every game's module `reference`.

    Twins and compiled positions meet in texts only: positions in canonical notation, moves and chance outcomes as the
    game writes them, seats by their letters.
    """

    @staticmethod
    def from_text(text: str) -> Twin: ...

    def text(self) -> str: ...

    @property
    def to_move(self) -> str | None:
        """The letter of the seat to move, "*" at chance events, None at the end."""

    def legal_moves(self) -> set[str]: ...

    def chance_outcomes(self) -> dict[str, float]:
        """Outcomes and their probabilities; empty where no chance event comes next."""

    def play(self, move: str) -> Twin:
        """The position after a legal move or chance outcome."""

    def seen_by(self, seat: str) -> Twin: ...

    def worlds(self) -> list[str]:
        """The texts of all complete positions that fit what this one shows, equally likely."""

    def scores(self) -> tuple[float, ...]: ...

    def win_shares(self) -> tuple[float, ...]: ...


@dataclass(frozen=True)
class Variant:
    """A game with rules options that differ from the default, as (name, value) in the order of the game."""

    game: Game
    options: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        """Such as "default" or "ranks=5", fit for the name of a file."""
        return "+".join(f"{name}={value.replace(',', '_')}" for name, value in self.options) or "default"

    def __str__(self) -> str:
        return f"{self.game.name}-{self.name}"

    def deal(self, seed: int) -> Position:
        return self.game.deal(seed, dict(self.options))

    def twin(self, position: Position) -> Twin:
        """The twin of a position."""
        return twin_class(self.game).from_text(self.game.format_position(position))


@dataclass(frozen=True)
class Refusal:
    """A set of options that the game refuses, and its reason."""

    game: Game
    options: tuple[tuple[str, str], ...]
    error: InputError


def games() -> tuple[Game, ...]:
    """All games under test."""
    found = registry.games()
    # They count as soon as their sources are there: a build that lacks them must not pass.
    if any((ROOT / "tests").rglob(f"{KNOWN_GAMES}*")):
        found += tuple(importlib.import_module(KNOWN_GAMES).GAMES)
    return found


@cache
def twin_class(game: Game) -> type[Twin]:
    """The plain twin of a game."""
    return cast("type[Twin]", importlib.import_module(f"{type(game).__module__}.reference").ReferencePosition)


def spread(low: int, high: int, count: int) -> list[int]:
    """At most `count` whole numbers from `low` to `high`, evenly spaced, both ends among them."""
    if high - low < count:
        return list(range(low, high + 1))
    return sorted({low + round(i * (high - low) / (count - 1)) for i in range(count)})


def values(option: Option[Any], rng: Random) -> list[str]:
    """Texts of values of an option, the default left out: all of them where they are few."""
    match option:
        case IntOption():
            found = [str(value) for value in spread(option.low, option.high, VALUES)]
        case BoolOption():
            found = ["false", "true"]
        case ChoiceOption():
            found = list(option.choices)
        case IntsOption():
            lengths = spread(option.min_length, option.max_length, 4)
            lists = [[rng.randint(option.low, option.high) for _ in range(length)] for length in lengths]
            lists += [[end] * lengths[len(lengths) // 2] for end in (option.low, option.high)]
            found = [",".join(map(str, numbers)) for numbers in lists]
        case _:
            raise TypeError(f"no values known for {option!r}")
    return [value for value in dict.fromkeys(found) if value != option.default]


def _single(game: Game) -> Iterator[dict[str, str]]:
    """The default, then each option alone at each of its values."""
    yield {}
    for option in game.options:
        for value in values(option, Random(option.name)):
            yield {option.name: value}


def _random_value(option: Option[Any], rng: Random) -> str:
    """Any value, the default among them only where it is one of many."""
    if isinstance(option, IntsOption):
        length = rng.randint(option.min_length, option.max_length)
        return ",".join(str(rng.randint(option.low, option.high)) for _ in range(length))
    return rng.choice(values(option, rng))


def _combined(game: Game) -> Iterator[dict[str, str]]:
    """Random values of about half of the options at once."""
    rng = Random(game.name)
    for _ in range(COMBINATIONS_TRIED if len(game.options) > 1 else 0):
        chosen = {option.name: _random_value(option, rng) for option in game.options if rng.random() < 0.5}
        if len(chosen) > 1:
            yield chosen


@cache
def attempts(game: Game) -> tuple[Variant | Refusal, ...]:
    """What came of all options tried, alone and in combination."""
    found: list[Variant | Refusal] = []
    for options in (*_single(game), *_combined(game)):
        given = tuple(options.items())
        try:
            game.deal(0, options)
        except InputError as error:
            found.append(Refusal(game, given, error))
        else:
            found.append(Variant(game, given))
    return tuple(found)


def refusals(game: Game) -> list[Refusal]:
    """All options tried that the game refuses."""
    return [found for found in attempts(game) if isinstance(found, Refusal)]


def accepted(game: Game) -> list[Variant]:
    """All options tried that the game accepts."""
    return [found for found in attempts(game) if isinstance(found, Variant)]


def single_variants(game: Game) -> list[Variant]:
    """The default, and each value of each option alone that the game accepts."""
    return [variant for variant in accepted(game) if len(variant.options) <= 1]


@cache
def variants(game: Game) -> tuple[Variant, ...]:
    """The single variants, and random combinations: those that try most of what no variant before them has tried."""
    chosen = single_variants(game)
    combined = [variant for variant in accepted(game) if variant not in chosen]
    tried = {feature for variant in chosen for feature in features(variant)}
    for _ in range(min(COMBINATIONS, len(combined))):
        best = max(combined, key=lambda variant: len(features(variant) - tried))
        combined.remove(best)
        chosen.append(best)
        tried |= features(best)
    return tuple(chosen)


def covering_variants(game: Game, seed: str) -> list[Variant]:
    """The default, and few variants that together have every value of every option; which ones, the seed decides."""
    default, *others = variants(game)
    Random(seed).shuffle(others)
    chosen = {default}
    missing = {feature for variant in others for feature in features(variant) if feature[0]} - features(default)
    while missing:
        best = max(others, key=lambda variant: len(features(variant) & missing))
        chosen.add(best)
        missing -= features(best)
    return [variant for variant in variants(game) if variant in chosen]


@cache
def features(variant: Variant) -> frozenset[tuple[str, str]]:
    """The values of the options, of lists only their lengths; and the length of the game, which depends on them all."""
    found = {("", str(variant.deal(0).max_steps))}
    for option in variant.game.options:
        value = dict(variant.options).get(option.name, option.default)
        found.add((option.name, str(len(value.split(","))) if isinstance(option, IntsOption) else value))
    return frozenset(found)


GAMES = games()
