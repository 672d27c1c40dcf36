"""Random games played by the compiled rules and by the plain twin at once.

    python -m tests.conformance.lockstep --games 10000 [--game NAME ...] [--each-players] [--jobs N] [--first SEED]

plays that many games of every variant under test, with --each-players by every number of players. --options, which can
be given several times, names the variants instead: `--options rows=5 columns=5 --options hidden_row=true`. All are
played by the same seeds, some seeds at a time, and a game follows from its variant and seed alone: a run that was
stopped goes on with --first, and a difference is found again by its variant and seed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

import pytest
from mangetout_solver.errors import InputError
from mangetout_solver.games.position import Position

from tests.conformance.play import play_at_random, seat_letters
from tests.conformance.subjects import GAMES, Twin, Variant, single_variants, variants

# Seeds that all variants are played by before the next ones are: what a run that was stopped may have to play again.
BLOCK = 10
CHOICES = {"default": lambda game: single_variants(game)[:1], "single": single_variants, "all": variants}


def follow(variant: Variant, game: Iterable[tuple[Position, int | None]]) -> int:
    """Plays steps in lockstep: positions, each with the step taken there, None at the last. Returns their number.

    AssertionError with the place at any difference. Each step is also looked at by one seat, in turn.
    """
    twin = None
    for number, (position, step) in enumerate(game):
        if twin is None:
            twin = variant.twin(position)
        text = variant.game.format_position(position)
        _compare(variant, position, text, twin, number % position.players, f"{variant}, step {number}: {text}")
        if step is not None:
            twin = twin.play(variant.game.format_move(position, step))
    return number


def _compare(variant: Variant, position: Position, text: str, twin: Twin, viewer: int, where: str) -> None:
    """Everything that both can be asked for is the same; of what seats see, that of one: views are the bulk of it."""
    game, letters = variant.game, seat_letters(position)
    assert text == twin.text(), where
    turn = None if position.is_terminal else "*" if position.is_chance else letters[position.seat_to_move or 0]
    assert turn == twin.to_move, where
    legal = [game.format_move(position, move) for move in position.legal_moves()]
    assert len(set(legal)) == len(legal), where
    assert set(legal) == twin.legal_moves(), where
    outcomes = {game.format_move(position, outcome): p for outcome, p in position.chance_outcomes()}
    chances = twin.chance_outcomes()
    assert outcomes.keys() == chances.keys(), where
    assert all(abs(p - chances[outcome]) <= 1e-12 for outcome, p in outcomes.items()), where
    view = position.redacted(viewer)
    seen = text if view == position else game.format_position(view)
    assert seen == twin.seen_by(letters[viewer]).text(), f"{letters[viewer]} sees, {where}"
    if position.is_terminal:
        assert position.scores() == pytest.approx(twin.scores()), where
        assert position.win_shares() == pytest.approx(twin.win_shares()), where


@dataclass(frozen=True)
class Block:
    """Games of one variant by consecutive seeds."""

    variant: Variant
    seeds: range

    def play(self) -> int:
        """Returns the number of steps. AssertionError with variant, seed and place at any difference."""
        steps = 0
        for seed in self.seeds:
            try:
                steps += follow(self.variant, play_at_random(self.variant, seed))
            except Exception as error:
                raise AssertionError(f"{self.variant}, seed {seed}: {error}") from error
        return steps


def by_players(variant: Variant) -> Iterator[Variant]:
    """The variant by every number of players that its game takes with it."""
    game = variant.game
    defaults = {option.name: option.default for option in game.options}
    if "players" not in defaults:
        yield variant
        return
    for count in range(game.min_players, game.max_players + 1):
        options = defaults | dict(variant.options) | {"players": str(count)}
        found = Variant(game, tuple((name, value) for name, value in options.items() if value != defaults[name]))
        with suppress(InputError):
            found.deal(0)
            yield found


def chosen_variants(arguments: argparse.Namespace) -> list[Variant]:
    """The variants that the arguments ask for."""
    games = [game for game in GAMES if arguments.game is None or game.name in arguments.game]
    if arguments.options is None:
        found = [variant for game in games for variant in CHOICES[arguments.variants](game)]
    else:
        found = [Variant(game, tuple(given)) for game in games for given in arguments.options]
    if arguments.each_players:
        found = list(dict.fromkeys(each for variant in found for each in by_players(variant)))
    return [variant for variant in found if arguments.only is None or str(variant) in arguments.only]


def _option(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name, value


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.conformance.lockstep", description="Compares games with the twins."
    )
    parser.add_argument("--games", type=int, default=10_000, help="games of each variant (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="seed of the first one (default: %(default)s)")
    parser.add_argument("--game", nargs="+", help="only these games", choices=[game.name for game in GAMES])
    parser.add_argument(
        "--variants",
        choices=list(CHOICES),
        default="all",
        help="the default options, also every value of every option alone, or also combinations (default: %(default)s)",
    )
    parser.add_argument(
        "--options", nargs="+", action="append", type=_option, metavar="NAME=VALUE", help="this variant instead"
    )
    parser.add_argument("--each-players", action="store_true", help="each variant by every number of players")
    parser.add_argument("--only", nargs="+", help="only these variants, named as in --list", metavar="VARIANT")
    parser.add_argument("--list", action="store_true", help="name the variants and stop")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: %(default)s)")
    return parser.parse_args()


def main() -> None:
    arguments = parse_arguments()
    chosen = chosen_variants(arguments)
    if arguments.list:
        print("\n".join(map(str, chosen)))
        return
    if not chosen:
        sys.exit("no such variant: --list names them")
    began, steps, end = time.monotonic(), 0, arguments.first + arguments.games
    with ProcessPoolExecutor(arguments.jobs) as processes:
        for first in range(arguments.first, end, BLOCK):
            seeds = range(first, min(first + BLOCK, end))
            try:
                steps += sum(processes.map(Block.play, [Block(variant, seeds) for variant in chosen]))
            except BaseException as error:
                processes.shutdown(cancel_futures=True)
                if isinstance(error, AssertionError):
                    sys.exit(f"{error}\nstopped; go on with --first {first}")
                print(f"stopped; go on with --first {first}", file=sys.stderr)
                raise
            games = (seeds.stop - arguments.first) * len(chosen)
            print(
                f"{games} games of {len(chosen)} variants, {steps} steps, the same in both, "
                f"in {time.monotonic() - began:.0f} s; next --first {seeds.stop}",
                flush=True,
            )


if __name__ == "__main__":
    main()
