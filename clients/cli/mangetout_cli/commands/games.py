"""`mangetout games`."""

from __future__ import annotations

from typing import Annotated

import typer
from mangetout.v1 import engine_pb2
from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from mangetout_cli import output, words
from mangetout_cli.connection import connect
from mangetout_cli.options import JsonOption, ServerOption


def games(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Game to explain. Default: all are listed in short.")
    ] = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """List the games, or explain one: how it is played, its options and its notation."""
    with connect(server) as client:
        response = client.list_games() if name is None else client.get_game(name)
    if json:
        output.print_message(response)
    elif isinstance(response, engine_pb2.ListGamesResponse):
        output.show(_listed(response), "`mangetout games NAME` explains one: rules, options, notation.")
    else:
        output.show_page(response.how_to_play)
        output.show("", *_facts(response.game))
        output.show("Example:")
        output.show_line(f"  {response.game.example}")


def _listed(response: engine_pb2.ListGamesResponse) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    for header in ("Name", "Title", "Players", "Cards", "Score"):
        table.add_column(header)
    for game in response.games:
        table.add_row(game.name, game.title, _players(game), _cards(game), game.score_unit)
    return table


def _facts(game: engine_pb2.GameInfo) -> list[RenderableType]:
    """What to print of a game beside the page that teaches it."""
    parts: list[RenderableType] = [
        Text(game.name, style="bold").append(f"  {game.title}, {_players(game)} players", style="not bold"),
        Text(f"Score: {game.score_unit}"),
        Text(f"Cards: {_cards(game)}"),
        Text(f"Values: {', '.join(words.concept_name(concept) for concept in game.concepts)}"),
    ]
    if game.options:
        options = Table(box=box.SIMPLE_HEAD)
        for header in ("Option", "Type", "Default", "Range", "What it changes"):
            options.add_column(header, no_wrap=header in ("Option", "Type"), overflow="fold")
        for option in game.options:
            options.add_row(option.name, option.type, option.default_value, option.range, option.description)
        parts.append(options)
    return [*parts, Text("Notation:", style="bold"), Text(game.notation_help)]


def _players(game: engine_pb2.GameInfo) -> str:
    return "-".join(str(number) for number in sorted({game.min_players, game.max_players}))


def _cards(game: engine_pb2.GameInfo) -> str:
    return "some are hidden" if game.hidden_information else "all are open"
