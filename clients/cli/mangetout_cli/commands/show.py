"""`mangetout show`."""

from __future__ import annotations

from mangetout_cli import output, seats
from mangetout_cli.connection import connect
from mangetout_cli.errors import explained
from mangetout_cli.options import JsonOption, MovesArgument, RecordArgument, SeatOption, ServerOption
from mangetout_cli.show import position_parts, result_parts
from mangetout_cli.source import read_notation


def show(
    record: RecordArgument,
    moves: MovesArgument = None,
    seat: SeatOption = None,
    server: ServerOption = None,
    json: JsonOption = False,
) -> None:
    """Check a position or record and show it, whole or as one seat sees it."""
    viewer, notation = seats.parse_optional(seat), read_notation(record)
    with explained(notation), connect(server) as client:
        response = client.get_position(notation, moves=moves or (), seat=viewer)
        unit = client.get_game(response.position.game).game.score_unit if response.position.returns else ""
    if json:
        output.print_message(response)
        return
    position = response.position
    output.show(*position_parts(position, viewer), "")
    if position.returns:
        output.show(*result_parts(position, unit), "")
    output.show_line(position.notation)
    output.show_line(f"key {position.key}")
