"""`mangetout deal`."""

from __future__ import annotations

from mangetout_cli import output, seats
from mangetout_cli.connection import connect, game_or_only_one
from mangetout_cli.options import GameOption, JsonOption, RulesOption, SeatOption, SeedOption, ServerOption, parse_rules
from mangetout_cli.show import position_parts


def deal(
    game: GameOption = None,
    seed: SeedOption = None,
    option: RulesOption = None,
    seat: SeatOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Deal a start position."""
    viewer, rules = seats.parse_optional(seat), parse_rules(option)
    with connect(server) as client:
        response = client.deal(game_or_only_one(client, game), options=rules, seed=seed, seat=viewer)
    if json:
        output.print_message(response)
        return
    output.show(*position_parts(response.position, viewer), "")
    output.show_line(response.position.notation)
    output.show_line(f"seed {response.seed}")
