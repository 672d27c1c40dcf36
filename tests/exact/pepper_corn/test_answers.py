"""What the engine answers about play of Pepper. Corn! with the exact engine, and where it does not use it."""

from __future__ import annotations

from pathlib import Path

import pytest
from mangetout_solver.analysis import Analysis, Estimate, Exact, Interval, StopReason
from mangetout_solver.engine import analyze
from mangetout_solver.errors import InputError
from mangetout_solver.exact.pepper_corn.solver import PlaySolver
from mangetout_solver.games.game import Record
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game
from mangetout_solver.limits import Limits, SearchOptions
from mangetout_solver.search.control import Control

from benchmarks.known_cases import read
from tests.exact.asking import SMALL

GAME = game("pepper_corn")
CASES = {case.id: case for case in read(Path(__file__).parents[2] / "data/pepper_corn_positions.jsonl")}
SHARES = {"A": 1.0, "B": 0.0, "draw": 0.5}


def ask(position: Position, lines: int = 1, **limits: int) -> Analysis:
    record = Record(GAME, (position,), ())
    options = SearchOptions(lines=lines, margin=True)
    chosen = Limits(**limits) if limits else Limits(until_solved=True)
    return analyze(record, perfect_information=True, limits=chosen, options=options)


@pytest.mark.parametrize("win", ["A", "B", "draw"])
def test_who_wins_and_by_how_much(win: str) -> None:
    cases = [case for case in CASES.values() if case.moves and case.win == win][:12]
    assert cases
    for case in cases:
        analysis = ask(case.position)
        assert analysis.stop_reason is StopReason.SOLVED
        for value, sign in zip(analysis.values, (1, -1), strict=True):
            assert case.margin is not None
            assert value.win_share == Exact(SHARES[win] if sign == 1 else 1 - SHARES[win])
            assert value.margin == Exact(sign * case.margin)
            assert value.score is None  # the margin does not tell it


def test_every_way_to_move_and_how_play_goes_on() -> None:
    case = next(case for case in CASES.values() if case.moves and len(case.moves) > 4)
    assert case.moves is not None
    seat = case.position.seat_to_move
    assert seat is not None
    analysis = ask(case.position, lines=0)
    firsts: dict[str, list[int]] = {}
    for turn, margin in case.moves.items():
        assert isinstance(margin, int)
        # The step that names the card is worth the best of its turns.
        firsts.setdefault(turn.split("+")[0], []).append(margin if seat == 0 else -margin)
    found = {}
    for line in analysis.lines:
        for move in (line.move, *line.equal_moves):
            found[move] = line.values[seat].margin
    assert found == {move: Exact(max(margins)) for move, margins in firsts.items()}
    record = Record(GAME, (case.position,), ())
    for step in analysis.lines[0].principal_variation:
        record = record.play(step)
    assert record.current.is_terminal
    scores = record.current.scores()
    assert scores[0] - scores[1] == case.margin


def opening() -> Position:
    return next(case.position for case in CASES.values() if case.id.startswith("opening"))


def test_what_is_proven_when_nodes_run_out() -> None:
    analysis = ask(opening(), nodes=2000)
    assert analysis.stop_reason is StopReason.LIMIT
    assert analysis.values[0].win_share == Interval(0.0, 1.0)
    assert isinstance(analysis.values[0].margin, Interval)
    assert analysis.best_move in {GAME.format_move(opening(), move) for move in opening().legal_moves()}


def test_simulations_answer_where_nobody_asks_for_a_proof() -> None:
    record = Record(GAME, (opening(),), ())
    analysis = analyze(record, limits=Limits(time=0.1), options=SearchOptions())
    assert isinstance(analysis.values[0].win_share, Estimate)


def test_cards_face_down_are_not_its_matter() -> None:
    position = GAME.deal(0, {"hidden_row": "true"})
    seed = 0
    while not GAME.format_position(position).split()[-1].startswith("play"):
        position = position.play(position.random_step(seed))
        seed += 1
    assert "?" in GAME.format_position(position)
    with pytest.raises(InputError, match="nothing is proven here"):
        ask(position, nodes=1000)
    with pytest.raises(ValueError, match="face down"):
        PlaySolver(SMALL).at_least(position, 0, Control())


def test_what_it_refuses() -> None:
    solver = PlaySolver(SMALL)
    with pytest.raises(ValueError, match="before play"):
        solver.at_least(GAME.deal(0, {}), 0, Control())
    with pytest.raises(TypeError, match="found a position of peas"):
        solver.groups(game("peas").deal(0, {}))
