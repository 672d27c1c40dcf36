"""Solves a split of Pepper. Corn! over hours, and goes on where it was: `python -m benchmarks.split_run POSITION`.

What is proven of openings is written to a file now and then, and once more when the run ends or is interrupted; a run
that finds the file begins with that. It holds for either payoff. Prints how the value narrows, then both mixtures.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import astuple
from pathlib import Path

from mangetout_solver.errors import InputError, PositionError
from mangetout_solver.exact.pepper_corn.solver import PlaySolver
from mangetout_solver.exact.pepper_corn.split import (
    MOST_DIVISIONS,
    KnownOpening,
    Split,
    count_divisions,
    covers,
)
from mangetout_solver.exact.stage import Payoff, Plan
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game
from mangetout_solver.search.control import Control

GAME = game("pepper_corn")
_FORMAT = 1


def read_split(text: str) -> Position:
    """The beginning of a split or of a choice, all cards known. Raises InputError (``position``)."""
    position = GAME.parse_position(text, "position")
    if not position.is_secret or GAME.stage_start(position)[0] != position:
        raise PositionError("position", "found another stage, expected the beginning of a split or a choice")
    if position.count_worlds() != 1:
        raise PositionError("position", "found cards that are not known, expected none")
    position = position.worlds()[0]
    if not covers(position):
        raise PositionError("position", "found a card face down, expected none")
    if max(count_divisions(position)) > MOST_DIVISIONS:
        found = " and ".join(str(count) for count in count_divisions(position))
        raise PositionError("position", f"found {found} divisions, expected at most {MOST_DIVISIONS} a seat")
    return position


def save(path: Path, position: Position, split: Split) -> None:
    """Writes what is known; whenever it is interrupted, the file is the old one or the new one."""
    data = {
        "format": _FORMAT,
        "position": GAME.format_position(position),
        "key": GAME.key(position),
        "openings": [astuple(opening) for opening in split.known()],
    }
    new = path.with_name(f"{path.name}.new")
    with new.open("w", encoding="utf-8") as file:
        json.dump(data, file, separators=(",", ":"))
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)


def load(path: Path, position: Position, split: Split) -> int:
    """Takes over what a file knows, and says of how many openings.

    Raises InputError (``checkpoint...``) for a file of another position or of another kind.
    """
    try:
        data = json.loads(path.read_text("utf-8"))
        found = data["format"], data["key"], data["position"]
        openings = [
            KnownOpening(int(kept), int(taken), int(tries), tuple((int(low), int(high)) for low, high in bounds))
            for kept, taken, tries, bounds in data["openings"]
        ]
    except (ValueError, TypeError, KeyError) as error:
        raise InputError("checkpoint", f"{path} is no checkpoint of a split: {error!r}") from error
    if found[0] != _FORMAT:
        raise InputError("checkpoint.format", f"found {found[0]}, expected {_FORMAT}")
    if found[1] != GAME.key(position):
        raise InputError(
            "checkpoint.key", f"found that of {found[2]}, expected that of {GAME.format_position(position)}"
        )
    try:
        split.learn(openings)
    except InputError as error:
        raise error.under("checkpoint") from error
    return len(openings)


def in_words(position: Position, seat: int, plan: Plan) -> str:
    """A plan of a mixture: how often, and its steps."""
    after, words = position, []
    while after.seat_to_move != seat:
        after = after.play(after.legal_moves()[-1])
    for move in plan.moves:
        words.append(GAME.format_move(after, move))
        after = after.play(move)
    return f"{plan.probability:.6f}  {' '.join(words)}"


def report(split: Split, payoff: Payoff, solver: PlaySolver, seconds: float) -> None:
    """Prints what is proven."""
    value = split.solution().values[payoff]
    openings, solved, asked = split.count_openings()
    print(
        f"{seconds:10.1f} s  {payoff.value} of A {value.low:.8f} to {value.high:.8f}, {solver.nodes:,} nodes, "
        f"{solved:,} of {openings:,} openings known, {asked:,} asked",
        flush=True,
    )


def run(position: Position, arguments: argparse.Namespace) -> bool:
    """Whether the value was proven."""
    payoff = Payoff.MARGIN if arguments.margin else Payoff.SHARE
    solver = PlaySolver(arguments.memory, threads=arguments.threads)
    split = Split(position, solver, payoff)
    path: Path | None = arguments.checkpoint
    if path is not None and path.exists():
        print(f"goes on with {load(path, position, split):,} openings of {path}", flush=True)
    started = time.monotonic()
    control = Control().limited(math.inf if arguments.seconds is None else started + arguments.seconds)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(split.run, control, arguments.nodes)
        try:
            while wait([running], arguments.every).not_done:
                report(split, payoff, solver, time.monotonic() - started)
                if path is not None:
                    save(path, position, split)
        except KeyboardInterrupt:
            print("interrupted", file=sys.stderr)
        finally:
            control.stop()
            running.result()
    if path is not None:
        save(path, position, split)
    report(split, payoff, solver, time.monotonic() - started)
    solution = split.solution()
    for seat, plans in enumerate(solution.plans):
        print(f"{'mixture' if solution.solved else 'estimate of the mixture'} of {'AB'[seat]}")
        for plan in plans:
            if plan.probability:
                print(f"  {in_words(position, seat, plan)}")
    return solution.solved


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code: 0 where the value was proven, 1 where it was not, 2 for bad input."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.split_run", description=__doc__.partition("\n")[0])
    parser.add_argument("position", help="beginning of a split, in notation")
    parser.add_argument("--margin", action="store_true", help="play for the margin, and not for shares of the win")
    parser.add_argument(
        "--checkpoint", type=Path, metavar="FILE", help="what is proven; goes on with it if it is there"
    )
    parser.add_argument("--every", type=float, default=60.0, metavar="SECONDS", help="between reports and checkpoints")
    parser.add_argument("--seconds", type=float, help="longest time of this run")
    parser.add_argument("--nodes", type=int, help="most nodes of this run")
    parser.add_argument("--memory", type=int, default=1 << 30, metavar="BYTES", help="for the table")
    parser.add_argument("--threads", type=int, default=1)
    found = parser.parse_args(arguments)
    try:
        return 0 if run(read_split(found.position), found) else 1
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
