"""Random play by the common interface, the same in every run."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from mangetout_solver.games.game import SEAT_LETTERS, Record
from mangetout_solver.games.position import Position

from tests.conformance.subjects import Variant, spread


def steps(position: Position) -> list[int]:
    """The legal moves, or the outcomes of a chance event."""
    return [outcome for outcome, _ in position.chance_outcomes()] if position.is_chance else position.legal_moves()


def random_step(position: Position, rng: Random) -> int:
    """A uniformly random legal move, or a chance outcome with its probability."""
    if position.is_chance:
        outcomes, weights = zip(*position.chance_outcomes(), strict=True)
        return int(rng.choices(outcomes, weights)[0])
    return rng.choice(position.legal_moves())


@lru_cache(maxsize=512)
def random_game(variant: Variant, seed: int) -> Record:
    """A whole game, from a deal to its end."""
    rng = Random(seed)
    positions, moves = [variant.deal(seed)], []
    while not positions[-1].is_terminal:
        moves.append(random_step(positions[-1], rng))
        positions.append(positions[-1].play(moves[-1]))
    return Record(variant.game, tuple(positions), tuple(moves))


def random_states(variant: Variant, games: int, per_game: int) -> Iterator[tuple[Position, Random]]:
    """Positions before the end of random games, with a generator for further choices."""
    for seed in range(games):
        rng = Random(seed)
        under_way = random_game(variant, seed).positions[:-1]
        for index in sorted(rng.sample(range(len(under_way)), min(per_game, len(under_way)))):
            yield under_way[index], rng


def whole_games(variant: Variant, games: int = 3, per_game: int = 12) -> Iterator[Position]:
    """Positions of random games from the deal to the end, both among them."""
    for seed in range(games):
        positions = random_game(variant, seed).positions
        yield from (positions[index] for index in spread(0, len(positions) - 1, per_game))


def views(position: Position) -> list[Position]:
    """What each seat sees."""
    return [position.redacted(seat) for seat in range(position.players)]


def seat_letters(position: Position) -> str:
    """The letters of the seats that take part."""
    return SEAT_LETTERS[: position.players]


def size(position: Position, limit: int) -> int:
    """Sequences of moves and outcomes to the end of the game; -1 where counting them takes more than `limit` nodes."""
    return position.count_sequences(position.max_steps, limit)


def last_states(variant: Variant, games: int, nodes: int, per_game: int = 1) -> Iterator[Position]:
    """Positions so near to the end of random games that what follows is small; the furthest from the end first."""
    for seed in range(games):
        small: list[Position] = []
        for position in reversed(random_game(variant, seed).positions[:-1]):
            if size(position, nodes) < 0:
                break
            small.append(position)
        yield from small[: -per_game - 1 : -1]
