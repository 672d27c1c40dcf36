"""Shows that a service works: one hint for each of its games, asked for over the socket."""

from __future__ import annotations

from mangetout_client import Client
from rich.console import Console
from rich.rule import Rule

from mangetout_cli import seats
from mangetout_cli.analysis_view import analysis_parts
from mangetout_cli.show import position_parts

_SEED = 20
_SECONDS = 1.0
_LINES = 3
_HEALTHY_SECONDS = 10.0


def run_demo(target: str, console: Console) -> None:
    """Waits until the service at target is healthy, then prints a deal and a hint for each game on the console."""
    with Client(target) as client:
        client.wait_until_healthy(_HEALTHY_SECONDS)
        for game in client.list_games().games:
            dealt = client.deal(game.name, seed=_SEED).position
            # A deal may begin with a chance event.
            start = client.play_moves(dealt.notation, chance_seed=_SEED).position
            # What is shown and what is asked is what the seat to move may know, no more.
            seat = start.seat_to_move
            position = client.get_position(start.notation, seat=seat).position
            answer = client.analyze(position.notation, seat=seat, time=_SECONDS, lines=_LINES, seed=_SEED)
            console.print(Rule(f"{game.title}: a hint for {seats.letter(seat)}"))
            parts = [*position_parts(position, seat), *analysis_parts(answer.analysis, game.score_unit)]
            console.print(*parts, "", sep="\n")
