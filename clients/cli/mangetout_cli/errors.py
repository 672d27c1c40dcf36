"""Failures as a person and a program read them: one line or one JSON object, and an exit code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from mangetout_client import MangetoutError
from rich.text import Text

EXIT_FAILURE = 1
EXIT_BAD_INPUT = 2
_BAD_INPUT_CODES = frozenset({"INVALID_ARGUMENT", "NOT_FOUND", "OUT_OF_RANGE", "FAILED_PRECONDITION"})
_COLUMN = re.compile(r"\bcolumn (\d+)\b")
_EXCERPT_WIDTH = 100
_WRAPPER = "request."


@dataclass(frozen=True)
class Violation:
    """What is wrong with one field of the input."""

    field: str
    description: str


class Failure(Exception):
    """What ends a command early.

    code: name of a gRPC status code. message: one sentence. violations: the fields at fault, may be empty.
    notation: the text that a column in the message counts in, where there is one.
    """

    def __init__(
        self, code: str, message: str, violations: tuple[Violation, ...] = (), notation: str | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.violations = violations
        self.notation = notation

    @classmethod
    def bad_input(cls, field: str, description: str) -> Failure:
        """A failure found before anything was asked of a server."""
        return cls("INVALID_ARGUMENT", f"{field}: {description}", (Violation(field, description),))

    @classmethod
    def from_client(cls, error: MangetoutError, notation: str | None = None) -> Failure:
        """The failure that a server answered with. notation: the text that was sent, if any."""
        # A streamed analysis wraps its question in one more message, which no reader of a command needs to know.
        violations = tuple(Violation(v.field.removeprefix(_WRAPPER), v.description) for v in error.violations)
        message = error.message.removeprefix(_WRAPPER)
        if error.retry_after is not None:
            message += f" (try again in {error.retry_after:g} s)"
        return cls(error.code.name, message, violations, notation)

    @property
    def exit_code(self) -> int:
        """2 where other input is needed, 1 where the same input may do another time."""
        return EXIT_BAD_INPUT if self.code in _BAD_INPUT_CODES else EXIT_FAILURE

    def as_json(self) -> dict[str, object]:
        """The failure for programs."""
        violations = [{"field": v.field, "description": v.description} for v in self.violations]
        return {"error": {"code": self.code, "message": self.message, "violations": violations}}

    def as_text(self) -> Text:
        """The failure for people; where a column of the notation is at fault, that place with a caret below."""
        lines = [f"{v.field}: {_with_letters(v)}" for v in self.violations] or [self.message]
        text = Text()
        for line in lines:
            text.append("error: ", style="bold red").append(line).append("\n")
        column = self._column()
        if self.notation and column is not None:
            text.append(_excerpt(self.notation, column))
        text.rstrip()
        return text

    def _column(self) -> int | None:
        """The 1-based column of the notation as a whole; columns inside a single move are none."""
        for violation in self.violations:
            match = _COLUMN.search(violation.description)
            if match and violation.field.rpartition(".")[2] == "notation":
                return int(match[1])
        return None


@contextmanager
def explained(notation: str) -> Iterator[None]:
    """Turns a server's error into a Failure that can point into the notation that was sent."""
    try:
        yield
    except MangetoutError as error:
        raise Failure.from_client(error, notation) from error


def _with_letters(violation: Violation) -> str:
    """The description; seats are letters for people and numbers for servers. Quotes hold the person's own text."""
    if violation.field.rpartition(".")[2] != "seat":
        return violation.description
    return re.sub(r"(?<!')\b\d\b(?!')", lambda match: chr(ord("A") + int(match[0])), violation.description)


def _excerpt(notation: str, column: int) -> str:
    """The line of a text that a column lies in, shortened to what surrounds it, and a caret below the place."""
    before = notation[: column - 1]
    start = before.rfind("\n") + 1
    end = notation.find("\n", start)
    line = notation[start : end if end >= 0 else None]
    # Whatever has no width of its own would put the caret out of place.
    line = "".join(character if character.isprintable() else " " for character in line)
    place = len(before) - start
    first = max(0, place - _EXCERPT_WIDTH * 3 // 4)
    return f"  {line[first : first + _EXCERPT_WIDTH]}\n  {' ' * (place - first)}^"
