"""The lists of moves, their numbers and texts, and what applying them takes and refuses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest
from mangetout_solver.errors import IllegalMoveError, NotationError, PreconditionError
from mangetout_solver.games.game import Record
from mangetout_solver.games.position import Position

from tests.conformance.budgets import FEW, FEWEST_SAMPLES, MANY, MOST_SAMPLES, SAMPLE_STEPS, SOME, games
from tests.conformance.play import last_states, random_game, random_states, sights, steps, views, whole_games
from tests.conformance.samples import assert_fits
from tests.conformance.subjects import Variant

NO_MOVE = 0xFFFFFFFF
FIRST_CHANCE_KIND = 128


def test_lists_ascend_without_duplicates_and_have_one_text_each(variant: Variant) -> None:
    game = variant.game
    for position in whole_games(variant, MANY):
        for shown in sights(position):
            if shown.is_chance and shown != position:
                continue  # what comes out may hang on what the seat does not know
            numbers = steps(shown)
            assert all(a < b for a, b in pairwise(numbers))
            assert bool(numbers) != shown.is_terminal
            texts = [game.format_move(shown, number) for number in numbers]
            assert len(set(texts)) == len(texts)
            assert [game.parse_move(shown, text) for text in texts] == numbers
            assert all(game.describe_move(shown, number) for number in numbers)
            parts = [game.move_parts(shown, number) for number in numbers]
            assert len(set(parts)) == len(parts)
            assert all(re.fullmatch("[a-z_]+", part.kind) for part in parts)
            assert all(seat < shown.players for part in parts for seat in part.seats)
            assert not any(" " in text or ":" in text or "#" in text for text in texts)


def test_a_position_has_a_mover_or_comes_by_chance_or_is_the_end(variant: Variant) -> None:
    for position in whole_games(variant, MANY):
        kinds = (position.seat_to_move is not None, position.is_chance, position.is_terminal)
        assert sum(kinds) == 1
        lists = (position.legal_moves(), position.search_moves(), position.chance_outcomes())
        assert tuple(map(bool, lists)) == (kinds[0], kinds[0], kinds[1])


def test_moves_and_chance_outcomes_have_kinds_of_their_own(variant: Variant) -> None:
    """Bits 24 to 31 of a number are its kind; kinds from 128 are those of chance (rule 1)."""
    for position in whole_games(variant, MANY):
        assert all(0 <= step < NO_MOVE for step in steps(position))
        assert {step >> 24 >= FIRST_CHANCE_KIND for step in steps(position)} <= {position.is_chance}


def test_chances_are_positive_and_sum_to_1(variant: Variant) -> None:
    for position in whole_games(variant, MANY):
        chances = [chance for _, chance in position.chance_outcomes()]
        assert all(chance > 0 for chance in chances)
        assert not chances or abs(sum(chances) - 1) < 1e-12


def test_what_a_seat_takes_for_possible_holds_what_is(variant: Variant) -> None:
    for position, _ in random_states(variant, SOME):
        for seen in views(position):
            assert set(position.legal_moves()) <= set(seen.legal_moves())


def neighbours(numbers: list[int], rng: Random) -> Iterator[int]:
    """Numbers that are easily taken for those listed."""
    yield from (0, 1, NO_MOVE, NO_MOVE + 1, -1)
    for number in rng.sample(numbers, min(3, len(numbers))):
        yield from (number - 1, number + 1, number + 2**32, -number)
        yield from (number ^ 1 << bit for bit in range(32))


def test_all_that_is_listed_can_be_played_and_nothing_near_it(variant: Variant) -> None:
    for position, rng in random_states(variant, FEW):
        numbers = steps(position)
        after = [position.play(number) for number in numbers]
        assert position not in after
        for number in set(neighbours(numbers, rng)) - set(numbers):
            with pytest.raises(ValueError, match=f"move {number} is not legal here"):
                position.play(number)
            with pytest.raises(ValueError, match=f"move {number} is not legal here"):
                position.follow(number, 0)


def test_moves_of_other_positions_are_refused_with_a_reason(variant: Variant) -> None:
    """By their numbers, and by their texts as part of a record; where another kind of step is due, a text need not be
    a move at all."""
    game = variant.game
    elsewhere: dict[int, str] = {}
    for position in whole_games(variant, MANY):
        elsewhere |= {move: game.format_move(position, move) for move in position.legal_moves()}
    for position, rng in random_states(variant, SOME):
        kinds = {step >> 24 for step in steps(position)}
        illegal = sorted(elsewhere.keys() - set(steps(position)))
        for number in rng.sample(illegal, min(6, len(illegal))):
            with pytest.raises(ValueError, match=f"move {number} is not legal here"):
                position.play(number)
            same_kind = number >> 24 in kinds
            text = game.format_move(position, number) if same_kind else elsewhere[number]
            assert not same_kind or game.parse_move(position, text) == number
            with pytest.raises(IllegalMoveError if same_kind else (IllegalMoveError, NotationError)) as caught:
                Record(game, (position,), ()).play(text, "moves[7]")
            assert caught.value.field == "moves[7]"
            if isinstance(caught.value, IllegalMoveError):
                assert re.fullmatch(f"{re.escape(text)} is illegal: .+", caught.value.reason)


def test_nothing_is_played_after_the_end(variant: Variant) -> None:
    whole = random_game(variant, 1)
    last = variant.game.format_move(whole.positions[-2], whole.moves[-1])
    with pytest.raises(PreconditionError) as caught:
        whole.play(last, "moves[9]")
    assert caught.value.field == "moves[9]"
    for number in (0, whole.moves[-1]):
        with pytest.raises(ValueError, match="not legal"):
            whole.current.play(number)
    with pytest.raises(ValueError, match="over"):
        whole.current.random_step(1)


# ---------------------------------------------------------------- random steps


def weights(position: Position) -> dict[int, float]:
    """The chances of the steps in random play, which is over the moves to search."""
    if position.is_chance:
        return dict(position.chance_outcomes())
    moves = position.search_moves()
    return dict.fromkeys(moves, 1 / len(moves))


def test_random_steps_are_uniform_or_as_chance_has_it(variant: Variant) -> None:
    for position, rng in random_states(variant, FEW):
        first = rng.getrandbits(32)
        draws = 200 + 8 * len(steps(position))
        drawn = [position.random_step(seed) for seed in range(first, first + draws)]
        assert drawn[:20] == [position.random_step(seed) for seed in range(first, first + 20)]
        assert_fits(Counter(drawn), weights(position), variant.game.format_position(position))


def ends(position: Position, chance: float, found: Counter[Position]) -> Counter[Position]:
    """The chances of the ends of random play, by trying everything."""
    if position.is_terminal:
        found[position] += chance  # type: ignore[assignment]
        return found
    for step, weight in weights(position).items():
        ends(position.play(step), chance * weight, found)
    return found


def test_policy_steps_are_moves_to_search(variant: Variant) -> None:
    for position, rng in random_states(variant, FEW):
        seeds = [rng.getrandbits(32) for _ in range(20)]
        drawn = [position.policy_step(seed) for seed in seeds]
        assert drawn == [position.policy_step(seed) for seed in seeds]
        assert set(drawn) <= set(weights(position))


def test_play_by_policy_comes_to_an_end(variant: Variant) -> None:
    for seed in range(FEW):
        position, rng = variant.deal(seed), Random(seed)
        steps_left = position.max_steps
        while not position.is_terminal:
            position = position.play(position.policy_step(rng.getrandbits(32)))
            steps_left -= 1
        assert steps_left >= 0


def test_random_play_ends_as_random_steps_would(variant: Variant) -> None:
    for index, position in enumerate(last_states(variant, 800)):
        chances = ends(position, 1.0, Counter())
        drawn = Counter(position.random_playout(seed) for seed in range(10_000 * index, 10_000 * index + 1_500))
        assert_fits(drawn, chances, variant.game.format_position(position))


def test_random_play_of_whole_games_agrees_in_its_results(variant: Variant) -> None:
    """Shares and scores by `random_playout` against step by step, from one deal."""
    start = variant.deal(2)
    length = len(random_game(variant, 2).moves)
    samples_taken = games(SAMPLE_STEPS, length, FEWEST_SAMPLES, MOST_SAMPLES)
    samples = []
    for stepwise in (False, True):
        results = []
        for seed in range(samples_taken):
            end = start
            if stepwise:
                rng = Random(seed)
                while not end.is_terminal:
                    numbers, chances = zip(*weights(end).items(), strict=True)
                    end = end.play(rng.choices(numbers, chances)[0])
            else:
                end = start.random_playout(seed)
            results.append((*end.win_shares(), *end.scores()))
        samples.append(list(zip(*results, strict=True)))
    for fast, slow in zip(*samples, strict=True):
        means = [sum(sample) / len(sample) for sample in (fast, slow)]
        variances = [
            sum((x - mean) ** 2 for x in sample) / (len(sample) - 1)
            for sample, mean in zip((fast, slow), means, strict=True)
        ]
        # Five standard errors, and one sample's worth where the results hardly differ.
        error = (sum(variances) / len(fast)) ** 0.5
        assert abs(means[0] - means[1]) <= 5 * error + 1e-9
