"""What a seat is told does not depend on cards that it cannot know, and depends on all that it does know."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from mangetout_solver.games.game import Record
from mangetout_solver.games.peas.reference import SEATS, ReferencePosition, full_deck, other_seat
from mangetout_solver.games.position import Position
from peas_tools import (
    GAME,
    compiled,
    move_texts,
    number_of,
    random_deal,
    random_twin,
    random_view,
    shown_voids,
    text_of,
    with_hands,
    with_pods_alike,
)

LISTED = 300


def with_hidden_cards_exchanged(rng: Random, twin: ReferencePosition, seat: str) -> ReferencePosition:
    """The other hand and the cards set aside mixed and dealt again, as far as the table allows."""
    other = SEATS.index(other_seat(seat))
    in_view = {card for plays in twin.plays for _, card in plays} | set(twin.hands[1 - other])
    candidates = [
        card
        for card in full_deck(twin.colours, twin.ranks)
        if card not in in_view and card[0] not in shown_voids(twin)[other]
    ]
    hands = [twin.hands[0], twin.hands[1]]
    hands[other] = tuple(rng.sample(candidates, len(twin.hands[other])))
    return with_hands(twin, (hands[0], hands[1]))


def pairs(count: int, max_pods: int = 10) -> Iterator[tuple[str, ReferencePosition, ReferencePosition]]:
    """A seat and two positions that differ in what it cannot see, at all stages of a round."""
    found = 0
    seed = 0
    while found < count:
        rng = Random(seed)
        seat = rng.choice(SEATS)
        one = random_twin(rng, max_pods, min_pods=2)
        two = with_hidden_cards_exchanged(rng, one, seat)
        seed += 1
        if one != two:
            found += 1
            yield seat, one, two


def told(position: Position, seat: int) -> list[object]:
    """All that the seat can ask of a position."""
    seen = position.redacted(seat)
    legal = position.legal_moves() if position.seat_to_move == seat else []
    count = seen.count_worlds()
    return [
        seen,
        text_of(seen),
        position.information_key(seat),
        seen.information_key(seat),
        seen.information_key(-1),
        GAME.key(seen),
        legal,
        [GAME.describe_move(position, move) for move in legal],
        [position.observe(move, seat) for move in seen.legal_moves()],
        seen.legal_moves(),
        seen.search_moves(),
        position.seat_to_move,
        count,
        seen.worlds() if count <= LISTED else [],
        [seen.determinize(seed) for seed in range(3)],
        seen.count_sequences(2, 10**6),
    ]


def test_exchanging_cards_that_a_seat_cannot_see_changes_nothing_for_it() -> None:
    hands_differed = sets_listed = 0
    for seat_name, one, two in pairs(250):
        seat = SEATS.index(seat_name)
        first, second = compiled(one), compiled(two)
        assert first != second
        assert first.information_key(-1) != second.information_key(-1)
        assert told(first, seat) == told(second, seat)
        hands_differed += first.information_key(1 - seat) != second.information_key(1 - seat)
        sets_listed += 1 < first.redacted(seat).count_worlds() <= LISTED
    assert hands_differed == 250
    assert sets_listed > 30


def test_both_of_two_exchanged_positions_are_among_the_worlds_of_the_seat() -> None:
    listed = 0
    for seat_name, one, two in pairs(150, max_pods=5):
        seen = compiled(one).redacted(SEATS.index(seat_name))
        if seen.count_worlds() <= 1000:
            listed += 1
            assert {compiled(one), compiled(two)} <= set(seen.worlds())
    assert listed > 60


def test_what_the_seat_is_told_stays_the_same_while_play_goes_on_alike() -> None:
    """Both positions played on by the same moves, as long as they are legal in both."""
    moves_played = 0
    for seat_name, one, two in pairs(150, max_pods=6):
        rng = Random(one.text())
        seat = SEATS.index(seat_name)
        first, second = compiled(one), compiled(two)
        while True:
            if first.seat_to_move == seat:
                assert first.legal_moves() == second.legal_moves()
            common = sorted(set(first.legal_moves()) & set(second.legal_moves()))
            if not common:
                break
            move = rng.choice(common)
            assert first.observe(move, seat) == second.observe(move, seat)
            first, second = first.play(move), second.play(move)
            moves_played += 1
            assert told(first, seat) == told(second, seat)
    assert moves_played > 200


def test_a_record_seen_by_a_seat_does_not_tell_what_others_were_dealt() -> None:
    compared = 0
    for seed in range(300):
        rng = Random(seed)
        seat = rng.choice(SEATS)
        one = random_deal(rng, max_pods=6)
        two = with_hidden_cards_exchanged(rng, one, seat)
        first, second = Record(GAME, (compiled(one),), ()), Record(GAME, (compiled(two),), ())
        for _ in range(rng.randint(1, 6)):
            common = sorted(set(first.current.legal_moves()) & set(second.current.legal_moves()))
            if not common:
                break
            move = GAME.format_move(first.current, rng.choice(common))
            first, second = first.play(move), second.play(move)
        compared += bool(first.moves) and first != second
        assert first.redacted(SEATS.index(seat)) == second.redacted(SEATS.index(seat))
    assert compared > 150


def test_a_spectator_is_told_the_same_for_all_hands() -> None:
    for seat_name, one, two in pairs(150):
        seat = SEATS.index(seat_name)
        views = [compiled(twin).redacted(seat).redacted(1 - seat) for twin in (one, two)]
        assert views[0] == views[1]
        assert views[0] == compiled(one).redacted(1 - seat).redacted(seat)
        assert views[0].information_key(-1) == views[1].information_key(-1)


def test_redacting_again_changes_nothing() -> None:
    for seed in range(200):
        position = compiled(random_view(Random(seed)))
        for seat in (0, 1):
            seen = position.redacted(seat)
            assert seen.redacted(seat) == seen


def test_the_key_of_a_seat_is_the_key_of_all_that_its_view_shows() -> None:
    for seed in range(200):
        position = compiled(random_view(Random(seed)))
        for seat in (0, 1):
            seen = position.redacted(seat)
            assert position.information_key(seat) == seen.information_key(seat) == seen.information_key(-1)


def test_a_seat_has_a_key_of_its_own_for_everything_it_can_know() -> None:
    """Keys of thousands of views: equal exactly if the texts of the views are."""
    text_by_key: dict[int, str] = {}
    key_by_text: dict[str, int] = {}
    views = 0
    for seed in range(1600):
        rng = Random(seed)
        # Many pods, or so few and alike that two positions often differ in one thing only.
        twin = random_twin(rng) if seed % 2 else with_pods_alike(random_twin(rng, max_pods=2, max_ranks=2))
        position = compiled(twin)
        for seat in (0, 1):
            key, text = position.information_key(seat), text_of(position.redacted(seat))
            assert text_by_key.setdefault(key, text) == text
            assert key_by_text.setdefault(text, key) == key
            assert 0 <= key < 2**128
            views += 1
    assert 1600 < len(text_by_key) < views


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
