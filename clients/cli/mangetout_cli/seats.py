"""Seats: numbers in messages, letters for people."""

from __future__ import annotations

from mangetout_cli.errors import Failure

_LETTERS = "ABCDEFGHIJ"


def letter(seat: int) -> str:
    """The letter of a seat: A for 0."""
    return _LETTERS[seat]


def parse(text: str, field: str = "seat") -> int:
    """The number of a seat given by its letter. Failure for anything but one of the first letters."""
    if len(text) != 1 or text.upper() not in _LETTERS:
        raise Failure.bad_input(field, f"found {text!r}, expected a letter such as A or B")
    return _LETTERS.index(text.upper())


def parse_optional(text: str | None, field: str = "seat") -> int | None:
    """As `parse`; None stays None."""
    return None if text is None else parse(text, field)
