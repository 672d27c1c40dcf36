"""The positions that the speed of the exact engine is measured on: `python -m benchmarks.exact_sets` writes them anew.

All are of the real game of PEAS, hands open: deals, and positions with 18, 16 and 14 plies left. Those are reached from
a deal each, half of them by random play and half by sensible play, in which every legal move is tried by a few random
playouts and the one that wins most of them is played: good enough to look like play, bad enough to vary. Files in
`data/exact` hold one position a line. What is tuned is tuned on the development sets, which come from other deals.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game

FOLDER = Path(__file__).parent / "data/exact"
PLIES = 20  # of a whole round
PLAYOUTS = 30
# The sets by name: plies left, and number of positions.
SETS = {"opening": (20, 100), "18": (18, 100), "16": (16, 200), "14": (14, 200)}
_SEEDS = {False: 1_000_000, True: 2_000_000}
_SEEDS_APART = 10_000


@dataclass(frozen=True)
class Entry:
    """id: unique in all sets; tells the set, the kind of play and a number."""

    id: str
    position: Position


def path(name: str, development: bool) -> Path:
    """The file of a set."""
    return FOLDER / f"peas-{name}{'-development' if development else ''}.jsonl"


def read(name: str, development: bool) -> list[Entry]:
    """The positions of a set."""
    lines = map(json.loads, path(name, development).read_text("utf-8").splitlines())
    return [Entry(line["id"], game("peas").parse_position(line["position"])) for line in lines]


def random_move(position: Position, rng: Random) -> int:
    return rng.choice(position.legal_moves())


def sensible_move(position: Position, rng: Random) -> int:
    """The move that wins most of a few random playouts."""
    seat = position.seat_to_move
    assert seat is not None
    return max(
        position.legal_moves(),
        key=lambda move: sum(
            position.play(move).random_playout(rng.getrandbits(63)).win_shares()[seat] for _ in range(PLAYOUTS)
        ),
    )


def make(name: str, development: bool) -> Iterator[Entry]:
    """The positions of a set, from nothing but its name and the rules."""
    plies_left, count = SETS[name]
    first = _SEEDS[development] + _SEEDS_APART * list(SETS).index(name)
    for index in range(count):
        kind, move = (("random", random_move), ("sensible", sensible_move))[index % 2]
        rng = Random(first + index)
        position = game("peas").deal(first + index, {})
        for _ in range(PLIES - plies_left):
            position = position.play(move(position, rng))
        parts = [
            name,
            *([kind] if plies_left < PLIES else []),
            *(["development"] if development else []),
            f"{index:03}",
        ]
        yield Entry("-".join(parts), position)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for development in (False, True):
        for name in SETS:
            lines = [
                json.dumps({"id": entry.id, "position": game("peas").format_position(entry.position)})
                for entry in make(name, development)
            ]
            path(name, development).write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
