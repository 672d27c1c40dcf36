"""Numbers of step sequences (perft); `python -m tests.conformance.perft` counts them anew."""

from __future__ import annotations

import json

import pytest
from mangetout_solver.games.game import Game

from tests.conformance import perft
from tests.conformance.budgets import SOME
from tests.conformance.play import last_states, random_states, size, steps
from tests.conformance.subjects import GAMES, Variant, variants

ENOUGH = 10**7


def table(game: Game) -> dict[str, list[perft.Case]]:
    found: dict[str, list[perft.Case]] = json.loads(perft.path(game).read_text("utf-8"))
    return found


def test_there_is_a_table_for_each_game_and_variant() -> None:
    assert {path.name for path in perft.FOLDER.iterdir()} == {perft.path(game).name for game in GAMES}
    for game in GAMES:
        assert list(table(game)) == [variant.name for variant in variants(game)]


@pytest.mark.every_variant
def test_the_sequences_are_as_many_as_in_the_table(variant: Variant) -> None:
    """On a difference the first steps whose numbers are not those of the twin are named."""
    cases = table(variant.game)[variant.name]
    assert [case["position"] for case in cases] == perft.start_texts(variant), "count anew"
    for case in cases:
        position = variant.game.parse_position(case["position"])
        found = position.count_sequences(case["depth"], ENOUGH)
        if found != case["sequences"]:
            divide = perft.divide(variant, case["position"], case["depth"])
            pytest.fail(f"found {found}, expected {case['sequences']}: {divide}")


@pytest.mark.every_variant
def test_the_twin_counts_the_sequences_of_the_table(variant: Variant) -> None:
    for case in table(variant.game)[variant.name]:
        if case["sequences"] <= perft.MOST_SEQUENCES:
            twin = variant.twin(variant.game.parse_position(case["position"]))
            assert perft.count(twin, case["depth"]) == case["sequences"], case


def test_the_sequences_are_those_after_each_step(variant: Variant) -> None:
    for position, _ in random_states(variant, SOME):
        assert position.count_sequences(0, 1) == 1
        assert position.count_sequences(1, ENOUGH) == len(steps(position))
        after = [position.play(step) for step in steps(position)]
        assert position.count_sequences(2, ENOUGH) == sum(p.count_sequences(1, ENOUGH) for p in after)


def test_a_game_that_ends_sooner_counts_once_and_depth_has_no_wrong_value(variant: Variant) -> None:
    for position in last_states(variant, 200):
        whole = size(position, ENOUGH)
        assert whole >= 1
        assert position.count_sequences(2**31 - 1, ENOUGH) == whole
        assert position.count_sequences(position.max_steps + 1, ENOUGH) == whole
        with pytest.raises(ValueError, match="negative"):
            position.count_sequences(-1, ENOUGH)
        while not position.is_terminal:
            position = position.play(position.random_step(1))
        assert [position.count_sequences(depth, 10) for depth in (0, 1, 5)] == [1, 1, 1]


def test_a_count_that_needs_more_nodes_than_allowed_is_refused(variant: Variant) -> None:
    for position in last_states(variant, 200):
        answers = [position.count_sequences(3, budget) for budget in range(400)]
        assert answers[0] == -1
        assert answers == sorted(answers)
        assert set(answers) <= {-1, position.count_sequences(3, ENOUGH)}
