"""What the tests of the terminal have in common: the program run against a server, and games of random moves."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator
from typing import Any

from mangetout.v1 import game_pb2
from mangetout_cli.main import app
from mangetout_cli.show import position_parts, result_parts
from mangetout_client import Client
from rich.console import Console
from typer.testing import CliRunner, Result


def show(server: Any, *arguments: str) -> list[str]:
    """The lines that `mangetout show` writes."""
    environment = {"MANGETOUT_SERVER": server.target, "COLUMNS": "120"}
    result = CliRunner().invoke(app, ["show", *arguments], env=environment)
    assert result.exit_code == 0, result.output
    return [line.rstrip() for line in result.stdout.splitlines()]


def play(server: Any, game: str, *arguments: str, stdin: str, options: dict[str, str] | None = None) -> Result:
    """A game played at the terminal against opponents of level 1, from the deal with seed 3."""
    environment = {"MANGETOUT_SERVER": server.target, "COLUMNS": "120"}
    rules = [part for name, value in (options or {}).items() for part in ("--option", f"{name}={value}")]
    command = ["play", "--game", game, "--seed", "3", "--level", "1", *rules, *arguments]
    result = CliRunner().invoke(app, command, input=stdin, env=environment)
    assert result.exit_code == 0, result.output
    return result


def record_of(result: Result) -> str:
    """The record that a game at the terminal ends with."""
    return result.stdout.splitlines()[-1].removeprefix("Record: ")


def rows_of(lines: list[str]) -> dict[str, list[str]]:
    """The first line that begins with each word, the mark of the turn left out."""
    cells = (line.removeprefix("  >").split() for line in reversed(lines))
    return {row[0]: row[1:] for row in cells if row}


def random_game(client: Client, game: str, seed: int, **options: object) -> Iterator[game_pb2.Position]:
    """All positions of a game of random draws and moves, with no turn ended before it must be."""
    draw = random.Random(seed)
    rules = {name: str(value) for name, value in options.items()}
    position = client.deal(game, seed=seed, options=rules).position
    while True:
        yield position
        if position.returns:
            return
        listed = client.list_moves(position.notation)
        if position.is_chance:
            weights = [outcome.probability for outcome in listed.outcomes]
            step = draw.choices(listed.outcomes, weights)[0].move
        else:
            step = draw.choice([move for move in listed.moves if move.notation != "end"] or listed.moves)
        position = client.play_moves(position.notation, [step.notation]).position


def some_of_each_stage(positions: Iterator[game_pb2.Position], most: int) -> Iterator[tuple[str, game_pb2.Position]]:
    """The first positions of each stage that a notation may end in, and the stage."""
    found: dict[str, int] = {}
    for position in positions:
        stage = position.notation.split()[-1].partition("/")[0]
        found[stage] = found.get(stage, 0) + 1
        if found[stage] <= most:
            yield stage, position


def printed(position: game_pb2.Position, viewer: int | None = None, width: int = 100, encoding: str = "utf-8") -> str:
    """What a console without colours writes; UnicodeEncodeError for a sign that it lacks."""
    buffer = io.BytesIO()
    file = io.TextIOWrapper(buffer, encoding=encoding, write_through=True)
    console = Console(file=file, width=width, markup=False, highlight=False, no_color=True)
    console.print(*position_parts(position, viewer), sep="\n")
    if position.returns:
        console.print(*result_parts(position, "points"), sep="\n")
    return buffer.getvalue().decode(encoding)


def assert_nothing_is_lost_where_it_is_narrow_and_plain(position: game_pb2.Position, viewer: int) -> None:
    """Cells may be folded and tables put below each other, but every sign is there, and all are ASCII."""
    wide = printed(position, viewer)
    for width in (40, 60):
        narrow = printed(position, viewer, width, "ascii")
        assert max(map(len, narrow.splitlines())) <= width
        signs = [sorted(re.sub(r"[\s|+─-]", "", text)) for text in (wide, narrow)]
        assert signs[0] == signs[1]
