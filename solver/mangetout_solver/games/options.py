"""Rules options: what a game offers, how their values are read, and their notation.

In notation they stand as `{name=value,...}` behind the game's name, only where they differ from the default, and lists
have `/` between their values.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from mangetout_solver.errors import InputError, NotationError, PositionError, UnknownNameError

Value = TypeVar("Value")


@dataclass(frozen=True)
class Option(ABC, Generic[Value]):
    """A rules option. type: name of its kind; default: the text of a value; description: one sentence."""

    name: str
    default: str
    description: str
    type: ClassVar[str]

    @property
    @abstractmethod
    def range(self) -> str:
        """The values allowed, for people."""

    @abstractmethod
    def read(self, text: str) -> Value:
        """The value with this text. Raises InputError (``options.<name>``) for any other text."""

    def of(self, options: Mapping[str, str]) -> Value:
        """The value given among `options`, or the default. Raises InputError (``options.<name>``)."""
        return self.read(options.get(self.name, self.default))

    def refusal(self, found: str) -> InputError:
        """The error for something that this option does not allow."""
        return InputError(f"options.{self.name}", f"found {found}, expected {self.range}")


@dataclass(frozen=True)
class IntOption(Option[int]):
    """A whole number from `low` to `high`."""

    low: int
    high: int
    type = "int"

    @property
    def range(self) -> str:
        return f"{self.low} to {self.high}"

    def read(self, text: str) -> int:
        value = whole_number(self.name, text)
        if not self.low <= value <= self.high:
            raise self.refusal(str(value))
        return value


@dataclass(frozen=True)
class ChoiceOption(Option[str]):
    """One of several names."""

    choices: tuple[str, ...]
    type = "choice"

    @property
    def range(self) -> str:
        return " or ".join((", ".join(self.choices[:-1]), self.choices[-1]))

    def read(self, text: str) -> str:
        if text not in self.choices:
            raise self.refusal(repr(text[:20]))
        return text


@dataclass(frozen=True)
class BoolOption(Option[bool]):
    """Whether a rule applies."""

    type = "bool"

    @property
    def range(self) -> str:
        return "true or false"

    def read(self, text: str) -> bool:
        if text not in ("true", "false"):
            raise self.refusal(repr(text[:20]))
        return text == "true"


@dataclass(frozen=True)
class IntsOption(Option[list[int]]):
    """From `min_length` to `max_length` whole numbers, each from `low` to `high`, with commas between."""

    min_length: int
    max_length: int
    low: int
    high: int
    type = "ints"

    @property
    def range(self) -> str:
        lengths = {self.min_length, self.max_length}
        return f"{' to '.join(map(str, sorted(lengths)))} values, each {self.low} to {self.high}"

    def read(self, text: str) -> list[int]:
        values = [whole_number(self.name, part.strip()) for part in text.split(",")]
        if not self.min_length <= len(values) <= self.max_length:
            raise self.refusal(f"{len(values)} values")
        for value in values:
            if not self.low <= value <= self.high:
                raise self.refusal(str(value))
        return values


def parse_options(text: str, known: Sequence[Option[Any]], field: str, offset: int) -> dict[str, Any]:
    """Reads options; those left out have their defaults. Columns in errors count from `offset`.

    Raises NotationError, or PositionError (`field`) for a value that an option does not allow.
    """
    by_name = {option.name: option for option in known}
    values = {option.name: option.read(option.default) for option in known}
    if not text:
        return values
    if len(text) < 2 or not text.endswith("}"):
        first = known[0]
        example = f"{{{first.name}={_text(first.read(first.default))}}}"
        raise NotationError(field, offset + 1, repr(text[:12]), f"options such as {example}")
    column = offset + 2
    given: set[str] = set()
    for part in text[1:-1].split(","):
        name, equals, value = part.partition("=")
        if name not in by_name:
            raise NotationError(field, column, repr(part[:20]), f"an option: {', '.join(by_name)}")
        if name in given:
            raise NotationError(field, column, repr(name), "each option once")
        if not equals:
            raise NotationError(field, column + len(name), "no '='", "'=' and a value")
        option = by_name[name]
        if isinstance(option, (IntOption, IntsOption)):
            numbers = value.split("/") if isinstance(option, IntsOption) else [value]
            if not all(number.isascii() and number.isdigit() and len(number) <= 6 for number in numbers):
                expected = "whole numbers with '/' between" if isinstance(option, IntsOption) else "a whole number"
                raise NotationError(field, column + len(name) + 1, repr(value[:20]), expected)
            value = ",".join(numbers)
        try:
            values[name] = option.read(value)
        except InputError as error:
            raise PositionError(field, f"{error.field}: {error.reason}") from None
        given.add(name)
        column += len(part) + 1
    return values


def format_options(values: Mapping[str, Any], known: Sequence[Option[Any]]) -> str:
    """The options that differ from their defaults, in the order of `known`, or an empty text."""
    given = [
        f"{option.name}={_text(values[option.name])}"
        for option in known
        if values[option.name] != option.read(option.default)
    ]
    return "{" + ",".join(given) + "}" if given else ""


def _text(value: object) -> str:
    if isinstance(value, list):
        return "/".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def whole_number(name: str, text: str) -> int:
    """Reads the value of an option given on its own. Raises InputError (``options.<name>``)."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 6):
        raise InputError(f"options.{name}", f"found {text[:20]!r}, expected a whole number")
    return int(text)


def check_names(options: Mapping[str, str], known: list[str]) -> None:
    """Raises UnknownNameError for an option that the game does not have."""
    for name in options:
        if name not in known:
            raise UnknownNameError(f"options.{name[:40]}", name[:40], known)
