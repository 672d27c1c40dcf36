"""The twin of connect four: OpenSpiel's game."""

from __future__ import annotations

import re
from functools import cache

import pyspiel

_STONES = str.maketrans("xo", "AB")


@cache
def _game(rows: int, columns: int, connect: int) -> pyspiel.Game:
    return pyspiel.load_game(f"connect_four(rows={rows},columns={columns},x_in_row={connect})")


class ReferencePosition:
    """A position, never changed after it was made."""

    def __init__(self, state: pyspiel.State) -> None:
        self._state = state
        self._parameters = state.get_game().get_parameters()

    @staticmethod
    def from_text(text: str) -> ReferencePosition:
        """Reads the notation. ValueError where no order of play leads to the board."""
        match = re.fullmatch(r"connect_four(?:\{connect=(\d)\})? ([AB./]+)", text)
        if match is None:
            raise ValueError(f"not a position: {text}")
        rows = match[2].split("/")
        columns = tuple("".join(cells).rstrip(".") for cells in zip(*reversed(rows), strict=True))
        start = _game(len(rows), len(rows[0]), int(match[1] or 4)).new_initial_state()
        state = _played(start, columns, set())
        if state is None:
            raise ValueError(f"no order of play leads to {text}")
        return ReferencePosition(state)

    def text(self) -> str:
        """The notation."""
        board = str(self._state).translate(_STONES).split()
        connect = self._parameters["x_in_row"]
        options = "" if connect == 4 else f"{{connect={connect}}}"
        return f"connect_four{options} {'/'.join(board)}"

    @property
    def to_move(self) -> str | None:
        """The seat letter; None at the end."""
        return None if self._state.is_terminal() else "AB"[self._state.current_player()]

    def legal_moves(self) -> set[str]:
        """Columns, counted from 1."""
        return {str(action + 1) for action in self._state.legal_actions()}

    def chance_outcomes(self) -> dict[str, float]:
        """None: nothing is left to chance."""
        return {}

    def play(self, move: str) -> ReferencePosition:
        """The position after a move. ValueError for an illegal one."""
        if move not in self.legal_moves():
            raise ValueError(f"illegal move {move}")
        return ReferencePosition(self._state.child(int(move) - 1))

    def seen_by(self, seat: str) -> ReferencePosition:
        """Everybody sees all."""
        return self

    def worlds(self) -> list[str]:
        """The position itself: nothing is hidden."""
        return [self.text()]

    def scores(self) -> tuple[float, ...]:
        """1 for a win, -1 for a loss."""
        return tuple(self._state.returns())

    def win_shares(self) -> tuple[float, ...]:
        """The scores, mapped to [0, 1]."""
        return tuple((1 + score) / 2 for score in self.scores())


def _played(state: pyspiel.State, columns: tuple[str, ...], seen: set[str]) -> pyspiel.State | None:
    """Plays on from a state until the board has these stones, each column from the bottom; None where nothing does.

    seen: boards that turned out to lead nowhere.
    """
    board = str(state).translate(_STONES).split()
    heights = [sum(row[column] != "." for row in board) for column in range(len(columns))]
    if all(height == len(stones) for height, stones in zip(heights, columns, strict=True)):
        return state
    if state.is_terminal() or str(state) in seen:
        return None
    mover = "AB"[state.current_player()]
    for column, stones in enumerate(columns):
        if stones[heights[column] : heights[column] + 1] == mover:
            found = _played(state.child(column), columns, seen)
            if found is not None:
                return found
    seen.add(str(state))
    return None
