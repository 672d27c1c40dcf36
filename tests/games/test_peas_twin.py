"""The compiled rules of PEAS and their plain twin play the same game, and count the same worlds."""

from __future__ import annotations

from collections import Counter
from math import comb
from random import Random

import pytest
from mangetout_solver.games.peas import view
from mangetout_solver.games.peas.reference import SEATS, ReferencePosition
from mangetout_solver.games.position import Position
from peas_tools import (
    GAME,
    accepts,
    all_move_texts,
    compiled,
    move_texts,
    number_of,
    plain_moves,
    random_deal,
    random_twin,
    random_view,
    text_of,
    twin_of,
)

from tests.conformance.samples import assert_fits

ROUNDS = 320


def refused(position: Position, move: str) -> bool:
    """Whether a move is refused, with a reason."""
    number = number_of(move)
    if number in position.legal_moves():
        return False
    with pytest.raises(ValueError, match="not legal"):
        position.play(number)
    assert GAME.why_illegal(position, number)
    return True


def assert_same_table(twin: ReferencePosition, position: Position) -> None:
    """Same texts, seat to move, voids; the same as read from the text."""
    assert text_of(position) == twin.text()
    assert compiled(twin) == position
    assert position.seat_to_move == (None if twin.to_move is None else SEATS.index(twin.to_move))
    assert position.is_terminal == (twin.to_move is None)
    assert not position.is_chance
    assert not position.is_open
    assert [set(hand.voids) for hand in view(position).hands] == list(twin.voids())


@pytest.mark.parametrize("start", range(0, ROUNDS, 40))
def test_random_rounds_of_any_deck_are_the_same_in_both(start: int) -> None:
    """Besides what every game is held to: shown voids, refused moves and the winner of each pod."""
    for seed in range(start, start + 40):
        rng = Random(seed)
        twin = random_deal(rng)
        position = compiled(twin)
        while True:
            assert_same_table(twin, position)
            if twin.to_move is None:
                break
            legal = twin.legal_moves()
            texts = all_move_texts(twin)
            for move in rng.sample(texts, min(6, len(texts))):
                assert refused(position, move) == (not accepts(twin, move)) == (move not in legal), (twin, move)
            move = rng.choice(sorted(legal))
            twin, position = twin.play(move), position.play(number_of(move))
        assert [SEATS[pod.winner or 0] for pod in view(position).pods] == twin.pod_winners()


def test_the_views_of_a_round_are_played_on_alike() -> None:
    """Each seat's view and a spectator's, played on by the moves of the round, accept exactly what the twin accepts."""
    unknown_movers = 0
    for seed in range(40):
        rng = Random(1000 + seed)
        whole = random_deal(rng, max_pods=4)
        views = [whole.seen_by("A"), whole.seen_by("B"), whole.seen_by("A").seen_by("B")]
        positions = [compiled(twin) for twin in views]
        while whole.to_move is not None:
            for twin, position in zip(views, positions, strict=True):
                assert_same_table(twin, position)
                if twin.unknown[SEATS.index(whole.to_move)]:
                    unknown_movers += 1
                assert move_texts(position) == plain_moves(twin)
                for move in rng.sample(all_move_texts(twin), 2):
                    assert refused(position, move) == (not accepts(twin, move))
            move = rng.choice(sorted(whole.legal_moves()))
            whole = whole.play(move)
            views = [twin.play(move) for twin in views]
            positions = [position.play(number_of(move)) for position in positions]
        assert all(text_of(position) == whole.text() for position in positions)
    assert unknown_movers > 150


def test_worlds_are_all_ways_to_fill_in_the_unknown_cards() -> None:
    """Cards of both hands unknown, in part or whole, voids included, against trying everything."""
    both_unknown = with_voids = 0
    for seed in range(500):
        twin = random_view(Random(2000 + seed), max_pods=4, max_ranks=2 + seed % 2)
        position = compiled(twin)
        expected = set(twin.worlds())
        assert position.count_worlds() == len(expected), twin
        found = [text_of(world) for world in position.worlds()]
        assert len(found) == len(expected)
        assert set(found) == expected
        both_unknown += min(twin.unknown) > 0
        with_voids += min(twin.unknown) > 0 and any(twin.voids())
    assert both_unknown > 50
    assert with_voids > 10


def test_numbers_of_worlds_at_and_after_the_deal_are_those_of_binomials() -> None:
    pods = "+1/-2/+3/+1/+1/-2/+2/-3/+1/-2"
    hand = "B1B5R2R6V3V4V6Y1Y2Y5"
    assert GAME.parse_position(f"peas {pods} {hand} ?????????? A").count_worlds() == comb(14, 10) == 1001
    both = GAME.parse_position(f"peas {pods} ?????????? ?????????? A")
    assert both.count_worlds() == comb(24, 10) * comb(14, 10) == 1_963_217_256
    with pytest.raises(ValueError, match="1963217256 worlds"):
        both.worlds()
    for k in (1, 3, 4, 5, 6, 9):
        shown = 10 - k
        plays = "".join(f"/+1[A={a},B={b}]" for a, b in list(zip(_evens(), _odds(), strict=True))[:shown])
        text = f"peas {'/'.join(['+1'] * k)}{plays} {'?' * k} {'?' * k} A"
        assert GAME.parse_position(text).count_worlds() == comb(4 + 2 * k, k) * comb(4 + k, k)


def _evens() -> list[str]:
    return [f"{colour}{rank}" for colour in "BRVY" for rank in (2, 4, 6)]


def _odds() -> list[str]:
    return [f"{colour}{rank}" for colour in "BRVY" for rank in (1, 3, 5)]


def test_a_hand_with_unknown_cards_may_make_the_moves_of_all_its_worlds_and_no_other() -> None:
    unknown_movers = answers = 0
    for seed in range(500):
        twin = random_view(Random(4000 + seed), max_pods=4, max_ranks=2 + seed % 2)
        if twin.to_move is None:
            continue
        union = {move for world in map(ReferencePosition.from_text, twin.worlds()) for move in world.legal_moves()}
        assert set(move_texts(compiled(twin))) == union, twin
        mover = SEATS.index(twin.to_move)
        if twin.unknown[mover]:
            unknown_movers += 1
            answers += any(len(plays) == 1 and plays[0][0] != twin.to_move for plays in twin.plays)
    assert unknown_movers > 100
    assert answers > 50


# ---------------------------------------------------------------- random completions

# Hands that share some candidates and not others, so that dealing one hand after the other is not uniform.
SAMPLED = (
    "peas{colours=2,ranks=4} +1/-2/+3 ??? ??? A",
    "peas{colours=3,ranks=3} +1[A=B1,B=R1]/-2/+3/+1 ??? ??? A",
    "peas{colours=3,ranks=3} +1[A=B1,B=R1]/-2[B=R2,A=V1]/+3/+1 ?? ?? A",
    "peas{colours=3,ranks=3} +1[A=B1,B=R1]/-2/+3/+1 R3?? V2?? A",
    "peas{ranks=3} +1[A=B1]/-2/+3/+1 B2V1Y3 ???? A",
)


@pytest.mark.parametrize("text", SAMPLED)
def test_random_completion_reaches_every_world_uniformly(text: str) -> None:
    twin = ReferencePosition.from_text(text)
    position = compiled(twin)
    worlds = set(twin.worlds())
    draws = 60 * len(worlds)
    counts = Counter(text_of(position.determinize(seed)) for seed in range(draws))
    assert counts.keys() == worlds
    assert_fits(counts, dict.fromkeys(worlds, 1 / len(worlds)), text)


@pytest.mark.parametrize("text", SAMPLED[1:4])
def test_the_uniformity_check_refuses_dealing_one_hand_before_the_other(text: str) -> None:
    twin = ReferencePosition.from_text(text)
    by_hand_of_a: dict[tuple[str, ...], list[str]] = {}
    for world in map(ReferencePosition.from_text, twin.worlds()):
        by_hand_of_a.setdefault(world.hands[0], []).append(world.text())
    worlds = [world for group in by_hand_of_a.values() for world in group]
    rng = Random(5)
    groups = list(by_hand_of_a.values())
    counts = Counter(rng.choice(rng.choice(groups)) for _ in range(60 * len(worlds)))
    with pytest.raises(AssertionError, match="chi-square"):
        assert_fits(counts, dict.fromkeys(worlds, 1 / len(worlds)), text)


def test_random_completion_fits_what_is_shown() -> None:
    for seed in range(300):
        rng = Random(6000 + seed)
        twin = random_view(rng)
        completed = twin_of(compiled(twin).determinize(seed))
        assert completed.unknown == (0, 0)
        assert completed.plays == twin.plays
        assert (completed.pods, completed.pea) == (twin.pods, twin.pea)
        assert completed.reachable()
        for hand, known in zip(completed.hands, twin.hands, strict=True):
            assert set(known) <= set(hand)


# ---------------------------------------------------------------- random play


def test_random_play_ends_in_a_legal_end_of_the_same_round() -> None:
    for seed in range(200):
        twin = random_twin(Random(7000 + seed))
        end = twin_of(compiled(twin).random_playout(seed))
        assert end.to_move is None
        assert end.reachable()
        assert (end.pods, end.pea, end.hands) == (twin.pods, twin.pea, ((), ()))
        for before, after in zip(twin.plays, end.plays, strict=True):
            assert after[: len(before)] == before
        for seat, hand in zip(SEATS, twin.hands, strict=True):
            on_table = {card for plays in end.plays for player, card in plays if player == seat}
            assert set(hand) <= on_table
