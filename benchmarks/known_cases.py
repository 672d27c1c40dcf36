"""Positions with known answers, as files of other solvers give them: a reader for each format."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mangetout_solver.errors import PositionError
from mangetout_solver.exact.peas.solver import SWEEP
from mangetout_solver.games.decktet import CARD_NUMBERS, CARDS
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game

_SWEEP = 60  # how the format of PEAS writes a margin of all pods


@dataclass(frozen=True)
class Case:
    """win: seat letter of the winner with best play, or "draw". margin: A's, as the exact engine of the game counts it.
    moves: by the words of each turn to search the winner after it, or the margin. None: not known."""

    id: str
    position: Position
    win: str | None
    margin: int | None
    moves: Mapping[str, str | int] | None


def _peas(line: dict[str, Any]) -> Case:
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
        margin = SWEEP if margin > 0 else -SWEEP
    return Case(line["id"], position, line["win"], margin, line.get("moves"))


def _cards(ids: list[str]) -> list[str]:
    return sorted(ids, key=CARD_NUMBERS.__getitem__)


def _pepper_corn(line: dict[str, Any]) -> Case:
    options = "{access=restricted}" if line["access"] == "restricted" else ""
    tableau = "/".join(",".join(cell or "-" for cell in row) for row in line["tableau"])
    hands = " ".join("".join(_cards(line["hands"][seat])) or "-" for seat in "AB")
    stage = f"play/{line['to_move']}" + ("/passed" if line["passed"] else "")
    points = line["points"]
    try:
        position = _pepper_corn_position(options, tableau, hands, points, stage)
    except PositionError as error:
        if error.field != "notation":
            raise
        # Some positions of the format have points that no cards make up; what is to come does not depend on them.
        points = {"A": 0, "B": 0}
        position = _pepper_corn_position(options, tableau, hands, points, stage)
    ranks = {seat: sum(CARDS[CARD_NUMBERS[card]].points for card in line["hands"][seat]) for seat in "AB"}
    now = points["A"] + ranks["A"] - points["B"] - ranks["B"]
    if line["future"] is None:
        return Case(line["id"], position, line["outcome"], None, None)
    margin = now + line["future"]
    moves = None
    if "moves" in line:
        moves = {
            "pass" if move.get("pass") else f"x{move['take']}+{'+'.join(_cards(move['with']))}.": now + move["value"]
            for move in line["moves"]
        }
    return Case(line["id"], position, "A" if margin > 0 else "B" if margin < 0 else "draw", margin, moves)


def _pepper_corn_position(options: str, tableau: str, hands: str, points: dict[str, int], stage: str) -> Position:
    text = f"pepper_corn{options} {tableau} {hands} {points['A']}-{points['B']} {stage}"
    return game("pepper_corn").parse_position(text)


# The fields of every line of a format, by which it is told, and what reads one.
_FORMATS: dict[str, tuple[set[str], Callable[[dict[str, Any]], Case]]] = {
    "peas": ({"id", "pods", "first", "hands", "table", "to_move", "win"}, _peas),
    "pepper_corn": (
        {"id", "access", "tableau", "hands", "to_move", "points", "passed", "future", "outcome"},
        _pepper_corn,
    ),
}


def read(path: Path) -> Iterator[Case]:
    """The cases of a file, one a line. ValueError for an unknown format."""
    for number, text in enumerate(path.read_text("utf-8").splitlines(), 1):
        line = json.loads(text)
        for fields, reader in _FORMATS.values():
            if fields <= line.keys():
                yield reader(line)
                break
        else:
            raise ValueError(
                f"{path}:{number}: a line with the fields {', '.join(line)} is of no known format; known: "
                f"{', '.join(_FORMATS)}"
            )
