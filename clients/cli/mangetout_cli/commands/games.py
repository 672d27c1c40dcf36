"""`mangetout games`."""

from __future__ import annotations

from mangetout.v1 import engine_pb2
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mangetout_cli import output, words
from mangetout_cli.connection import connect
from mangetout_cli.options import JsonOption, ServerOption


def games(server: ServerOption = None, json: JsonOption = False) -> None:
    """List the games with their options and notation."""
    with connect(server) as client:
        response = client.list_games()
    if json:
        output.print_message(response)
        return
    for game in response.games:
        output.show(*_parts(game))
        print("Example:")
        output.show_line(f"  {game.example}")


def _parts(game: engine_pb2.GameInfo) -> list[RenderableType]:
    players = "-".join(str(number) for number in sorted({game.min_players, game.max_players}))
    heading = Text(game.name, style="bold").append(f"  {game.title}, {players} players", style="not bold")
    parts: list[RenderableType] = [
        heading,
        Text(f"Score: {game.score_unit}"),
        Text(f"Cards: {'some are hidden' if game.hidden_information else 'all are open'}"),
        Text(f"Values: {', '.join(words.concept_name(name) for name in game.concepts)}"),
    ]
    if game.options:
        options = Table.grid(padding=(0, 2))
        for option in game.options:
            facts = f"{option.description} {option.range}; default {option.default_value}"
            options.add_row(f"  {option.name}", option.type, facts)
        parts += [Text("Options:", style="bold"), options]
    return [*parts, Text("Notation:", style="bold"), Text(game.notation_help)]
