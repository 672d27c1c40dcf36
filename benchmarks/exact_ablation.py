"""What each technique of the exact engine is worth: `python -m benchmarks.exact_ablation SET`, one core.

The winner of each position of a development set is proven in new contexts, with all techniques and once without each,
first one and then another first, so that all meet the same load. Ratios are to all techniques: what a search costs more
without the one, at least so much where the limit of nodes ended some. With --out each result is written when it comes,
and a run that was stopped goes on where it was. The last line is the ratios as JSON.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import exact_sets
from benchmarks.proving import TECHNIQUES, Proof, prove
from benchmarks.result_file import ResultFile

ALL = "all techniques"


def ratios(proofs: Sequence[Proof], base: Sequence[Proof]) -> dict[str, float]:
    """Costs of the same positions as multiples of `base`. mean: geometric, of nodes a position, with one added each;
    a_node: seconds a node. The sums hang on few hard positions, so what is typical is mean times a_node."""
    logarithms = [math.log((proof.nodes + 1) / (other.nodes + 1)) for proof, other in zip(proofs, base, strict=True)]
    nodes = sum(proof.nodes for proof in proofs) / sum(proof.nodes for proof in base)
    seconds = sum(proof.seconds for proof in proofs) / sum(proof.seconds for proof in base)
    return {
        "nodes": nodes,
        "mean": math.exp(sum(logarithms) / len(logarithms)),
        "seconds": seconds,
        "a_node": seconds / nodes,
        "unsolved": sum(proof.answer is None for proof in proofs),
    }


def main(words: list[str] | None = None) -> None:
    """words: the arguments, those of the command line by default."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.exact_ablation")
    parser.add_argument("set", choices=list(exact_sets.SETS), help="game and kind of positions")
    parser.add_argument("--nodes", type=int, default=1_000_000, help="limit of each proof (default: %(default)s)")
    parser.add_argument("--memory", type=int, help="bytes of the table (default: that of the engine)")
    parser.add_argument("--first", type=int, default=0, help="position of the set to begin with, from 0")
    parser.add_argument("--count", type=int, help="positions (default: all)")
    parser.add_argument("--without", nargs="+", metavar="NAME", help="only these techniques (default: all)")
    parser.add_argument("--out", type=Path, help="file of results, appended to")
    arguments = parser.parse_args(words)
    entries = exact_sets.read(arguments.set, development=True)[arguments.first :][: arguments.count]
    file = ResultFile(Proof, arguments.out, {"nodes_limit": arguments.nodes, "memory": arguments.memory})
    techniques = arguments.without or TECHNIQUES[exact_sets.SETS[arguments.set].game]
    proofs: dict[str, list[Proof]] = {name: [] for name in (ALL, *techniques)}
    for number, entry in enumerate(entries, 1):
        names = list(proofs)
        for name in names[number % len(names) :] + names[: number % len(names)]:
            make = partial(
                prove,
                entry.position,
                math.inf,
                arguments.memory,
                max_nodes=arguments.nodes,
                without=[] if name == ALL else [name],
            )
            proofs[name].append(file.result(f"{entry.id} {name}", make))
        nodes = ", ".join(f"{name} {made[-1].nodes:,}" for name, made in proofs.items())
        print(f"{number} of {len(entries)}: {entry.id} {nodes}", file=sys.stderr)
    base = proofs.pop(ALL)
    found = {name: ratios(made, base) for name, made in proofs.items()}
    table = Table("without", "nodes", "nodes, mean", "seconds", "seconds a node", "unsolved")
    for name, row in found.items():
        columns = (f"{row[column]:.2f}" for column in ("nodes", "mean", "seconds", "a_node"))
        table.add_row(name, *columns, str(row["unsolved"]))
    Console().print(table)
    cost = f"{sum(proof.nodes for proof in base):,} nodes, {sum(proof.seconds for proof in base):.3f} s"
    print(f"{len(entries)} positions, {ALL}: {cost}, {sum(proof.answer is None for proof in base)} unsolved")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
