"""Connect four on a board of any small size. A begins; the first line of stones wins, a full board is a draw."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from mangetout_solver.errors import InputError, NotationError, PositionError
from mangetout_solver.games.game import Game, MoveParts
from mangetout_solver.games.options import IntOption, check_names, format_options, parse_options
from mangetout_solver.games.position import Position
from mangetout_solver.games.reader import Reader

from mangetout_known_games.connect_four.rules import build, view

_ROWS = IntOption("rows", "6", "Height of the board, at most 7 where there are 8 columns.", low=1, high=8)
_COLUMNS = IntOption("columns", "7", "Width of the board.", low=1, high=8)
_CONNECT = IntOption("connect", "4", "Stones in a line that win.", low=2, high=8)


class ConnectFour(Game):
    """See `Game`. A move is the column, counted from 1."""

    name = "connect_four"
    title = "Connect four"
    min_players = max_players = 2
    score_unit = "points: 1 for a win, -1 for a loss, higher is better"
    hidden_information = False
    options = (_ROWS, _COLUMNS, _CONNECT)
    notation_help = "connect_four BOARD [: MOVES]; rows from the top, cells A, B or .; a move is a column from 1"
    example = "connect_four ......./......./......./...B.../...A.../...ABA. : 3 7"

    def deal(self, seed: int, options: Mapping[str, str]) -> Position:
        check_names(options, [option.name for option in self.options])
        board = ["." * _COLUMNS.of(options)] * _ROWS.of(options)
        try:
            return build(board, _CONNECT.of(options))
        except PositionError as error:
            # Every value is in its range: the board can only be too large as a whole.
            raise InputError("options.rows", error.reason) from None

    def parse_position(self, text: str, field: str = "notation") -> Position:
        reader = Reader(text, field)
        reader.skip_blanks()
        reader.take(self.name, repr(self.name))
        start = reader.at
        options = parse_options(reader.take(r"(\{[^}\s]*\}?)?", "options"), (_CONNECT,), field, start)
        reader.blanks("the board")
        rows = [reader.take("[AB.]+", "a row of cells: A, B or .")]
        while reader.optional("/"):
            rows.append(reader.take(f"[AB.]{{{len(rows[0])}}}", f"a row of {len(rows[0])} cells: A, B or ."))
        reader.skip_blanks()
        if reader.at < len(text):
            raise reader.error("/ and a row, or the end of the position")
        try:
            return build(rows, options["connect"])
        except PositionError as error:
            raise PositionError(field, f"{error.field}: {error.reason}") from None

    def format_position(self, position: Position) -> str:
        rows, connect = view(position)
        return f"{self.name}{format_options({'connect': connect}, (_CONNECT,))} {'/'.join(rows)}"

    def parse_move(self, position: Position, text: str, field: str = "move") -> int:
        if not re.fullmatch("[1-8]", text):
            raise NotationError(field, 1, repr(text[:20]), "a column from 1")
        return int(text) - 1

    def format_move(self, position: Position, move: int) -> str:
        return str(move + 1)

    def describe_move(self, position: Position, move: int) -> str:
        return f"a stone into column {move + 1}"

    def move_parts(self, position: Position, move: int) -> MoveParts:
        return MoveParts("drop", place=move)

    def why_illegal(self, position: Position, move: int) -> str:
        columns = len(view(position)[0][0])
        return f"column {move + 1} is full" if move < columns else f"found column {move + 1}, expected 1 to {columns}"

    def score_bounds(self, position: Position) -> tuple[float, float]:
        return -1.0, 1.0

    def symmetries(self, position: Position) -> Mapping[str, Position]:
        rows, connect = view(position)
        return {"mirrored": build([row[::-1] for row in rows], connect)}

    def key(self, position: Position) -> str:
        texts = map(self.format_position, (position, *self.symmetries(position).values()))
        return hashlib.blake2b(min(texts).encode(), digest_size=16).hexdigest()
