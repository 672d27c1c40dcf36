"""Numbers of move sequences from fixed positions (perft), by first move; the data come from the plain twin."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import TypedDict

import pytest
from mangetout_solver.games.peas.reference import ReferencePosition
from peas_tools import GAME, compiled, divide, move_texts, number_of, random_twin


class Case(TypedDict):
    name: str
    position: str
    depth: int
    sequences: int
    first_moves: dict[str, int]


CASES: list[Case] = json.loads((Path(__file__).parent.parent / "data/perft_peas.json").read_text("utf-8"))["cases"]
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


def test_random_positions_have_as_many_sequences_as_by_the_twin() -> None:
    for seed in range(60):
        twin = random_twin(Random(seed), max_pods=4)
        for depth in (1, 2, 3):
            found = compiled_divide(twin.text(), depth)
            expected = divide(twin, depth)
            assert found == expected, differences(expected, found)
            if expected:
                assert compiled(twin).count_sequences(depth, ENOUGH) == sum(expected.values())


def test_no_move_at_all_is_one_sequence() -> None:
    position = GAME.parse_position("peas +1/-2 B1B2 R1R2 A")
    assert position.count_sequences(0, 1) == 1


def test_a_round_that_ends_sooner_counts_as_one_sequence() -> None:
    end = GAME.parse_position("peas +1[A=B1,B=R1] - - A")
    assert [end.count_sequences(depth, 10) for depth in (0, 1, 5)] == [1, 1, 1]
    last = GAME.parse_position("peas +1[A=B1] - R1 A")
    assert [last.count_sequences(depth, 10) for depth in (0, 1, 2, 5)] == [1, 1, 1, 1]


def test_a_count_that_needs_more_nodes_than_allowed_is_refused() -> None:
    position = GAME.parse_position("peas +1/-2/+3 B1B2B3 R1R2R3 A")
    counts = [position.count_sequences(depth, ENOUGH) for depth in range(5)]
    for depth in range(2, 5):
        # All nodes down to the depth are enough; those down to two moves before it are not.
        assert position.count_sequences(depth, sum(counts[: depth + 1])) == counts[depth]
        assert position.count_sequences(depth, sum(counts[: depth - 1])) == -1
        assert position.count_sequences(depth, 1) == -1
        assert position.count_sequences(depth, 0) == -1
    answers = [position.count_sequences(3, budget) for budget in range(200)]
    assert answers == sorted(answers)
    assert set(answers) == {-1, counts[3]}


def test_depth_has_no_wrong_value() -> None:
    """A negative depth is refused, and one beyond the end of the game counts whole games."""
    position = GAME.parse_position("peas +1/-2 B1B2 R1R2 A")
    with pytest.raises(ValueError, match="negative"):
        position.count_sequences(-1, 1_000)
    whole = position.count_sequences(4, 1_000)
    assert whole > 0
    assert position.count_sequences(2**31 - 1, 1_000) == whole
