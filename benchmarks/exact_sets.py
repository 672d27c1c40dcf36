"""The positions that the speed of the exact engines is measured on: `python -m benchmarks.exact_sets` writes them anew.

PEAS: deals of the real game, hands open, and positions with 18, 16 and 14 plies left. Pepper. Corn!: boards of 3 x 8,
3 x 6 and 3 x 5 with six cards for each player, the hand with fewer points to move, and positions of 3 x 8 with 16 and
12 cards left on the board at the beginning of a turn. Positions within a game are reached from a deal each, half of
them by random play and half by sensible play, in which every move is tried by a few random playouts and the one that
wins most of them is played: good enough to look like play, bad enough to vary. Files in `data/exact` hold one position
a line. What is tuned is tuned on the development sets, which come from other deals.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from mangetout_solver.games import peas
from mangetout_solver.games.decktet import CARDS
from mangetout_solver.games.pepper_corn import positions as pepper_corn_positions
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game

FOLDER = Path(__file__).parent / "data/exact"
PLAYOUTS = 30


@dataclass(frozen=True)
class PositionSet:
    """game: its name. count: of positions. left: cards to play or to take in its positions, None for deals."""

    game: str
    count: int
    left: int | None
    columns: int = 8

    def deal(self, seed: int) -> Position:
        if self.game == "peas":
            return game("peas").deal(seed, {})
        cards = list(range(BASIC_SIZE))
        Random(seed).shuffle(cards)
        rows = [cards[row * self.columns :][: self.columns] for row in range(ROWS)]
        rest = cards[ROWS * self.columns :]
        hands = [sorted(rest[:HAND]), sorted(rest[HAND : 2 * HAND])]
        points = [sum(CARDS[card].points for card in hand) for hand in hands]
        return pepper_corn_positions.build(rows, hands, seat=int(points[1] < points[0]))

    def is_reached(self, position: Position) -> bool:
        """Whether so much is left, and no turn under way."""
        if self.game == "peas":
            return sum(len(hand.cards) for hand in peas.view(position).hands) == self.left
        tableau = pepper_corn_positions.view(position).tableau
        return position.opens_turn and sum(card is not None for row in tableau for card in row) == self.left


ROWS, HAND, BASIC_SIZE = 3, 6, 36
SETS = {
    "peas-opening": PositionSet("peas", 100, None),
    "peas-18": PositionSet("peas", 100, 18),
    "peas-16": PositionSet("peas", 200, 16),
    "peas-14": PositionSet("peas", 200, 14),
    "pepper_corn-3x8": PositionSet("pepper_corn", 50, None),
    "pepper_corn-3x6": PositionSet("pepper_corn", 50, None, columns=6),
    "pepper_corn-3x5": PositionSet("pepper_corn", 100, None, columns=5),
    "pepper_corn-16": PositionSet("pepper_corn", 100, 16),
    "pepper_corn-12": PositionSet("pepper_corn", 200, 12),
}
_SEEDS = {False: 1_000_000, True: 2_000_000}
_SEEDS_APART = 10_000
# Where a game ends before it comes so far, another one is begun.
_NEXT_TRY = 100_000_000


@dataclass(frozen=True)
class Entry:
    """id: unique in all sets; tells the set, the kind of play and a number."""

    id: str
    position: Position


def path(name: str, development: bool) -> Path:
    """The file of a set."""
    return FOLDER / f"{name}{'-development' if development else ''}.jsonl"


def read(name: str, development: bool) -> list[Entry]:
    """The positions of a set."""
    lines = map(json.loads, path(name, development).read_text("utf-8").splitlines())
    return [Entry(line["id"], game(SETS[name].game).parse_position(line["position"])) for line in lines]


def random_move(position: Position, rng: Random) -> int:
    return rng.choice(position.search_moves())


def sensible_move(position: Position, rng: Random) -> int:
    """The move that wins most of a few random playouts."""
    seat = position.seat_to_move
    assert seat is not None
    return max(
        position.search_moves(),
        key=lambda move: sum(
            position.play(move).random_playout(rng.getrandbits(63)).win_shares()[seat] for _ in range(PLAYOUTS)
        ),
    )


def play(wanted: PositionSet, seed: int, move: Callable[[Position, Random], int]) -> Position:
    """A position of the set from a seed, by play of a kind."""
    while True:
        rng, position = Random(seed), wanted.deal(seed)
        while wanted.left is not None and not position.is_terminal and not wanted.is_reached(position):
            position = position.play(move(position, rng))
        if not position.is_terminal:
            return position
        seed += _NEXT_TRY


def make(name: str, development: bool) -> Iterator[Entry]:
    """The positions of a set, from nothing but its name and the rules."""
    wanted = SETS[name]
    first = _SEEDS[development] + _SEEDS_APART * list(SETS).index(name)
    for index in range(wanted.count):
        kind, move = (("random", random_move), ("sensible", sensible_move))[index % 2]
        parts = [
            name,
            *([kind] if wanted.left else []),
            *(["development"] if development else []),
            f"{index:03}",
        ]
        yield Entry("-".join(parts), play(wanted, first + index, move))


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for development in (False, True):
        for name in SETS:
            lines = [
                json.dumps({"id": entry.id, "position": game(SETS[name].game).format_position(entry.position)})
                for entry in make(name, development)
            ]
            path(name, development).write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
