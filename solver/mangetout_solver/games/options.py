"""Rules options in notation: `{name=value,...}` behind the game's name, only where they differ from the default."""

from __future__ import annotations

from collections.abc import Mapping

from mangetout_solver.errors import InputError, NotationError, UnknownNameError


def parse_options(text: str, defaults: Mapping[str, int], field: str, offset: int) -> dict[str, int]:
    """Reads whole-number options. Columns in errors count from `offset`. An empty text gives the defaults."""
    options = dict(defaults)
    if not text:
        return options
    if len(text) < 2 or not text.endswith("}"):
        raise NotationError(field, offset + 1, repr(text[:12]), "options such as {ranks=5}")
    column = offset + 2
    given: set[str] = set()
    for part in text[1:-1].split(","):
        name, equals, value = part.partition("=")
        if name not in defaults:
            raise NotationError(field, column, repr(part[:20]), f"an option: {', '.join(defaults)}")
        if name in given:
            raise NotationError(field, column, repr(name), "each option once")
        if not equals:
            raise NotationError(field, column + len(name), "no '='", "'=' and a whole number")
        if not (value.isascii() and value.isdigit() and len(value) <= 6):
            raise NotationError(field, column + len(name) + 1, repr(value[:20]), "a whole number")
        given.add(name)
        options[name] = int(value)
        column += len(part) + 1
    return options


def format_options(options: Mapping[str, int], defaults: Mapping[str, int]) -> str:
    """The options that differ from their defaults, or an empty text."""
    given = [f"{name}={value}" for name, value in options.items() if value != defaults[name]]
    return "{" + ",".join(given) + "}" if given else ""


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
