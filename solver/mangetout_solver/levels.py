"""Artificial opponents by level: for now a level is a number of simulations, or of nodes where play can be proven."""

from __future__ import annotations

import random

from mangetout_solver.analysis import Analysis
from mangetout_solver.engine import analyze
from mangetout_solver.errors import InputError
from mangetout_solver.games.game import Record
from mangetout_solver.limits import Limits, SearchOptions
from mangetout_solver.question import is_open_stage
from mangetout_solver.search.control import Control

SIMULATIONS = {1: 1, 2: 20, 3: 60, 4: 150, 5: 400, 6: 1_000, 7: 2_500, 8: 6_000, 9: 15_000, 10: 40_000}
# At a split with all cards known: as many as take about the time of a simulation.
NODES_A_SIMULATION = 20
MIN_LEVEL = min(SIMULATIONS)
MAX_LEVEL = max(SIMULATIONS)


def choose_move(record: Record, level: int, seed: int, control: Control | None = None) -> int:
    """The move an opponent of this level makes for the seat to move, from what that seat knows.

    Raises InputError ("level", "seed") or PreconditionError when the game is over.
    """
    if level not in SIMULATIONS:
        raise InputError("level", f"found {level}, expected {MIN_LEVEL} to {MAX_LEVEL}")
    # Where a simultaneous decision hides nothing else, an equilibrium of it is at hand.
    is_open = is_open_stage(record.game, record.current)
    simulations = SIMULATIONS[level]
    analysis = analyze(
        record,
        perfect_information=is_open,
        limits=Limits(nodes=NODES_A_SIMULATION * simulations) if is_open else Limits(simulations=simulations),
        options=SearchOptions(seed=seed, lines=lines_needed(record)),
        control=control,
    )
    return record.game.parse_move(record.current, drawn_move(analysis, seed))


def lines_needed(record: Record) -> int:
    """The lines, as in SearchOptions, from which `drawn_move` can draw at the record's end."""
    return 0 if record.current.is_secret else 1


def drawn_move(analysis: Analysis, seed: int) -> str:
    """The best move, or at a simultaneous decision a move drawn from the mixed strategy: there the best one alone could
    be foreseen."""
    weights = [line.probability for line in analysis.lines if line.probability is not None]
    if not weights:
        return analysis.best_move
    # The position enters so that one seed for a whole game does not make the same draw at every step.
    return random.Random(f"{seed} {analysis.position}").choices([line.move for line in analysis.lines], weights)[0]
