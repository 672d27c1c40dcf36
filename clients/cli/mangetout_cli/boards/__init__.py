"""Drawings of positions, one module a game. A game without one is shown by its notation."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from mangetout.v1 import game_pb2
from rich.console import RenderableType

from mangetout_cli.boards.easy_peasy import EasyPeasyBoard
from mangetout_cli.boards.erbsenzaehlen import ErbsenzaehlenBoard
from mangetout_cli.boards.peas import PeasBoard
from mangetout_cli.boards.pepper_corn import PepperCornBoard


class Board(Protocol):
    """How to draw the positions of one game. viewer: the seat of the person who looks, if it is a player."""

    def draw(self, position: game_pb2.Position, viewer: int | None) -> RenderableType:
        """The board and all hands, as far as the position tells them."""

    def result(self, position: game_pb2.Position) -> RenderableType:
        """How a finished game was decided, without the totals."""


_BOARDS: Mapping[str, Board] = MappingProxyType(
    {
        "easy_peasy": EasyPeasyBoard(),
        "erbsenzaehlen": ErbsenzaehlenBoard(),
        "peas": PeasBoard(),
        "pepper_corn": PepperCornBoard(),
    }
)


def board_of(position: game_pb2.Position) -> Board | None:
    """The board for a position; None where this version of the program has none for its game."""
    return _BOARDS.get(position.WhichOneof("view") or "")
