"""Recorded playthroughs: one random game for each option of each game, with all that can be asked on the way.

    python -m tests.conformance.playthroughs

writes them anew to tests/data/playthroughs; the difference to the old ones shows what a change of the rules, the
notation or the words for moves changes.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from mangetout_solver.games.position import Position

from tests.conformance.play import random_game, seat_letters
from tests.conformance.subjects import GAMES, ROOT, Variant, single_variants

FOLDER = ROOT / "tests/data/playthroughs"
SEED = 1
# A longer list of moves is told by its length and a digest.
LISTED = 20
# Plies told in full at the start and at the end: by the default options, and with others. What lies between is told by
# digests of so many plies at most, evenly spaced, each with the moves up to the next one.
DEFAULT_TOLD = (80, 20)
OPTIONS_TOLD = (5, 2)
DIGESTS = 100


def path(variant: Variant) -> Path:
    return FOLDER / variant.game.name / f"{variant.name}.txt"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _steps(variant: Variant, position: Position) -> list[str]:
    """What can come next, in notation and in words, chances with their probabilities."""
    game = variant.game
    steps = [(move, "") for move in position.legal_moves()]
    steps += [(outcome, f" {chance:.6f}") for outcome, chance in position.chance_outcomes()]
    return [
        f"  {game.format_move(position, step)}{chance}  {game.describe_move(position, step)}" for step, chance in steps
    ]


def _ply(variant: Variant, position: Position) -> list[str]:
    """The position, what each seat sees of it, and what can come next or has come out."""
    text = variant.game.format_position(position)
    lines = [f"position: {text}", f"key: {variant.game.key(position)}"]
    for seat, letter in enumerate(seat_letters(position)):
        view = variant.game.format_position(position.redacted(seat))
        lines.append(f"{letter} sees: {'all' if view == text else view}")
    if position.is_terminal:
        scores = " ".join(f"{score:g}" for score in position.scores())
        shares = " ".join(f"{share:g}" for share in position.win_shares())
        return [*lines, "turn: none", f"scores: {scores}", f"win shares: {shares}"]
    mover = position.seat_to_move
    steps = _steps(variant, position)
    search = "" if mover is None else f", {len(position.search_moves())} to search"
    lines.append(f"turn: {'chance' if mover is None else seat_letters(position)[mover]}")
    lines.append(f"steps: {len(steps)}{search}")
    return [*lines, *(steps if len(steps) <= LISTED else [f"  digest {digest(chr(10).join(steps))}"])]


def text(variant: Variant) -> str:
    """The playthrough of a variant."""
    record = random_game(variant, SEED)
    chosen = [variant.game.format_move(p, m) for p, m in zip(record.positions, record.moves, strict=False)]
    options = ", ".join(f"{name} = {value}" for name, value in variant.options)
    blocks = [f"game: {variant.game.name}\noptions: {options or 'default'}\nseed: {SEED}"]
    first, last = OPTIONS_TOLD if variant.options else DEFAULT_TOLD
    between = range(first, len(record.positions) - last)
    stride = max(1, -(-len(between) // DIGESTS))
    for number, position in enumerate(record.positions):
        played = chosen[number : number + 1]
        block = f"# {number}\n"
        if number not in between:
            block += "\n".join(_ply(variant, position))
        elif (number - first) % stride == 0:
            played = chosen[number : min(number + stride, between.stop)]
            block += f"digest {digest(chr(10).join(_ply(variant, position)))}"
        else:
            continue
        blocks.append(f"{block}\nplayed: {' '.join(played)}" if played else block)
    return "\n\n".join(blocks) + "\n"


def main() -> None:
    kept = set()
    for variant in (variant for game in GAMES for variant in single_variants(game)):
        kept.add(path(variant))
        path(variant).parent.mkdir(parents=True, exist_ok=True)
        path(variant).write_text(text(variant), encoding="utf-8")
    for old in FOLDER.rglob("*.txt"):
        if old not in kept:
            old.unlink()
    print(f"{len(kept)} playthroughs in {FOLDER.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
