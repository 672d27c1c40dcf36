"""What can be proven of PEAS with a hidden hand, and how fast: `python -m benchmarks.hidden_hands`, one core.

Positions of the real game with as many cards in both hands, reached by turns by random and by sensible play as in
`exact_sets`, seen by the seat to move. For each number of cards, with a new context for each position and question:
whether the seat is sure of the round, and all moves against all hands. Seconds are of processor time. The last line is
the summary as JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import mean, median
from typing import TypeVar

from mangetout_solver.exact.peas.beliefs import uniform
from mangetout_solver.exact.peas.rounds import Rounds
from mangetout_solver.exact.peas.worlds import AllWorlds, WorldsSolution
from mangetout_solver.games.peas import view
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control
from rich.console import Console
from rich.table import Table

from benchmarks import exact_sets

FIRST_SEED = 3_000_000
MEMORY = 64 << 20
T = TypeVar("T")


@dataclass(frozen=True)
class Case:
    """A position. hands: that the other can have. is_sure: of the round, None where `seconds_sure` did not tell.

    solved: all moves against all hands, within the limit of time. share: of the hands that the best move wins against.
    torn: whether another move wins against a hand that beats the best one. fused: whether a move wins against each hand
    by itself, but not surely.
    """

    hands: int
    is_sure: bool | None
    seconds_sure: float
    nodes_sure: int
    solved: bool
    seconds: float
    looked_at: int
    share: float
    torn: bool
    fused: bool


def timed(work: Callable[[], T]) -> tuple[T, float]:
    began = time.process_time()
    return work(), time.process_time() - began


def case(position: Position, limit: float) -> Case:
    seat = position.seat_to_move
    assert seat is not None
    belief = uniform(position, seat)
    kernel = Rounds(MEMORY)
    won_from = 0 if view(position).pea == 0 else 1
    control = Control().limited(time.monotonic() + limit)
    answer, seconds_sure = timed(lambda: kernel.at_least(belief.seen, won_from, control))

    def search() -> WorldsSolution:
        searching = AllWorlds(Rounds(MEMORY), belief, Control().limited(time.monotonic() + limit))
        searching.run()
        return searching.solution()

    found, seconds = timed(search)
    best, *others = found.moves
    return Case(
        len(belief.worlds),
        None if answer is None else answer == (seat == 0),
        seconds_sure,
        kernel.nodes,
        found.solved,
        seconds,
        len(found.looked_at),
        1 - len(best.beaten) / len(best.possible) if best.possible else 0.0,
        any(set(best.beaten).difference(other.beaten) for other in others),
        any(result.possible and not result.beaten and result.sure is False for result in found.moves),
    )


def summary(cases: list[Case]) -> dict[str, float]:
    seconds = sorted(case.seconds_sure for case in cases)
    whole = sorted(case.seconds for case in cases)
    return {
        "positions": len(cases),
        "hands": mean(case.hands for case in cases),
        "sure": sum(case.is_sure is True for case in cases),
        "sure_open": sum(case.is_sure is None for case in cases),
        "sure_seconds_median": median(seconds),
        "sure_seconds_max": seconds[-1],
        "sure_nodes_median": median(case.nodes_sure for case in cases),
        "solved": sum(case.solved for case in cases),
        "seconds_median": median(whole),
        "seconds_max": whole[-1],
        "hands_a_second": sum(case.looked_at for case in cases) / sum(whole),
        "hopeless": sum(case.solved and case.share == 0.0 for case in cases),
        "torn": sum(case.solved and case.torn for case in cases),
        "fused": sum(case.solved and case.fused for case in cases),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hidden_hands")
    parser.add_argument("--cards", type=int, nargs="+", default=[3, 4, 5, 6], help="in each hand (default: 3 4 5 6)")
    parser.add_argument("--positions", type=int, default=100, help="for each number (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=10.0, help="limit of each question (default: %(default)s)")
    parser.add_argument("--out", type=argparse.FileType("a"), help="file that every case is appended to")
    arguments = parser.parse_args()
    summaries = {}
    for cards in arguments.cards:
        wanted = exact_sets.PositionSet("peas", arguments.positions, 2 * cards)
        cases = []
        for index in range(arguments.positions):
            move = (exact_sets.random_move, exact_sets.sensible_move)[index % 2]
            cases.append(case(exact_sets.play(wanted, FIRST_SEED + index, move), arguments.seconds))
            if arguments.out:
                print(json.dumps({"cards": cards, "index": index, **asdict(cases[-1])}), file=arguments.out, flush=True)
        summaries[cards] = summary(cases)
        print(f"{cards} cards: {summaries[cards]}", file=sys.stderr, flush=True)
    table = Table("cards in each hand", *map(str, summaries), title="PEAS with a hidden hand, 10 pods")
    for name in next(iter(summaries.values())):
        table.add_row(name, *(f"{found[name]:,.4g}" for found in summaries.values()))
    Console().print(table)
    print(json.dumps(summaries))


if __name__ == "__main__":
    main()
