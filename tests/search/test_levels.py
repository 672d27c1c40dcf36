"""Levels of the opponent: legal, repeatable, blind to hidden cards, and rising in strength."""

from __future__ import annotations

import pytest
from mangetout_solver.errors import InputError, PreconditionError
from mangetout_solver.games.game import Record
from mangetout_solver.games.registry import game, parse_record
from mangetout_solver.levels import MAX_LEVEL, MIN_LEVEL, choose_move

PEAS = game("peas")


def deal(seed: int, **options: str) -> Record:
    return Record(PEAS, (PEAS.deal(seed, options),), ())


def played_by(levels: tuple[int, int], record: Record, seed: int) -> float:
    """The first seat's share of the win when the two seats play at these levels."""
    while not record.current.is_terminal:
        position = record.current
        seat = position.seat_to_move
        assert seat is not None
        move = choose_move(record, levels[seat], seed)
        assert move in position.legal_moves()
        record = record.play(PEAS.format_move(position, move))
    return record.current.win_shares()[0]


@pytest.mark.parametrize("level", range(MIN_LEVEL, MAX_LEVEL + 1))
def test_every_level_makes_a_legal_move_again_and_again(level: int) -> None:
    record = deal(level)
    moves = {choose_move(record, level, seed=3) for _ in range(2)}
    assert len(moves) == 1
    assert moves <= set(record.current.legal_moves())


def test_levels_are_one_to_ten() -> None:
    assert (MIN_LEVEL, MAX_LEVEL) == (1, 10)
    for level in (0, 11, -1):
        with pytest.raises(InputError) as caught:
            choose_move(deal(1), level, seed=1)
        assert caught.value.field == "level"


def test_seeds_vary_the_lowest_level() -> None:
    assert len({choose_move(deal(1), 1, seed) for seed in range(20)}) > 5


def test_levels_see_their_own_cards_only() -> None:
    seen = deal(2).current.redacted(deal(2).current.seat_to_move or 0)
    for level in (1, 4, 7):
        assert len({choose_move(Record(PEAS, (seen.determinize(case),), ()), level, seed=1) for case in range(6)}) == 1


def test_no_move_after_the_end() -> None:
    with pytest.raises(PreconditionError):
        choose_move(parse_record("peas +1 B1 V1 A : B1@0 V1@0"), 5, seed=1)


@pytest.mark.parametrize(("strong", "weak"), [(4, 1), (8, 2)])
def test_a_higher_level_wins(strong: int, weak: int) -> None:
    """Each deal is played twice with the levels exchanged: equals would win half of it, give or take a twentieth."""
    deals = 60
    won = 0.0
    for seed in range(deals):
        record = deal(seed, pods="1,1,2,3,-2,-3")
        won += played_by((strong, weak), record, seed)
        won += 1.0 - played_by((weak, strong), record, seed)
    assert won > 0.6 * 2 * deals
