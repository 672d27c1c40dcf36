"""What the poker games of this package share in Python: deals, cards and moves as text."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from mangetout_solver.errors import NotationError, PositionError
from mangetout_solver.games.game import Game, MoveParts, Record
from mangetout_solver.games.options import ChoiceOption, check_names
from mangetout_solver.games.position import Position
from mangetout_solver.games.reader import Reader

UNDEALT = -1
HIDDEN = -2
_DEAL = 128 << 24
# The number of a card that is not seen, and all bits of a number.
_UNSEEN = 0xFFFFFF
_CARDS = ChoiceOption(
    "cards", "dealt", "Whether hands are dealt, or left to chance events.", choices=("dealt", "undealt")
)


class PokerGame(Game):
    """Two seats with a hidden card each.

    A position is the game's name and fields with blanks between: cards, `?` where not known and `-` where not dealt,
    and last the moves, a letter each, `-` where there is none. At chance events the text of a step is the card.
    """

    min_players = max_players = 2
    score_unit = "chips won, higher is better"
    hidden_information = True
    options = (_CARDS,)
    deck: ClassVar[tuple[str, ...]]
    move_letters: ClassVar[str]
    move_words: ClassVar[tuple[str, ...]]

    @abstractmethod
    def start(self) -> Position:
        """The position before the deal."""

    @abstractmethod
    def read_fields(self, reader: Reader) -> Position:
        """The position whose fields stand behind the game's name. Raises NotationError or PositionError."""

    @abstractmethod
    def hands(self, position: Position) -> Sequence[int]:
        """Each seat's card, UNDEALT or HIDDEN."""

    def deal(self, seed: int, options: Mapping[str, str]) -> Position:
        check_names(options, [option.name for option in self.options])
        record = Record(self, (self.start(),), ())
        return record.current if _CARDS.of(options) == "undealt" else record.draw_chance(seed).current

    def parse_position(self, text: str, field: str = "notation") -> Position:
        reader = Reader(text, field)
        reader.skip_blanks()
        reader.take(self.name, repr(self.name))
        try:
            position = self.read_fields(reader)
        except PositionError as error:
            raise PositionError(field, f"{error.field}: {error.reason}") from None
        reader.skip_blanks()
        if reader.at < len(text):
            raise reader.error("the end of the position")
        return position

    def card_kind(self, position: Position) -> int:
        """The kind of the chance event at hand, in place."""
        return _DEAL

    def parse_move(self, position: Position, text: str, field: str = "move") -> int:
        names: Sequence[str] = self.move_letters
        kind = 0
        if position.is_chance:
            names, kind = self.deck, self.card_kind(position)
            if text == "?" and kind == _DEAL:
                return kind | _UNSEEN
        if text not in tuple(names):
            raise NotationError(field, 1, repr(text[:20]), " or ".join((", ".join(names[:-1]), names[-1])))
        return kind | names.index(text)

    def format_move(self, position: Position, move: int) -> str:
        if move < _DEAL:
            return self.move_letters[move]
        return "?" if move & _UNSEEN == _UNSEEN else self.deck[move & _UNSEEN]

    def describe_move(self, position: Position, move: int) -> str:
        return self.move_words[move] if move < _DEAL else f"deal {self.format_move(position, move)}"

    def move_parts(self, position: Position, move: int) -> MoveParts:
        if move < _DEAL:
            return MoveParts(self.move_words[move].replace(" ", "_"))
        return MoveParts("deal", "" if move & _UNSEEN == _UNSEEN else self.deck[move & _UNSEEN])

    def why_illegal(self, position: Position, move: int) -> str:
        if position.is_chance:
            return "the card has been dealt" if move >= _DEAL else "expected a card"
        return f"expected {', '.join(self.move_letters[legal] for legal in position.legal_moves())}"

    def knows_own_cards(self, position: Position, seat: int) -> bool:
        return self.hands(position)[seat] != HIDDEN

    def key(self, position: Position) -> str:
        texts = map(self.format_position, (position, *self.symmetries(position).values()))
        return hashlib.blake2b(min(texts).encode(), digest_size=16).hexdigest()

    def read_card(self, reader: Reader, whose: str, also: str) -> int:
        """A field with a card, or with what `also` allows of `-` and `?`."""
        reader.blanks(whose)
        for number, name in [*enumerate(self.deck), (UNDEALT, "-"), (HIDDEN, "?")]:
            if (number >= 0 or name in also) and reader.optional(name):
                return number
        raise reader.error(f"{whose}: {', '.join([*self.deck, *also])}")

    def read_hands(self, reader: Reader) -> list[int]:
        """The fields with the seats' cards."""
        return [self.read_card(reader, f"the card of {seat}", "-?") for seat in "AB"]

    def read_moves(self, reader: Reader) -> list[int]:
        """Letters of moves, one at least."""
        letters = reader.take(f"[{self.move_letters}]+", f"moves: {', '.join(self.move_letters)}")
        return [self.move_letters.index(letter) for letter in letters]

    def card_text(self, card: int) -> str:
        """A field with a card."""
        return {UNDEALT: "-", HIDDEN: "?"}.get(card) or self.deck[card]

    def moves_text(self, moves: Sequence[int]) -> str:
        """The letters of moves, or `-`."""
        return "".join(self.move_letters[move] for move in moves) or "-"
