"""Solving a position by tests of its margin: first who wins, then the best margin, and what the moves are worth."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence

from mangetout_solver.exact.solution import Bounds, Choice, Kernel, Solution
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control

# A move that a test rests on is found by asking for each move with a single node, then with more: the table knows it.
_FIRST_TRY = 1
_NEXT_TRY = 16
# Nodes to prove, at each step of a variation, what both players are left to play for once the question is decided.
_ASIDE = 256

Promise = Callable[[], Mapping[int, float]]


class _StoppedError(Exception):
    """No more may be searched."""


class _Choice:
    """A choice while it is searched. Its bounds are from the view of the seat to move at the root."""

    def __init__(self, moves: tuple[int, ...], after: Position, low: int, high: int) -> None:
        self.moves = moves
        self.after = after
        self.low = low
        self.high = high
        self.variation = [moves[0]]


class Solving:
    """One position being solved: `run` proves, and `solution` says at any time, from any thread, what is proven so far.

    Inside, margins are from the view of the seat to move at the root, where nothing else is said. A question is a list
    of steps, margins in ascending order, and decided for a move once no step is above the low and up to the high end of
    its bounds: to ask who wins takes one step, to ask for the margin all of them.
    """

    def __init__(
        self,
        kernel: Kernel,
        position: Position,
        control: Control,
        *,
        margin: bool,
        lines: int,
        promise: Promise,
        allowed: Collection[int] | None = None,
        max_nodes: int | None = None,
    ) -> None:
        """position: a decision with nothing hidden. margin: prove the best margin, not only who wins. lines: choices to
        prove, best first; 0 proves all. promise: asked where what is proven leaves open which choice comes first; gives
        each root move a number, the greater the better. allowed: root moves to choose from, all where None.
        """
        assert position.seat_to_move is not None
        self._kernel = kernel
        self._position = position
        self._control = control
        self._last_node: float = math.inf if max_nodes is None else kernel.nodes + max_nodes
        self._promise = promise
        self._seat = position.seat_to_move
        outcomes = kernel.outcomes(position)
        if self._seat == 1:
            outcomes = outcomes[::-1]
        self._margins = [outcome.margin if self._seat == 0 else -outcome.margin for outcome in outcomes]
        shares = [outcome.shares[self._seat] for outcome in outcomes]
        wins = [self._margins[i] for i in range(1, len(outcomes)) if shares[i] > shares[i - 1]]
        self._questions = [wins, self._margins[1:]] if margin else [wins]
        self._low, self._high = self._margins[0], self._margins[-1]
        groups = [tuple(m for m in group if allowed is None or m in allowed) for group in kernel.groups(position)]
        self._choices = [_Choice(moves, position.play(moves[0]), self._low, self._high) for moves in groups if moves]
        self._restricted = sum(map(len, groups)) < len(position.legal_moves())
        self._lines = lines or len(self._choices)
        self._solved = False

    def run(self) -> None:
        """Proves until all is proven that is asked for, `control` says stop or `max_nodes` are searched. Once only."""
        try:
            for steps in self._questions:
                self._prove_root(steps)
                self._find_best(steps)
                self._prove_lines(steps)
            self._solved = True
            for choice in self._best_first()[0][: self._lines]:
                self._extend(choice)
        except _StoppedError:
            pass

    def solution(self) -> Solution:
        """What is proven so far. Bounds only ever narrow."""
        solved = self._solved
        ordered, promised = self._best_first()
        choices = tuple(
            Choice(choice.moves, self._bounds(choice.low, choice.high), tuple(choice.variation)) for choice in ordered
        )
        return Solution(self._bounds(self._low, self._high), choices, promised, solved)

    # -- the questions

    def _prove_root(self, steps: Sequence[int]) -> None:
        while open_steps := _between(steps, self._low, self._high):
            asked = nearest_middle(open_steps, self._low, self._high)
            if self._root_reaches(asked):
                self._low = asked
            else:
                self._high = self._below(asked)
            self._spread()

    def _root_reaches(self, margin: int) -> bool:
        if not self._restricted:
            return self._surely(self._position, margin)
        return any(self._test(choice, margin) for choice in self._choices if choice.high >= margin)

    def _find_best(self, steps: Sequence[int]) -> None:
        """Finds a move that is worth what the root is."""
        reached = steps[: bisect_right(steps, self._low)]
        if not reached or any(choice.low >= reached[-1] for choice in self._choices):
            return
        open_choices = [choice for choice in self._choices if choice.high >= reached[-1]]
        found = self._first([choice.after for choice in open_choices], self._seat, reached[-1])
        open_choices[found].low = reached[-1]

    def _prove_lines(self, steps: Sequence[int]) -> None:
        """Decides the question for the best choices, as many as are asked for."""

        def urgency(choice: _Choice) -> tuple[int, bool]:
            return -bisect_right(steps, choice.high), bool(_between(steps, choice.low, choice.high))

        while True:
            for choice in sorted(self._choices, key=urgency)[: self._lines]:
                if open_steps := _between(steps, choice.low, choice.high):
                    # A choice that may be as good as the best is held to that first.
                    middle = open_steps[-1] if choice.high == self._low else open_steps[len(open_steps) // 2]
                    self._test(choice, middle)
                    self._spread()
                    break
            else:
                return

    def _test(self, choice: _Choice, margin: int) -> bool:
        reaches = self._surely(choice.after, margin)
        if reaches:
            choice.low = margin
        else:
            choice.high = self._below(margin)
        return reaches

    def _spread(self) -> None:
        """The root is worth what the best choice is."""
        for choice in self._choices:
            choice.high = min(choice.high, self._high)
        self._low = max(self._low, max(choice.low for choice in self._choices))
        self._high = min(self._high, max(choice.high for choice in self._choices))

    # -- variations

    def _extend(self, choice: _Choice) -> None:
        """Plays on from a choice: who moves keeps to the bounds as far as they were proven."""
        position = choice.after
        bounds = Bounds(choice.low, choice.high)
        while (seat := position.seat_to_move) is not None:
            bounds = self._narrowed(position, bounds)
            target = bounds.low if seat == self._seat else -bounds.high
            worst = self._margins[0] if seat == self._seat else -self._margins[-1]
            moves = [group[0] for group in self._kernel.groups(position)]
            after = [position.play(move) for move in moves]
            found = 0 if target == worst else self._first(after, seat, target)
            choice.variation.append(moves[found])
            position = after[found]

    def _narrowed(self, position: Position, bounds: Bounds) -> Bounds:
        """The bounds of a position as far as few nodes narrow them."""
        last = self._kernel.nodes + _ASIDE
        while open_steps := _between(self._margins, bounds.low, bounds.high):
            middle = open_steps[len(open_steps) // 2]
            reaches = self._ask(position, self._seat, middle, max(1, last - self._kernel.nodes))
            if reaches is None:
                break
            bounds = Bounds(middle, bounds.high) if reaches else Bounds(bounds.low, self._below(middle))
        return bounds

    # -- tests

    def _first(self, positions: Sequence[Position], seat: int, margin: int) -> int:
        """Index of a position in which the seat's margin is at least `margin`; one of them is."""
        left = dict(enumerate(positions))
        tries = _FIRST_TRY
        while len(left) > 1:
            for index, position in list(left.items()):
                answer = self._ask(position, seat, margin, tries)
                if answer:
                    return index
                if answer is not None:
                    del left[index]
            tries *= _NEXT_TRY
        return next(iter(left))

    def _surely(self, position: Position, margin: int) -> bool:
        answer = self._ask(position, self._seat, margin)
        assert answer is not None
        return answer

    def _ask(self, position: Position, seat: int, margin: int, most: int | None = None) -> bool | None:
        """Whether the seat's margin, from its own view, is at least `margin`; None where `most` nodes do not tell."""
        left = self._last_node - self._kernel.nodes
        nodes = left if most is None else min(left, most)
        if left <= 0:
            raise _StoppedError
        asked = margin if seat == 0 else 1 - margin
        answer = self._kernel.at_least(position, asked, self._control, None if nodes == math.inf else int(nodes))
        if answer is None:
            if nodes == left or self._control.stop_reason is not None:
                raise _StoppedError
            return None
        return answer if seat == 0 else not answer

    # -- answers

    def _below(self, margin: int) -> int:
        return self._margins[bisect_left(self._margins, margin) - 1]

    def _best_first(self) -> tuple[list[_Choice], bool]:
        """By what is proven; where that does not tell the first from the second, equal ones by their promise."""
        ranks = {choice: (-choice.low, -choice.high) for choice in self._choices}
        ordered = sorted(self._choices, key=ranks.__getitem__)
        best = ordered[0]
        if len(ordered) == 1 or ranks[best] < ranks[ordered[1]] or best.low == best.high:
            return ordered, False
        promises = self._promise()
        return sorted(ordered, key=lambda choice: (ranks[choice], -promises.get(choice.moves[0], 0.0))), True

    def _bounds(self, low: int, high: int) -> Bounds:
        return Bounds(low, high) if self._seat == 0 else Bounds(low, high).turned()


def _between(steps: Sequence[int], low: int, high: int) -> Sequence[int]:
    """The steps above `low` and up to `high`."""
    return steps[bisect_right(steps, low) : bisect_right(steps, high)]


def nearest_middle(steps: Sequence[int], low: int, high: int) -> int:
    """Which margin to ask about first. What bounds know at sight of who is ahead tells apart even two steps: where the
    answer is the likely one, the other step needs no question."""
    return min(steps, key=lambda step: abs(2 * step - low - high - 1))
