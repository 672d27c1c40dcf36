"""Full random rounds of every game and number of players, on one core.

    python -m benchmarks.random_rounds

The policy is *uniform steps*: at each decision one of the moves to search, all equally likely; exchanges and captures
are chains of steps, each drawn like that. A round goes from the deal to the end, deals excluded. Rates are of processor
time; the ratio is to rounds of PEAS in the same run. What happens in a round is counted in fewer rounds, step by step.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from statistics import median

from mangetout_solver.games import registry
from mangetout_solver.games.game import Game
from mangetout_solver.games.position import Position
from playout_loop import random_playouts, state_size
from rich.console import Console
from rich.table import Table

SECONDS = 0.5
TURNS = 5
COUNTED = 300
# Where a game is more than a round, the options that leave one; and the steps of a round that are of interest.
ONE_ROUND = {"easy_peasy": {"rounds": "1"}}
EVENTS = {
    "easy_peasy": {"flip": "flips", "+": "bonus actions"},
    "erbsenzaehlen": {".": "exchanges", "thief@": "thefts", "luck@": "bad luck peas", "bonus": "bonus peas"},
    "pepper_corn": {".": "captures", "pass": "passes"},
}


def cases() -> Iterator[tuple[Game, dict[str, str], Position]]:
    """Every game with every number of players."""
    for game in registry.games():
        for players in range(game.min_players, game.max_players + 1):
            options = dict(ONE_ROUND.get(game.name, {}))
            if game.min_players != game.max_players:
                options["players"] = str(players)
            yield game, options, game.deal(1, options)


def rate(position: Position, seed: int) -> float:
    """Random rounds from a position per second of processor time."""
    rounds, count, spent = 0, 100, 0.0
    while spent < SECONDS:
        started = time.process_time()
        random_playouts(position, seed + rounds, count)
        spent += time.process_time() - started
        rounds += count
        count *= 2
    return rounds / spent


def happenings(game: Game, options: dict[str, str]) -> tuple[float, str]:
    """Steps of a round, and how often what is of interest happens in one: means."""
    steps, events = 0, Counter[str]()
    for seed in range(COUNTED):
        position = game.deal(seed, options)
        while not position.is_terminal:
            step = position.random_step(seed + steps)
            text = game.format_move(position, step)
            events.update(name for start, name in EVENTS.get(game.name, {}).items() if text.startswith(start))
            position = position.play(step)
            steps += 1
    means = [f"{events[name] / COUNTED:.1f} {name}" for name in EVENTS.get(game.name, {}).values()]
    return steps / COUNTED, ", ".join(means)


def main() -> None:
    found = list(cases())
    # Games take turns, so that a busy stretch of the machine falls on all of them.
    rates = [[rate(position, turn) for _, _, position in found] for turn in range(TURNS)]
    rates_of_case = list(zip(*rates, strict=True))
    peas = next(r for (game, _, _), r in zip(found, rates_of_case, strict=True) if game.name == "peas")
    table = Table(
        "game", "players", "state, bytes", "rounds/s", "of PEAS", "steps", "in a round", title="uniform steps"
    )
    for (game, options, position), measured in zip(found, rates_of_case, strict=True):
        steps, events = happenings(game, options)
        ratio = median(mine / other for mine, other in zip(measured, peas, strict=True))
        table.add_row(
            game.title,
            str(position.players),
            str(state_size(position)),
            f"{median(measured):,.0f}",
            f"{ratio:.3f}",
            f"{steps:.0f}",
            events,
        )
    Console(width=160).print(table)


if __name__ == "__main__":
    main()
