"""Play of Pepper. Corn! while cards lie face down: the expectation over what they may be (docs/exact/pepper_corn.md).

Nobody knows these cards, so both seats know the same, and a card turned up is a chance event. Values are whole numbers:
that of a position is the sum over all orders in which the cards listed as unseen may come to lie face down, each as
likely as the others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from mangetout_solver.exact.pepper_corn.plays import Plays
from mangetout_solver.exact.solution import Outcome
from mangetout_solver.exact.stage import Payoff
from mangetout_solver.games.decktet import CARD_NUMBERS, CARDS
from mangetout_solver.games.pepper_corn import view
from mangetout_solver.games.pepper_corn.positions import GameView
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control

MOST_ORDERS = 120
"""Orders that the exact engine takes on."""

_RANKS = {id_: CARDS[number].points for id_, number in CARD_NUMBERS.items()}
# Bytes of a position that is remembered, with its bounds.
_ENTRY_BYTES = 640

Bounds = tuple[int, int]


class _StoppedError(Exception):
    """No more may be searched."""


def count_orders(position: Position) -> int:
    """In how many ways the cards listed as unseen can lie face down; 1 where none does."""
    game = view(position)
    return math.perm(len(game.unseen), _count_face_down(game))


def count_units(position: Position, payoff: Payoff) -> int:
    """What one of the payoff, a share of the win or a point, makes in the values of `Reveals`."""
    return count_orders(position) * (2 if payoff is Payoff.SHARE else 1)


def in_reveals(position: Position) -> bool:
    """Whether the hands are made up, cards lie face down, and few enough."""
    game = view(position)
    return game.phase == "play" and bool(game.unseen) and count_orders(position) <= MOST_ORDERS


class Reveals:
    """See `exact.solution.Kernel`. What is called a margin there is here what A is paid, summed over all orders: 0, 1
    or 2 for a defeat, a draw and a win, or A's margin. Positions are those of play and those with a card to turn up."""

    def __init__(self, payoff: Payoff, memory_bytes: int, *, threads: int = 1) -> None:
        """payoff: what both play for. memory_bytes: half of it for the table of positions with all cards known, which
        is asked about by `threads`, half for the others."""
        self._payoff = payoff
        self._plays = Plays(memory_bytes // 2, threads=threads)
        self._own_nodes = 0
        self._known: dict[Position, Bounds] = {}
        self._most_known = memory_bytes // 2 // _ENTRY_BYTES
        self._control = Control()
        self._last_node = math.inf

    @property
    def nodes(self) -> int:
        """See `Kernel`."""
        return self._own_nodes + self._plays.nodes

    @property
    def table_bytes(self) -> int:
        """See `Kernel`."""
        return self._plays.table_bytes + len(self._known) * _ENTRY_BYTES

    def outcomes(self, position: Position) -> Sequence[Outcome]:
        """See `Kernel`. The shares are those of the win for the payoff SHARE, and rise with the value for both, so that
        to ask who wins is to ask for the value."""
        low, high = self._at_sight(position)
        units = 2 * count_orders(position)
        return [Outcome(value, (value / units, 1.0 - value / units), None) for value in range(low, high + 1)]

    def groups(self, position: Position) -> Sequence[tuple[int, ...]]:
        """See `Kernel`."""
        return [(move,) for move in position.legal_moves()]

    def at_least(self, position: Position, margin: int, control: Control, max_nodes: int | None = None) -> bool | None:
        """See `Kernel`."""
        self._control = control
        self._last_node = math.inf if max_nodes is None else self.nodes + max_nodes
        try:
            low, _ = self._narrowed(position, margin, self._bounds(position))
        except _StoppedError:
            return None
        return low >= margin

    # -- bounds of a position's value

    def _bounds(self, position: Position) -> Bounds:
        known = self._known.get(position)
        return self._remember(position, self._at_sight(position)) if known is None else known

    def _remember(self, position: Position, bounds: Bounds) -> Bounds:
        if len(self._known) >= self._most_known:
            self._known.clear()
        self._known[position] = bounds
        return bounds

    def _at_sight(self, position: Position) -> Bounds:
        """A seat gains no more than the ranks that its hand can ever take: a capture lays down what it takes in."""
        game = view(position)
        ranks = [sum([_RANKS[card] for card in hand.cards]) for hand in game.hands]
        margin = game.points[0] + ranks[0] - game.points[1] - ranks[1]
        if position.is_terminal:
            worth = self._worth(margin) * count_orders(position)
            return worth, worth
        known = [_RANKS[card] for row in game.tableau for card in row if card is not None and card != "?"]
        unseen = sorted([_RANKS[card] for card in game.unseen], reverse=True)
        face_down = _count_face_down(game)
        orders = math.perm(len(unseen), face_down)
        gains, hidden_gains, most_hidden_gains = [], [], []
        for power in ranks:
            gains.append(sum([rank for rank in known if rank <= power]))
            takeable = [rank for rank in unseen if rank <= power]
            hidden_gains.append(sum(takeable) * face_down * orders // max(1, len(unseen)))
            most_hidden_gains.append(sum(takeable[:face_down]))
        if self._payoff is Payoff.MARGIN:
            low = orders * (margin - gains[1]) - hidden_gains[1]
            high = orders * (margin + gains[0]) + hidden_gains[0]
        else:
            low = orders * self._worth(margin - gains[1] - most_hidden_gains[1])
            high = orders * self._worth(margin + gains[0] + most_hidden_gains[0])
        if game.passed:
            # The seat to move may end the game (PC-21).
            ended = orders * self._worth(margin)
            return (max(low, ended), high) if game.seat == 0 else (low, min(high, ended))
        return low, high

    def _worth(self, margin: int) -> int:
        """To A, when the game ends so."""
        return margin if self._payoff is Payoff.MARGIN else (margin > 0) - (margin < 0) + 1

    def _narrowed(self, position: Position, asked: int, bounds: Bounds) -> Bounds:
        """Bounds that tell whether the value is `asked` or more."""
        if bounds[0] >= asked or bounds[1] < asked:
            return bounds
        if self.nodes >= self._last_node or self._control.must_end():
            raise _StoppedError
        if position.is_chance:
            low, high = self._after_chance(position, asked)
        elif view(position).unseen:
            self._own_nodes += 1
            low, high = self._after_turn(position, asked)
        else:
            low, high = self._with_open_cards(position, asked, bounds)
        return self._remember(position, (max(low, bounds[0]), min(high, bounds[1])))

    def _with_open_cards(self, position: Position, asked: int, bounds: Bounds) -> Bounds:
        margin = asked if self._payoff is Payoff.MARGIN else asked - 1
        left = self._last_node - self.nodes
        answer = self._plays.at_least(position, margin, self._control, None if left == math.inf else int(left))
        if answer is None:
            raise _StoppedError
        return (asked, bounds[1]) if answer else (bounds[0], asked - 1)

    def _after_chance(self, position: Position, asked: int) -> Bounds:
        """The value is the sum of those after each outcome: the least known of them is halved until that tells."""
        after = [position.play(outcome) for outcome, _ in position.chance_outcomes()]
        bounds = [self._bounds(each) for each in after]
        while True:
            low, high = sum([each[0] for each in bounds]), sum([each[1] for each in bounds])
            if low >= asked or high < asked:
                return low, high
            widest = max(range(len(after)), key=lambda i: bounds[i][1] - bounds[i][0])
            middle = (sum(bounds[widest]) + 1) // 2
            bounds[widest] = self._narrowed(after[widest], middle, bounds[widest])

    def _after_turn(self, position: Position, asked: int) -> Bounds:
        """The best of what the seat to move can make of its turn, looking first where it promises most."""
        seat = position.seat_to_move
        sign = -1 if seat == 0 else 1
        after = [(each, self._bounds(each)) for each in _ends_of_turn(position)]
        after.sort(key=lambda each: sign * sum(each[1]))
        found = []
        for each, bounds in after:
            bounds = self._narrowed(each, asked, bounds)
            found.append(bounds)
            if (bounds[0] >= asked) == (seat == 0):
                break
        rest = [bounds for _, bounds in after[len(found) :]]
        pick = max if seat == 0 else min
        lows, highs = ([bounds[end] for bounds in found + rest] for end in range(2))
        return pick(lows), pick(highs)


def _ends_of_turn(position: Position) -> list[Position]:
    """The positions after the turn, as far as best play needs them."""
    whole, seat = position.opens_turn, position.seat_to_move
    ended: list[Position] = []
    under_way = [position]
    while under_way:
        at = under_way.pop()
        for move in at.search_moves() if whole else at.legal_moves():
            after = at.play(move)
            (under_way if after.seat_to_move == seat else ended).append(after)
    return ended


def _count_face_down(game: GameView) -> int:
    return sum([row.count("?") for row in game.tableau])
