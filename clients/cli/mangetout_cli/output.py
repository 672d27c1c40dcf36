"""Where output goes: answers to standard output, everything else to standard error."""

from __future__ import annotations

import json
import sys
from typing import Any

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from rich.console import Console, RenderableType
from rich.markdown import Markdown


def console(*, stderr: bool = False) -> Console:
    """A console on standard output or standard error as they are now. Texts are never read as markup."""
    return Console(stderr=stderr, markup=False, highlight=False)


def as_dict(message: Message) -> dict[str, Any]:
    """A message in protobuf's own JSON mapping, with zeros written out: a seat 0 must not go missing."""
    return MessageToDict(message, always_print_fields_with_no_presence=True)


def print_json(value: object) -> None:
    """Writes one JSON value, and nothing else, to standard output."""
    print(json.dumps(value, indent=2), flush=True)


def print_json_line(value: object) -> None:
    """Writes one JSON value as one line to standard output."""
    print(json.dumps(value), flush=True)


def print_message(message: Message) -> None:
    """Writes a message as JSON to standard output."""
    print_json(as_dict(message))


def show(*parts: RenderableType) -> None:
    """Writes an answer for people to standard output."""
    console().print(*parts, sep="\n")


def show_page(markdown: str) -> None:
    """Writes a page to standard output: laid out at a terminal, elsewhere as it stands."""
    target = console()
    if target.is_terminal:
        target.print(Markdown(markdown))
    else:
        print(markdown.rstrip(), flush=True)


def show_line(text: str) -> None:
    """Writes a text that may be copied, such as a record, without breaking its line."""
    print(text, flush=True)


def tolerate_encodings() -> None:
    """Makes a sign that a terminal's encoding lacks a replacement sign instead of the end of the program."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
