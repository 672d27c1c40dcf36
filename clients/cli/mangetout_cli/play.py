"""A game between a person at the terminal and the server's opponents.

The round keeps the whole record, as a table does, and asks the server for everything else. What it prints before the
end is only what the person's own seat may know; the server sees to the same for the opponents.
"""

from __future__ import annotations

import secrets
import sys
from dataclasses import dataclass, field
from itertools import groupby

from mangetout.v1 import game_pb2
from mangetout_client import Client, MangetoutError
from rich.console import Console

from mangetout_cli import seats
from mangetout_cli.analysis_view import analysis_parts
from mangetout_cli.errors import Failure
from mangetout_cli.moves_view import moves_columns, turns_table
from mangetout_cli.searching import REPORT_SECONDS, follow
from mangetout_cli.show import position_parts, result_parts

_HELP = """\
a move   play it: its notation, or its number in the list of moves; several moves of a turn with blanks between
moves    list your legal moves, or your whole turns where a turn takes several moves
hint     ask the engine what it would play, from what you know
board    show the board again
help     this list
quit     leave the game"""


class Quit(Exception):
    """The person leaves the table."""


@dataclass
class Round:
    """A game in progress.

    start: notation of the whole start position. seat: the person's. seed: that of opponents and chance, a random one
    where None. hint_seconds: search time of a hint.
    """

    client: Client
    console: Console
    start: str
    seat: int
    level: int
    seed: int | None = None
    hint_seconds: float | None = 1.0
    moves: list[str] = field(default_factory=list)
    chance_seed: int = field(init=False)

    def __post_init__(self) -> None:
        self.chance_seed = secrets.randbits(64) if self.seed is None else self.seed

    def play(self) -> game_pb2.Position:
        """Plays to the end and returns the final position. Raises Quit when the person leaves or the input ends."""
        while True:
            position = self.view()
            if position.is_chance:
                if position.round_returns:
                    self._show_result(position)
                self._draw_chance()
                continue
            if not position.HasField("seat_to_move"):
                final = self.client.get_position(self.start, moves=self.moves).position
                self._show_result(final)
                return final
            if position.seat_to_move == self.seat:
                self.console.print(*position_parts(position, self.seat), sep="\n")
                self.moves += self._ask_turn()
            else:
                self.moves.append(self._opponent_move(position))

    def view(self) -> game_pb2.Position:
        """The position as the person may see it."""
        return self.client.get_position(self.start, moves=self.moves, seat=self.seat).position

    def record(self, *, whole: bool) -> str:
        """The record so far: whole, or with what the person's seat does not know left out."""
        return self.client.play_moves(self.start, self.moves, seat=None if whole else self.seat).record

    def _show_result(self, position: game_pb2.Position) -> None:
        unit = self.client.get_game(position.game).game.score_unit
        self.console.print(*position_parts(position, self.seat), *result_parts(position, unit), sep="\n")

    def _draw_chance(self) -> None:
        # The same seed draws the same twice: once for the record, once as the person sees it.
        whole, seen = (
            self.client.play_moves(self.start, self.moves, seat=seat, chance_seed=self.chance_seed).drawn
            for seat in (None, self.seat)
        )
        self.moves += [event.notation for event in whole]
        # An event of which the person sees only that it happened says nothing.
        told = [shown for event, shown in zip(whole, seen, strict=True) if shown == event]
        for description, events in groupby(told, key=lambda event: event.description):
            notations = " ".join(event.notation for event in events)
            self.console.print(f"{notations}  {description}".rstrip(), style="italic")

    def _opponent_move(self, position: game_pb2.Position) -> str:
        # A seed of its own for every move; the same game again gives the same moves again.
        seed = None if self.seed is None else (self.seed + len(self.moves)) % 2**64
        move = self.client.choose_move(self.start, self.level, moves=self.moves, seed=seed).move
        seen = "decides, unseen" if position.is_secret else f"plays {move.notation}  {move.description}"
        self.console.print(f"{seats.letter(position.seat_to_move)} {seen}".rstrip(), style="bold")
        return move.notation

    def _ask_turn(self) -> list[str]:
        """Asks until the person names a legal move or a whole turn; its words."""
        listed = self.client.list_moves(self.start, moves=self.moves)
        while True:
            text = self._ask()
            match text.lower():
                case "":
                    continue
                case "quit" | "exit":
                    raise Quit
                case "help" | "?":
                    self.console.print(_HELP)
                case "board":
                    self.console.print(*position_parts(self.view(), self.seat), sep="\n")
                case "moves":
                    self.console.print(turns_table(listed.turns) if listed.turns else moves_columns(listed.moves))
                case "hint":
                    self._show_hint()
                case _:
                    chosen = _chosen(text, listed)
                    if chosen is not None:
                        return chosen
                    words = text.split()
                    refusal = self._refusal(words)
                    if refusal is None:
                        return words
                    self.console.print(refusal, style="red")

    def _ask(self) -> str:
        self.console.print(f"{seats.letter(self.seat)}, your move (help lists the commands): ", end="", style="bold")
        try:
            text = input().strip()
        except EOFError as error:
            self.console.print()
            raise Quit from error
        if not sys.stdin.isatty():
            # Only a terminal shows what is typed.
            self.console.print(text)
        return text

    def _show_hint(self) -> None:
        answers = self.client.stream_analysis(
            self.start,
            moves=self.moves,
            seat=self.seat,
            time=self.hint_seconds,
            lines=3,
            report_interval=REPORT_SECONDS,
        )
        try:
            self.console.print(*analysis_parts(follow(answers, self.console)), sep="\n")
        except MangetoutError as error:
            # A busy server has no hint, but the game can go on.
            self.console.print(Failure.from_client(error).as_text())

    def _refusal(self, words: list[str]) -> str | None:
        """What stands against words that are not listed; None where they are moves of the turn, one or several."""
        try:
            for count, word in enumerate([*words, None]):
                played = [*self.moves, *words[:count]]
                position = self.client.get_position(self.start, moves=played, seat=self.seat).position
                goes_on = position.HasField("seat_to_move") and position.seat_to_move == self.seat
                if word is not None and not goes_on:
                    return f"found {word} after the end of your turn, expected no further move"
        except MangetoutError as error:
            failure = Failure.from_client(error)
            return "; ".join(v.description for v in failure.violations) or failure.message
        return None


def _chosen(text: str, listed: game_pb2.ListMovesResponse) -> list[str] | None:
    """The words of the move or turn that a text names: by number in the list, or by notation whatever its case."""
    moves = [[move.notation] for move in listed.moves]
    turns = [list(turn.words) for turn in listed.turns]
    numbered = turns or moves
    if text.isascii() and text.isdigit() and len(text) <= len(str(len(numbered))):
        number = int(text)
        return numbered[number - 1] if 1 <= number <= len(numbered) else None
    return next((words for words in [*moves, *turns] if " ".join(words).lower() == text.lower()), None)
