"""Small rounds of PEAS with open hands, solved and compared with brute force and with known answers."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest
from mangetout_solver.analysis import Analysis, Exact, StopReason
from mangetout_solver.engine import analyze
from mangetout_solver.games.game import Record
from mangetout_solver.games.peas import view
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game
from mangetout_solver.limits import Limits, SearchOptions

from benchmarks.known_cases import read

PEAS = game("peas")
ENOUGH = 10**9  # simulations
SEARCHERS = [pytest.param(None, id="exact"), pytest.param(ENOUGH, id="trees")]
KNOWN = Path(__file__).parents[1] / "data/peas_positions.jsonl"


@cache
def wins(position: Position) -> bool:
    """Whether seat A wins when both play their best, hands open."""
    if position.is_terminal:
        return position.win_shares() == (1.0, 0.0)
    after = (wins(position.play(move)) for move in position.legal_moves())
    return any(after) if position.seat_to_move == 0 else all(after)


def solve(record: Record, simulations: int | None = None, **options: int) -> Analysis:
    """By the exact engine; with a limit of simulations, more than are needed, by tree search."""
    return analyze(
        record,
        perfect_information=True,
        limits=Limits(until_solved=True, simulations=simulations, memory_bytes=64 << 20),
        options=SearchOptions(lines=0, **options),
    )


def check(analysis: Analysis, winner: int, after: dict[str, int]) -> None:
    """The value of the root, a best move that keeps it, every move in one line, and none with a wrong proven share."""
    assert analysis.stop_reason is StopReason.SOLVED
    assert [value.win_share for value in analysis.values] == [Exact(float(winner == seat)) for seat in (0, 1)]
    assert after[analysis.best_move] == winner
    exact = analysis.counters.tree_nodes == 0
    moves = [(text, line) for line in analysis.lines for text in (line.move, *line.equal_moves)]
    assert len({text for text, _ in moves}) == len(moves)
    if exact:
        assert {text for text, _ in moves} == set(after)
    for text, line in moves:
        for value in line.values:
            if exact or isinstance(value.win_share, Exact):
                assert value.win_share == Exact(float(after[text] == value.seat))


@pytest.mark.parametrize("simulations", SEARCHERS)
@pytest.mark.parametrize(("pods", "cases"), [(1, 30), (2, 250), (3, 60)])
def test_brute_force(pods: int, cases: int, simulations: int | None) -> None:
    """Pods of any value, sums and sweeps of either sign, also after a random first move."""
    chooser = random.Random(pods)
    winners = []
    for case in range(cases):
        values = ",".join(str(chooser.randint(-3, 3)) for _ in range(pods))
        options = {"pods": values, "colours": str(chooser.randint(2, 4)), "ranks": str(chooser.randint(3, 8))}
        record = Record(PEAS, (PEAS.deal(case, options),), ())
        if case % 3 == 0:
            first = chooser.choice(record.current.legal_moves())
            record = record.play(PEAS.format_move(record.current, first))
        position = record.current
        after = {
            PEAS.format_move(position, move): 0 if wins(position.play(move)) else 1 for move in position.legal_moves()
        }
        winner = 0 if wins(position) else 1
        check(solve(record, simulations, seed=case), winner, after)
        winners.append(winner)
    wins.cache_clear()
    assert len(set(winners)) == 2


def test_trees_and_threads_solve_alike() -> None:
    for seed in range(10):
        record = Record(PEAS, (PEAS.deal(seed, {"pods": "1,-2,3"}),), ())
        values = {
            solve(record, ENOUGH, trees=trees, threads=threads).values for trees, threads in ((1, 1), (3, 1), (3, 2))
        }
        assert len(values) == 1


@pytest.mark.parametrize("simulations", SEARCHERS)
def test_known_answers(simulations: int | None) -> None:
    """Whole small games and single positions with few cards left, by another solver."""
    cases = [case for case in read(KNOWN) if sum(len(hand.cards) for hand in view(case.position).hands) <= 6]
    assert len(cases) > 50
    for case in cases:
        assert case.win is not None
        assert case.moves is not None
        after = {text: "AB".index(winner) for text, winner in case.moves.items()}
        check(solve(Record(PEAS, (case.position,), ()), simulations), "AB".index(case.win), after)
