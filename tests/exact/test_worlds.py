"""Against which hands a move of PEAS wins, and whether it wins against all."""

from __future__ import annotations

import pytest
from mangetout_solver.exact.peas.beliefs import Belief, uniform
from mangetout_solver.exact.peas.rounds import Rounds
from mangetout_solver.exact.peas.worlds import AllWorlds, MoveWorlds, TellingCards, WorldsSolution, telling_cards
from mangetout_solver.games.peas import view
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game
from mangetout_solver.search.control import Control
from peas_brute_force import MAX_HANDS, margins

from tests.exact.asking import SMALL
from tests.exact.instances import hidden_with, real_midgame

PEAS = game("peas")


def searched(belief: Belief, *, seed: int = 0, max_nodes: int | None = None) -> WorldsSolution:
    search = AllWorlds(Rounds(SMALL), belief, Control(), seed=seed, max_nodes=max_nodes)
    search.run()
    return search.solution()


def knower(position: Position) -> int:
    """The seat whose hand is known."""
    return 1 if view(position).hands[0].unknown else 0


def wins(position: Position, seat: int, margin: int) -> bool:
    """Whether the seat wins the round with this margin of A (PEAS-13 to PEAS-15)."""
    return (margin > 0 or (margin == 0 and view(position).pea == 0)) == (seat == 0)


@pytest.mark.parametrize(("cards", "instances"), [(1, 100), (2, 150), (3, 40)])
def test_what_brute_force_says_of_each_world_and_of_all(cards: int, instances: int) -> None:
    sure = beaten = others = 0
    for instance in range(instances):
        seen = hidden_with(cards, instance, MAX_HANDS)
        seat = knower(seen)
        belief = uniform(seen, seat)
        found = searched(belief, seed=instance)
        assert found.solved
        assert sorted(found.looked_at) == list(range(len(belief.worlds)))
        in_worlds = [margins(world) for world in belief.worlds]
        in_all = margins(seen)
        assert {result.move for result in found.moves} == set(in_all)
        for result in found.moves:
            possible = tuple(index for index, after in enumerate(in_worlds) if result.move in after)
            losing = tuple(index for index in possible if not wins(seen, seat, in_worlds[index][result.move]))
            is_sure = wins(seen, seat, in_all[result.move])
            assert result == MoveWorlds(result.move, possible, losing, is_sure), PEAS.format_position(seen)
            sure += is_sure
            beaten += bool(losing)
            others += seen.seat_to_move != seat
    assert min(sure, beaten, others) > instances // 4


def test_to_win_in_every_world_is_not_to_be_sure() -> None:
    # Found by brute force: each hand of A is beaten by other play.
    found = 0
    for instance in range(200):
        seen = hidden_with(3, instance, 20)
        results = searched(uniform(seen, knower(seen))).moves
        found += any(not result.beaten and not result.sure for result in results)
    assert found > 0


def test_the_best_move_comes_first() -> None:
    for seed in range(30):
        position = real_midgame(8, seed)
        assert position.seat_to_move is not None
        results = searched(uniform(position, position.seat_to_move)).moves
        shares = [1 - len(result.beaten) / len(result.possible) for result in results]
        assert shares == sorted(shares, reverse=True)
        assert [result.sure for result in results] == sorted((result.sure for result in results), reverse=True)


def test_weights_say_what_is_likely() -> None:
    """A hand that is all but certain decides which move is best."""
    decided = 0
    for seed in range(16):
        position = real_midgame(10, seed)
        assert position.seat_to_move is not None
        even = uniform(position, position.seat_to_move)
        best, *others = searched(even).moves
        winnable = [index for index in best.beaten if any(index not in result.beaten for result in others)]
        for index in winnable[:1]:
            rest = 0.01 / (len(even.worlds) - 1)
            weights = tuple(0.99 if i == index else rest for i in range(len(even.worlds)))
            assert index not in searched(Belief(even.seat, even.seen, even.worlds, weights)).moves[0].beaten
            decided += 1
    assert decided > 0


def test_what_is_hidden_changes_nothing() -> None:
    for seed in range(10):
        position = real_midgame(9, seed)
        for seat in (0, 1):
            other = position.redacted(seat).determinize(seed)
            for max_nodes in (None, 300):
                one, two = (searched(uniform(each, seat), seed=seed, max_nodes=max_nodes) for each in (position, other))
                assert one == two


def test_stopped_anywhere_it_says_what_it_has_looked_at() -> None:
    unfinished = unsure = 0
    for seed in range(6):
        position = real_midgame(11, seed)
        seat = seed // 2 % 2
        belief = uniform(position, seat)
        whole = searched(belief)
        full = {result.move: result for result in whole.moves}
        for max_nodes in (0, 300, 1_000, 3_000, 9_000):
            found = searched(belief, max_nodes=max_nodes)
            assert found == searched(belief, max_nodes=max_nodes)
            assert found.looked_at == whole.looked_at[: len(found.looked_at)]
            assert len(found.moves) == len(full)
            for result in found.moves:
                seen = set(full[result.move].possible).intersection(
                    range(len(belief.worlds)) if result.sure else found.looked_at
                )
                assert result.possible == tuple(sorted(seen))
                assert result.beaten == tuple(sorted(seen.intersection(full[result.move].beaten)))
                assert result.sure in (None, full[result.move].sure)
                unsure += result.sure is None
            assert found.solved == (found == whole)
            unfinished += 0 < len(found.looked_at) < len(belief.worlds)
    assert unfinished > 1
    assert unsure > 10


def test_stopped_before_the_start() -> None:
    control = Control()
    control.stop()
    search = AllWorlds(Rounds(SMALL), uniform(real_midgame(12, 1), 0), control)
    search.run()
    assert search.solution().looked_at == ()
    assert not search.solution().solved


def test_worlds_come_in_an_order_of_the_seed() -> None:
    belief = uniform(real_midgame(8, 2), 0)
    orders = {searched(belief, seed=seed).looked_at for seed in range(5)}
    assert len(orders) == 5
    assert {frozenset(searched(belief, seed=seed).moves) for seed in range(2)} == {frozenset(searched(belief).moves)}


@pytest.mark.parametrize(
    ("notation", "beaten", "needed", "enough"),
    [
        # The one pod goes to the higher card.
        ("peas{colours=1,ranks=4} +1 B3 ? A", 1, ("B4",), ("B4",)),
        ("peas{colours=1,ranks=4} +1 B2 ? A", 2, (), ("B3", "B4")),
        ("peas{colours=1,ranks=4} +1 B4 ? A", 0, (), ()),
    ],
)
def test_cards_that_beat_a_move(notation: str, beaten: int, needed: tuple[str, ...], enough: tuple[str, ...]) -> None:
    belief = uniform(PEAS.parse_position(notation), 0)
    (result,) = searched(belief).moves
    assert len(result.beaten) == beaten
    assert telling_cards(belief, result) == TellingCards(needed, enough)


def test_telling_cards_tell() -> None:
    needed = enough = 0
    for seed in range(20):
        position = real_midgame(8, seed)
        assert position.seat_to_move is not None
        belief = uniform(position, position.seat_to_move)
        hands = [belief.hand(index) for index in range(len(belief.worlds))]
        for result in searched(belief).moves:
            found = telling_cards(belief, result)
            losing = [hands[index] for index in result.possible if index in result.beaten]
            winning = [hands[index] for index in result.possible if index not in result.beaten]
            for card in {card for hand in hands for card in hand}:
                is_needed = bool(losing) and all(card in hand for hand in losing)
                is_enough = any(card in hand for hand in losing) and not any(card in hand for hand in winning)
                assert (card in found.needed, card in found.enough) == (is_needed, is_enough)
                needed += is_needed and bool(winning)
                enough += is_enough and bool(winning)
    assert min(needed, enough) > 0


def test_the_end_of_a_round_is_refused() -> None:
    with pytest.raises(ValueError, match="without a move to make"):
        AllWorlds(Rounds(SMALL), uniform(PEAS.parse_position("peas +1[A=B2,B=B3] - - A"), 0), Control())
