"""Levels of the opponent: legal, repeatable, blind to hidden cards, and rising in strength."""

from __future__ import annotations

from collections import Counter

import pytest
from mangetout_solver.analysis import Analysis, Estimate, SolutionConcept
from mangetout_solver.engine import analyze
from mangetout_solver.errors import InputError, PreconditionError
from mangetout_solver.games.game import Record
from mangetout_solver.games.registry import game, parse_record
from mangetout_solver.levels import (
    MAX_LEVEL,
    MIN_LEVEL,
    NODES_A_SIMULATION,
    SIMULATIONS,
    choose_move,
    drawn_move,
)
from mangetout_solver.limits import Limits, SearchOptions

PEAS = game("peas")
PEPPER_CORN = game("pepper_corn")


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


SPLIT = "pepper_corn 9MS,XY,2WL,6LK AS4MS8MS 5YK9WYXM 0-0 split/A/0"
OPEN_SPLIT = SPLIT.replace("pepper_corn", "pepper_corn{dealt_hands_known=true}")
# Every card is dealt, so that each player knows the other's (PC-25).
DEALT_OUT = (
    "pepper_corn XY,7SK,AW,XM,6SY,9MS,7WY,5YK/XL,3SK,3LY,6MW,AK,AS,3MW,XW/XK,9LK,7ML,4WL,8YK,AM,9WY,AL "
    "2MK4MS4YK5ML6LK8WL AY2SY2WL5SW8MSXS 0-0 split/A/0"
)


def exact(record: Record, level: int, seed: int) -> Analysis:
    limits = Limits(nodes=NODES_A_SIMULATION * SIMULATIONS[level])
    return analyze(record, perfect_information=True, limits=limits, options=SearchOptions(seed=seed, lines=0))


@pytest.mark.parametrize("text", [OPEN_SPLIT, f"{OPEN_SPLIT} : 4MS>1", f"{OPEN_SPLIT} : 4MS>1 8MS>0", DEALT_OUT])
def test_an_open_split_is_drawn_from_the_mixture_of_the_exact_engine(text: str) -> None:
    record = parse_record(text)
    analysis = exact(record, 3, 0)
    assert analysis.counters.simulations == 0
    for seed in range(3):
        assert choose_move(record, 3, seed) == record.game.parse_move(record.current, drawn_move(analysis, seed))


def test_divisions_are_drawn_as_often_as_the_mixture_says() -> None:
    """Step by step, each from an analysis of its own."""
    record = parse_record("pepper_corn{dealt_hands_known=true} 8WL,3LY,9WY 4MS5YK6LK8YK 3MW3SK4YK5ML 0-0 split/A/0")
    whole = exact(record, 3, 0)
    chances = {line.principal_variation[:3]: line.probability or 0.0 for line in whole.lines}
    assert sum(chance > 0.1 for chance in chances.values()) >= 3
    analyses = {(): whole}
    draws = 1_000
    drawn: Counter[tuple[str, ...]] = Counter()
    for seed in range(draws):
        moves: tuple[str, ...] = ()
        while len(moves) < 3:
            if moves not in analyses:
                analyses[moves] = exact(parse_record(f"{record.format()} : {' '.join(moves)}"), 3, 0)
            moves = (*moves, drawn_move(analyses[moves], seed))
        drawn[moves] += 1
    assert set(drawn) == {plan for plan, chance in chances.items() if chance}
    for plan, chance in chances.items():
        # Four standard deviations.
        assert abs(drawn[plan] - draws * chance) <= 4.0 * (draws * chance * (1 - chance)) ** 0.5


def test_the_second_to_divide_draws_the_same_whatever_the_first_did() -> None:
    records = [parse_record(f"{OPEN_SPLIT} : {moves}") for moves in ("4MS>0 8MS>1", "4MS>1 8MS>0", "4MS>1 8MS>1")]
    for seed in range(10):
        assert len({choose_move(record, 4, seed) for record in records}) == 1


def test_a_private_split_is_drawn_from_an_estimate() -> None:
    """With cards out of play neither seat knows the other's deal: simulations over what it may be answer."""
    record = parse_record(SPLIT)
    for seed in range(5):
        limits = Limits(simulations=SIMULATIONS[3])
        analysis = analyze(record, limits=limits, options=SearchOptions(seed=seed, lines=0))
        assert analysis.concept is SolutionConcept.MIXED_STRATEGY
        assert analysis.seat == 0
        assert analysis.counters.worlds > 1
        assert all(isinstance(value.win_share, Estimate) for value in analysis.values)
        assert choose_move(record, 3, seed) == record.game.parse_move(record.current, drawn_move(analysis, seed))


def test_levels_draw_in_splits_that_are_not_proven() -> None:
    """Too many divisions, or a card that lies face down."""
    large = {"rows": "1", "columns": "4", "hand_a": "9", "hand_b": "3", "dealt_hands_known": "true"}
    hidden = {"rows": "3", "columns": "3", "hand_a": "3", "hand_b": "3", "hidden_row": "true"}
    for options in (large, hidden | {"dealt_hands_known": "true"}):
        record = Record(PEPPER_CORN, (PEPPER_CORN.deal(1, options),), ())
        assert choose_move(record, 2, 1) in record.current.legal_moves()
