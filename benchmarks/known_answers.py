"""The exact engine against known answers: `python -m benchmarks.known_answers FILE... --seconds S`.

The winner of each position is proven by a new context, and figures are about that alone; margin and moves are then
asked of another one, where the file tells them. Exit status 1 if an answer is wrong. The last line is the summary as
JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from mangetout_solver.games.game import Record
from mangetout_solver.games.position import Position
from mangetout_solver.games.registry import game
from rich.console import Console

from benchmarks.known_cases import Case, read
from benchmarks.proving import Engine, Proof, figures, figures_table, new_context, processor_limit, prove, winner

MOST_TURNS = 10_000


@dataclass(frozen=True)
class Verdict:
    """wrong: what differs from the known answers. open: what was not found in time."""

    case: Case
    proof: Proof
    wrong: list[str]
    open: list[str]

    @property
    def word(self) -> str:
        if self.wrong:
            return "wrong"
        known = self.case.win is not None
        return "unsolved" if self.open and known else "right" if known else "timed"


def check(case: Case, seconds: float = float("inf"), memory_bytes: int | None = None) -> Verdict:
    """Asks the engine for all that is known of a position. seconds: of processor time, for each answer."""
    proof = prove(case.position, seconds, memory_bytes)
    context = new_context(case.position.game_name, memory_bytes)
    answers: list[tuple[str, object, object]] = []  # what is asked, what is known, what is found (None: nothing)
    if case.win is not None:
        answers.append(("winner", case.win, proof.answer))
    if case.margin is not None:
        answers.append(("margin", case.margin, margin_near(context, case.position, case.margin, seconds)))
    if case.moves is not None:
        after = turns(case.position)
        answers.append(("turns", sorted(case.moves), sorted(after)))
        for text in sorted(case.moves.keys() & after.keys()):
            known = case.moves[text]
            if isinstance(known, str):
                answers.append((f"winner after {text}", known, winner_of(context, after[text], seconds)))
            else:
                answers.append((f"margin after {text}", known, margin_near(context, after[text], known, seconds)))
    wrong = [f"{what} {found}, not {known}" for what, known, found in answers if found not in (None, known)]
    return Verdict(case, proof, wrong, [what for what, _, found in answers if found is None])


def turns(position: Position) -> dict[str, Position]:
    """Where each turn to search leads, by its words."""
    its_game = game(position.game_name)
    found = its_game.turns(position, MOST_TURNS)
    if not found:
        found = [Record(its_game, (position, position.play(move)), (move,)) for move in position.legal_moves()]
    return {" ".join(turn.words()): turn.current for turn in found}


def margin_near(context: Engine, position: Position, margin: int, seconds: float) -> int | str | None:
    """The margin if it is this one, else on which side of it; None when stopped."""
    with processor_limit(seconds) as control:
        this = context.at_least(position, margin, control)
        more = context.at_least(position, margin + 1, control)
    if this is False or more is True:
        return f"{'more' if more else 'less'} than {margin}"
    return None if None in (this, more) else margin


def winner_of(context: Engine, position: Position, seconds: float) -> str | None:
    """As `winner`, also where the round is over."""
    if position.is_terminal:
        shares = position.win_shares()
        return "AB"[shares.index(1.0)] if 1.0 in shares else "draw"
    with processor_limit(seconds) as control:
        return winner(context, position, control)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.known_answers")
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each answer (default: %(default)s)")
    parser.add_argument("--memory", type=int, help="bytes of the table (default: that of the engine)")
    parser.add_argument("--only", default="", metavar="PREFIX", help="cases whose names begin so")
    arguments = parser.parse_args()
    verdicts: list[Verdict] = []
    try:
        cases = [case for file in arguments.files for case in read(file) if case.id.startswith(arguments.only)]
    except ValueError as error:
        sys.exit(str(error))
    for case in cases:
        verdict = check(case, arguments.seconds, arguments.memory)
        verdicts.append(verdict)
        proof = verdict.proof
        details = [*verdict.wrong, *(f"{what} not found" for what in verdict.open)]
        figures_of_it = f"{verdict.word}, {proof.seconds:.3f} s, {proof.nodes:,} nodes"
        print(f"{case.id}: {'; '.join([figures_of_it, *details])}", file=sys.stderr)
    words = [verdict.word for verdict in verdicts]
    counts = {word: words.count(word) for word in ("right", "wrong", "unsolved", "timed")}
    proofs = [verdict.proof for verdict in verdicts]
    Console().print(figures_table(proofs, ", ".join(f"{count} {word}" for word, count in counts.items())))
    found = {measure: figures(proofs, measure) for measure in ("seconds", "nodes")}
    print(json.dumps({"positions": len(verdicts), **counts, **found, "limit": arguments.seconds}))
    sys.exit(1 if counts["wrong"] else 0)


if __name__ == "__main__":
    main()
