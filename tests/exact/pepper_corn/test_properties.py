"""What must hold for the exact engine for Pepper. Corn! beyond the reach of brute force."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from random import Random

import pytest
from mangetout_solver.exact.pepper_corn.solver import TECHNIQUES, PlaySolver
from mangetout_solver.games.decktet import BASIC_CARDS, CARD_NUMBERS, CARDS, SUIT_LETTERS
from mangetout_solver.games.pepper_corn import view
from mangetout_solver.games.pepper_corn.positions import GAP_CELL
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game
from mangetout_solver.search.control import Control

from tests.exact.agreement import TABLE, compare
from tests.exact.asking import SMALL, at_least, is_margin, margin_of
from tests.exact.pepper_corn.against_brute_force import MOST
from tests.exact.pepper_corn.instances import RULES, arguments_of, random_position, real_midgame, rebuilt

# Cards in the hands of A and B, and the most on the tableau.
LARGE = ((3, 3, 18), (4, 4, 15), (5, 5, 13), (6, 6, 13), (4, 7, 13), (8, 8, 11), (12, 3, 11))
NUMBER_OF = {(card.id[0], frozenset(card.suits)): CARD_NUMBERS[card.id] for card in CARDS}


@pytest.fixture(scope="module")
def cases() -> list[tuple[Position, int]]:
    """Positions at the start of a turn, not after a pass and with nothing played, and the margins of the engine."""
    positions = [rebuilt(random_position(seed, LARGE), passed=False, points=(0, 0)) for seed in range(180) if seed % 3]
    return [(position, margin_of(PlaySolver(SMALL), position, MOST)) for position in positions]


def cards_of(position: Position) -> tuple[list[list[int]], list[list[int]], set[int]]:
    """Tableau, hands, and the cards in either."""
    arguments = arguments_of(position)
    tableau, hands = arguments["tableau"], arguments["hands"]
    return tableau, hands, {card for cards in (*tableau, *hands) for card in cards if card != GAP_CELL}


def test_one_more_card_does_no_harm(cases: list[tuple[Position, int]]) -> None:
    gained = 0
    for index, (position, margin) in enumerate(cases):
        _, hands, in_play = cards_of(position)
        deck = range(len(CARDS if view(position).deck == "extended" else BASIC_CARDS))
        for seat in range(2):
            card = Random(2 * index + seat).choice([card for card in deck if card not in in_play])
            more = rebuilt(position, hands=[sorted([*hand, card]) if hand is hands[seat] else hand for hand in hands])
            rank = CARDS[card].points
            context = PlaySolver(SMALL)
            if seat == 0:
                assert at_least(context, more, margin + rank), RULES.format_position(more)
                gained += at_least(context, more, margin + rank + 1)
            else:
                assert not at_least(context, more, margin - rank + 1), RULES.format_position(more)
                gained += not at_least(context, more, margin - rank)
    assert gained > 20


def test_to_move_does_no_harm(cases: list[tuple[Position, int]]) -> None:
    gained = 0
    for position, margin in cases:
        seat = position.seat_to_move
        assert seat is not None
        context, other = PlaySolver(SMALL), rebuilt(position, seat=1 - seat)
        if seat == 0:
            assert not at_least(context, other, margin + 1), RULES.format_position(position)
            gained += not at_least(context, other, margin)
        else:
            assert at_least(context, other, margin), RULES.format_position(position)
            gained += at_least(context, other, margin + 1)
    assert gained > 20


def test_suits_are_alike_where_the_cards_are() -> None:
    """The deck has no symmetry, but the cards of a small position often have others that are related as they are."""
    renamed = 0
    for seed in range(240):
        position = random_position(seed)
        if view(position).target is not None:
            continue
        position = rebuilt(position, points=(0, 0))
        tableau, hands, in_play = cards_of(position)
        ways = []
        for suits in permutations(SUIT_LETTERS):
            to = dict(zip(SUIT_LETTERS, suits, strict=True))
            images = {
                card: NUMBER_OF.get((CARDS[card].id[0], frozenset(to[suit] for suit in CARDS[card].suits)))
                for card in in_play
            }
            if None not in images.values() and any(card != image for card, image in images.items()):
                ways.append(images)
        if not ways:
            continue
        way = Random(seed).choice(ways)
        other = rebuilt(
            position,
            tableau=[[way.get(card, GAP_CELL) for card in row] for row in tableau],
            hands=[sorted(way[card] for card in hand) for hand in hands],
        )
        margin = margin_of(PlaySolver(SMALL), position, MOST)
        assert is_margin(PlaySolver(SMALL), other, margin), RULES.format_position(position)
        renamed += 1
    assert renamed > 30


def test_board_turned(cases: list[tuple[Position, int]]) -> None:
    for position, margin in cases:
        tableau, hands, _ = cards_of(position)
        mirrored = rebuilt(position, tableau=[row[::-1] for row in tableau])
        assert is_margin(PlaySolver(SMALL), mirrored, margin), RULES.format_position(position)
        seat = position.seat_to_move
        assert seat is not None
        exchanged = rebuilt(position, tableau=tableau[::-1], hands=hands[::-1], seat=1 - seat)
        assert is_margin(PlaySolver(SMALL), exchanged, -margin), RULES.format_position(position)


def test_a_table_of_the_smallest_size(cases: list[tuple[Position, int]]) -> None:
    for position, margin in cases:
        assert is_margin(PlaySolver(64), position, margin), RULES.format_position(position)


def test_what_the_table_holds_from_other_positions(cases: list[tuple[Position, int]]) -> None:
    context = PlaySolver(SMALL)
    for position, margin in [*cases, *reversed(cases)]:
        assert is_margin(context, position, margin), RULES.format_position(position)


def test_all_thresholds(cases: list[tuple[Position, int]]) -> None:
    for position, margin in cases[::5]:
        context = PlaySolver(SMALL)
        thresholds = list(range(-MOST - 1, MOST + 2))
        Random(margin).shuffle(thresholds)
        for threshold in thresholds:
            assert at_least(context, position, threshold) == (margin >= threshold), RULES.format_position(position)


def test_what_stopped_searches_leave_in_the_table(cases: list[tuple[Position, int]]) -> None:
    stopped = 0
    for position, margin in cases:
        context = PlaySolver(SMALL)
        for threshold, expected in ((margin, True), (margin + 1, False)):
            nodes = 1
            while (found := context.at_least(position, threshold, Control(), max_nodes=nodes)) is None:
                stopped += 1
                nodes += 1 + nodes // 4
            assert found is expected, RULES.format_position(position)
    assert stopped > len(cases)


@pytest.mark.parametrize("name", TECHNIQUES)
def test_without_a_technique(name: str, cases: list[tuple[Position, int]]) -> None:
    for position, margin in cases:
        assert is_margin(PlaySolver(SMALL, without=[name]), position, margin), RULES.format_position(position)


def test_without_each_technique_in_games_as_they_are_played() -> None:
    """A sample of what `python -m tests.exact.agreement --game pepper_corn` compares, with every move of some."""
    positions = [real_midgame(left, seed) for seed in range(3) for left in (12, 13, 14)]
    after = [position.play(move) for position in positions[:2] for move in position.legal_moves()]
    assert compare("pepper_corn", [*positions, *after], [*TECHNIQUES, TABLE], SMALL) > 15


def test_threads_give_the_same_answers(cases: list[tuple[Position, int]]) -> None:
    for position, margin in cases[::5]:
        assert is_margin(PlaySolver(SMALL, threads=3), position, margin), RULES.format_position(position)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("pepper_corn AM AS|AW AL|AY 0-0 choose/A", ValueError),
        ("pepper_corn AM/?/AS|8WL - - 100-88 play/A", ValueError),
        ("peas +1 B2 B3 A", TypeError),
    ],
)
def test_refused(text: str, error: type[Exception]) -> None:
    position = game(text.split()[0]).parse_position(text)
    for ask in (PlaySolver(SMALL).groups, lambda position: PlaySolver(SMALL).at_least(position, 0, Control())):
        with pytest.raises(error):
            ask(position)


def test_other_questions_do_not_disturb_a_search() -> None:
    """What is asked without searching may be asked from another thread meanwhile."""
    position = RULES.parse_position(
        "pepper_corn 9MS,AS,7ML,4WL,3MW/6LK,5ML,8YK,XK,3SK/6SY,XM,7WY,AW,5SW "
        "AL3LY4MS9WY6MWAY 5YK7SK8MSAMXLXW 0-0 play/A"
    )
    other = position.play(position.legal_moves()[0])
    alone, disturbed = PlaySolver(SMALL), PlaySolver(SMALL)

    def answers(solver: PlaySolver) -> list[bool]:
        return [at_least(solver, position, margin) for margin in range(-30, 31, 2)]

    expected = answers(alone)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(answers, disturbed)
        asked = 0
        while not running.done():
            disturbed.most_gains(other)
            asked += 1
        assert running.result() == expected
    assert asked > 1
    assert disturbed.nodes == alone.nodes
