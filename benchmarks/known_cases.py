"""Positions with known answers, as files of other solvers give them: a reader for each format."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game

_SWEEP = 60  # how the format of PEAS writes a margin of all pods


@dataclass(frozen=True)
class Case:
    """win: seat letter of the winner with best play; None: not known. margin: A's less B's points, or +-`sweep` where A
    or B takes all. moves: the winner after each legal move. margin and moves are None where they are not told."""

    id: str
    position: Position
    win: str | None
    margin: int | None
    moves: dict[str, str] | None


def _peas(line: dict[str, Any], sweep: int) -> Case:
    pods = []
    for value, (a, b, first) in zip(line["pods"], line["table"], strict=True):
        plays = [f"{seat}={card}" for seat, card in (("A", a), ("B", b)) if card]
        if first == "B":
            plays.reverse()
        pods.append(f"{value:+d}" + (f"[{','.join(plays)}]" if plays else ""))
    hands = ["".join(line["hands"][seat]) or "-" for seat in "AB"]
    position = game("peas").parse_position(f"peas {'/'.join(pods)} {' '.join(hands)} {line['first']}")
    margin = line.get("margin")
    if margin in (_SWEEP, -_SWEEP):
        margin = sweep if margin > 0 else -sweep
    return Case(line["id"], position, line["win"], margin, line.get("moves"))


# The fields of every line of a format, by which it is told, and what reads one.
_FORMATS: dict[str, tuple[set[str], Callable[[dict[str, Any], int], Case]]] = {
    "peas": ({"id", "pods", "first", "hands", "table", "to_move", "win"}, _peas),
}


def read(path: Path, sweep: int) -> Iterator[Case]:
    """The cases of a file, one a line, with `sweep` for the margin of a sweep. ValueError for an unknown format."""
    for number, text in enumerate(path.read_text("utf-8").splitlines(), 1):
        line = json.loads(text)
        for fields, reader in _FORMATS.values():
            if fields <= line.keys():
                yield reader(line, sweep)
                break
        else:
            raise ValueError(
                f"{path}:{number}: a line with the fields {', '.join(line)} is of no known format; known: "
                f"{', '.join(_FORMATS)}"
            )
