"""Arguments and options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from mangetout_cli.errors import Failure

# What fields of messages hold; what of it a server takes is the server's to say.
MAX_INT32 = 2**31 - 1
MAX_INT64 = 2**63 - 1
_MAX_SECONDS = 1e9

ServerOption = Annotated[
    str | None,
    typer.Option(
        "--server",
        metavar="HOST:PORT",
        envvar="MANGETOUT_SERVER",
        help="Server to ask. Default: the local service, or one inside this process where none runs.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write JSON, and nothing else, to standard output.")]
RecordArgument = Annotated[
    str, typer.Argument(metavar="RECORD", help="Position or record, a file that holds one, or - for standard input.")
]
MovesArgument = Annotated[
    list[str] | None, typer.Argument(metavar="MOVE", help="Further moves, played after those of the record.")
]
GameOption = Annotated[
    str | None, typer.Option("--game", metavar="NAME", help="Game; may be left out where the server has only one.")
]
SeedOption = Annotated[
    int | None,
    typer.Option(
        "--seed", metavar="N", min=0, max=2**64 - 1, help="Seed; same seed, same outcome. Default: a random one."
    ),
]
RulesOption = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="Rules option, as listed by `games`. May be repeated."),
]
SeatOption = Annotated[str | None, typer.Option("--seat", metavar="A|B|...", help="Seat whose view is taken.")]


def parse_rules(options: list[str] | None) -> dict[str, str]:
    """Rules options by name, from texts such as `ranks=5`. Failure for any other text."""
    rules: dict[str, str] = {}
    for text in options or ():
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise Failure.bad_input("option", f"found {text!r}, expected name=value")
        if name in rules:
            raise Failure.bad_input(f"options.{name}", "found twice, expected once")
        rules[name] = value
    return rules


def parse_seconds(seconds: float | None) -> float | None:
    """A number of seconds that a message can hold. Failure for any other, such as `nan`."""
    if seconds is not None and not 0 <= seconds <= _MAX_SECONDS:
        raise Failure.bad_input("time", f"found {seconds}, expected a number of seconds")
    return seconds


_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def parse_memory(text: str | None) -> int | None:
    """A number of bytes from texts such as `512M`, `1GiB` or `1048576`. Failure for any other text."""
    if text is None:
        return None
    number = text.rstrip("BbGgIiKkMm")
    unit = text[len(number) :].lower().removesuffix("b").removesuffix("i")
    if not (number.isascii() and number.isdigit() and len(number) < 20) or unit not in _UNITS:
        raise Failure.bad_input("memory", f"found {text!r}, expected bytes such as 512M or 1G")
    size = int(number) * _UNITS[unit]
    if size > MAX_INT64:
        raise Failure.bad_input("memory", f"found {text!r}, expected at most {MAX_INT64} bytes")
    return size
