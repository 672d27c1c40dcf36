"""What every game offers to Python: rules options, notation, deals, and texts of its moves."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, ClassVar

from mangetout_solver.errors import IllegalMoveError, InputError, PositionError, PreconditionError
from mangetout_solver.games.options import Option
from mangetout_solver.games.position import Position

SEAT_LETTERS = "ABCDEF"


@dataclass(frozen=True)
class Record:
    """A start position and the moves played from it. `positions[k]` stands before move k; the last is current."""

    game: Game
    positions: tuple[Position, ...]
    moves: tuple[int, ...]

    @property
    def current(self) -> Position:
        """The position after the last move."""
        return self.positions[-1]

    def play(self, text: str, field: str = "move") -> Record:
        """Plays a word: a move, a chance outcome, or several steps of one turn.

        Raises NotationError, IllegalMoveError or PreconditionError (game over).
        """
        positions, moves = list(self.positions), list(self.moves)
        # Of no steps is the empty word only: it is read as a step, which no game has.
        for step in self.game.steps_of(text) or [text]:
            position = positions[-1]
            if position.is_terminal:
                raise PreconditionError(field, f"found {step!r} after the end of the game, expected no further move")
            move = self.game.parse_move(position, step, field)
            try:
                positions.append(position.play(move))
            except ValueError:
                reason = self.game.why_illegal(position, move)
                raise IllegalMoveError(field, f"{step} is illegal: {reason}") from None
            moves.append(move)
        return Record(self.game, tuple(positions), tuple(moves))

    def draw_chance(self, seed: int) -> Record:
        """Draws the chance events that come next, up to a decision or the end; by the seed and the events before.

        Raises PositionError (``notation``) where cards are not known: what comes would be made up.
        """
        record = self
        events = sum(position.is_chance for position in self.positions[:-1])
        if record.current.is_chance and record.current.count_worlds() != 1:
            raise PositionError("notation", "found cards that are not known, expected all where chance is drawn")
        while record.current.is_chance:
            outcomes, weights = zip(*record.current.chance_outcomes(), strict=True)
            move = random.Random(f"{seed} {events}").choices(outcomes, weights)[0]
            record = Record(self.game, (*record.positions, record.current.play(move)), (*record.moves, move))
            events += 1
        return record

    def format(self) -> str:
        """The record in canonical notation."""
        start = self.game.format_position(self.positions[0])
        if not self.moves:
            return start
        return f"{start} : {' '.join(self.words())}"

    def words(self) -> list[str]:
        """The moves as they stand in the record: steps of a turn that are written together as one."""
        words: list[str] = []
        for position, move in zip(self.positions, self.moves, strict=False):
            step = self.game.format_move(position, move)
            if words and self.game.continues_word(step):
                words[-1] += step
            else:
                words.append(step)
        return words

    def redacted(self, seat: int) -> Record:
        """The record as `seat` sees it: positions without what it cannot know, and moves as it observes them."""
        positions = tuple(position.redacted(seat) for position in self.positions)
        moves = tuple(p.observe(m, seat) for p, m in zip(self.positions, self.moves, strict=False))
        return Record(self.game, positions, moves)


@dataclass(frozen=True)
class MoveParts:
    """A move or chance event in structured form, for programs that do not read notation.

    kind: its name; the page of the game's notation lists them. card: the card it is about, as in the view of the
    position; empty where there is none or it was not seen. place: pod, pile, cell or value, by its number. seats: those
    it is about besides the one that moves. number: anything else that is counted. What does not apply is left out.
    """

    kind: str
    card: str = ""
    place: int | None = None
    seats: tuple[int, ...] = ()
    number: int | None = None


class Game(ABC):
    """One game. Instances carry no state."""

    name: ClassVar[str]
    title: ClassVar[str]
    min_players: ClassVar[int]
    max_players: ClassVar[int]
    score_unit: ClassVar[str]
    hidden_information: ClassVar[bool]
    simultaneous_decisions: ClassVar[bool] = False
    options: ClassVar[tuple[Option[Any], ...]]
    notation_help: ClassVar[str]
    example: ClassVar[str]

    def how_to_play(self) -> str:
        """The page that teaches people the game, in Markdown: `how_to_play.md` of the game's package."""
        return files(type(self).__module__).joinpath("how_to_play.md").read_text(encoding="utf-8")

    @abstractmethod
    def deal(self, seed: int, options: Mapping[str, str]) -> Position:
        """A start position from a seed. Raises InputError or UnknownNameError under ``options.<name>``."""

    @abstractmethod
    def parse_position(self, text: str, field: str = "notation") -> Position:
        """Reads a position text. Raises NotationError or PositionError under `field`."""

    @abstractmethod
    def format_position(self, position: Position) -> str:
        """The canonical notation of a position."""

    def steps_of(self, word: str) -> list[str]:
        """The texts of the steps that a word of a record consists of."""
        return [word]

    def continues_word(self, step: str) -> bool:
        """Whether a step is written in one word with the step before."""
        return False

    @abstractmethod
    def parse_move(self, position: Position, text: str, field: str = "move") -> int:
        """The number of the move with this text, legal or not. Raises NotationError."""

    @abstractmethod
    def format_move(self, position: Position, move: int) -> str:
        """The move's notation."""

    @abstractmethod
    def describe_move(self, position: Position, move: int) -> str:
        """The move in words."""

    @abstractmethod
    def move_parts(self, position: Position, move: int) -> MoveParts:
        """The move in structured form, of its own among the moves of the position."""

    def describe_turn(self, turn: Record) -> str:
        """A whole turn in words; its first position is where it begins."""
        steps = zip(turn.positions, turn.moves, strict=False)
        return "; ".join(self.describe_move(position, move) for position, move in steps)

    def describe_next(self, position: Position) -> str:
        """What comes next, in words that say no more than the position: what the seat to move decides, such as "take a
        card or pass", or what chance does, such as "who begins is drawn". Games need not have words for it."""
        return ""

    def turns(self, position: Position, limit: int) -> list[Record] | None:
        """The whole turns that begin or go on here, the best one among them; None where there are more than `limit`.

        A turn ends where another seat, chance or a new turn of the same seat follows. Empty where no decision comes
        next or where a turn is a single step.
        """
        found: list[Record] = []
        seat = position.seat_to_move
        # The moves to search suffice from the start of a turn only.
        moves = Position.search_moves if position.opens_turn else Position.legal_moves
        unfinished = [Record(self, (position,), ())] if seat is not None else []
        while unfinished:
            turn = unfinished.pop()
            for move in reversed(moves(turn.current)):
                after = Record(self, (*turn.positions, turn.current.play(move)), (*turn.moves, move))
                goes_on = after.current.seat_to_move == seat and not after.current.opens_turn
                (unfinished if goes_on else found).append(after)
            if len(found) + len(unfinished) > limit:
                return None
        return sorted(found, key=lambda turn: turn.moves) if any(len(turn.moves) > 1 for turn in found) else []

    @abstractmethod
    def why_illegal(self, position: Position, move: int) -> str:
        """Why a move that is not legal is not."""

    @abstractmethod
    def key(self, position: Position) -> str:
        """Canonical key, 32 hexadecimal digits: equal for positions that a named symmetry maps onto each other."""

    @abstractmethod
    def score_bounds(self, position: Position) -> tuple[float, float]:
        """Least and greatest score that any seat can have at the end of any game by the position's rules."""

    def is_match(self, position: Position) -> bool:
        """Whether the position is one of a match of several rounds, so that its returns are those of the match."""
        return False

    def stakes(self, position: Position) -> tuple[tuple[float, float], ...] | None:
        """In a match that is searched by rounds (`Position.round_returns`): for each seat its share of the match's win
        once it has lost the round at hand, and once it has won it, on the assumption that all players have the same
        chances in every round to come. None elsewhere."""
        return None

    def symmetries(self, position: Position) -> Mapping[str, Position]:
        """By name, the positions that the symmetries of the game map this one to: all have its `key` and its value."""
        return {}

    def stage_start(self, position: Position) -> tuple[Position, tuple[int, ...]]:
        """For a secret decision: the position with all decisions of its stage undone, those of other seats included,
        and the moves that the seat to move has made in the stage. Asked only where `Position.is_secret`."""
        raise NotImplementedError

    def knows_own_cards(self, position: Position, seat: int) -> bool:
        """Whether the position says all that the seat itself holds and has decided. Games without hidden cards need no
        more."""
        return True

    def check_seat(self, position: Position, seat: int, field: str = "seat") -> None:
        """Raises InputError unless `seat` takes part."""
        if not 0 <= seat < position.players:
            raise InputError(field, f"found {seat}, expected 0 to {position.players - 1}")
