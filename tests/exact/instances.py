"""Random PEAS positions, each from a number alone; with open hands where nothing else is said."""

from __future__ import annotations

from itertools import product
from random import Random

from mangetout_solver.games.peas import STANDARD_PODS
from mangetout_solver.games.peas.positions import build
from mangetout_solver.games.position import Position

MOST_PODS = 12
# Decks as colours and ranks, the real one among them.
DECKS = list(product(range(1, 5), range(1, 9)))
REAL_DECK = (4, 6)
# Values are drawn from one of these: small ones make level scores and pods of nothing, large ones the greatest sums.
VALUES = ((-1, 0, 1), range(-3, 4), range(-9, 10), (-9, -8, 8, 9))


def deal(rng: Random, pods: int) -> Position:
    """A deal of a random game of so many pods: values, deck, holder of the pea; one in four a round of a match."""
    colours, ranks = rng.choice([deck for deck in DECKS if deck[0] * deck[1] >= 2 * pods])
    values = rng.choices(rng.choice(VALUES), k=pods)
    wins = rng.choice([(0, 0), (1, 0), (0, 1), (1, 1)]) if rng.random() < 0.25 else None
    return _dealt(rng, values, (colours, ranks), wins)


def real_deal(rng: Random) -> Position:
    """A deal of the real game."""
    return _dealt(rng, rng.sample(STANDARD_PODS, len(STANDARD_PODS)), REAL_DECK, None)


def _dealt(rng: Random, values: list[int], deck: tuple[int, int], wins: tuple[int, int] | None) -> Position:
    colours, ranks = deck
    cards = rng.sample([8 * colour + rank for colour in range(colours) for rank in range(ranks)], 2 * len(values))
    hands = [sorted(cards[: len(values)]), sorted(cards[len(values) :])]
    return build(values, [[] for _ in values], hands, (0, 0), rng.randint(0, 1), colours, ranks, wins=wins)


def played(rng: Random, position: Position, plies: int) -> Position:
    """The position after so many random moves."""
    for _ in range(plies):
        position = position.play(rng.choice(position.legal_moves()))
    return position


def position_with(cards: int, seed: int) -> Position:
    """A position of a random game with so many cards in the larger hand: every other one a deal, the rest mid-games."""
    rng = Random(f"{cards} cards, {seed}")
    if seed % 2 == 0:
        return deal(rng, cards)
    pods = rng.randint(cards, MOST_PODS)
    return played(rng, deal(rng, pods), 2 * (pods - cards) + rng.randint(0, 1))


def hidden_with(cards: int, seed: int, most_hands: int) -> Position:
    """As `position_with`, seen by one of the seats, for which the other hand can be several, but at most so many."""
    rng = Random(f"{cards} cards, one hand hidden, {seed}")
    while True:
        seen = position_with(cards, rng.getrandbits(32)).redacted(rng.randrange(2))
        if 1 < seen.count_worlds() <= most_hands:
            return seen


def real_midgame(plies_left: int, seed: int) -> Position:
    """A position of the real game, reached by random play."""
    rng = Random(f"{plies_left} plies left, {seed}")
    return played(rng, real_deal(rng), 2 * len(STANDARD_PODS) - plies_left)


def random_midgame(plies_left: int, seed: int) -> Position:
    """A position of a random game, reached by random play."""
    rng = Random(f"{plies_left} plies left of any game, {seed}")
    pods = rng.randint((plies_left + 1) // 2, MOST_PODS)
    return played(rng, deal(rng, pods), 2 * pods - plies_left)
