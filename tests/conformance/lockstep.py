"""Random games played by the compiled rules and by the plain twin at once.

    python -m tests.conformance.lockstep --games 10000 [--first SEED] [--game NAME]

plays that many games of each game, each by the options of a variant under test. A game follows from its seed alone, so
a run goes on where another one stopped with --first, and a difference is found again by its seed.
"""

from __future__ import annotations

import argparse
import sys
from random import Random

import pytest
from mangetout_solver.games.position import Position

from tests.conformance.play import random_step, seat_letters
from tests.conformance.subjects import GAMES, Twin, Variant, variants

PROGRESS = 500


def play(variant: Variant, seed: int) -> int:
    """Plays one game in lockstep; returns its number of steps. AssertionError with the place at any difference."""
    rng = Random(seed)
    position = variant.deal(seed)
    twin = variant.twin(position)
    steps = 0
    while True:
        where = f"{variant}, seed {seed}, step {steps}: {variant.game.format_position(position)}"
        _compare(variant, position, twin, where)
        if position.is_terminal:
            return steps
        step = random_step(position, rng)
        text = variant.game.format_move(position, step)
        position, twin = position.play(step), twin.play(text)
        steps += 1


def _compare(variant: Variant, position: Position, twin: Twin, where: str) -> None:
    """Everything that both can be asked for is the same."""
    game, letters = variant.game, seat_letters(position)
    assert game.format_position(position) == twin.text(), where
    turn = None if position.is_terminal else "*" if position.is_chance else letters[position.seat_to_move or 0]
    assert turn == twin.to_move, where
    legal = [game.format_move(position, move) for move in position.legal_moves()]
    assert len(set(legal)) == len(legal), where
    assert set(legal) == twin.legal_moves(), where
    outcomes = {game.format_move(position, outcome): p for outcome, p in position.chance_outcomes()}
    assert outcomes == pytest.approx(twin.chance_outcomes(), rel=0, abs=1e-12), where
    for seat, letter in enumerate(letters):
        assert game.format_position(position.redacted(seat)) == twin.seen_by(letter).text(), f"{letter} sees, {where}"
    if position.is_terminal:
        assert position.scores() == pytest.approx(twin.scores()), where
        assert position.win_shares() == pytest.approx(twin.win_shares()), where


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.conformance.lockstep", description="Compares with the twins."
    )
    parser.add_argument("--games", type=int, default=10_000, help="games to play of each game (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="seed of the first one (default: %(default)s)")
    parser.add_argument("--game", help="only this game", choices=[game.name for game in GAMES])
    arguments = parser.parse_args()
    for game in GAMES:
        if arguments.game not in (None, game.name):
            continue
        steps = 0
        for seed in range(arguments.first, arguments.first + arguments.games):
            try:
                steps += play(variants(game)[seed % len(variants(game))], seed)
            except BaseException:
                print(
                    f"{game.name}: stopped at seed {seed}; go on with --game {game.name} --first {seed}",
                    file=sys.stderr,
                )
                raise
            if (done := seed + 1 - arguments.first) % PROGRESS == 0 or done == arguments.games:
                print(f"{game.name}: {done} games, {steps} steps, the same in both; next seed {seed + 1}", flush=True)


if __name__ == "__main__":
    main()
