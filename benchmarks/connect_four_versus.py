"""Connect four here and in OpenSpiel, both compiled."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial
from time import process_time

import pyspiel
from mangetout_known_games.connect_four import ConnectFour
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control
from mangetout_solver.search.mcts import TreeSearch
from playout_loop import random_playouts

from benchmarks.comparing import Comparison, Result, Suite, Trial

PLIES = (0, 4)
GAMES = 400_000
OPENSPIEL_GAMES = 20_000
SIMULATIONS = 50_000
# Ours are shares of the win, from 0 to 1, OpenSpiel's returns from -1 to 1: so twice as much explores as widely.
EXPLORATION = 0.7
OPENSPIEL_EXPLORATION = 1.4
OPENSPIEL_MEMORY_MB = 1_000

OURS = "Mangetout"
OPENSPIEL = "OpenSpiel"


@dataclass(frozen=True)
class Place:
    """A position in the terms of both."""

    position: Position
    openspiel: pyspiel.State


@cache
def place(deal: int, plies: int) -> Place:
    """The standard board after some random moves. AssertionError where the libraries see other legal moves."""
    chooser = random.Random(deal)
    position = ConnectFour().deal(deal, {})
    state = pyspiel.load_game("connect_four").new_initial_state()
    for _ in range(plies):
        move = chooser.choice(position.legal_moves())
        position = position.play(move)
        state.apply_action(move)
    assert position.legal_moves() == state.legal_actions(), "the libraries play by other rules"
    return Place(position, state)


def _openspiel_bot(at: Place, seed: int, *, rollouts: int, simulations: int) -> pyspiel.MCTSBot:
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
    return pyspiel.MCTSBot(
        at.openspiel.get_game(),
        evaluator,
        OPENSPIEL_EXPLORATION,
        simulations,
        OPENSPIEL_MEMORY_MB,
        False,  # no solving
        seed,
        False,  # no log
    )


def _our_games(at: Place, seed: int) -> Result:
    started = process_time()
    random_playouts(at.position, seed, GAMES)
    return Result(GAMES / (process_time() - started))


def _openspiel_games(at: Place, seed: int) -> Result:
    """The evaluator alone: the first simulation of a search judges the root itself, here by many random games."""
    bot = _openspiel_bot(at, seed, rollouts=OPENSPIEL_GAMES, simulations=1)
    started = process_time()
    bot.mcts_search(at.openspiel)
    return Result(OPENSPIEL_GAMES / (process_time() - started))


def _our_search(at: Place, seed: int) -> Result:
    tree = TreeSearch(at.position, observer=None, seed=seed, exploration=EXPLORATION)
    control = Control()
    started = process_time()
    tree.run(control, SIMULATIONS)
    seconds = process_time() - started
    assert tree.simulations == SIMULATIONS, "a proof has ended the search"
    return Result(SIMULATIONS / seconds)


def _openspiel_search(at: Place, seed: int) -> Result:
    bot = _openspiel_bot(at, seed, rollouts=1, simulations=SIMULATIONS)
    started = process_time()
    root = bot.mcts_search(at.openspiel)
    seconds = process_time() - started
    assert root.explore_count == SIMULATIONS
    return Result(SIMULATIONS / seconds)


def _games_name(plies: int) -> str:
    return f"random games/s, after {plies} moves"


def _search_name(plies: int) -> str:
    return f"simulations/s, after {plies} moves"


SUITE = Suite(
    "Connect four",
    [
        Trial(name(plies), partial(place, plies=plies), {OURS: ours, OPENSPIEL: openspiel})
        for plies in PLIES
        for name, ours, openspiel in (
            (_games_name, _our_games, _openspiel_games),
            (_search_name, _our_search, _openspiel_search),
        )
    ],
    [
        Comparison(name(plies), OURS, OPENSPIEL, at_least=wanted)
        for name, wanted in ((_games_name, 20), (_search_name, 5))
        for plies in PLIES
    ],
)
