"""Twins of poker games: OpenSpiel's games behind our notation."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import permutations
from typing import ClassVar, Self

import pyspiel


class PokerReference:
    """A position, never changed after it was made: the cards dealt, `?` where not known, and moves, in order."""

    game: ClassVar[pyspiel.Game]
    deck: ClassVar[tuple[str, ...]]
    # The letter of each of OpenSpiel's actions.
    letters: ClassVar[str]

    def __init__(self, events: tuple[str, ...]) -> None:
        self._events = events

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Reads the notation. ValueError where no order of play leads to it."""
        raise NotImplementedError

    def text(self) -> str:
        """The notation."""
        raise NotImplementedError

    @classmethod
    def checked(cls, events: tuple[str, ...]) -> Self:
        """A position that some deal leads to. ValueError where none does."""
        position = cls(events)
        if not position._states:
            raise ValueError(f"no order of play leads to {events}")
        return position

    @cached_property
    def _worlds(self) -> list[tuple[str, ...]]:
        hidden = [index for index, event in enumerate(self._events) if event == "?"]
        left = [card for card in self.deck if card not in self._events]
        worlds = []
        for cards in permutations(left, len(hidden)):
            events = list(self._events)
            for index, card in zip(hidden, cards, strict=True):
                events[index] = card
            worlds.append(tuple(events))
        return worlds

    @cached_property
    def _states(self) -> list[pyspiel.State]:
        """OpenSpiel's state in every world; none where the events are not legal."""
        return list(self._played())

    def _played(self) -> Iterator[pyspiel.State]:
        for events in self._worlds:
            state = self.game.new_initial_state()
            for event in events:
                names = self.deck if state.is_chance_node() else self.letters
                if event not in names or names.index(event) not in state.legal_actions():
                    return
                state.apply_action(names.index(event))
            yield state

    @property
    def state(self) -> pyspiel.State:
        """OpenSpiel's state of a position without hidden cards. ValueError for another."""
        if "?" in self._events:
            raise ValueError("cards are not known")
        return self._states[0]

    @property
    def to_move(self) -> str | None:
        """The seat letter, "*" at a chance event, None at the end."""
        state = self._states[0]
        if state.is_terminal():
            return None
        return "*" if state.is_chance_node() else "AB"[state.current_player()]

    def legal_moves(self) -> set[str]:
        """Moves that are legal in some world; empty at chance events and at the end."""
        if self.to_move in ("*", None):
            return set()
        return {self.letters[action] for state in self._states for action in state.legal_actions()}

    def chance_outcomes(self) -> dict[str, float]:
        """Cards and their probabilities, in all worlds together; none where no card comes next."""
        chances: dict[str, float] = {}
        for state in self._states if self.to_move == "*" else ():
            for card, probability in state.chance_outcomes():
                name = self.deck[card]
                chances[name] = chances.get(name, 0.0) + probability / len(self._states)
        return chances

    def play(self, text: str) -> Self:
        """The position after a move, a card, or a card not seen. ValueError where it is not legal."""
        return self.checked((*self._events, text))

    def seen_by(self, seat: str) -> Self:
        """The position without the other seat's card."""
        other = 1 - "AB".index(seat)
        return type(self)(tuple("?" if index == other else event for index, event in enumerate(self._events)))

    def worlds(self) -> list[str]:
        """Every complete position that fits, all equally likely."""
        return [type(self)(events).text() for events in self._worlds]

    def scores(self) -> tuple[float, ...]:
        """Chips won, when the game is over."""
        return tuple(self.state.returns())

    def win_shares(self) -> tuple[float, ...]:
        """The chips, mapped to [0, 1] from the most that can be lost to the most that can be won."""
        low, high = self.game.min_utility(), self.game.max_utility()
        return tuple((score - low) / (high - low) for score in self.scores())
