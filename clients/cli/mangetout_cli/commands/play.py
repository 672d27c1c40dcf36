"""`mangetout play`."""

from __future__ import annotations

from typing import Annotated

import typer
from mangetout_client import MangetoutError

from mangetout_cli import output, seats
from mangetout_cli.connection import connect, game_or_only_one
from mangetout_cli.options import (
    GameOption,
    JsonOption,
    RulesOption,
    SeedOption,
    ServerOption,
    parse_rules,
    parse_seconds,
)
from mangetout_cli.play import Quit, Round


def play(
    game: GameOption = None,
    seed: SeedOption = None,
    option: RulesOption = None,
    seat: Annotated[str, typer.Option("--seat", metavar="A|B|...", help="Your seat.")] = "A",
    level: Annotated[int, typer.Option("--level", metavar="N", min=1, max=10, help="Strength of the opponents.")] = 5,
    hint_time: Annotated[float, typer.Option("--hint-time", metavar="SECONDS", help="Search time of a hint.")] = 1.0,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Play a game against the engine. With --json the game goes to standard error and its record to standard output."""
    own_seat, rules, hint_seconds = seats.parse(seat), parse_rules(option), parse_seconds(hint_time)
    console = output.console(stderr=json)
    with connect(server) as client:
        dealt = client.deal(game_or_only_one(client, game), options=rules, seed=seed)
        start = dealt.position.notation
        # The server refuses a seat that takes no part before anything is shown.
        client.get_position(start, seat=own_seat)
        table = Round(client, console, start, own_seat, level, seed, hint_seconds)
        console.print(f"You are {seats.letter(own_seat)}; opponents play at level {level}; deal {dealt.seed}.")
        try:
            position, finished = table.play(), True
        except (Quit, KeyboardInterrupt):
            position, finished = table.view(), False
            console.print("The game was left unfinished.")
        except MangetoutError:
            console.print(f"Record so far: {table.record(whole=False)}", soft_wrap=True)
            raise
        # Only an ended game may show what the opponents held.
        record = table.record(whole=finished)
    if json:
        output.print_json({"record": record, "position": output.as_dict(position)})
    else:
        output.show_line(f"Record: {record}")
