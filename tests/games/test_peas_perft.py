"""Numbers of move sequences from fixed positions (perft), by first move; the data come from the plain twin."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypedDict

import pytest
from mangetout_solver.games.peas.reference import ReferencePosition
from peas_tools import GAME, divide, move_texts, number_of


class Case(TypedDict):
    name: str
    position: str
    depth: int
    sequences: int
    first_moves: dict[str, int]


CASES: list[Case] = json.loads((Path(__file__).parent.parent / "data/peas_perft.json").read_text("utf-8"))["cases"]
ENOUGH = 10**7


def compiled_divide(text: str, depth: int) -> dict[str, int]:
    position = GAME.parse_position(text)
    return {
        GAME.format_move(position, move): position.play(move).count_sequences(depth - 1, ENOUGH)
        for move in position.legal_moves()
    }


def differences(expected: dict[str, int], found: dict[str, int]) -> str:
    """The divide, one line for each first move that differs."""
    moves = sorted(expected.keys() | found.keys(), key=number_of)
    lines = [f"{m}: expected {expected.get(m)}, found {found.get(m)}" for m in moves if expected.get(m) != found.get(m)]
    return "first moves that differ:\n" + "\n".join(lines)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_compiled_rules_count_the_sequences_of_the_data(case: Case) -> None:
    found = compiled_divide(case["position"], case["depth"])
    assert found == case["first_moves"], differences(case["first_moves"], found)
    assert list(found) == move_texts(GAME.parse_position(case["position"]))
    assert GAME.parse_position(case["position"]).count_sequences(case["depth"], ENOUGH) == case["sequences"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_plain_twin_counts_the_sequences_of_the_data(case: Case) -> None:
    found = divide(ReferencePosition.from_text(case["position"]), case["depth"])
    assert found == case["first_moves"], differences(case["first_moves"], found)
    assert sum(found.values()) == case["sequences"]
