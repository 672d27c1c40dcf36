"""How long an exact engine takes to prove the winner: `python -m benchmarks.exact_speed SET`, one core.

A new context proves each position of a set of `exact_sets`; with --margin the margin, and not the winner alone. With
--out each result is written when it comes, and a run that was stopped goes on where it was. The last line is the
summary as JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from rich.console import Console

from benchmarks import exact_sets
from benchmarks.proving import Proof, figures, figures_table, margin, prove, winner
from benchmarks.result_file import ResultFile

WITHIN = (1, 10, 120)  # seconds


def results(entries: list[exact_sets.Entry], arguments: argparse.Namespace) -> Iterator[Proof]:
    """The proof of each position: that of the file of results where there is one already."""
    settings = {"limit": arguments.seconds, "memory": arguments.memory}
    settings |= {name: getattr(arguments, name) for name in ("margin", "without", "threads")}
    file = ResultFile(Proof, arguments.out, settings)
    for number, entry in enumerate(entries, 1):
        make = partial(
            prove,
            entry.position,
            arguments.seconds,
            arguments.memory,
            without=arguments.without or (),
            threads=arguments.threads,
            find=margin if arguments.margin else winner,
        )
        proof = file.result(entry.id, make)
        print(
            f"{number} of {len(entries)}: {entry.id} {'not solved' if proof.answer is None else proof.answer}, "
            f"{proof.seconds:.3f} s, {proof.nodes:,} nodes",
            file=sys.stderr,
        )
        yield proof


def is_won(answer: str | int | None) -> bool:
    """Whether A wins; a margin says so only if it is above 0."""
    return answer > 0 if isinstance(answer, int) else answer == "A"


def summary(proofs: list[Proof]) -> dict[str, object]:
    """What a run comes to; shares are of all positions."""
    solved = [proof.seconds for proof in proofs if proof.answer is not None]
    return {
        "positions": len(proofs),
        "solved": len(solved),
        "won_by_a": sum(is_won(proof.answer) for proof in proofs),
        "seconds": figures(proofs, "seconds"),
        "elapsed": figures(proofs, "elapsed"),
        "nodes": figures(proofs, "nodes"),
        "solved_within": {
            str(limit): sum(seconds <= limit for seconds in solved) / len(proofs) if proofs else None
            for limit in WITHIN
        },
        "total_seconds": round(sum(proof.seconds for proof in proofs), 3),
        "total_elapsed": round(sum(proof.elapsed for proof in proofs), 3),
        "total_nodes": sum(proof.nodes for proof in proofs),
        "table_bytes": max((proof.table_bytes for proof in proofs), default=None),
    }


def main(words: list[str] | None = None) -> None:
    """words: the arguments, those of the command line by default."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.exact_speed")
    parser.add_argument("set", choices=list(exact_sets.SETS), help="game and kind of positions")
    parser.add_argument("--margin", action="store_true", help="prove the margin too")
    parser.add_argument("--development", action="store_true", help="the set to tune on")
    parser.add_argument("--seconds", type=float, default=120.0, help="of processor time, each (default: %(default)s)")
    parser.add_argument("--memory", type=int, help="bytes of the table (default: that of the engine)")
    parser.add_argument("--without", nargs="+", metavar="NAME", help="techniques of the engine off")
    parser.add_argument("--threads", type=int, default=1, help="that search together (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="position of the set to begin with, from 0")
    parser.add_argument("--count", type=int, help="positions (default: all)")
    parser.add_argument("--out", type=Path, help="file of results, appended to")
    arguments = parser.parse_args(words)
    entries = exact_sets.read(arguments.set, arguments.development)[arguments.first :][: arguments.count]
    proofs = list(results(entries, arguments))
    name = arguments.set + (", development" if arguments.development else "")
    Console().print(figures_table(proofs, f"{name}: {len(proofs)} positions"))
    for limit in WITHIN:
        solved = sum(proof.answer is not None and proof.seconds <= limit for proof in proofs)
        print(f"solved within {limit} s: {solved} of {len(proofs)}")
    asked = {name: getattr(arguments, name) for name in ("set", "development", "margin", "without", "threads")}
    print(json.dumps({**asked, "limit": arguments.seconds, **summary(proofs)}))


if __name__ == "__main__":
    main()
