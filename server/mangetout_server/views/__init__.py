"""Structured views of positions, a module a game: what a client needs to draw the table without parsing notation."""

from __future__ import annotations

from mangetout.v1 import game_pb2
from mangetout_solver.games.position import Position

from mangetout_server.views import easy_peasy, erbsenzaehlen, peas, pepper_corn


def add_view(position: Position, message: game_pb2.Position) -> None:
    """Fills in the view of the position's game."""
    match position.game_name:
        case "easy_peasy":
            easy_peasy.show(position, message.easy_peasy)
        case "erbsenzaehlen":
            erbsenzaehlen.show(position, message.erbsenzaehlen)
        case "peas":
            peas.show(position, message.peas)
        case "pepper_corn":
            pepper_corn.show(position, message.pepper_corn)
