"""Seats learn from the tokens they get of events and from nothing else."""

from __future__ import annotations

from collections import defaultdict
from random import Random

from mangetout_solver.games.position import Position

from tests.conformance.budgets import SOME, STEPS, for_seats
from tests.conformance.play import random_states, sights, steps, stretches, views, whole_games
from tests.conformance.subjects import Variant

STEPS_TRIED = 12
GROUP = 40


def test_views_commute_with_every_step(variant: Variant) -> None:
    """Playing and then redacting is redacting and then following what the seat gets to see (rule 8)."""
    for position, rng in random_states(variant, SOME):
        numbers = steps(position)
        for step in rng.sample(numbers, min(STEPS_TRIED, len(numbers))):
            for seat in range(position.players):
                seen = position.play(step).redacted(seat)
                where = f"seat {seat}, {step} at {variant.game.format_position(position)}"
                assert position.follow(step, seat) == seen, where


def test_a_token_tells_the_kind_of_a_step_and_the_mover_all_of_it(variant: Variant) -> None:
    for position, rng in random_states(variant, SOME):
        numbers = steps(position)
        for step in rng.sample(numbers, min(STEPS_TRIED, len(numbers))):
            for seat in range(position.players):
                token = position.observe(step, seat)
                assert token >> 24 == step >> 24
                assert token == step or seat != position.seat_to_move


def test_an_open_position_stays_open_and_hides_nothing(variant: Variant) -> None:
    for record in stretches(variant):
        opened = False
        for position in record.positions:
            assert position.is_open or not opened
            opened = position.is_open
            if opened:
                assert views(position) == [position] * position.players
                assert all(seen.count_worlds() == 1 for seen in views(position))
                for step in steps(position):
                    assert {position.observe(step, seat) for seat in range(position.players)} == {step}


def histories(start: Position, seat: int, rng: Random) -> list[Position]:
    """Starts that look the same to the seat, the given one among them; where hands are still to be dealt, it alone."""
    seen = start.redacted(seat)
    if seen.count_worlds() <= GROUP:
        return list(set(seen.worlds()))
    return list({start} | {seen.determinize(rng.getrandbits(32)) for _ in range(GROUP - 1)})


def test_histories_that_look_the_same_to_a_seat_go_on_alike_for_it(variant: Variant) -> None:
    """No silent news and no telling lengths (rules 3 and 4): among the histories that gave a seat the same tokens,
    the turn, the end, the seat's own moves and its view are the same."""
    for seed in range(3):
        rng = Random(seed)
        start = variant.deal(seed)
        seat = seed % start.players
        group = histories(start, seat, rng)
        for _ in range(for_seats(STEPS, start.players)):
            if not group or all(position.is_open for position in group):
                break
            first, *others = group
            for other in others:
                assert other.seat_to_move == first.seat_to_move
                assert other.is_chance == first.is_chance
                assert other.is_terminal == first.is_terminal
                assert other.redacted(seat) == first.redacted(seat)
                assert first.seat_to_move != seat or other.legal_moves() == first.legal_moves()
            by_token: defaultdict[int, list[tuple[Position, int]]] = defaultdict(list)
            for position in group:
                for step in steps(position):
                    by_token[position.observe(step, seat)].append((position, step))
            token = rng.choice(sorted(by_token)) if by_token else None
            played = {position.play(step) for position, step in by_token[token]} if token is not None else set()
            after = sorted(played, key=variant.game.format_position)
            group = rng.sample(after, min(GROUP, len(after)))


def test_a_view_that_knows_the_movers_cards_lists_the_movers_moves(variant: Variant) -> None:
    """So their number may be told as that of the mover's choices."""
    for position, _ in random_states(variant, SOME):
        mover = position.seat_to_move
        if mover is None:
            continue
        assert variant.game.knows_own_cards(position.redacted(mover), mover)
        for seen in views(position):
            if variant.game.knows_own_cards(seen, mover):
                assert seen.legal_moves() == position.legal_moves()


def test_what_comes_next_is_told_for_what_anybody_sees(variant: Variant) -> None:
    for position in whole_games(variant, SOME):
        told = [variant.game.describe_next(seen) for seen in sights(position)]
        assert all(text.isprintable() and text == text.strip() and len(text) < 100 for text in told)
        if position.is_terminal:
            assert set(told) == {""}
