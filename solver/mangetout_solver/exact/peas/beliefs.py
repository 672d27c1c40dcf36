"""What a seat of PEAS holds possible: every hand that the other may have, and how likely each is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from mangetout_solver.errors import PositionError
from mangetout_solver.games.game import SEAT_LETTERS
from mangetout_solver.games.peas import view
from mangetout_solver.games.position import Position


@dataclass(frozen=True)
class Belief:
    """seen: the position as `seat` sees it. worlds: all complete positions that look so, the other's hand in ascending
    order, its lowest card first (`Position.worlds`). weights: how likely each is; positive, summing to 1."""

    seat: int
    seen: Position
    worlds: tuple[Position, ...]
    weights: tuple[float, ...]

    def hand(self, index: int) -> tuple[str, ...]:
        """The other's cards in a world, ascending."""
        if index not in self._hands:
            self._hands[index] = view(self.worlds[index]).hands[1 - self.seat].cards
        return self._hands[index]

    @cached_property
    def _hands(self) -> dict[int, tuple[str, ...]]:
        # To read a world takes longer than to solve it late in a round.
        return {}


def uniform(position: Position, seat: int) -> Belief:
    """All hands equally likely: what the cards alone say (PEAS-02), and the colours shown not to be held (PEAS-06).

    position: of a round under way or over; what `seat` does not see of it makes no difference. Raises PositionError
    (``hands.<seat>``) where cards of the seat itself are not known; ValueError for more than 100,000 worlds, or while
    cards are dealt.
    """
    seen = position.redacted(seat)
    found = view(seen)
    if found.deal is not None:
        raise ValueError("found a round while it is dealt, expected hands")
    if unknown := found.hands[seat].unknown:
        reason = f"found {unknown} cards that are not known, expected none: the seat sees its own hand"
        raise PositionError(f"hands.{SEAT_LETTERS[seat]}", reason)
    worlds = seen.worlds()
    return Belief(seat, seen, tuple(worlds), (1.0 / len(worlds),) * len(worlds))
