"""What a seat is told does not depend on what it cannot know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from mangetout_solver.analysis import Analysis
from mangetout_solver.engine import analyze
from mangetout_solver.errors import InputError
from mangetout_solver.games.game import Record
from mangetout_solver.games.position import Position
from mangetout_solver.limits import Limits, SearchOptions

from tests.conformance.budgets import FEW, SOME, STEPS
from tests.conformance.play import random_states, steps
from tests.conformance.subjects import Variant

SIMULATIONS = 40


def answer(variant: Variant, position: Position, seat: int) -> Analysis | str:
    """What the engine answers the seat, but for the time it took; or why it does not."""
    limits, options = Limits(simulations=SIMULATIONS), SearchOptions(seed=7, lines=0)
    try:
        found = analyze(Record(variant.game, (position,), ()), seat=seat, limits=limits, options=options)
    except InputError as error:
        return str(error)
    return replace(found, search_seconds=0.0)


def told(variant: Variant, position: Position, seat: int) -> list[object]:
    """All that the seat can ask of a position, the engine left out."""
    game = variant.game
    seen = position.redacted(seat)
    own = position.legal_moves() if position.seat_to_move == seat else []
    return [
        seen,
        game.format_position(seen),
        position.information_key(seat),
        game.key(seen),
        position.seat_to_move,
        position.is_chance,
        position.is_terminal,
        own,
        position.search_moves() if own else [],
        [game.format_move(position, move) for move in own],
        [game.describe_move(position, move) for move in own],
        [position.observe(move, seat) for move in own],
        game.knows_own_cards(position, seat),
    ]


def pairs(variant: Variant, count: int) -> Iterator[tuple[Position, Position, int, Random]]:
    """Two positions that differ in what a seat cannot see, and the seat."""
    for position, rng in random_states(variant, count):
        if position.is_chance:
            continue
        for seat in range(position.players):
            other = position.redacted(seat).determinize(rng.getrandbits(32))
            if other != position:
                yield position, other, seat, rng


def _same_for(one: Position, two: Position, seat: int) -> list[tuple[int, int]]:
    """Steps of the two positions that give the seat the same token."""
    step_of = {two.observe(step, seat): step for step in steps(two)}
    tokens = [(step, one.observe(step, seat)) for step in steps(one)]
    return [(step, step_of[token]) for step, token in tokens if token in step_of]


def test_exchanging_what_a_seat_cannot_see_changes_nothing_for_it(variant: Variant) -> None:
    for one, two, seat, _ in pairs(variant, SOME):
        assert told(variant, one, seat) == told(variant, two, seat)
        assert one.information_key(-1) != two.information_key(-1)
        for step in set(steps(one)) & set(steps(two)):
            assert one.observe(step, seat) == two.observe(step, seat)


def test_the_engine_answers_a_seat_the_same_whatever_it_cannot_see(variant: Variant) -> None:
    for one, two, seat, _ in pairs(variant, FEW):
        assert answer(variant, one, seat) == answer(variant, two, seat)


def test_what_a_seat_is_told_stays_the_same_while_it_sees_the_same(variant: Variant) -> None:
    """Both positions played on by steps of which the seat sees the same, as long as there are any and the game is
    not too long; and the records."""
    for first, second, seat, rng in pairs(variant, FEW):
        one, two = Record(variant.game, (first,), ()), Record(variant.game, (second,), ())
        while len(one.moves) < STEPS // 2 and (common := _same_for(one.current, two.current, seat)):
            steps_taken = rng.choice(common)
            one, two = (
                Record(variant.game, (*record.positions, record.current.play(step)), (*record.moves, step))
                for record, step in zip((one, two), steps_taken, strict=True)
            )
            assert told(variant, one.current, seat) == told(variant, two.current, seat)
        assert one.redacted(seat) == two.redacted(seat)
        assert one.redacted(seat).format() == two.redacted(seat).format()


def test_a_game_hides_something_exactly_if_it_says_so(variant: Variant) -> None:
    if not variant.game.hidden_information:
        assert variant.deal(1).is_open
    elif not variant.options:
        assert not variant.deal(1).is_open
        assert any(True for _ in pairs(variant, SOME))
