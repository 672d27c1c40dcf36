"""PEAS with a hidden hand: against which hands a move wins, and whether it wins against all of them by one strategy."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from random import Random

from mangetout_solver.analysis import HiddenHands
from mangetout_solver.exact.peas.beliefs import Belief, uniform
from mangetout_solver.exact.peas.rounds import Rounds
from mangetout_solver.games.peas import view
from mangetout_solver.games.peas.positions import COLOUR_LETTERS
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control

# With more cards in a hand, or more hands, a search takes seconds (docs/exact/peas.md).
MOST_CARDS = 5
MOST_WORLDS = 500

# Nodes for each move to see whether it is sure before hands are looked at one by one: those that are mostly take few.
_FIRST_TRY = 1000


@dataclass(frozen=True)
class MoveWorlds:
    """What is proven of a move that some seat makes next, from the view of the seat whose belief it is.

    possible: indices of the worlds looked at in which the move can be made. beaten: those of them that the seat loses
    after it. In each world by itself both then play their best with open hands: that is more than the seat knows, so a
    move that is never beaten need not win against every hand.

    sure: True where the seat is proven to win the round by one strategy of what it sees, whatever hand the other holds
    and plays; False where no strategy is sure of that; None where neither is proven. After a move of the other's, the
    hands are those with which it can make the move. Where it is sure, all worlds count as looked at.
    """

    move: int
    possible: tuple[int, ...]
    beaten: tuple[int, ...]
    sure: bool | None


@dataclass(frozen=True)
class WorldsSolution:
    """moves: those that are legal in some world, best first if the seat whose belief it is were to choose: sure ones,
    then by the likelihood to win in the worlds looked at. looked_at: the worlds solved one by one, in the order taken.
    solved: these are all, and of every move it is known whether it is sure."""

    moves: tuple[MoveWorlds, ...]
    looked_at: tuple[int, ...]
    solved: bool


@dataclass(frozen=True)
class TellingCards:
    """What tells the hands that beat a move from those that do not, among the worlds looked at.

    needed: cards that are in all of them. enough: cards that are in some, and in none that the move wins against.
    """

    needed: tuple[str, ...]
    enough: tuple[str, ...]


class _StoppedError(Exception):
    """No more may be searched."""


class AllWorlds:
    """A belief being searched: `run` proves, `solution` says what is proven so far.

    The same belief, seed and number of nodes give the same solution with a new kernel of one thread.
    """

    def __init__(
        self, kernel: Rounds, belief: Belief, control: Control, *, seed: int = 0, max_nodes: int | None = None
    ) -> None:
        """belief: of a position with a move to make. seed: of the random order in which worlds are looked at, so that
        those of an unfinished search stand for all. max_nodes: of this search."""
        if belief.seen.seat_to_move is None:
            raise ValueError("found a position without a move to make, expected one with")
        self._kernel = kernel
        self._belief = belief
        self._control = control
        self._last_node = None if max_nodes is None else kernel.nodes + max_nodes
        self._order = Random(seed).sample(range(len(belief.worlds)), len(belief.worlds))
        self._looked_at: list[int] = []
        self._won_from = _winning_margin(belief.seen)
        moves = belief.seen.legal_moves()
        self._legal = [set(world.legal_moves()) for world in belief.worlds]
        self._beaten: dict[int, list[int]] = {move: [] for move in moves}
        self._sure: dict[int, bool | None] = dict.fromkeys(moves)

    def run(self) -> None:
        """Proves until all is proven, `control` says stop or `max_nodes` are searched. Once only."""
        try:
            for move in self._sure:
                self._sure[move] = self._wins(self._belief.seen.play(move), _FIRST_TRY)
            for index in self._order:
                self._look_at(index)
            for move, sure in self._sure.items():
                if sure is None:
                    self._sure[move] = self._wins(self._belief.seen.play(move))
        except _StoppedError:
            pass

    def solution(self) -> WorldsSolution:
        """What is proven so far."""
        found = [self._result(move) for move in self._sure]
        weights = self._belief.weights

        def worth(result: MoveWorlds) -> tuple[bool, float]:
            weight = sum(weights[index] for index in result.possible)
            lost = sum(weights[index] for index in result.beaten)
            return result.sure is True, 1.0 - lost / weight if weight else 0.0

        solved = len(self._looked_at) == len(self._order) and None not in self._sure.values()
        return WorldsSolution(tuple(sorted(found, key=worth, reverse=True)), tuple(self._looked_at), solved)

    def _result(self, move: int) -> MoveWorlds:
        looked_at = range(len(self._order)) if self._sure[move] else sorted(self._looked_at)
        possible = tuple(index for index in looked_at if move in self._legal[index])
        return MoveWorlds(move, possible, tuple(sorted(self._beaten[move])), self._sure[move])

    def _look_at(self, index: int) -> None:
        """Solves all moves in a world, but for those that are sure."""
        if self._control.must_end():
            raise _StoppedError
        world = self._belief.worlds[index]
        open_moves = [move for move, sure in self._sure.items() if not sure and move in self._legal[index]]
        beaten = [move for move in open_moves if not self._wins(world.play(move))]
        for move in beaten:
            self._beaten[move].append(index)
            self._sure[move] = False
        self._looked_at.append(index)

    def _wins(self, position: Position, most: int | None = None) -> bool | None:
        """Whether the seat wins from there, surely where a hand is hidden; None where `most` nodes do not tell."""
        left = None if self._last_node is None else max(0, self._last_node - self._kernel.nodes)
        nodes = min((limit for limit in (left, most) if limit is not None), default=None)
        answer = self._kernel.at_least(position, self._won_from, self._control, nodes)
        if answer is None:
            if nodes == left or self._control.stop_reason is not None:
                raise _StoppedError
            return None
        return answer == (self._belief.seat == 0)


def _winning_margin(position: Position) -> int:
    """The least margin with which A wins the round: a level score is the pea holder's (PEAS-15)."""
    return 0 if view(position).pea == 0 else 1


def covers(position: Position) -> bool:
    """Whether the seat to move does not see the other's hand, and few enough are possible."""
    seat = position.seat_to_move
    if seat is None:
        return False
    hands = view(position).hands
    return (
        len(hands[seat].cards) <= MOST_CARDS
        and not hands[seat].unknown
        and bool(hands[1 - seat].unknown)
        and not hands[1 - seat].cards
        and position.count_worlds() <= MOST_WORLDS
    )


def against_hidden_hands(
    position: Position, memory_bytes: int, control: Control, seed: int, max_nodes: int | None
) -> dict[int, HiddenHands]:
    """What is proven of each root move of a position that `covers` allows, until `control` or nodes end it."""
    seat = position.seat_to_move
    assert seat is not None
    belief = uniform(position, seat)
    search = AllWorlds(Rounds(memory_bytes), belief, control, seed=seed, max_nodes=max_nodes)
    search.run()
    found = {}
    for result in search.solution().moves:
        if result.sure:
            found[result.move] = HiddenHands(True, 0, 0)
        else:
            cards = telling_cards(belief, result)
            counts = len(result.possible), len(result.beaten)
            found[result.move] = HiddenHands(result.sure, *counts, cards.needed, cards.enough)
    return found


def telling_cards(belief: Belief, result: MoveWorlds) -> TellingCards:
    """See `TellingCards`; cards ascending, none where nothing beats the move."""
    losing = [set(belief.hand(index)) for index in result.beaten]
    if not losing:
        return TellingCards((), ())
    winning = [set(belief.hand(index)) for index in set(result.possible).difference(result.beaten)]
    needed = set.intersection(*losing)
    enough = set.union(*losing).difference(*winning)
    return TellingCards(_ascending(needed), _ascending(enough))


def _ascending(cards: Collection[str]) -> tuple[str, ...]:
    return tuple(sorted(cards, key=lambda card: (COLOUR_LETTERS.index(card[0]), card[1])))
