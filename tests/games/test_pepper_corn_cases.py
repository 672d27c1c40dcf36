"""Pepper. Corn! against positions with known answers, computed by an independent solver.

tests/data/pepper_corn_positions.jsonl: `future` is what A will still capture less what B will, both playing for the
final margin; `moves` lists every capture that no card can be left out of, and the pass, with the future after it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from mangetout_solver.games.decktet import CARD_NUMBERS, CARDS
from mangetout_solver.games.game import Record
from mangetout_solver.games.pepper_corn import PepperCorn
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import parse_record

GAME = PepperCorn()
CASES = [json.loads(line) for line in (Path(__file__).parents[1] / "data/pepper_corn_positions.jsonl").open()]
# Positions that a plain search in Python solves in a moment.
NODES = 6_000
PASS = ("ass",)  # "pass" less its first letter, as the steps of captures are less their signs


def cards(ids: list[str]) -> str:
    return "".join(sorted(ids, key=lambda id_: CARD_NUMBERS[id_])) or "-"


def position_of(case: dict[str, Any]) -> Position:
    options = "{access=restricted}" if case["access"] == "restricted" else ""
    tableau = "/".join(",".join(cell or "-" for cell in row) for row in case["tableau"])
    hands = case["hands"]
    passed = "/passed" if case["passed"] else ""
    # What comes does not depend on the points so far, and not all of those given can have been made.
    text = f"pepper_corn{options} {tableau} {cards(hands['A'])} {cards(hands['B'])} 0-0 play/{case['to_move']}{passed}"
    return parse_record(text).current


def value_of(id_: str) -> int:
    return CARDS[CARD_NUMBERS[id_]].points


def future(position: Position, start: float, budget: list[int], known: dict[Position, float]) -> float:
    """A's final margin less `start`, by plain minimax over the moves to search. RuntimeError beyond the budget."""
    if position not in known:
        budget[0] -= 1
        if budget[0] < 0:
            raise RuntimeError("too large")
        if position.is_terminal:
            a, b = position.scores()
            known[position] = a - b - start
        else:
            best = max if position.seat_to_move == 0 else min
            known[position] = best(future(position.play(m), start, budget, known) for m in position.search_moves())
    return known[position]


def margin(case: dict[str, Any]) -> int:
    """What A holds more than B."""
    return sum(map(value_of, case["hands"]["A"])) - sum(map(value_of, case["hands"]["B"]))


def named(turn: Record) -> tuple[str, ...]:
    """A turn as (card taken, cards laid down in order), or PASS."""
    return tuple(step[1:] for step in map(GAME.format_move, turn.positions, turn.moves) if step != ".")


def expected(move: dict[str, Any]) -> tuple[str, ...]:
    if move.get("pass"):
        return PASS
    return (move["take"], *sorted(move["with"], key=lambda id_: CARD_NUMBERS[id_]))


SCORED = [case for case in CASES if "moves" in case]


@pytest.mark.parametrize("case", SCORED, ids=lambda case: str(case["id"]))
def test_the_turns_to_search_are_the_minimal_captures_and_the_pass(case: dict[str, Any]) -> None:
    turns = GAME.turns(position_of(case), 10_000)
    found = [named(turn) for turn in turns] if turns else [PASS]
    assert sorted(found) == sorted(map(expected, case["moves"]))


@cache
def solved() -> dict[str, tuple[float, dict[tuple[str, ...], float]]]:
    """By id: the future, and that after each turn, of the positions small enough."""
    answers = {}
    for case in CASES:
        if sum(cell is not None for row in case["tableau"] for cell in row) > 9:
            continue
        position, known = position_of(case), {}
        try:
            value = future(position, margin(case), [NODES], known)
        except RuntimeError:
            continue
        turns = GAME.turns(position, 10_000) or [Record(GAME, (position, position.play(63)), (63,))]
        answers[case["id"]] = value, {named(turn): known[turn.current] for turn in turns}
    return answers


def solved_cases() -> Iterator[dict[str, Any]]:
    return (case for case in CASES if case["id"] in solved())


def test_small_positions_have_the_known_value() -> None:
    differences = {
        case["id"]: (case["future"], solved()[case["id"]][0])
        for case in solved_cases()
        if case["future"] != solved()[case["id"]][0]
    }
    assert not differences
    assert len(solved()) >= 100


def test_every_turn_of_small_positions_has_the_known_value() -> None:
    compared = 0
    for case in solved_cases():
        for move in case.get("moves", ()):
            assert solved()[case["id"]][1][expected(move)] == move["value"], (case["id"], move)
            compared += 1
    assert compared >= 300


def test_outcomes_follow_from_the_values() -> None:
    for case in solved_cases():
        final = margin(case) + case["points"]["A"] - case["points"]["B"] + solved()[case["id"]][0]
        assert case["outcome"] == ("A" if final > 0 else "B" if final < 0 else "draw")
