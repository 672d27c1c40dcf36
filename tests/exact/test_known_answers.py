"""The exact engine by the answers of another solver, and the command that compares them.

    python -m benchmarks.known_answers tests/data/peas_positions.jsonl tests/data/peas_double_dummy.jsonl
    python -m benchmarks.known_answers tests/data/pepper_corn_positions.jsonl

take all cases, here are those of PEAS with at most 14 plies left and of Pepper. Corn! with at most 14 cards.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from mangetout_solver.games import pepper_corn
from mangetout_solver.games.peas import view

from benchmarks.known_answers import check
from benchmarks.known_cases import Case, read

DATA = Path(__file__).parents[1] / "data"
FILES = ("peas_positions.jsonl", "peas_double_dummy.jsonl")
CASES = [case for name in FILES for case in read(DATA / name)]

PEPPER_CORN = list(read(DATA / "pepper_corn_positions.jsonl"))


def cards_left(case: Case) -> int:
    return sum(cell is not None for row in pepper_corn.view(case.position).tableau for cell in row)


def plies_left(case: Case) -> int:
    return sum(len(hand.cards) for hand in view(case.position).hands)


def test_the_cases_are_all_there() -> None:
    assert len({case.id for case in CASES}) == 385
    assert sum(case.win is None for case in CASES) == 2
    assert sum(case.margin is not None for case in CASES) > 280


@pytest.mark.parametrize("plies", sorted({plies_left(case) for case in CASES if plies_left(case) <= 14}))
def test_answers(plies: int) -> None:
    cases = [case for case in CASES if plies_left(case) == plies]
    for case in cases:
        verdict = check(case)
        assert verdict.word == "right", f"{case.id}: {verdict.wrong}"


def test_the_cases_of_pepper_corn_are_all_there() -> None:
    assert len({case.id for case in PEPPER_CORN}) == 367
    assert sum(case.margin is not None for case in PEPPER_CORN) > 340


@pytest.mark.parametrize("cards", sorted({cards_left(case) for case in PEPPER_CORN if cards_left(case) <= 14}))
def test_answers_of_pepper_corn(cards: int) -> None:
    for case in (case for case in PEPPER_CORN if cards_left(case) == cards):
        verdict = check(case)
        assert verdict.word == "right", f"{case.id}: {verdict.wrong}"


def test_wrong_margins_after_turns_are_found() -> None:
    case = next(case for case in PEPPER_CORN if case.moves and len(case.moves) > 2)
    assert case.moves is not None
    turn, margin = next(iter(case.moves.items()))
    assert isinstance(margin, int)
    changed = dataclasses.replace(case, moves={**case.moves, turn: margin + 1})
    assert check(changed).wrong == [f"margin after {turn} less than {margin + 1}, not {margin + 1}"]


def test_wrong_answers_are_found() -> None:
    case = next(case for case in CASES if case.id == "reduced-3-002")
    assert case.win == "B"
    assert case.margin == -1
    assert case.moves is not None
    first, second = list(case.moves)[:2]
    wrong = [
        (dataclasses.replace(case, win="A"), "winner B, not A"),
        (dataclasses.replace(case, margin=-2), "margin more than -2, not -2"),
        (dataclasses.replace(case, margin=0), "margin less than 0, not 0"),
        (dataclasses.replace(case, moves={**case.moves, first: "A"}), f"winner after {first} B, not A"),
    ]
    for changed, message in wrong:
        verdict = check(changed)
        assert verdict.word == "wrong"
        assert verdict.wrong == [message]
    fewer = {move: winner for move, winner in case.moves.items() if move != second}
    assert check(dataclasses.replace(case, moves=fewer)).word == "wrong"
    assert check(dataclasses.replace(case, win=None, margin=None, moves=None)).word == "timed"


def test_what_takes_too_long_is_unsolved() -> None:
    case = next(case for case in CASES if case.id.startswith("opening"))
    verdict = check(dataclasses.replace(case, win="A"), seconds=0.0)
    assert verdict.word == "unsolved"
    assert verdict.open == ["winner"]


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(json.dumps({"id": "1", "tableau": []}) + "\n", "utf-8")
    with pytest.raises(ValueError, match=r"cases\.jsonl:1: .* id, tableau is of no known format; known: peas"):
        list(read(file))
