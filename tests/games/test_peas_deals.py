"""Deals of PEAS by their options."""

from __future__ import annotations

import pytest
from mangetout_solver.errors import InputError
from mangetout_solver.games.peas import STANDARD_PODS, Peas, view


def test_a_deal_of_peas_is_the_same_on_every_machine() -> None:
    text = "peas -2/+1/-3/-2/+1/+3/+1/+2/+1/-2 B1B2B5B6R3V6Y1Y2Y5Y6 B3B4R1R2R4R5V1V3V5Y4 B"
    assert Peas().format_position(Peas().deal(2024, {})) == text


def test_peas_pods_are_shuffled_or_left_in_the_order_given() -> None:
    values = (3, -2, 0, 9, -9)
    given = {"pods": "3,-2, 0 ,+9,-9", "order": "given"}
    for seed in range(20):
        assert tuple(pod.value for pod in view(Peas().deal(seed, given)).pods) == values
    shuffled = {
        tuple(pod.value for pod in view(Peas().deal(seed, given | {"order": "shuffled"})).pods) for seed in range(60)
    }
    assert len(shuffled) > 30
    assert {tuple(sorted(pods)) for pods in shuffled} == {tuple(sorted(values))}
    in_order = view(Peas().deal(1, {"order": "given"})).pods
    assert tuple(pod.value for pod in in_order) == STANDARD_PODS


@pytest.mark.parametrize("pods", [1, 2, 9, 12])
def test_peas_deals_as_many_cards_as_pods(pods: int) -> None:
    round_ = view(Peas().deal(4, {"pods": ",".join(["1"] * pods)}))
    assert len(round_.pods) == pods
    assert [len(hand.cards) for hand in round_.hands] == [pods, pods]
    assert len({card for hand in round_.hands for card in hand.cards}) == 2 * pods


@pytest.mark.parametrize(("colours", "ranks"), [(1, 8), (2, 4), (3, 5), (4, 8), (4, 1)])
def test_peas_deals_from_the_deck_asked_for_and_every_card_of_it(colours: int, ranks: int) -> None:
    options = {"colours": str(colours), "ranks": str(ranks), "pods": "1,-1"}
    dealt: set[str] = set()
    for seed in range(200):
        round_ = view(Peas().deal(seed, options))
        assert (round_.colours, round_.ranks) == (colours, ranks)
        dealt.update(card for hand in round_.hands for card in hand.cards)
    assert dealt == {f"{colour}{rank}" for colour in "BRVY"[:colours] for rank in range(1, ranks + 1)}


def test_peas_gives_the_pea_as_asked() -> None:
    for seed in range(20):
        assert view(Peas().deal(seed, {"pea": "A"})).pea == 0
        assert view(Peas().deal(seed, {"pea": "B"})).pea == 1
    assert {view(Peas().deal(seed, {"pea": "random"})).pea for seed in range(20)} == {0, 1}


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"colours": "0"}, "colours"),
        ({"colours": "5"}, "colours"),
        ({"ranks": "0"}, "ranks"),
        ({"ranks": "9"}, "ranks"),
        ({"pods": "10"}, "pods"),
        ({"pods": "1,-10"}, "pods"),
        ({"pods": ",".join(["1"] * 13)}, "pods"),
        ({"pods": ",".join(["1"] * 13), "ranks": "8"}, "pods"),
        ({"pods": ",".join(["1"] * 5000)}, "pods"),
        # The deck is too small for ten pods, or for those given.
        ({"ranks": "4"}, "pods"),
        ({"colours": "3"}, "pods"),
        ({"colours": "1", "ranks": "3", "pods": "1,1"}, "pods"),
        ({"order": "Given"}, "order"),
        ({"order": "random"}, "order"),
        ({"pea": "a"}, "pea"),
        ({"pea": "C"}, "pea"),
        ({"pea": "0"}, "pea"),
    ],
)
def test_peas_refuses_options_by_name(options: dict[str, str], field: str) -> None:
    with pytest.raises(InputError) as caught:
        Peas().deal(1, options)
    assert caught.value.field == f"options.{field}"
    assert caught.value.reason.startswith("found ")


def test_peas_takes_options_at_the_ends_of_their_ranges() -> None:
    assert view(Peas().deal(1, {"pods": ",".join(["-9", "+9"] * 6)})).colours == 4
    assert view(Peas().deal(1, {"ranks": "5"})).ranks == 5
    assert view(Peas().deal(1, {"colours": "1", "ranks": "2", "pods": "0"})).colours == 1


def test_peas_lists_are_no_longer_than_hands_and_pods_allow() -> None:
    """Ten cards on ten pods; all 24 cards where no hand is known."""
    longest = [0, 0]
    for seed in range(80):
        position = Peas().deal(seed, {})
        while not position.is_terminal:
            lists = position.legal_moves(), position.redacted(0).redacted(1).legal_moves()
            longest = [max(most, len(moves)) for most, moves in zip(longest, lists, strict=True)]
            position = position.play(position.random_step(seed))
    assert longest == [100, 240]
