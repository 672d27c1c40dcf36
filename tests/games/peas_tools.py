"""What the tests of PEAS share: random rounds, the compiled rules beside their plain twin, and plain counting.

A *twin* is a `ReferencePosition`, a *position* a compiled `Position`. They meet in text only.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from hypothesis import settings
from mangetout_solver.games import registry
from mangetout_solver.games.peas.reference import SEATS, STANDARD_PODS, ReferencePosition, full_deck
from mangetout_solver.games.position import Position

GAME = registry.game("peas")
COLOURS = "BRVY"

# The same examples in every run; speed of the machine is no matter.
PROPERTY = settings(derandomize=True, deadline=None, max_examples=120)


def number_of(move: str) -> int:
    """The number of a move text, worked out here and not by the code under test."""
    card, pod = move.split("@")
    return 32 * int(pod) + 8 * COLOURS.index(card[0]) + int(card[1]) - 1


def compiled(twin: ReferencePosition) -> Position:
    return GAME.parse_position(twin.text())


def text_of(position: Position) -> str:
    return GAME.format_position(position)


def twin_of(position: Position) -> ReferencePosition:
    return ReferencePosition.from_text(text_of(position))


def move_texts(position: Position) -> list[str]:
    return [GAME.format_move(position, move) for move in position.legal_moves()]


def all_move_texts(twin: ReferencePosition) -> list[str]:
    """Every text that names a card of the deck and a pod, legal or not."""
    return [f"{card}@{pod}" for card in full_deck(twin.colours, twin.ranks) for pod in range(len(twin.pods))]


# ---------------------------------------------------------------- random positions


def random_deal(rng: Random, max_pods: int = 12, max_ranks: int = 8, min_pods: int = 1) -> ReferencePosition:
    """A deal of a random game: pods, values, colours, ranks and holder of the pea."""
    while True:
        n = rng.randint(min_pods, max_pods)
        colours, ranks = rng.randint(1, 4), rng.randint(1, max_ranks)
        if colours * ranks >= 2 * n:
            break
    if n == len(STANDARD_PODS) and rng.random() < 0.5:
        pods = rng.sample(STANDARD_PODS, n)
    else:
        pods = [rng.randint(-9, 9) for _ in range(n)]
    deck = full_deck(colours, ranks)
    rng.shuffle(deck)
    return ReferencePosition(pods, (deck[:n], deck[n : 2 * n]), pea=rng.choice(SEATS), colours=colours, ranks=ranks)


def played_on(rng: Random, twin: ReferencePosition, plies: int) -> ReferencePosition:
    """The twin after that many random legal moves, or at the end of the round."""
    for _ in range(plies):
        moves = sorted(twin.legal_moves())
        if not moves:
            break
        twin = twin.play(rng.choice(moves))
    return twin


def random_twin(rng: Random, max_pods: int = 12, max_ranks: int = 8, min_pods: int = 1) -> ReferencePosition:
    """A position of a random game somewhere between the deal and the end, all hands known."""
    deal = random_deal(rng, max_pods, max_ranks, min_pods)
    return played_on(rng, deal, rng.randint(0, 2 * len(deal.pods)))


def with_hands(
    twin: ReferencePosition, hands: tuple[Iterable[str], Iterable[str]], unknown: tuple[int, int] = (0, 0)
) -> ReferencePosition:
    """The same table with other hands."""
    return ReferencePosition(twin.pods, hands, unknown, twin.plays, twin.pea, twin.colours, twin.ranks)


def with_pods_alike(twin: ReferencePosition) -> ReferencePosition:
    """The same on pods of one point each, so that many random positions of small games are equal or nearly so."""
    pods = [1] * len(twin.pods)
    return ReferencePosition(pods, twin.hands, twin.unknown, twin.plays, twin.pea, twin.colours, twin.ranks)


def with_cards_hidden(rng: Random, twin: ReferencePosition) -> ReferencePosition:
    """Hides some cards of each hand: none, all or a random number of them."""
    hands: list[list[str]] = []
    unknown: list[int] = []
    for hand in twin.hands:
        hidden = rng.choice((0, len(hand), rng.randint(0, len(hand))))
        hands.append(rng.sample(hand, len(hand) - hidden))
        unknown.append(hidden)
    return with_hands(twin, (hands[0], hands[1]), (unknown[0], unknown[1]))


def random_view(rng: Random, max_pods: int = 12, max_ranks: int = 8) -> ReferencePosition:
    """A position of a random game in which cards of any hand may be unknown."""
    return with_cards_hidden(rng, random_twin(rng, max_pods, max_ranks))


# ---------------------------------------------------------------- plain counting


def shown_voids(twin: ReferencePosition) -> tuple[set[str], set[str]]:
    """Colours that A and B answered in another colour, read off the table."""
    voids: tuple[set[str], set[str]] = (set(), set())
    for plays in twin.plays:
        if len(plays) == 2 and plays[0][1][0] != plays[1][1][0]:
            voids[SEATS.index(plays[1][0])].add(plays[0][1][0])
    return voids


def divide(twin: ReferencePosition, depth: int) -> dict[str, int]:
    """Move sequences of `depth` by their first move; those that reach the end of the round sooner count too."""
    return {move: _sequences(twin.play(move), depth - 1) for move in plain_moves(twin)}


def plain_moves(twin: ReferencePosition) -> list[str]:
    """The moves that the twin accepts, in order; also where the mover's cards are not all known."""
    seat = twin.to_move
    if seat is None:
        return []
    if not twin.unknown[SEATS.index(seat)]:
        return sorted(twin.legal_moves(), key=number_of)
    return sorted(filter(lambda move: accepts(twin, move), all_move_texts(twin)), key=number_of)


def accepts(twin: ReferencePosition, move: str) -> bool:
    try:
        twin.play(move)
    except ValueError:
        return False
    return True


def _sequences(twin: ReferencePosition, depth: int) -> int:
    if depth == 0 or twin.to_move is None:
        return 1
    moves = plain_moves(twin)
    return len(moves) if depth == 1 else sum(_sequences(twin.play(move), depth - 1) for move in moves)


# ---------------------------------------------------------------- samples
