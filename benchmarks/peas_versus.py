"""PEAS here, by hand and in other libraries."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from time import process_time

from mangetout_solver.games.peas import Peas, view
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control
from mangetout_solver.search.mcts import TreeSearch
from peas_inlined import InlinedSearch, random_rounds
from playout_loop import random_playouts

from benchmarks import peas_openspiel, peas_pyplai
from benchmarks.comparing import Comparison, Result, Suite, Trial

PLIES = (0, 4)
# About as much of each contender as fits in a second.
ROUNDS = 200_000
SIMULATIONS = 100_000
OPENSPIEL_SIMULATIONS = 1_000
PYPLAI_SECONDS = 0.8
OPENSPIEL_ROUNDS_SECONDS = 0.25

GENERIC = "Mangetout"
INLINED = "by hand"
OPENSPIEL = "OpenSpiel"
OPENSPIEL_BOARD = "OpenSpiel, bare board"
PYPLAI = "pyplAI"


# Pods, hands, plays and the holder of the pea, as both other libraries' modules take them.
Parts = tuple[list[int], tuple[tuple[str, ...], tuple[str, ...]], list[list[tuple[str, str]]], str]


@dataclass(frozen=True)
class Place:
    """A position, all cards known, in the terms of each contender."""

    deal: int
    position: Position
    openspiel: peas_openspiel.PeasState
    parts: Parts


@cache
def place(deal: int, plies: int) -> Place:
    """A standard deal after some random moves. AssertionError where the libraries see other legal moves."""
    game = Peas()
    chooser = random.Random(deal)
    position = game.deal(deal, {})
    for _ in range(plies):
        position = position.play(chooser.choice(position.legal_moves()))
    shown = view(position)
    parts: Parts = (
        [pod.value for pod in shown.pods],
        (shown.hands[0].cards, shown.hands[1].cards),
        [[("AB"[seat], card) for seat, card in pod.plays] for pod in shown.pods],
        "AB"[shown.pea],
    )
    found = Place(deal, position, peas_openspiel.position(*parts), parts)
    moves = {game.format_move(position, move) for move in position.legal_moves()}
    openspiel_moves = {found.openspiel.action_to_string(move) for move in found.openspiel.legal_actions()}
    pyplai_moves = {
        f"{peas_pyplai.CARD_NAMES[move % 24]}@{move // 24}"
        for move in peas_pyplai.legal_moves(peas_pyplai.position(*parts))
    }
    assert moves == openspiel_moves == pyplai_moves, "the libraries play by other rules"
    return found


def _rounds(play: Callable[[Position, int, int], float]) -> Callable[[Place, int], Result]:
    def measure(at: Place, seed: int) -> Result:
        started = process_time()
        wins = play(at.position, seed, ROUNDS)
        return Result(ROUNDS / (process_time() - started), wins)

    return measure


def _openspiel_rounds(*, through_openspiel: bool) -> Callable[[Place, int], Result]:
    def measure(at: Place, seed: int) -> Result:
        return Result(
            peas_openspiel.playouts_per_second(
                at.openspiel, OPENSPIEL_ROUNDS_SECONDS, seed, through_openspiel=through_openspiel
            )
        )

    return measure


def _generic_search(at: Place, seed: int) -> Result:
    mover = at.position.seat_to_move
    assert mover is not None
    tree = TreeSearch(at.position.redacted(mover), observer=mover, seed=seed)
    control = Control()
    started = process_time()
    tree.run(control, SIMULATIONS)
    seconds = process_time() - started
    return Result(SIMULATIONS / seconds, [(move.move, move.visits) for move in tree.root_moves()])


def _inlined_search(at: Place, seed: int) -> Result:
    mover = at.position.seat_to_move
    assert mover is not None
    tree = InlinedSearch(at.position.redacted(mover), seed)
    started = process_time()
    tree.run(SIMULATIONS)
    seconds = process_time() - started
    return Result(SIMULATIONS / seconds, tree.root_visits())


def _openspiel_search(*, board_rollouts: bool) -> Callable[[Place, int], Result]:
    def measure(at: Place, seed: int) -> Result:
        return Result(
            peas_openspiel.ismcts_per_second(at.openspiel, OPENSPIEL_SIMULATIONS, seed, board_rollouts=board_rollouts)
        )

    return measure


def _pyplai_search(at: Place, seed: int) -> Result:
    random.seed(seed)  # pyplAI draws from the shared generator
    return Result(peas_pyplai.ismcts_per_second(*at.parts, PYPLAI_SECONDS))


def _search_name(plies: int) -> str:
    return f"simulations/s, after {plies} moves"


TRIALS = (
    Trial(
        "random rounds/s",
        partial(place, plies=0),
        {
            GENERIC: _rounds(random_playouts),
            INLINED: _rounds(random_rounds),
            OPENSPIEL_BOARD: _openspiel_rounds(through_openspiel=False),
            OPENSPIEL: _openspiel_rounds(through_openspiel=True),
        },
    ),
    *(
        Trial(
            _search_name(plies),
            partial(place, plies=plies),
            {
                GENERIC: _generic_search,
                INLINED: _inlined_search,
                OPENSPIEL: _openspiel_search(board_rollouts=False),
                OPENSPIEL_BOARD: _openspiel_search(board_rollouts=True),
                PYPLAI: _pyplai_search,
            },
        )
        for plies in PLIES
    ),
)

COMPARISONS = (
    Comparison(TRIALS[0].name, INLINED, GENERIC),
    Comparison(TRIALS[0].name, GENERIC, OPENSPIEL_BOARD),
    Comparison(TRIALS[0].name, GENERIC, OPENSPIEL),
    Comparison(_search_name(0), INLINED, GENERIC, at_most=1.5),
    Comparison(_search_name(0), GENERIC, OPENSPIEL),
    Comparison(_search_name(0), GENERIC, OPENSPIEL_BOARD),
    Comparison(_search_name(0), GENERIC, PYPLAI),
    Comparison(_search_name(4), INLINED, GENERIC, at_most=1.5),
    Comparison(_search_name(4), GENERIC, OPENSPIEL, at_least=200),
    Comparison(_search_name(4), GENERIC, OPENSPIEL_BOARD),
    Comparison(_search_name(4), GENERIC, PYPLAI, at_least=100),
)

SUITE = Suite("PEAS", TRIALS, COMPARISONS)
