"""The key of a seat follows all that the seat knows of a round."""

from __future__ import annotations

from random import Random

from mangetout_solver.games.peas.reference import full_deck
from peas_tools import (
    GAME,
    compiled,
    move_texts,
    number_of,
    random_twin,
    shown_voids,
    with_hands,
)


def test_the_key_of_a_seat_follows_every_part_of_its_knowledge() -> None:
    """Own hand, pods, their order and plays, who led, what was shown, the pea, the deck."""
    texts = (
        "peas +1/-2[A=B1,B=B2]/+3/+1 R1R2V3 ??? A",
        "peas +1/-2[A=B1,B=B2]/+3/+1 R1R2V4 ??? A",
        "peas +1/-2[A=B1,B=B3]/+3/+1 R1R2V3 ??? A",
        "peas +1/-2[A=B1,B=V2]/+3/+1 R1R2V3 ??? A",
        "peas +1/-2[B=B2,A=B1]/+3/+1 R1R2V3 ??? B",
        "peas +1[A=B1,B=B2]/-2/+3/+1 R1R2V3 ??? A",
        "peas -2/+1[A=B1,B=B2]/+3/+1 R1R2V3 ??? A",
        "peas +1/-2[A=B1,B=B2]/+3/+2 R1R2V3 ??? A",
        "peas{ranks=5} +1/-2[A=B1,B=B2]/+3/+1 R1R2V3 ??? A",
        "peas{colours=3} +1/-2[A=B1,B=B2]/+3/+1 R1R2V3 ??? A",
        "peas +1/-2[A=B1]/+3/+1 R1R2V3 ???? A",
        "peas +1/-2[A=B1,B=B2]/+3[A=V3]/+1 R1R2 ??? A",
        "peas +1/-2[A=B1,B=B2]/+3/+1 R1R2? ??? A",
        "peas +1/-2[A=B1,B=B2]/+3/+1 ??? R1R2V3 A",
        "peas +1/-2/+3/+1 R1R2V3Y4 ???? A",
        "peas +1/-2/+3/+1 R1R2V3Y4 ???? B",
        "peas +1[A=B1,B=B2]/+1[A=B3,B=B4]/+1 R1 ? A",
        "peas +1[A=B1,B=B2]/+1[B=B4,A=B3]/+1 R1 ? A",
        "peas +1[A=B1,B=B2]/+1[B=B3,A=B4]/+1 R1 ? A",
    )
    positions = [GAME.parse_position(text) for text in texts]
    assert len({position.information_key(-1) for position in positions}) == len(texts)


def test_the_key_of_a_seat_differs_where_its_own_hand_does() -> None:
    """One own card exchanged for one set aside."""
    compared = 0
    for seed in range(400):
        rng = Random(seed)
        twin = random_twin(rng, max_pods=10)
        seen = {card for plays in twin.plays for _, card in plays} | set(twin.hands[0]) | set(twin.hands[1])
        seat = rng.randrange(2)
        lacking = shown_voids(twin)[seat]
        aside = [c for c in full_deck(twin.colours, twin.ranks) if c not in seen and c[0] not in lacking]
        if not aside or not twin.hands[seat]:
            continue
        hands = [list(twin.hands[0]), list(twin.hands[1])]
        hands[seat][rng.randrange(len(hands[seat]))] = rng.choice(aside)
        one, two = compiled(twin), compiled(with_hands(twin, (hands[0], hands[1])))
        assert one.information_key(seat) != two.information_key(seat)
        assert one.information_key(1 - seat) == two.information_key(1 - seat)
        compared += 1
    assert compared > 200


def test_the_key_of_a_seat_merges_orders_of_play_that_leave_the_same_table() -> None:
    at = GAME.parse_position("peas +1/-2/+3 B1B2B3 R1R2R3 A")
    orders = ("B1@0 R1@0 B2@1 R2@1", "B2@1 R2@1 B1@0 R1@0", "B1@0 R2@1 B2@1 R1@0")
    keys = []
    for order in orders:
        position = at
        for move in order.split():
            assert move in move_texts(position)
            position = position.play(number_of(move))
        keys.append(position.information_key(0))
    assert keys[0] == keys[1]
    # Who led pod 1 is another thing to know.
    assert keys[2] != keys[0]
