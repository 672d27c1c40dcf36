"""Positions with known answers: they are read, their legal moves are those known, and who wins is as known."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TypedDict

import pytest
from mangetout_solver.games.peas import view
from mangetout_solver.games.position import Position
from peas_tools import COLOURS, GAME, move_texts, number_of, text_of, twin_of

LAST_CARDS = 8  # plies that are played out in every way


class Case(TypedDict):
    """table: for each pod the card of A, the card of B and who played first. moves: the winner after each move."""

    id: str
    pods: list[int]
    first: str
    hands: dict[str, list[str]]
    table: list[tuple[str | None, str | None, str | None]]
    to_move: str
    win: str
    moves: dict[str, str]


DATA = Path(__file__).parent.parent / "data/peas_positions.jsonl"
CASES: list[Case] = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]


def notation(case: Case) -> str:
    pods = []
    for value, (card_a, card_b, first) in zip(case["pods"], case["table"], strict=True):
        plays = [f"{seat}={card}" for seat, card in (("A", card_a), ("B", card_b)) if card]
        if first == "B":
            plays.reverse()
        pods.append(f"{value:+d}" + (f"[{','.join(plays)}]" if plays else ""))
    hands = ["".join(sorted(case["hands"][seat], key=lambda card: (COLOURS.index(card[0]), card[1]))) for seat in "AB"]
    return f"peas {'/'.join(pods)} {hands[0] or '-'} {hands[1] or '-'} {case['first']}"


@cache
def winner(position: Position) -> int:
    """The seat that wins when both see all cards and play as well as can be, by trying everything."""
    if position.is_terminal:
        return position.win_shares().index(1.0)
    seat = position.seat_to_move
    assert seat is not None
    return seat if any(winner(position.play(move)) == seat for move in position.legal_moves()) else 1 - seat


def test_the_data_are_all_there() -> None:
    assert len(CASES) == 269
    assert len({case["id"] for case in CASES}) == 269


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_known_position_is_read_and_has_the_moves_known(case: Case) -> None:
    position = GAME.parse_position(notation(case))
    assert text_of(position) == notation(case)
    assert position.seat_to_move == "AB".index(case["to_move"])
    assert [len(hand.cards) for hand in view(position).hands] == [len(case["hands"][seat]) for seat in "AB"]
    assert set(move_texts(position)) == set(case["moves"])
    assert twin_of(position).legal_moves() == set(case["moves"])


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if sum(map(len, case["hands"].values())) <= LAST_CARDS],
    ids=lambda case: case["id"],
)
def test_with_few_cards_left_every_move_leads_to_the_winner_known(case: Case) -> None:
    position = GAME.parse_position(notation(case))
    assert "AB"[winner(position)] == case["win"]
    found = {move: "AB"[winner(position.play(number_of(move)))] for move in move_texts(position)}
    assert found == case["moves"]
