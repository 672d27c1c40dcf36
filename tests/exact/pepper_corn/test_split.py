"""The split with both deals open: values known from elsewhere, and those of small splits by brute force."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from mangetout_solver.exact.pepper_corn.solver import PlaySolver
from mangetout_solver.exact.pepper_corn.split import Split
from mangetout_solver.exact.stage import Ends, Payoff, Plan, StageSolution
from mangetout_solver.games.decktet import CARD_NUMBERS
from mangetout_solver.games.pepper_corn.positions import build
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control
from numpy.typing import NDArray
from pepper_corn_brute_force import margin as brute_force

from tests.exact.asking import margin_of
from tests.exact.pepper_corn.small_splits import (
    brute_force_game,
    choice_game,
    piles_of,
    small_split,
    split_of,
    value_of_choice,
    value_of_matrix,
)

MEMORY = 1 << 24
KNOWN = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data/pepper_corn_splits.jsonl").read_text("utf-8").splitlines()
]


def solve(position: Position, payoff: Payoff, max_nodes: int | None = None) -> tuple[Split, StageSolution]:
    split = Split(position, PlaySolver(MEMORY), payoff)
    split.run(Control(), max_nodes)
    return split, split.solution()


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known["id"])
def test_known_values(known: dict[str, object]) -> None:
    numbers = CARD_NUMBERS
    tableau = [[numbers[card] for card in row] for row in known["tableau"]]  # type: ignore[attr-defined]
    dealt = [[numbers[card] for card in known["dealt"][seat]] for seat in "AB"]  # type: ignore[index]
    split, solution = solve(split_of(tableau, dealt), Payoff.MARGIN)
    value = solution.values[Payoff.MARGIN]
    assert value.closed
    assert value.low == pytest.approx(known["value"], abs=1e-6)
    # Lazily: most openings need not be known.
    openings, solved, asked = split.count_openings()
    assert openings == 3844
    assert solved < openings / 4
    assert 0 < asked < openings / 2


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known["id"])
def test_known_values_of_cells(known: dict[str, Any]) -> None:
    tableau = [[CARD_NUMBERS[card] for card in row] for row in known["tableau"]]
    dealt = {seat: [CARD_NUMBERS[card] for card in known["dealt"][seat]] for seat in "AB"}
    for cell in known["cells"]:
        piles = []
        for seat in "AB":
            pile = [CARD_NUMBERS[card] for card in cell[f"pile_{seat}"]]
            piles.append((pile, [card for card in dealt[seat] if card not in pile]))
        found = value_of_choice(
            tableau, piles[0], piles[1], Payoff.MARGIN, lambda p: margin_of(PlaySolver(MEMORY), p, 200)
        )
        assert found == pytest.approx(cell["value"], abs=1e-6)


@cache
def small_game(seed: int, payoff: Payoff) -> NDArray[np.float64]:
    return np.array(brute_force_game(*small_split(seed), payoff))


def in_order(plans: Sequence[Plan]) -> list[Plan]:
    """Plans in the order of `piles_of`."""
    return sorted(plans, key=lambda plan: plan.moves)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("payoff", Payoff)
def test_small_splits(seed: int, payoff: Payoff) -> None:
    tableau, dealt, empty_piles = small_split(seed)
    game = small_game(seed, payoff)
    expected = value_of_matrix(game.tolist())
    _, solution = solve(split_of(tableau, dealt, empty_piles), payoff)
    value = solution.values[payoff]
    assert solution.solved
    assert value.closed
    assert value.low == pytest.approx(expected)
    rows, columns = (in_order(plans) for plans in solution.plans)
    # Each mixture is sure of the value against every division.
    assert (np.array([plan.probability for plan in rows]) @ game).min() == pytest.approx(expected)
    assert (game @ np.array([plan.probability for plan in columns])).max() == pytest.approx(expected)
    for plans, worths in ((rows, game.min(axis=1)), (columns, game.max(axis=0))):
        assert sum(plan.probability for plan in plans) == pytest.approx(1.0)
        for plan, worth in zip(plans, worths, strict=True):
            assert plan.sure[payoff].low - 1e-9 <= worth <= plan.sure[payoff].high + 1e-9


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("payoff", Payoff)
def test_what_a_division_is_sure_of_and_the_best_reply_to_it(seed: int, payoff: Payoff) -> None:
    tableau, dealt, empty_piles = small_split(seed)
    game = small_game(seed, payoff)
    start = split_of(tableau, dealt, empty_piles)
    _, whole = solve(start, payoff)
    moves = [[plan.moves for plan in in_order(plans)] for plans in whole.plans]
    for seat, worths in ((0, game.min(axis=1)), (1, game.max(axis=0))):
        for number, worth in enumerate(worths):
            *begun, last = moves[seat][number]
            split = Split(start, PlaySolver(MEMORY), payoff, seat=seat, begun=begun, allowed=[last])
            split.run(Control())
            solution = split.solution()
            (alone,) = solution.plans[seat]
            assert solution.values[payoff].closed
            assert solution.values[payoff].low == pytest.approx(worth)
            assert alone.moves == (last,)
            assert alone.sure[payoff].low == alone.sure[payoff].high == pytest.approx(worth)
            reply = moves[1 - seat].index(alone.reply)
            assert (game[number, reply] if seat == 0 else game[reply, number]) == pytest.approx(worth)


@pytest.mark.parametrize("seed", range(12))
def test_later_steps_are_those_of_the_mixture_of_the_whole(seed: int) -> None:
    tableau, dealt, empty_piles = small_split(seed)
    start = split_of(tableau, dealt, empty_piles)
    _, whole = solve(start, Payoff.MARGIN)
    for seat in range(2):
        for first in {plan.moves[0] for plan in whole.plans[seat]}:
            later = Split(start, PlaySolver(MEMORY), Payoff.MARGIN, seat=seat, begun=[first])
            later.run(Control())
            solution = later.solution()
            assert solution.values == whole.values
            assert solution.plans[1 - seat] == whole.plans[1 - seat]
            total = sum(plan.probability for plan in whole.plans[seat] if plan.moves[0] == first)
            assert sum(plan.probability for plan in solution.plans[seat]) == pytest.approx(1.0)
            for plan in solution.plans[seat] if total else ():
                (before,) = [other for other in whole.plans[seat] if other.moves == (first, *plan.moves)]
                assert plan.probability * total == pytest.approx(before.probability)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("payoff", Payoff)
def test_choices(seed: int, payoff: Payoff) -> None:
    tableau, dealt, _ = small_split(seed)
    a, b = (Random(seed).choice(list(piles_of(cards, False))) for cards in dealt)
    start = build(tableau, [sorted(hand) for hand in dealt], piles=[a, b], phase="choose", seat=0, hands_known=True)
    expected = value_of_choice(tableau, a, b, payoff, brute_force)
    split = Split(start, PlaySolver(MEMORY), payoff)
    split.run(Control())
    solution = split.solution()
    assert solution.values[payoff].closed
    assert solution.values[payoff].low == pytest.approx(expected)
    game = np.array(choice_game(tableau, a, b, payoff, brute_force))
    chances = [[plan.probability for plan in in_order(plans)] for plans in solution.plans]
    assert (np.array(chances[0]) @ game).min() == pytest.approx(expected)
    assert (game @ np.array(chances[1])).max() == pytest.approx(expected)


def test_a_lot_counts_half() -> None:
    # Hands of equal points and numbers of cards come about where all cards dealt are of one rank.
    numbers = [CARD_NUMBERS[card] for card in ("9MS", "9WY", "XM", "XS", "XW", "XL", "2MK", "3MW")]
    tableau, dealt = [numbers[6:], numbers[:2]], [numbers[2:4], numbers[4:6]]
    expected = value_of_matrix(brute_force_game(tableau, dealt, False, Payoff.SHARE))
    _, solution = solve(split_of(tableau, dealt), Payoff.SHARE)
    value = solution.values[Payoff.SHARE]
    assert value.closed
    assert value.low == pytest.approx(expected)


def test_what_is_proven_when_nodes_run_out() -> None:
    known = KNOWN[-1]
    tableau = [[CARD_NUMBERS[card] for card in row] for row in known["tableau"]]
    dealt = [[CARD_NUMBERS[card] for card in known["dealt"][seat]] for seat in "AB"]
    position = split_of(tableau, dealt)
    split = Split(position, PlaySolver(MEMORY), Payoff.MARGIN)
    before = split.solution()
    assert before.values[Payoff.MARGIN].low < known["value"] < before.values[Payoff.MARGIN].high
    for _ in range(3):
        split.run(Control(), 20_000)
        after = split.solution()
        for payoff, ends in after.values.items():
            assert before.values[payoff].low <= ends.low <= ends.high <= before.values[payoff].high
        assert after.values[Payoff.MARGIN].low <= known["value"] <= after.values[Payoff.MARGIN].high
        before = after
    split.run(Control())
    assert split.solution().values[Payoff.MARGIN].low == pytest.approx(known["value"])


def test_stopped_before_anything_is_known() -> None:
    control = Control()
    control.stop()
    split = Split(split_of(*small_split(1)), PlaySolver(MEMORY), Payoff.SHARE)
    split.run(control)
    solution = split.solution()
    assert not solution.solved
    assert solution.values == {Payoff.SHARE: Ends(0.0, 1.0)}
    assert [sum(plan.probability for plan in plans) for plans in solution.plans] == pytest.approx([1.0, 1.0])
