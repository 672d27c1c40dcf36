"""The games Mangetout knows. A new game is one package and one line here."""

from __future__ import annotations

import re

from mangetout_solver.errors import NotationError, UnknownNameError
from mangetout_solver.games.easy_peasy import EasyPeasy
from mangetout_solver.games.erbsenzaehlen import Erbsenzaehlen
from mangetout_solver.games.game import Game, Record
from mangetout_solver.games.peas import Peas
from mangetout_solver.games.pepper_corn import PepperCorn

_GAMES: dict[str, Game] = {game.name: game for game in (EasyPeasy(), Erbsenzaehlen(), Peas(), PepperCorn())}

MAX_NOTATION_LENGTH = 20_000
_COMMENT = re.compile(r"#[^\n]*")


def games() -> tuple[Game, ...]:
    """All games, by name."""
    return tuple(_GAMES[name] for name in sorted(_GAMES))


def game(name: str, field: str = "game") -> Game:
    """The game of this name. Raises UnknownNameError."""
    if name not in _GAMES:
        raise UnknownNameError(field, name[:40], sorted(_GAMES))
    return _GAMES[name]


def parse_record(text: str, game_name: str = "", field: str = "notation") -> Record:
    """Reads a position or record of any game, comments and line ends included.

    game_name: the game it must belong to; empty accepts any.
    Raises NotationError (with the column), PositionError, IllegalMoveError (``notation.moves[k]``), UnknownNameError.
    """
    if len(text) > MAX_NOTATION_LENGTH:
        raise NotationError(field, MAX_NOTATION_LENGTH + 1, f"{len(text)} characters", f"at most {MAX_NOTATION_LENGTH}")
    for column, character in enumerate(text, start=1):
        if not (" " <= character <= "~" or character in "\n\r\t"):
            raise NotationError(field, column, f"character {character!a}", "printable ASCII")
    # Comments and line ends become blanks of the same length, so that columns stay those of the caller's text.
    text = _COMMENT.sub(lambda match: " " * len(match[0]), text)
    text = re.sub(r"[\t\r\n]", " ", text)
    start = len(text) - len(text.lstrip())
    if start == len(text):
        raise NotationError(field, 1, "nothing", f"the name of a game: {', '.join(sorted(_GAMES))}")
    match = re.compile(r"[a-z_]*").match(text, start)
    found = match[0] if match else ""
    if found not in _GAMES:
        raise NotationError(field, start + 1, repr(text[start : start + 20]), f"a game: {', '.join(sorted(_GAMES))}")
    if game_name and game(game_name).name != found:
        raise NotationError(field, start + 1, f"game {found!r}", f"game {game_name!r}")
    chosen = _GAMES[found]
    position_text, colon, move_text = text.partition(":")
    record = Record(chosen, (chosen.parse_position(position_text, field),), ())
    for index, move in enumerate(move_text.split() if colon else []):
        record = record.play(move, f"{field}.moves[{index}]")
    return record
