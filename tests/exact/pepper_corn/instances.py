"""Random small positions of Pepper. Corn!, each from a number alone."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from mangetout_solver.games.decktet import BASIC_CARDS, CARD_NUMBERS, CARDS, Card
from mangetout_solver.games.pepper_corn import view
from mangetout_solver.games.pepper_corn.positions import EXCUSES, GAP_CELL, build
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game

from benchmarks.exact_sets import PositionSet, play, random_move, sensible_move

# Cards in the hands of A and B, and the most on the tableau with which brute force soon ends.
SIZES = (
    *((0, 5, 8), (6, 0, 7), (1, 1, 11), (1, 2, 11), (2, 1, 11), (1, 3, 10), (2, 2, 9), (3, 2, 8), (3, 3, 7), (3, 4, 6)),
    *((4, 4, 5), (6, 2, 5), (1, 7, 5), (5, 5, 4), (6, 6, 3), (12, 0, 2), (0, 11, 2), (2, 10, 2)),
)
EXCUSE = CARDS[-1]
RULES = game("pepper_corn")


def _cards(rng: Random, deck: tuple[Card, ...], count: int) -> list[int]:
    """So many cards in any order, most of them of one kind; of the others the Excuse above all."""
    suits = set(rng.sample("MSWLYK", rng.randint(1, 2)))
    kinds = (
        lambda card: True,
        lambda card: card.is_ace or suits & set(card.suits),
        lambda card: suits & set(card.suits),
        lambda card: not suits & set(card.suits),
        lambda card: card.points <= 4,
        lambda card: card.points >= 7,
        lambda card: card.points <= 1,
    )
    kind = rng.choice(kinds)
    weights = [0.1 if kind(card) or card is EXCUSE else 1 for card in deck]
    chosen = sorted(range(len(deck)), key=lambda card: rng.random() * weights[card])[:count]
    return rng.sample(chosen, count)


def _tableau(rng: Random, cards: list[int]) -> list[list[int]]:
    """The cards on a board of their size; mostly with another column that is a way to the other side, or nearly so."""
    rows = rng.choice([rows for rows in (1, 2, 2, 2, 3, 3, 4, 5) if len(cards) <= 11 * rows])  # 12 columns at most
    cells = cards + [GAP_CELL] * (-len(cards) % rows)
    rng.shuffle(cells)
    columns = [cells[first : first + rows] for first in range(0, len(cells), rows)]
    if rng.random() < 0.8:
        way, other, row = [GAP_CELL] * rows, rng.choice(columns), rng.randrange(rows)
        if rng.random() < 0.5:
            way[row], other[row] = other[row], way[row]
        columns.insert(rng.randint(0, len(columns)), way)
    return [list(row) for row in zip(*columns, strict=True)]


def random_position(seed: int, sizes: Sequence[tuple[int, int, int]] = SIZES) -> Position:
    """A position with a step of play to be made: every third one a few steps on, perhaps within a capture."""
    rng = Random(seed)
    position = _start_of_turn(rng, sizes)
    for _ in range(rng.randint(1, 4) if seed % 3 == 0 else 0):
        steps = position.legal_moves()
        captures = [step for step in steps if RULES.format_move(position, step) != "pass"]
        after = position.play(rng.choice(captures or steps))
        if after.is_terminal:
            break
        position = after
    return position


def _start_of_turn(rng: Random, sizes: Sequence[tuple[int, int, int]]) -> Position:
    extended, restricted = rng.random() < 0.4, rng.random() < 0.5
    in_hand_a, in_hand_b, most = rng.choice(sizes)
    on_tableau = rng.randint(most // 2, most)
    deck = CARDS if extended else BASIC_CARDS
    excuse = rng.choice(EXCUSES) if extended else EXCUSES[0]
    cards = _cards(rng, deck, on_tableau + in_hand_a + in_hand_b)
    if on_tableau == 1 and deck[cards[0]] is EXCUSE:
        excuse = "takeable"  # as a gap it would leave nothing to play for
    played = rng.sample([card for card in range(len(deck)) if card not in cards], rng.randint(0, 8))
    points = [sum(deck[card].points for card in played[seat::2]) for seat in range(2)]
    return build(
        _tableau(rng, cards[:on_tableau]),
        [sorted(cards[on_tableau : on_tableau + in_hand_a]), sorted(cards[on_tableau + in_hand_a :])],
        points=(points[0], points[1]),
        seat=rng.randint(0, 1),
        passed=rng.random() < 0.2,
        restricted=restricted,
        extended=extended,
        matching=extended and rng.random() < 0.5,
        excuse=excuse,
    )


def real_midgame(cards_left: int, seed: int) -> Position:
    """The beginning of a turn on a board of 3 x 8 with hands of six, reached by random or by sensible play."""
    rng = Random(f"{cards_left} cards left, {seed}")
    move = rng.choice((random_move, sensible_move))
    return play(PositionSet("pepper_corn", 1, cards_left), rng.getrandbits(40), move)


def arguments_of(position: Position) -> dict[str, Any]:
    """Those of `positions.build` for a position at the start of a turn."""
    found = view(position)
    return {
        "tableau": [[GAP_CELL if card is None else CARD_NUMBERS[card] for card in row] for row in found.tableau],
        "hands": [[CARD_NUMBERS[card] for card in hand.cards] for hand in found.hands],
        "points": found.points,
        "seat": found.seat,
        "passed": found.passed,
        "restricted": found.access == "restricted",
        "extended": found.deck == "extended",
        "matching": found.conversion == "matching",
        "excuse": found.excuse,
    }


def rebuilt(position: Position, **changes: Any) -> Position:
    """The position at the start of a turn with some of the arguments of `positions.build` changed."""
    return build(**arguments_of(position) | changes)
