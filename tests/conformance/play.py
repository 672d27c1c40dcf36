"""Random play by the common interface, the same in every run."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from mangetout_solver.games.game import SEAT_LETTERS, Record
from mangetout_solver.games.position import Position

from tests.conformance.budgets import (
    FEW,
    FEWEST_GAMES,
    LOOKED_THROUGH,
    MOST_GAMES,
    PER_GAME,
    STEPS,
    WHOLE_STEPS,
    for_seats,
    games,
)
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


def play_at_random(variant: Variant, seed: int) -> Iterator[tuple[Position, int | None]]:
    """The positions of a game from a deal to its end, each with the step taken there; None at the end."""
    rng = Random(seed)
    position = variant.deal(seed)
    while not position.is_terminal:
        step = random_step(position, rng)
        yield position, step
        position = position.play(step)
    yield position, None


@lru_cache(maxsize=64)
def random_game(variant: Variant, seed: int) -> Record:
    """A whole game, from a deal to its end."""
    positions, moves = zip(*play_at_random(variant, seed), strict=True)
    return Record(variant.game, positions, moves[:-1])


def affordable_games(variant: Variant, most: int) -> int:
    """Games that can be played to the end: fewer of long ones."""
    return games(WHOLE_STEPS, len(random_game(variant, 0).moves), FEWEST_GAMES, most)


def complete_games(variant: Variant) -> Iterator[Record]:
    """Some whole random games."""
    yield from (random_game(variant, seed) for seed in range(affordable_games(variant, MOST_GAMES)))


def stretches(variant: Variant, steps: int = STEPS) -> Iterator[Record]:
    """Parts of random games, of so many steps together: by turns the beginning of a game, the end of one, and a part
    between; games that are short as a whole."""
    left, seed = for_seats(steps, variant.deal(0).players), 0
    longest = -(-left // 3)
    while left > 0:
        whole = random_game(variant, seed)
        taken = min(longest, len(whole.moves))
        last = len(whole.moves) - taken
        start = (0, last, Random(seed).randint(0, last))[seed % 3]
        yield Record(variant.game, whole.positions[start : start + taken + 1], whole.moves[start : start + taken])
        left -= taken
        seed += 1


def random_states(variant: Variant, count: int) -> Iterator[tuple[Position, Random]]:
    """Positions before the end of random games, with a generator for further choices."""
    wanted = for_seats(count, variant.deal(0).players)
    played = affordable_games(variant, -(-wanted // PER_GAME))
    per_game = -(-wanted // played)
    for seed in range(played):
        rng = Random(seed)
        under_way = random_game(variant, seed).positions[:-1]
        for index in sorted(rng.sample(range(len(under_way)), min(per_game, len(under_way)))):
            yield under_way[index], rng


def whole_games(variant: Variant, count: int) -> Iterator[Position]:
    """Positions of random games from the deal to the end, both among them."""
    per_game = max(2, for_seats(count, variant.deal(0).players) // LOOKED_THROUGH)
    for seed in range(LOOKED_THROUGH):
        positions = random_game(variant, seed).positions
        yield from (positions[index] for index in spread(0, len(positions) - 1, per_game))


def views(position: Position) -> list[Position]:
    """What each seat sees."""
    return [position.redacted(seat) for seat in range(position.players)]


def sights(position: Position) -> list[Position]:
    """The position and what the seats see of it, each that differs from the others once."""
    return list(dict.fromkeys((position, *views(position))))


def seat_letters(position: Position) -> str:
    """The letters of the seats that take part."""
    return SEAT_LETTERS[: position.players]


def size(position: Position, limit: int) -> int:
    """Sequences of moves and outcomes to the end of the game; -1 where counting them takes more than `limit` nodes."""
    return position.count_sequences(position.max_steps, limit)


def last_states(variant: Variant, nodes: int) -> Iterator[Position]:
    """Positions so near to the end of random games that what follows is small: of each game the first such one."""
    for seed in range(affordable_games(variant, for_seats(FEW, variant.deal(0).players))):
        small = None
        for position in reversed(random_game(variant, seed).positions[:-1]):
            if size(position, nodes) < 0:
                break
            small = position
        if small is not None:
            yield small
