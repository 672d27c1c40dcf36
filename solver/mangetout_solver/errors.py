"""Errors that name what is wrong with the caller's input.

All of them are `InputError`: the message is complete on its own, and the attributes carry the same facts for programs.
"""

from __future__ import annotations


class InputError(ValueError):
    """Input that cannot be used.

    field: path of the offending input, such as ``position``, ``hands.A``, ``options.ranks`` or ``moves[3]``.
    reason: what is wrong, found and expected, one sentence without a full stop.
    """

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason

    def under(self, parent: str) -> InputError:
        """Puts `parent` before the field path, for a caller that holds this input inside a larger one."""
        self.field = f"{parent}.{self.field}"
        self.args = (f"{self.field}: {self.reason}",)
        return self


class NotationError(InputError):
    """A text that does not follow the grammar.

    column: 1-based place in the text, counted in characters.
    found, expected: what stands there and what could stand there.
    """

    def __init__(self, field: str, column: int, found: str, expected: str) -> None:
        super().__init__(field, f"column {column}: found {found}, expected {expected}")
        self.column = column
        self.found = found
        self.expected = expected


class PositionError(InputError):
    """A text that follows the grammar but describes a position the rules cannot reach."""


class IllegalMoveError(InputError):
    """A move that the rules do not allow in its position. `field` is ``move`` or ``moves[k]``."""


class UnknownNameError(InputError):
    """A game, option or other named thing that does not exist."""

    def __init__(self, field: str, name: str, known: list[str]) -> None:
        super().__init__(field, f"{name!r} is not known; known: {', '.join(known)}")
        self.name = name
        self.known = known


class PreconditionError(InputError):
    """Input that is well formed but cannot be used for this question, such as a hint for a finished round."""
