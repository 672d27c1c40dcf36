"""Random small positions of Pepper. Corn! with cards face down, and their values by trying everything.

The rules are written down here once more, from the rulings, as far as cards lie face down; positions without any are
left to `pepper_corn_brute_force`. Neither shares code with the game or with the exact engine.

    python -m tests.exact.pepper_corn.hidden_row [--instances N] [--first SEED]

holds the exact engine to them, with exit status 1 at the first difference.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random

from mangetout_solver.errors import PositionError
from mangetout_solver.exact.pepper_corn.reveals import Reveals, count_units
from mangetout_solver.exact.stage import Payoff
from mangetout_solver.games.decktet import BASIC_CARDS, CARDS
from mangetout_solver.games.pepper_corn.positions import FACE_DOWN_CELL, GAP_CELL, build
from mangetout_solver.games.position import Position
from pepper_corn_brute_force import margin as open_margin

from tests.exact.asking import SMALL, is_margin
from tests.exact.pepper_corn.instances import RULES

Cells = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Board:
    """A position at the start of a turn, cards by number as in `positions.build`."""

    tableau: Cells
    hands: tuple[frozenset[int], frozenset[int]]
    unseen: frozenset[int]
    points: tuple[int, int]
    seat: int
    passed: bool
    restricted: bool

    def position(self) -> Position:
        return build(
            self.tableau,
            [sorted(hand) for hand in self.hands],
            unseen=sorted(self.unseen),
            points=self.points,
            seat=self.seat,
            passed=self.passed,
            restricted=self.restricted,
        )

    def margin(self) -> int:
        """If the game ended here."""
        sums = [self.points[seat] + sum(CARDS[card].points for card in self.hands[seat]) for seat in (0, 1)]
        return sums[0] - sums[1]

    def within_reach(self, seat: int) -> set[tuple[int, int]]:
        """The cells with a card that the seat has access to (PC-15 to PC-19)."""
        rows, columns = len(self.tableau), len(self.tableau[0])
        edges = {0 if seat == 0 else rows - 1}
        far = rows - 1 - min(edges)
        reached: set[tuple[int, int]] = set()
        walked: set[tuple[int, int]] = set()
        while True:
            touched = {(row, column) for row in edges for column in range(columns)}
            for row, column in walked:
                touched |= {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
            reached = {(row, column) for row, column in touched if 0 <= row < rows and 0 <= column < columns}
            gaps = {(row, column) for row, column in reached if self.tableau[row][column] == GAP_CELL}
            if not self.restricted and any(row == far for row, _ in gaps - walked):
                edges.add(far)
            elif gaps == walked:
                return reached - walked
            walked = gaps

    def with_cell(self, row: int, column: int, card: int) -> Cells:
        rows = [list(cells) for cells in self.tableau]
        rows[row][column] = card
        return tuple(map(tuple, rows))


def _take(played: tuple[int, ...], target: int) -> bool:
    fitting = all(CARDS[card].is_ace or set(CARDS[card].suits) & set(CARDS[target].suits) for card in played)
    return fitting and sum(CARDS[card].points for card in played) >= CARDS[target].points


def _captures(board: Board) -> Iterator[Board]:
    hand = board.hands[board.seat]
    for row, column in board.within_reach(board.seat):
        target = board.tableau[row][column]
        for count in range(1, len(hand) + 1):
            for played in combinations(sorted(hand), count):
                if _take(played, target):
                    hands, points = list(board.hands), list(board.points)
                    hands[board.seat] = hand - set(played) | {target}
                    points[board.seat] += sum(CARDS[card].points for card in played)
                    yield replace(
                        board,
                        tableau=board.with_cell(row, column, GAP_CELL),
                        hands=(hands[0], hands[1]),
                        points=(points[0], points[1]),
                        seat=1 - board.seat,
                        passed=False,
                    )


@cache
def value(board: Board, payoff: Payoff) -> Fraction:
    """The expectation of A's payoff, both maximising their own, before any card within reach is turned up."""
    face_down = [
        (row, column)
        for row, cells in enumerate(board.tableau)
        for column, card in enumerate(cells)
        if card == FACE_DOWN_CELL
    ]
    if not face_down:
        board = replace(board, unseen=frozenset())
        empty = all(card == GAP_CELL for cells in board.tableau for card in cells)
        return Fraction(payoff.of(board.margin() if empty else open_margin(board.position())))
    for row, column in face_down:
        if (row, column) in board.within_reach(0) | board.within_reach(1):
            after = [
                replace(board, tableau=board.with_cell(row, column, card), unseen=board.unseen - {card})
                for card in board.unseen
            ]
            return sum((value(each, payoff) for each in after), Fraction(0)) / len(after)
    pick = max if board.seat == 0 else min
    if board.passed:
        passing = Fraction(payoff.of(board.margin()))
    else:
        passing = value(replace(board, seat=1 - board.seat, passed=True), payoff)
    return pick([passing, *(value(each, payoff) for each in _captures(board))])


def scaled(payoff: Payoff, position: Position, expected: Fraction) -> int:
    """A value in the units of `Reveals`."""
    units = expected * count_units(position, payoff)
    assert units.denominator == 1, f"{expected} is no sum over so many orders"
    return int(units)


def check_instance(seed: int) -> None:
    """AssertionError, with the position, where the exact engine differs."""
    board = random_board(seed)
    position = board.position()
    for payoff in Payoff:
        expected = value(board, payoff)
        units = scaled(payoff, position, expected)
        solver = Reveals(payoff, SMALL)
        outcomes = solver.outcomes(position)
        found = f"{RULES.format_position(position)}: expected a {payoff.value} of {expected}"
        assert outcomes[0].margin <= units <= outcomes[-1].margin, f"{found}, no outcome at sight"
        assert is_margin(solver, position, units), found
    value.cache_clear()


def random_board(seed: int) -> Board:
    """Up to three cards face down, perhaps with others out of play, on boards of three to five rows."""
    rng = Random(f"face down {seed}")
    while True:
        rows, columns = rng.choice([(3, 1), (3, 2), (3, 2), (3, 2), (3, 3), (3, 3), (4, 2)])
        cards = rng.sample(range(len(BASIC_CARDS)), len(BASIC_CARDS))
        if rng.random() < 0.5:
            # Mostly low cards, of which a capture needs few.
            cards.sort(key=lambda card: -CARDS[card].points + rng.randint(0, 8))
        cells = [GAP_CELL if rng.random() < 0.25 else cards.pop() for _ in range(rows * columns)]
        inner = [cell for cell in range(columns, (rows - 1) * columns) if cells[cell] != GAP_CELL]
        for cell in rng.sample(inner, min(len(inner), rng.randint(1, 3))):
            cards.insert(0, cells[cell])
            cells[cell] = FACE_DOWN_CELL
        count = cells.count(FACE_DOWN_CELL)
        unseen = [cards.pop(0) for _ in range(count + rng.choice([0, 0, 1]))]
        sizes = rng.choice([(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (1, 3), (3, 0), (0, 3), (4, 0)])
        hands = [frozenset(cards.pop() for _ in range(in_hand)) for in_hand in sizes]
        played = sum(CARDS[card].points for card in cards)
        held = [sum(CARDS[card].points for card in hand) for hand in hands]
        # Close, so that what is turned up decides.
        of_a = max(0, min(played, (played + held[1] - held[0]) // 2 + rng.randint(-6, 6)))
        board = Board(
            tableau=tuple(tuple(cells[row * columns :][:columns]) for row in range(rows)),
            hands=(hands[0], hands[1]),
            unseen=frozenset(unseen),
            points=(of_a, played - of_a),
            seat=rng.randint(0, 1),
            passed=rng.random() < 0.2,
            restricted=rng.random() < 0.5,
        )
        if count:
            try:
                board.position()
            except PositionError:
                continue
            return board


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.exact.pepper_corn.hidden_row")
    parser.add_argument("--instances", type=int, default=1000, help="positions (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="seed of the first one (default: %(default)s)")
    arguments = parser.parse_args()
    for seed in range(arguments.first, arguments.first + arguments.instances):
        try:
            check_instance(seed)
        except AssertionError as error:
            sys.exit(f"seed {seed}: {error}")
    print(f"no difference in {arguments.instances} positions")


if __name__ == "__main__":
    main()
