"""What must hold for the exact engine beyond the reach of brute force."""

from __future__ import annotations

from random import Random

import pytest
from mangetout_solver.exact.peas.solver import SWEEP, TECHNIQUES, DoubleDummy
from mangetout_solver.games.peas import view
from mangetout_solver.games.peas.positions import build
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game
from mangetout_solver.search.control import Control

from tests.exact.agreement import compare
from tests.exact.asking import SMALL, at_least, is_margin, margin_of
from tests.exact.instances import MOST_PODS, random_midgame, real_midgame

PEAS = game("peas")


def midgames(plies_left: int, count: int) -> list[Position]:
    """Positions of random games and as many of the real one."""
    return [midgame(plies_left, seed) for midgame in (random_midgame, real_midgame) for seed in range(count)]


def seen(positions: list[Position]) -> list[Position]:
    """The positions as one of the seats sees them, in turn."""
    return [position.redacted(index % 2) for index, position in enumerate(positions)]


def number(card: str) -> int:
    return 8 * "BRVY".index(card[0]) + int(card[1]) - 1


def changed(position: Position, *, exchange: bool = False, pod: tuple[tuple[int, str], ...] | None = None) -> Position:
    """The position with the seats exchanged, or with a pod of nothing at the Tip on which these cards lie."""
    round_ = view(position)
    values = [on_pod.value for on_pod in round_.pods]
    plays = [[(seat ^ exchange, number(card)) for seat, card in on_pod.plays] for on_pod in round_.pods]
    hands = [[number(card) for card in hand.cards] for hand in round_.hands]
    unknown = [hand.unknown for hand in round_.hands]
    if exchange:
        hands.reverse()
        unknown.reverse()
    if pod is not None:
        values.append(0)
        plays.append([(seat, number(card)) for seat, card in pod])
    return build(values, plays, hands, unknown, round_.pea ^ exchange, round_.colours, round_.ranks)


def free_cards(position: Position, seat: int) -> list[str]:
    """Cards in no hand and on no pod that the seat may have held to this day."""
    round_ = view(position)
    taken = {card for hand in round_.hands for card in hand.cards}
    taken |= {card for pod in round_.pods for _, card in pod.plays}
    colours = [colour for colour in "BRVY"[: round_.colours] if colour not in round_.hands[seat].voids]
    deck = [f"{colour}{rank + 1}" for colour in colours for rank in range(round_.ranks)]
    return [card for card in deck if card not in taken]


def takers(position: Position) -> set[int]:
    """The seats that have surely taken a pod: one that holds two cards of one colour."""
    pairs = [pod.plays for pod in view(position).pods if len(pod.plays) == 2]
    return {max(plays, key=lambda play: play[1])[0] for plays in pairs if plays[0][1][0] == plays[1][1][0]}


def worthless_pods(position: Position) -> list[tuple[tuple[int, str], ...]]:
    """Plays on one more pod that may have been made last and leave everything as it was.

    Of two colours, the pod goes with the one before; of one colour, it could only end a sweep, so none may be open.
    """
    if len(view(position).pods) == MOST_PODS:
        return []
    leader = position.seat_to_move
    assert leader is not None
    held = {card[0] for card in view(position).hands[1 - leader].cards}
    return [
        ((leader, led), (1 - leader, answer))
        for led in free_cards(position, leader)
        for answer in free_cards(position, 1 - leader)
        if led != answer and (takers(position) == {0, 1} if led[0] == answer[0] else led[0] not in held)
    ]


def with_margins(positions: list[Position]) -> list[tuple[Position, int]]:
    """The margins that the engine finds for them."""
    return [(position, margin_of(DoubleDummy(SMALL), position)) for position in positions]


@pytest.fixture(scope="module")
def open_cases() -> list[tuple[Position, int]]:
    """Positions with open hands, and their margins."""
    return with_margins(midgames(11, 40) + midgames(12, 40))


@pytest.fixture(scope="module", params=["open hands", "a hidden hand"])
def cases(request: pytest.FixtureRequest, open_cases: list[tuple[Position, int]]) -> list[tuple[Position, int]]:
    """Positions with open hands or with one hidden, and their margins."""
    if request.param == "open hands":
        return open_cases
    return with_margins(seen(midgames(8, 40) + midgames(9, 40)))


def test_colours_are_alike(cases: list[tuple[Position, int]]) -> None:
    for position, margin in cases:
        context = DoubleDummy(SMALL)
        for renamed in PEAS.symmetries(position).values():
            assert is_margin(context, renamed, margin), PEAS.format_position(renamed)


def test_seats_exchanged(cases: list[tuple[Position, int]]) -> None:
    for position, margin in cases:
        assert is_margin(DoubleDummy(SMALL), changed(position, exchange=True), -margin), PEAS.format_position(position)


def test_a_pod_of_nothing_at_the_tip(open_cases: list[tuple[Position, int]]) -> None:
    tried = {"one colour": 0, "two colours": 0}
    # With fewer cards left it happens more often that no sweep is open.
    later = with_margins(midgames(8, 60) + midgames(9, 60))
    for index, (position, margin) in enumerate(open_cases + later):
        rng = Random(index)
        pods = worthless_pods(position)
        for pod in rng.sample(pods, min(4, len(pods))):
            longer = changed(position, pod=pod)
            assert is_margin(DoubleDummy(SMALL), longer, margin), PEAS.format_position(longer)
            tried["one colour" if pod[0][1][0] == pod[1][1][0] else "two colours"] += 1
    assert all(count > 20 for count in tried.values())


def test_a_table_of_the_smallest_size(cases: list[tuple[Position, int]]) -> None:
    for position, margin in cases:
        assert is_margin(DoubleDummy(0), position, margin), PEAS.format_position(position)


def test_what_the_table_holds_from_other_positions(cases: list[tuple[Position, int]]) -> None:
    context = DoubleDummy(SMALL)
    for position, margin in [*cases, *reversed(cases)]:
        assert is_margin(context, position, margin), PEAS.format_position(position)


def test_all_thresholds(cases: list[tuple[Position, int]]) -> None:
    for position, margin in cases[::3]:
        context = DoubleDummy(SMALL)
        thresholds = list(range(-SWEEP - 1, SWEEP + 2))
        Random(margin).shuffle(thresholds)
        for threshold in thresholds:
            assert at_least(context, position, threshold) == (margin >= threshold), PEAS.format_position(position)


def test_what_stopped_searches_leave_in_the_table(cases: list[tuple[Position, int]]) -> None:
    stopped = 0
    for position, margin in cases:
        context = DoubleDummy(SMALL)
        for threshold, expected in ((margin, True), (margin + 1, False)):
            nodes = 1
            while (found := context.at_least(position, threshold, Control(), max_nodes=nodes)) is None:
                stopped += 1
                nodes += 1 + nodes // 4
            assert found is expected, PEAS.format_position(position)
    assert stopped > len(cases)


@pytest.mark.parametrize("name", TECHNIQUES)
def test_without_a_technique(name: str) -> None:
    positions = midgames(10, 12) + midgames(12, 6) + seen(midgames(8, 12) + midgames(9, 12))
    assert compare("peas", positions, [name], SMALL) == len(positions)


def test_one_thread_does_the_same_work_again(cases: list[tuple[Position, int]]) -> None:
    for position, margin in cases:
        contexts = [DoubleDummy(SMALL) for _ in range(2)]
        assert all(is_margin(context, position, margin) for context in contexts)
        assert contexts[0].nodes == contexts[1].nodes


def test_threads_give_the_same_answers() -> None:
    shared = 0
    for seed in range(10):
        position = real_midgame(16, seed)
        alone, together = DoubleDummy(SMALL), DoubleDummy(SMALL, threads=3)
        for threshold in (0, 2):
            expected = at_least(alone, position, threshold)
            assert at_least(together, position, threshold) == expected, PEAS.format_position(position)
        # Few nodes take one thread alone, which would take the same ones again.
        shared += together.nodes != alone.nodes
    assert shared > 3
