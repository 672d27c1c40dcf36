"""Late states that an exact engine evaluates in place of playouts."""

from __future__ import annotations

from random import Random

import pytest
from mangetout_solver.analysis import Analysis
from mangetout_solver.engine import analyze
from mangetout_solver.errors import InputError
from mangetout_solver.exact.peas.leaves import ExactLeaves
from mangetout_solver.games.game import Record
from mangetout_solver.games.peas import view
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game
from mangetout_solver.limits import MAX_EXACT_CARDS, Limits, SearchOptions
from mangetout_solver.search.control import Control
from mangetout_solver.search.mcts import RootMove, TreeSearch
from peas_brute_force import margin

from tests.exact.instances import played, position_with, real_deal

BYTES = 1 << 20


def first_visits(position: Position, seed: int, cards: int) -> list[RootMove]:
    """Each root move tried once, with all cards known; those whose simulation ended in the tree are left out."""
    tree = TreeSearch(
        position, observer=None, seed=seed, memory_bytes=BYTES, evaluator=ExactLeaves(cards, BYTES) if cards else None
    )
    tree.run(Control(), len(position.legal_moves()))
    return [move for move in tree.root_moves() if move.visits == 1]


@pytest.mark.parametrize(("cards", "positions"), [(1, 300), (2, 200), (3, 150), (4, 60)])
def test_a_late_state_counts_as_what_best_play_makes_of_it(cards: int, positions: int) -> None:
    compared, against_playouts = 0, 0
    for seed in range(positions):
        position = position_with(cards, seed)
        for move, by_playout in zip(first_visits(position, seed, cards), first_visits(position, seed, 0), strict=False):
            after = position.play(move.move)
            if after.round_returns() is None:
                a_wins = margin(after) >= (0 if view(after).pea == 0 else 1)
                assert move.share_sum == ((1.0, 0.0) if a_wins else (0.0, 1.0)), (seed, move.move)
                compared += 1
                against_playouts += move.share_sum != by_playout.share_sum
    assert compared > positions // 3
    if cards > 2:
        # A playout would have told something else now and then.
        assert against_playouts > 30


def test_playouts_go_on_to_the_state_that_is_late_enough() -> None:
    """Two plies before it, what a first visit tells is one of the values that two random plies can lead to."""
    seen: set[tuple[bool, ...]] = set()
    for seed in range(60):
        position = played(Random(seed), real_deal(Random(seed)), 2 * (10 - 3) - 2)
        for move in first_visits(position, seed, 3):
            after = position.play(move.move)
            wins = {
                margin(last) >= (0 if view(last).pea == 0 else 1)
                for last in (after.play(reply) for reply in after.legal_moves())
            }
            assert (move.share_sum[0] == 1.0) in wins
            seen.add(tuple(sorted(wins)))
    assert seen == {(False,), (True,), (False, True)}


def answer(record: Record, **options: int | None) -> Analysis:
    return analyze(record, limits=Limits(simulations=3_000), options=SearchOptions(seed=3, lines=0, **options))  # type: ignore[arg-type]


def midgame(name: str, plies: int, seed: int = 1) -> Record:
    """As the seat to move sees it."""
    position, rng = game(name).deal(seed, {}), Random(seed)
    for _ in range(plies):
        position = position.play(rng.choice(position.legal_moves()))
    assert position.seat_to_move is not None
    return Record(game(name), (position,), ()).redacted(position.seat_to_move)


def test_the_option_is_heard() -> None:
    record = midgame("peas", 8)
    shares = [[line.values[0].win_share for line in answer(record, exact_cards=cards).lines] for cards in (0, 2, 4)]
    assert shares[0] != shares[1] != shares[2] != shares[0]
    for cards in (0, 2, 4, None):
        assert answer(record, exact_cards=cards).lines == answer(record, exact_cards=cards).lines


def test_games_without_such_an_engine_answer_as_they_did() -> None:
    record = midgame("easy_peasy", 0)
    assert answer(record, exact_cards=3).lines == answer(record, exact_cards=0).lines


@pytest.mark.parametrize("cards", [-1, MAX_EXACT_CARDS + 1])
def test_a_number_out_of_range_is_refused(cards: int) -> None:
    with pytest.raises(InputError, match=f"found {cards}, expected 0 to {MAX_EXACT_CARDS}") as caught:
        SearchOptions(exact_cards=cards)
    assert caught.value.field == "options.exact_cards"
