"""Numbers of step sequences from fixed positions of every variant, counted by the plain twins.

    python -m tests.conformance.perft

counts them anew and writes them to tests/data/perft, one file for each game.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import TypedDict

from mangetout_solver.games.game import Game

from tests.conformance.play import random_game
from tests.conformance.subjects import GAMES, ROOT, Twin, Variant, variants

FOLDER = ROOT / "tests/data/perft"
# The depth grows up to the greatest as long as there are no more sequences than these.
MOST_SEQUENCES = 500
MOST_DEPTH = 8


class Case(TypedDict):
    """sequences: of `depth` moves and chance outcomes; one that reaches the end of the game sooner counts too."""

    position: str
    depth: int
    sequences: int


def path(game: Game) -> Path:
    return FOLDER / f"{game.name}.json"


def start_texts(variant: Variant) -> list[str]:
    """A deal, a position under way and one near the end."""
    positions = random_game(variant, 1).positions
    indices = sorted({0, Random(1).randrange(len(positions)), max(0, len(positions) - 5)})
    return [variant.game.format_position(positions[index]) for index in indices]


def count(twin: Twin, depth: int) -> int:
    """Sequences counted by the twin."""
    if depth == 0 or twin.to_move is None:
        return 1
    steps = twin.chance_outcomes() if twin.to_move == "*" else twin.legal_moves()
    return len(steps) if depth == 1 else sum(count(twin.play(step), depth - 1) for step in steps)


def divide(variant: Variant, text: str, depth: int) -> str:
    """The sequences by their first step, by the compiled rules and by the twin, one line for each that differs."""
    position = variant.game.parse_position(text)
    twin = variant.twin(position)
    steps = [outcome for outcome, _ in position.chance_outcomes()] or position.legal_moves()
    compiled = {
        variant.game.format_move(position, step): position.play(step).count_sequences(depth - 1, 10**9)
        for step in steps
    }
    plain = {step: count(twin.play(step), depth - 1) for step in twin.legal_moves() | twin.chance_outcomes().keys()}
    lines = [
        f"  {step}: compiled {compiled.get(step, 'illegal')}, twin {plain.get(step, 'illegal')}"
        for step in sorted(compiled.keys() | plain.keys())
        if compiled.get(step) != plain.get(step)
    ]
    return "\n".join([f"{variant}, depth {depth}, {text}", *(lines or ["  no difference to the twin: count anew"])])


def cases(variant: Variant) -> list[Case]:
    """The table of a variant, by its twin."""
    found: list[Case] = []
    for text in start_texts(variant):
        twin = variant.twin(variant.game.parse_position(text))
        depth, sequences = 1, count(twin, 1)
        while sequences <= MOST_SEQUENCES and depth < MOST_DEPTH:
            depth += 1
            sequences = count(twin, depth)
        found.append({"position": text, "depth": depth, "sequences": sequences})
    return found


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for game in GAMES:
        table = {variant.name: cases(variant) for variant in variants(game)}
        path(game).write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
        print(f"{path(game).relative_to(ROOT)}: {len(table)} variants")
    for old in set(FOLDER.glob("*.json")) - {path(game) for game in GAMES}:
        old.unlink()


if __name__ == "__main__":
    main()
