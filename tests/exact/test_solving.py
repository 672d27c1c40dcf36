"""Solving by tests of the margin, with a kernel that plays everything out and stops wherever it is told to."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Mapping
from functools import cache

import pytest
from mangetout_solver.exact.peas.rounds import final_margin, outcomes
from mangetout_solver.exact.solution import Bounds, Outcome, Solution
from mangetout_solver.exact.solving import Solving
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game
from mangetout_solver.search.control import Control

PEAS = game("peas")


class PlainKernel:
    """Minimax over all positions, each counted once a call. before: called at each test."""

    def __init__(self, before: Callable[[], None] = lambda: None) -> None:
        self.nodes = 0
        self.table_bytes = 0
        self._values: dict[Position, int] = {}
        self._before = before

    def value(self, position: Position) -> int:
        """A's margin when both play their best."""
        if position not in self._values:
            if position.seat_to_move is None:
                self._values[position] = final_margin(position)
            else:
                best = max if position.seat_to_move == 0 else min
                self._values[position] = best(self.value(position.play(move)) for move in position.legal_moves())
        return self._values[position]

    def outcomes(self, position: Position) -> tuple[Outcome, ...]:
        return outcomes(position)

    def at_least(self, position: Position, margin: int, control: Control, max_nodes: int | None) -> bool | None:
        """The further the margin is from the value, the fewer nodes it takes, as in a true search."""
        self._before()
        value = self.value(position)
        cost = 1 + 200 // (1 + abs(value - margin))
        if control.stop_reason is not None or (max_nodes is not None and cost > max_nodes):
            self.nodes += max_nodes or 0
            return None
        self.nodes += cost
        return value >= margin

    def groups(self, position: Position) -> list[tuple[int, ...]]:
        return groups(position)


@cache
def groups(position: Position) -> list[tuple[int, ...]]:
    found: dict[str, list[int]] = {}
    for move in position.legal_moves():
        found.setdefault(PEAS.key(position.play(move)), []).append(move)
    return [tuple(group) for group in found.values()]


PLAIN = PlainKernel()


def no_promise() -> Mapping[int, float]:
    return {}


def positions(pods: int, cases: int) -> list[Position]:
    """Deals with pods of any value, sums and sweeps of either sign, some after a random move."""
    chooser, found = random.Random(pods), []
    for case in range(cases):
        values = ",".join(str(chooser.randint(-3, 3)) for _ in range(pods))
        position = PEAS.deal(case, {"pods": values, "colours": "4", "ranks": str(chooser.randint(2, 6))})
        if case % 3 == 0:
            position = position.play(chooser.choice(position.legal_moves()))
        found.append(position)
    return found


def solved(position: Position, kernel: PlainKernel, *, margin: bool, lines: int = 0) -> Solution:
    solving = Solving(kernel, position, Control(), margin=margin, lines=lines, promise=no_promise)
    solving.run()
    return solving.solution()


def gain(value: int, position: Position) -> int:
    """A's margin as the seat to move sees it."""
    return value if position.seat_to_move == 0 else -value


def check(solution: Solution, position: Position, kernel: PlainKernel) -> None:
    """Bounds hold, each legal move is in one choice, and variations stay within what is proven of their choice."""
    assert solution.bounds.low <= kernel.value(position) <= solution.bounds.high
    assert sorted(move for choice in solution.choices for move in choice.moves) == position.legal_moves()
    for choice in solution.choices:
        for move in choice.moves:
            assert choice.bounds.low <= kernel.value(position.play(move)) <= choice.bounds.high
        assert choice.variation[0] == choice.moves[0]
        end = position
        for move in choice.variation:
            end = end.play(move)
        if end.seat_to_move is None:
            assert choice.bounds.low <= final_margin(end) <= choice.bounds.high


@pytest.mark.parametrize(("pods", "cases"), [(1, 20), (2, 60), (3, 25)])
def test_margins_of_all_moves(pods: int, cases: int) -> None:
    kernel = PlainKernel()
    for position in positions(pods, cases):
        solution = solved(position, kernel, margin=True)
        check(solution, position, kernel)
        assert solution.solved
        assert solution.bounds == Bounds(kernel.value(position), kernel.value(position))
        gains = []
        for choice in solution.choices:
            assert choice.bounds.low == choice.bounds.high
            assert len(choice.variation) == sum(1 for _ in played_to_the_end(position, choice.variation))
            gains.append(gain(choice.bounds.low, position))
        assert gains == sorted(gains, reverse=True)


def played_to_the_end(position: Position, moves: tuple[int, ...]) -> list[Position]:
    """The positions after each of the moves, which must be a whole game."""
    found = []
    for move in moves:
        position = position.play(move)
        found.append(position)
    assert position.seat_to_move is None
    return found


@pytest.mark.parametrize(("pods", "cases"), [(1, 20), (2, 60), (3, 25)])
def test_winners_of_all_moves(pods: int, cases: int) -> None:
    kernel, winners = PlainKernel(), set()
    for position in positions(pods, cases):
        win = next(outcome.margin for outcome in outcomes(position) if outcome.shares[0] == 1)
        solution = solved(position, kernel, margin=False)
        check(solution, position, kernel)
        assert solution.solved
        for bounds in (solution.bounds, *(choice.bounds for choice in solution.choices)):
            assert bounds.low >= win or bounds.high < win
        played_to_the_end(position, solution.choices[0].variation)
        winners.add(solution.bounds.low >= win)
    assert len(winners) == 2


@pytest.mark.parametrize("margin", [False, True])
def test_as_many_lines_as_asked_for_are_proven_and_no_better_move_is_missing(margin: bool) -> None:
    kernel = PlainKernel()
    for position in positions(3, 25):
        win = next(outcome.margin for outcome in outcomes(position) if outcome.shares[0] == 1)

        def worth(value: int, win: int = win, position: Position = position) -> int:
            return gain(value if margin else int(value >= win), position)

        every = sorted(
            (worth(kernel.value(position.play(group[0]))) for group in kernel.groups(position)), reverse=True
        )
        for lines in (1, 2, 5):
            solution = solved(position, kernel, margin=margin, lines=lines)
            check(solution, position, kernel)
            first = solution.choices[:lines]
            assert [worth(choice.bounds.low) for choice in first] == every[:lines]
            assert [worth(choice.bounds.high) for choice in first] == every[:lines]


def test_fewer_lines_take_less_work() -> None:
    nodes = []
    for lines in (1, 0):
        kernel = PlainKernel()
        for position in positions(3, 25):
            solved(position, kernel, margin=True, lines=lines)
        nodes.append(kernel.nodes)
    assert nodes[0] < nodes[1] / 2


def asked_at_each_test(position: Position, margin: bool) -> list[Solution]:
    seen: list[Solution] = []
    kernel = PlainKernel(before=lambda: seen.append(solving.solution()))
    solving = Solving(kernel, position, Control(), margin=margin, lines=0, promise=no_promise)
    solving.run()
    return [*seen, solving.solution()]


@pytest.mark.parametrize("margin", [False, True])
def test_what_is_proven_only_narrows_and_holds_at_any_time(margin: bool) -> None:
    for position in positions(3, 12):
        seen = asked_at_each_test(position, margin)
        for solution in seen:
            check(solution, position, PLAIN)
        for one, later in itertools.pairwise(seen):
            before = {choice.moves: choice.bounds for choice in one.choices} | {(): one.bounds}
            after = {choice.moves: choice.bounds for choice in later.choices} | {(): later.bounds}
            for key, bounds in before.items():
                assert bounds.low <= after[key].low <= after[key].high <= bounds.high


def test_nodes_end_it_anywhere_with_what_is_proven_then() -> None:
    for position in positions(2, 9):
        needed = PlainKernel()
        assert solved(position, needed, margin=True).solved
        unsolved = 0
        for most in range(1, needed.nodes + 1, 7):
            answers = []
            for _ in range(2):
                kernel = PlainKernel()
                solving = Solving(kernel, position, Control(), margin=True, lines=0, promise=no_promise, max_nodes=most)
                solving.run()
                assert kernel.nodes <= most
                answers.append((solving.solution(), kernel.nodes))
            assert answers[0] == answers[1]
            check(answers[0][0], position, kernel)
            unsolved += not answers[0][0].solved
        assert unsolved


def test_stopped_at_once_nothing_is_proven_and_the_promise_decides() -> None:
    position = positions(3, 2)[1]
    control = Control()
    control.stop()
    favourite = position.legal_moves()[-1]
    solving = Solving(PlainKernel(), position, control, margin=True, lines=0, promise=lambda: {favourite: 1.0})
    solving.run()
    solution = solving.solution()
    assert not solution.solved
    assert solution.promised
    widest = [outcome.margin for outcome in outcomes(position)]
    assert {choice.bounds for choice in solution.choices} == {solution.bounds} == {Bounds(widest[0], widest[-1])}
    assert favourite in solution.choices[0].moves


def test_only_allowed_moves_are_chosen_from() -> None:
    kernel, chooser = PlainKernel(), random.Random(1)
    for position in positions(3, 12):
        legal = position.legal_moves()
        allowed = set(chooser.sample(legal, k=min(3, len(legal))))
        solving = Solving(kernel, position, Control(), margin=True, lines=1, promise=no_promise, allowed=allowed)
        solving.run()
        solution = solving.solution()
        best = max(gain(kernel.value(position.play(move)), position) for move in allowed)
        assert {move for choice in solution.choices for move in choice.moves} == allowed
        assert solution.bounds == solution.choices[0].bounds
        assert gain(solution.bounds.low, position) == best == gain(solution.bounds.high, position)
