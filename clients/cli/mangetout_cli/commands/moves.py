"""`mangetout moves`."""

from __future__ import annotations

from mangetout_cli import output, seats
from mangetout_cli.connection import connect
from mangetout_cli.errors import explained
from mangetout_cli.moves_view import moves_table, outcomes_table, turns_table
from mangetout_cli.options import JsonOption, MovesArgument, RecordArgument, ServerOption
from mangetout_cli.source import read_notation


def moves(
    record: RecordArgument, moves: MovesArgument = None, server: ServerOption = None, json: JsonOption = False
) -> None:
    """List the legal moves of a position."""
    notation = read_notation(record)
    with explained(notation), connect(server) as client:
        response = client.list_moves(notation, moves=moves or ())
    if json:
        output.print_message(response)
    elif response.HasField("seat_to_move"):
        output.show(f"{seats.letter(response.seat_to_move)} to move", moves_table(response.moves))
        if response.turns:
            output.show(turns_table(response.turns))
    elif response.outcomes:
        output.show("Chance comes next", outcomes_table(response.outcomes))
    else:
        output.show("The game is over: no move is left.")
