"""Reading of notation from left to right."""

from __future__ import annotations

import re

from mangetout_solver.errors import NotationError


class Reader:
    """Reads a text from left to right; errors carry the column."""

    def __init__(self, text: str, field: str) -> None:
        self.text = text
        self.field = field
        self.at = 0

    def error(self, expected: str) -> NotationError:
        rest = self.text[self.at : self.at + 12]
        found = repr(rest.split(" ")[0] or rest) if rest.strip() else "the end"
        return NotationError(self.field, self.at + 1, found, expected)

    def skip_blanks(self) -> None:
        while self.text[self.at : self.at + 1] == " ":
            self.at += 1

    def blanks(self, before: str) -> None:
        if self.text[self.at : self.at + 1] != " ":
            raise self.error(f"a space before {before}")
        self.skip_blanks()

    def optional(self, literal: str) -> bool:
        if self.text.startswith(literal, self.at):
            self.at += len(literal)
            return True
        return False

    def take(self, pattern: str, expected: str) -> str:
        match = re.compile(pattern).match(self.text, self.at)
        if match is None:
            raise self.error(expected)
        self.at = match.end()
        return match[0]
