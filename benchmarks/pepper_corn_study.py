"""What the first move of Pepper. Corn! is worth and what a split can win: `python -m benchmarks.pepper_corn_study`.

Deals 1, 2, 3 ... of a board with both deals open are proven, and one JSON line each is written when it comes; a run
that was stopped goes on where it was. `python -m benchmarks.pepper_corn_plots` makes tables and pictures of the files.

first: A's margin with the cards in hand as they were dealt, where A begins and where B does, whatever PC-06 says.
split: every opening that the split can lead to, and by that every way to divide against every other.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from mangetout_solver.errors import InputError
from mangetout_solver.exact.matrix import Matrix, equilibrium, two_by_two, weights
from mangetout_solver.exact.pepper_corn.plays import Plays
from mangetout_solver.exact.stage import Payoff
from mangetout_solver.games.decktet import CARD_NUMBERS, CARDS
from mangetout_solver.games.pepper_corn.positions import build, view
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game
from mangetout_solver.search.control import Control

from benchmarks.proving import margin_ends, processor_limit
from benchmarks.result_file import ResultFile
from benchmarks.split_loss import divisions, shown

GAME = game("pepper_corn")
FOLDER = Path(__file__).parent / "data/pepper_corn_study"
STRATEGIES = ("mixture", "division", "even", "random")
"""Ways to divide: the best mixture; the best single division; one with piles as even in points as can be, whichever;
any, each as often. But for the first the other seat foresees which, and for the last two not the lot."""

_DIGITS = 6
_POINTS = {card.id: card.points for card in CARDS}
ACCURACY = 2 * 10**-_DIGITS
"""Values that differ by no more are equal: linear programs are solved in floating point, and their values rounded."""
Interval = list[float]


@dataclass(frozen=True)
class Beginnings:
    """position: in notation. points: of the hands of A and B. margins: the least and the most that A's is known to be,
    where A begins and where B does. seconds: of processor time."""

    position: str
    points: list[int]
    margins: list[list[int]]
    nodes: int
    seconds: float

    @property
    def solved(self) -> bool:
        return all(low == high for low, high in self.margins)


@dataclass(frozen=True)
class SplitWorth:
    """What ways to divide get against the best reply, for A and for B, from the seat's own view: the least and the most
    that is known. position: in notation. points: dealt to A and B. worth: by payoff and one of STRATEGIES. divisions:
    of each, by how many points its piles differ, and what it gets of the margin. seconds: of processor time."""

    position: str
    points: list[int]
    worth: dict[str, dict[str, list[Interval]]]
    divisions: list[list[tuple[int, Interval]]]
    nodes: int
    seconds: float

    @property
    def solved(self) -> bool:
        ends = (ends for ways in self.worth.values() for seats in ways.values() for ends in seats)
        return all(high - low <= ACCURACY for low, high in ends)


STUDIES: dict[str, type[Beginnings] | type[SplitWorth]] = {"first": Beginnings, "split": SplitWorth}


def deal(seed: int, rows: int, columns: int, hand: int) -> Position:
    """The beginning of a split, both deals open. Raises InputError (``options...``)."""
    options = {"rows": rows, "columns": columns, "hand_a": hand, "hand_b": hand, "dealt_hands_known": "true"}
    return GAME.deal(seed, {name: str(value) for name, value in options.items()})


def points_of(cards: Sequence[str]) -> int:
    return sum(_POINTS[card] for card in cards)


def prove_beginnings(start: Position, seconds: float, memory: int) -> Beginnings:
    """start: the beginning of a split; the hands are those dealt. seconds: the limit, of processor time."""
    found = view(start)
    tableau = [[CARD_NUMBERS[card] for card in row if card is not None] for row in found.tableau]
    hands = [[CARD_NUMBERS[card] for card in hand.cards] for hand in found.hands]
    with processor_limit(seconds) as control:
        began, context = time.process_time(), Plays(memory)
        margins = [list(margin_ends(context, build(tableau, hands, seat=seat), control)) for seat in range(2)]
        spent = time.process_time() - began
    points = [points_of(hand.cards) for hand in found.hands]
    return Beginnings(GAME.format_position(start), points, margins, context.nodes, round(spent, 6))


def prove_split(start: Position, seconds: float, memory: int) -> SplitWorth:
    """start: the beginning of a split. seconds: the limit, of processor time."""
    with processor_limit(seconds) as control:
        began, context = time.process_time(), Plays(memory)
        pairs = [[shown(second) for second in divisions(first)] for first in divisions(start)]
        cells = [[_cell(pair, context, control) for pair in row] for row in pairs]
        # By how many points the piles of each division differ, by seat.
        gaps = [np.array([_gap(row[0], 0) for row in pairs]), np.array([_gap(pair, 1) for pair in pairs[0]])]
        worth = {}
        for number, payoff in enumerate(Payoff):
            low, high = (np.array([[cell[number][end] for cell in row] for row in cells]) for end in range(2))
            both = 2 * payoff.of(0)  # what the seats get together
            seats = [(low, high), (both - high.T, both - low.T)]
            found = [_worths(*ends, gap) for ends, gap in zip(seats, gaps, strict=True)]
            worth[payoff.value] = {name: [ends[name] for ends in found] for name in STRATEGIES}
            if payoff is Payoff.MARGIN:
                each = [_each(*ends, gap) for ends, gap in zip(seats, gaps, strict=True)]
        spent = time.process_time() - began
    points = [points_of(hand.cards) for hand in view(start).hands]
    return SplitWorth(GAME.format_position(start), points, worth, each, context.nodes, round(spent, 6))


def _gap(divided: Position, seat: int) -> int:
    piles = view(divided).hands[seat].piles
    assert piles is not None
    return abs(points_of(piles[0]) - points_of(piles[1]))


@dataclass
class _Beginning:
    """One way to begin, which the lot may leave open (PC-06). low, high: of A's margin."""

    position: Position
    chance: float
    low: int
    high: int

    def question(self, payoff: Payoff) -> int:
        """A margin to ask about, where the payoff is not known."""
        if payoff is Payoff.SHARE:
            return 1 if self.low < 1 <= self.high else 0
        return (self.low + self.high + 1) // 2


def _beginnings(start: Position, context: Plays) -> list[_Beginning]:
    drawn = start.chance_outcomes() if start.is_chance else []
    found = []
    for position, chance in [(start.play(outcome), chance) for outcome, chance in drawn] or [(start, 1.0)]:
        points = [points_of(hand.cards) for hand in view(position).hands]
        gains = context.most_gains(position)
        lead = points[0] - points[1]
        found.append(_Beginning(position, chance, lead - gains[1], lead + gains[0]))
    return found


def _cell(divided: Position, context: Plays, control: Control) -> list[tuple[float, float]]:
    """The value of a choice to A, by payoff: between which bounds it lies."""
    openings = [
        _beginnings(shown(chosen.play(b)), context)
        for chosen in map(divided.play, divided.legal_moves())
        for b in chosen.legal_moves()
    ]
    return [_narrow(openings, payoff, context, control) for payoff in Payoff]


def _narrow(
    openings: Sequence[Sequence[_Beginning]], payoff: Payoff, context: Plays, control: Control
) -> tuple[float, float]:
    """Bounds of the value of a choice, equal unless stopped. Asks about the opening that is likely to be met most."""
    while True:
        lows = [sum(each.chance * payoff.of(each.low) for each in opening) for opening in openings]
        highs = [sum(each.chance * payoff.of(each.high) for each in opening) for opening in openings]
        ends = two_by_two(lows), two_by_two(highs)
        if ends[0] == ends[1]:
            return ends
        met = weights([(low + high) / 2 for low, high in zip(lows, highs, strict=True)])
        open_places = [place for place in range(len(openings)) if lows[place] < highs[place]]
        opening = openings[max(open_places, key=lambda place: (met[place], highs[place] - lows[place]))]
        asked = max(opening, key=lambda each: payoff.of(each.high) - payoff.of(each.low))
        margin = asked.question(payoff)
        answer = context.at_least(asked.position, margin, control)
        if answer is None:
            return ends
        if answer:
            asked.low = margin
        else:
            asked.high = margin - 1


def _worths(low: Matrix, high: Matrix, gaps: Matrix) -> dict[str, Interval]:
    """By STRATEGIES, for the seat whose divisions are the rows. gaps: of points between the piles of each."""
    even = (gaps == gaps.min()) / (gaps == gaps.min()).sum()
    ends = {
        "mixture": ((equilibrium(low)[0] @ low).min(), (high @ equilibrium(high)[1]).max()),
        "division": (low.min(axis=1).max(), high.min(axis=1).max()),
        "even": ((even @ low).min(), (even @ high).min()),
        "random": (low.mean(axis=0).min(), high.mean(axis=0).min()),
    }
    return {name: _rounded(*both) for name, both in ends.items()}


def _each(low: Matrix, high: Matrix, gaps: Matrix) -> list[tuple[int, Interval]]:
    """As `_worths`, of every division alone."""
    sure = zip(gaps, low.min(axis=1), high.min(axis=1), strict=True)
    return [(int(gap), _rounded(least, most)) for gap, least, most in sure]


def _rounded(*ends: float) -> Interval:
    return [round(float(end), _DIGITS) for end in ends]


def _board(text: str) -> tuple[int, int]:
    try:
        rows, columns = map(int, text.split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"found {text!r}, expected ROWSxCOLUMNS") from None
    return rows, columns


def main(words: Sequence[str] | None = None) -> int:
    """words: the arguments, those of the command line by default. Exit code: 0, or 2 for bad input."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.pepper_corn_study", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("study", choices=list(STUDIES), help="what to prove")
    parser.add_argument("board", type=_board, help="ROWSxCOLUMNS")
    parser.add_argument("--deals", type=int, default=30, help="seeds 1 to so many (default: %(default)s)")
    parser.add_argument("--hand", type=int, default=6, help="cards dealt to each seat (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=300.0, help="of processor time a deal (default: %(default)s)")
    parser.add_argument("--memory", type=int, default=1 << 24, metavar="BYTES", help="table (default: %(default)s)")
    parser.add_argument("--out", type=Path, metavar="FILE", help=f"of results (default: in {FOLDER.name})")
    found = parser.parse_args(words)
    rows, columns = found.board
    settings = {"study": found.study, "rows": rows, "columns": columns, "hand": found.hand}
    settings |= {"limit": found.seconds, "memory": found.memory}
    path = found.out or FOLDER / f"{found.study}-{rows}x{columns}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    prove = prove_beginnings if found.study == "first" else prove_split
    file: ResultFile[Beginnings | SplitWorth] = ResultFile(STUDIES[found.study], path, settings)
    for seed in range(1, found.deals + 1):
        try:
            start = deal(seed, rows, columns, found.hand)
        except InputError as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        result = file.result(str(seed), partial(prove, start, found.seconds, found.memory))
        solved = "" if result.solved else "not solved, "
        print(f"{seed} of {found.deals}: {solved}{result.seconds:.3f} s, {result.nodes:,} nodes", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
