"""Where a position or record comes from: the command's argument, a file, or standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from mangetout_cli.errors import Failure

# Far beyond what a server accepts; only keeps an endless file from filling the memory.
_MAX_BYTES = 1 << 20


def read_notation(text: str) -> str:
    """The notation that an argument stands for: `-` is standard input, the path of a file its content, else itself.

    Comments and line ends stay as they are; the server reads them. Failure for a file that cannot be read.
    """
    if text == "-":
        return _decode(sys.stdin.buffer.read(_MAX_BYTES))
    # A notation holds spaces and a path seldom does, but only the file system can tell for sure.
    path = Path(text)
    try:
        is_file = path.is_file()
    except (OSError, ValueError):
        is_file = False
    if is_file:
        return _read_file(path)
    if path.suffix and not any(character.isspace() for character in text):
        raise Failure.bad_input("record", f"found {text!r}, expected a notation, a file that exists or -")
    return text


def read_lines(text: str) -> list[str]:
    """The notations that an argument stands for, as in `read_notation`, but one a line. Failure where there is none."""
    lines = [line for line in read_notation(text).splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        raise Failure.bad_input("record", "found no line with a notation, expected at least one")
    return lines


def _read_file(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return _decode(file.read(_MAX_BYTES))
    except OSError as error:
        raise Failure.bad_input("record", f"{str(path)!r} cannot be read: {error.strerror}") from error


def _decode(data: bytes) -> str:
    # A byte order mark is no part of the text, and the server names any other character it does not take.
    return data.decode("utf-8-sig", errors="replace")
