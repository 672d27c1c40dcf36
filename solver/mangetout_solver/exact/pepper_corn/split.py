"""The split of Pepper. Corn! with both deals open: an equilibrium of dividing and choosing, play being exact.

Both players divide their cards unseen, then both choose one of the other's piles unseen (PC-01, PC-04). After the
divisions are shown the choice is a game of two by two of its own, whose value is a cell of the game of divisions;
behind each choice lies an opening that `PlaySolver` answers questions about. Openings are only known to lie between
bounds, so cells and the value do as well: the least that A's mixture is sure of and the most that B's allows. Questions
are asked where they can move one of these ends, in the manner of a double oracle (McMahan, Gordon and Blum 2003): of
the openings that A's mixture meets against the division that hurts it most, and of those of A's best reply to B's
mixture.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mangetout_solver.errors import InputError
from mangetout_solver.exact.matrix import Matrix, equilibrium, two_by_two, weights
from mangetout_solver.exact.pepper_corn.solver import PlaySolver
from mangetout_solver.exact.stage import TOLERANCE, Ends, Payoff, Plan, StageSolution
from mangetout_solver.games.decktet import CARD_NUMBERS, CARDS
from mangetout_solver.games.pepper_corn.positions import GAP_CELL, HIDDEN, GameView, build, view
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control

MOST_DIVISIONS = 128
"""Of the cards of one seat, for a split to be solved: those of eight cards, piles that may be empty included."""

_POINTS = [card.points for card in CARDS]
# What an opening is taken to be worth until it is known better; tempo counts for the seat that begins.
_TEMPO = 3.6
_SLOPE = 1.5
# Nodes of the first try of a question, and how many times as much the next one gets.
_FIRST_TRY = 20_000
_NEXT_TRY = 8
# About one cell, before mixtures are looked for again.
_QUESTIONS = 8
# Nodes, before the value is bounded anew.
_NODES_A_BOUND = 200_000


def covers(start: Position) -> bool:
    """Whether `Split` solves a stage, all dealt cards known, that begins here: no card lies face down."""
    game = view(start)
    return game.phase in ("split", "choose") and not any("?" in row for row in game.tableau)


def count_divisions(start: Position) -> tuple[int, int]:
    """In how many ways each seat can divide its cards; 1 once they are divided."""
    game = view(start)
    if game.phase != "split":
        return 1, 1
    ways = [(1 << len(hand.cards) - 1) - (not game.empty_piles) for hand in game.hands]
    return ways[0], ways[1]


def first_decision(start: Position, seat: int) -> Position:
    """Where a seat begins to decide in the stage that begins at `start`; what the other one has decided by then does
    not show (PC-01)."""
    if start.seat_to_move == seat:
        return start
    game = view(start)
    return build(
        _tableau(game),
        [_numbers(hand.cards) for hand in game.hands],
        piles=[hand.piles and (_numbers(hand.piles[0]), _numbers(hand.piles[1])) for hand in game.hands],
        phase=game.phase,
        seat=seat,
        choices=(HIDDEN, None) if game.phase == "choose" else (None, None),
        empty_piles=game.empty_piles,
        hands_known=game.dealt_hands_known,
        **_rules(game),
    )


@dataclass(frozen=True)
class KnownOpening:
    """What is known of one way in which the hands may be made up: all that a split needs to go on where it was.

    kept, taken: the cards of A's deal and of B's deal that A holds, as sets of places among the cards dealt. tries: how
    often questions about it were given more nodes. bounds: of A's margin, for each seat that may begin (PC-06).
    """

    kept: int
    taken: int
    tries: int
    bounds: tuple[tuple[int, int], ...]


class _Opening:
    """One way the hands may be made up. Where a lot decides who begins, both ways count half (PC-06)."""

    __slots__ = ("bounds", "guess", "hands", "starters", "tries")

    def __init__(self, hands: Sequence[Sequence[int]], starters: Sequence[int], guess: float) -> None:
        self.hands = hands
        self.starters = starters
        self.bounds: list[tuple[int, int]] = []  # of A's margin, for each starter
        self.guess = guess
        self.tries = 0

    def low(self, payoff: Payoff) -> float:
        return sum(payoff.of(low) for low, _ in self.bounds) / len(self.bounds)

    def high(self, payoff: Payoff) -> float:
        return sum(payoff.of(high) for _, high in self.bounds) / len(self.bounds)

    def estimate(self, payoff: Payoff) -> float:
        low, high = self.low(payoff), self.high(payoff)
        if payoff is Payoff.MARGIN:
            return min(high, max(low, self.guess))
        return min(high, max(low, 0.5 + self.guess / 40.0))

    def open_questions(self, payoff: Payoff) -> Iterable[tuple[int, int]]:
        """Number of a starter and the margin to ask about, for those that are not decided."""
        for number, (low, high) in enumerate(self.bounds):
            if payoff.of(low) == payoff.of(high):
                continue
            first = [margin for margin in (1, 0) if low < margin <= high]
            yield number, first[0] if first else (low + high + 1) // 2


class Split:
    """A stage, of dividing or of choosing, being solved: `run` proves, and `solution` says at any time, from any
    thread, what is proven so far."""

    def __init__(
        self,
        start: Position,
        solver: PlaySolver,
        payoff: Payoff,
        *,
        seat: int = 0,
        begun: Sequence[int] = (),
        allowed: Collection[int] | None = None,
    ) -> None:
        """start: where the stage begins, all dealt cards known; `covers` it, with at most MOST_DIVISIONS a seat.
        begun: the steps that `seat` has made; the other one does not know them. allowed: moves for its next one; it
        then has no other plans than those that begin so, and the other one knows that. None: it has all.
        """
        self._view = view(start)
        self._solver = solver
        self._payoff = payoff
        self._seat = seat
        self._begun = tuple(begun)
        self._tableau, self._rules = _tableau(self._view), _rules(self._view)
        self._dealt = [_numbers(hand.cards) for hand in self._view.hands]
        # By seat: the steps of each plan, and what it comes to: the pile with the lowest card, as a set of places among
        # the cards dealt (PC-03), or the number of the pile taken.
        self._moves: list[list[tuple[int, ...]]] = []
        self._meaning: list[list[int]] = []
        position = start
        for mover in range(2):
            plans = _plans(position, mover)
            position = plans[0][1]
            if mover == seat and allowed is not None:
                made = len(self._begun)
                plans = [plan for plan in plans if plan[0][:made] == self._begun and plan[0][made] in allowed]
            self._moves.append([moves for moves, _ in plans])
            self._meaning.append([self._meaning_of(mover, moves, after) for moves, after in plans])
        self._openings: dict[tuple[int, int], _Opening] = {}
        shape = (len(self._moves[0]), len(self._moves[1]))
        most = float(sum(_POINTS))
        worst = {Payoff.SHARE: 0.0, Payoff.MARGIN: -most}
        best = {Payoff.SHARE: 1.0, Payoff.MARGIN: most}
        # Of each cell the least, what it is taken to be worth, and the most.
        self._payoffs = list(dict.fromkeys((payoff, Payoff.SHARE)))
        self._low = {each: np.full(shape, worst[each]) for each in self._payoffs}
        self._high = {each: np.full(shape, best[each]) for each in self._payoffs}
        self._estimate = np.full(shape, (worst[payoff] + best[payoff]) / 2)
        self._values = {each: Ends(worst[each], best[each]) for each in self._payoffs}
        self._mixtures = (np.full(shape[0], 1.0 / shape[0]), np.full(shape[1], 1.0 / shape[1]))
        self._cells_seen = 0
        self._solved = False

    def run(self, control: Control, max_nodes: int | None = None) -> None:
        """Asks until the value is proven, `control` says stop or `max_nodes` are searched."""
        last = math.inf if max_nodes is None else self._solver.nodes + max_nodes
        low, high = self._low[self._payoff], self._high[self._payoff]
        while self._cells_seen < low.size:
            if control.must_end():
                return
            self._update(*divmod(self._cells_seen, low.shape[1]))
            self._cells_seen += 1
        bounded = -math.inf
        while not control.must_end():
            if self._solver.nodes >= min(bounded + _NODES_A_BOUND, last):
                self._bound(control)
                bounded = self._solver.nodes
            x, y = self._mixtures = equilibrium(self._estimate)
            worst = int(np.argmin(x @ low))
            best = int(np.argmax(high @ y))
            sure, allowed = float(x @ low[:, worst]), float(high[best] @ y)
            self._narrow_value(self._payoff, sure, allowed)
            if self._values[self._payoff].closed:
                # Where the mixtures of the estimate do not prove the value, those of the bounds do.
                if not Ends(sure, allowed).closed:
                    self._mixtures = equilibrium(low)[0], equilibrium(high)[1]
                self._solved = True
                return
            cells = [(int(row), worst) for row in np.flatnonzero(x)]
            cells += [(best, int(column)) for column in np.flatnonzero(y)]
            cells = [(row, column) for row, column in cells if low[row, column] < high[row, column]]
            # Without cells the linear programs are not solved well enough to tell more.
            if self._solver.nodes >= last or not cells:
                return
            for row, column in cells:
                self._ask(row, column, control, last)
                if control.stop_reason is not None or self._solver.nodes >= last:
                    break

    def solution(self) -> StageSolution:
        """What is proven so far. Values only ever narrow."""
        solved, values, mixtures = self._solved, dict(self._values), self._mixtures
        return StageSolution(values, (self._plans(0, mixtures), self._plans(1, mixtures)), solved)

    def count_openings(self) -> tuple[int, int, int]:
        """All that were looked at, those of which all that matters is known, and those that a question was asked
        about."""
        openings = list(self._openings.values())
        solved = sum(opening.low(self._payoff) == opening.high(self._payoff) for opening in openings)
        return len(openings), solved, sum(opening.tries > 0 for opening in openings)

    def known(self) -> list[KnownOpening]:
        """The openings that questions were asked about; from any thread."""
        return [
            KnownOpening(kept, taken, opening.tries, tuple(opening.bounds))
            for (kept, taken), opening in list(self._openings.items())
            if opening.tries
        ]

    def learn(self, known: Iterable[KnownOpening]) -> None:
        """Takes over what was known before, in a split of the same position or its mirror image, by either payoff, not
        while `run` goes on.

        Raises InputError (``openings[i]``) for what cannot be true.
        """
        for number, entry in enumerate(known):
            for cards, held in zip(self._dealt, (entry.kept, entry.taken), strict=True):
                if not 0 <= held < 1 << len(cards):
                    reason = f"found cards {held}, expected a set of {len(cards)} as a number"
                    raise InputError(f"openings[{number}]", reason)
            opening = self._opening(entry.kept, entry.taken)
            if len(entry.bounds) != len(opening.bounds):
                reason = f"found bounds for {len(entry.bounds)} beginnings, expected {len(opening.bounds)}"
                raise InputError(f"openings[{number}]", reason)
            both = zip(opening.bounds, entry.bounds, strict=True)
            opening.bounds = [(max(low, before[0]), min(high, before[1])) for (low, high), before in both]
            opening.tries = max(opening.tries, entry.tries)
            if any(low > high for low, high in opening.bounds):
                raise InputError(f"openings[{number}]", f"found bounds {entry.bounds}, expected what the hands allow")

    # -- the value

    def _bound(self, control: Control) -> None:
        """What the best mixtures for either bounds of the cells prove."""
        for payoff in self._payoffs:
            for cells in (self._low[payoff], self._high[payoff]):
                if control.must_end():
                    return
                x, y = equilibrium(cells)
                least, most = (x @ self._low[payoff]).min(), (self._high[payoff] @ y).max()
                self._narrow_value(payoff, float(least), float(most))

    def _narrow_value(self, payoff: Payoff, low: float, high: float) -> None:
        known = self._values[payoff]
        self._values[payoff] = Ends(max(known.low, low), min(known.high, high))

    # -- cells

    def _update(self, row: int, column: int) -> None:
        openings = self._openings_of(row, column)
        for payoff in self._payoffs:
            self._low[payoff][row, column] = _worth([opening.low(payoff) for opening in openings])
            self._high[payoff][row, column] = _worth([opening.high(payoff) for opening in openings])
        self._estimate[row, column] = _worth([opening.estimate(self._payoff) for opening in openings])

    def _openings_of(self, row: int, column: int) -> list[_Opening]:
        """Those behind a cell: by A's choice of a pile of B's, the row, and B's of one of A's. One of a choice made."""
        a, b = self._meaning[0][row], self._meaning[1][column]
        whole_a, whole_b = ((1 << len(dealt)) - 1 for dealt in self._dealt)
        if self._view.phase == "choose":
            pile_a, pile_b = (self._places(seat, self._piles(seat)[0]) for seat in range(2))
            return [self._opening(pile_a if b else whole_a ^ pile_a, whole_b ^ pile_b if a else pile_b)]
        return [self._opening(kept, taken) for taken in (b, whole_b ^ b) for kept in (whole_a ^ a, a)]

    def _opening(self, kept: int, taken: int) -> _Opening:
        """By the cards of A's deal and of B's deal that A holds."""
        key = (kept, taken)
        if key not in self._openings:
            self._openings[key] = self._make_opening(kept, taken)
        return self._openings[key]

    def _make_opening(self, kept: int, taken: int) -> _Opening:
        hands: tuple[list[int], list[int]] = ([], [])
        for cards, held in zip(self._dealt, (kept, taken), strict=True):
            for place, card in enumerate(cards):
                hands[0 if held >> place & 1 else 1].append(card)
        points = [sum([_POINTS[card] for card in hand]) for hand in hands]
        ranked = [(points[seat], len(hands[seat])) for seat in range(2)]
        starters = [0, 1] if ranked[0] == ranked[1] else [ranked.index(min(ranked))]
        lead = points[0] - points[1]
        tempo = sum([_TEMPO if seat == 0 else -_TEMPO for seat in starters]) / len(starters)
        opening = _Opening([sorted(hand) for hand in hands], starters, _SLOPE * lead + tempo)
        for seat in starters:
            gains = self._solver.most_gains(self._start(opening, seat))
            opening.bounds.append((lead - gains[1], lead + gains[0]))
        return opening

    def _start(self, opening: _Opening, seat: int) -> Position:
        return build(self._tableau, opening.hands, seat=seat, **self._rules)

    def _ask(self, row: int, column: int, control: Control, last: float) -> None:
        """Asks about a cell, until enough was asked."""
        low, high = self._low[self._payoff], self._high[self._payoff]
        for _ in range(_QUESTIONS):
            learnt = self._narrow(row, column, control, last)
            if not learnt or low[row, column] == high[row, column]:
                return

    def _narrow(self, row: int, column: int, control: Control, last: float) -> bool:
        """Asks about one opening of a cell, the one that decides most; whether something was learnt."""
        openings = self._openings_of(row, column)
        estimates = [opening.estimate(self._payoff) for opening in openings]
        met = weights(estimates) if len(estimates) == 4 else [1.0]
        for place in sorted(range(len(openings)), key=lambda i: (openings[i].tries, -met[i])):
            opening = openings[place]
            for number, margin in opening.open_questions(self._payoff):
                nodes = min(_FIRST_TRY * _NEXT_TRY**opening.tries, last - self._solver.nodes)
                if nodes <= 0:
                    return False
                start = self._start(opening, opening.starters[number])
                answer = self._solver.at_least(start, margin, control, int(nodes))
                low, high = opening.bounds[number]
                if answer is None:
                    opening.tries += control.stop_reason is None
                    return False
                opening.tries = max(opening.tries, 1)
                opening.bounds[number] = (margin, high) if answer else (low, margin - 1)
                self._update(row, column)
                return True
        return False

    # -- plans

    def _piles(self, seat: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Of a seat whose cards are divided."""
        hand = self._view.hands[seat]
        return (hand.cards, ()) if hand.piles is None else hand.piles

    def _places(self, seat: int, pile: Collection[str]) -> int:
        return sum(1 << place for place, card in enumerate(self._view.hands[seat].cards) if card in pile)

    def _meaning_of(self, seat: int, moves: Sequence[int], after: Position) -> int:
        if self._view.phase == "choose":
            chosen = view(after).choices[seat]
            assert chosen is not None
            return chosen
        piles = view(after).hands[seat].piles
        return self._places(seat, self._view.hands[seat].cards if piles is None else piles[0])

    def _plans(self, seat: int, mixtures: tuple[Matrix, Matrix]) -> tuple[Plan, ...]:
        begun = self._begun if seat == self._seat else ()
        made = len(begun)
        numbers = [number for number, moves in enumerate(self._moves[seat]) if moves[:made] == begun]
        # From here on the seat's view, plans as rows.
        sign = 1.0 if seat == 0 else -1.0

        def turned(matrix: Matrix) -> Matrix:
            return (matrix if seat == 0 else matrix.T)[numbers]

        estimate = sign * turned(self._estimate)
        chances = mixtures[seat][numbers]
        if chances.sum() <= TOLERANCE:
            # After steps that are never made, the best reply to the other seat's mixture.
            chances = np.eye(len(numbers))[int(np.argmax(estimate @ mixtures[1 - seat]))]
        chances = np.where(chances > TOLERANCE, chances, 0.0)
        chances /= chances.sum()
        sure = {}
        for payoff in self._payoffs:
            # What the plan gets against the reply that is best against it.
            low, high = turned(self._low[payoff]), turned(self._high[payoff])
            pick = np.min if seat == 0 else np.max
            sure[payoff] = list(zip(pick(low, axis=1), pick(high, axis=1), strict=True))
        most = turned(self._high[self._payoff]) if seat == 0 else -turned(self._low[self._payoff])
        found = []
        for index, number in enumerate(numbers):
            reply = int(np.lexsort((estimate[index], most[index]))[0])
            ends = {payoff: Ends(float(sure[payoff][index][0]), float(sure[payoff][index][1])) for payoff in sure}
            moves = self._moves[seat][number][made:]
            found.append(Plan(moves, float(chances[index]), ends, self._moves[1 - seat][reply]))

        def rank(plan: Plan) -> tuple[float, float, float]:
            ends = plan.sure[self._payoff]
            low, high = (ends.low, ends.high) if seat == 0 else (-ends.high, -ends.low)
            return -plan.probability, -low, -high

        return tuple(sorted(found, key=rank))


def _plans(position: Position, seat: int) -> list[tuple[tuple[int, ...], Position]]:
    """All ways through the stage of the seat to move, and the positions that they lead to."""
    found: list[tuple[tuple[int, ...], Position]] = [((), position)]
    while found[0][1].seat_to_move == seat and found[0][1].is_secret:
        found = [((*moves, move), at.play(move)) for moves, at in found for move in at.legal_moves()]
    return found


def _worth(payoffs: Sequence[float]) -> float:
    """Of a cell, by what its openings are worth."""
    return two_by_two(payoffs) if len(payoffs) == 4 else payoffs[0]


def _numbers(cards: Iterable[str]) -> list[int]:
    return [CARD_NUMBERS[card] for card in cards]


def _tableau(game: GameView) -> list[list[int]]:
    return [[GAP_CELL if card is None else CARD_NUMBERS[card] for card in row] for row in game.tableau]


def _rules(game: GameView) -> dict[str, Any]:
    return {
        "restricted": game.access == "restricted",
        "extended": game.deck == "extended",
        "matching": game.conversion == "matching",
        "excuse": game.excuse,
    }
