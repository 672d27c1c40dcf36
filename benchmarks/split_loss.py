"""How far the searched divisions of a split are from an equilibrium: `python -m benchmarks.split_loss`.

Small splits of Pepper. Corn! are solved whole: play by minimax, the games of choices and of divisions by linear
programming. What a strategy loses is the value less what it gets against the best reply, as a share of the win.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from mangetout_solver.engine import analyze
from mangetout_solver.games.game import Record
from mangetout_solver.games.pepper_corn import PepperCorn
from mangetout_solver.games.position import Position
from mangetout_solver.limits import Limits, SearchOptions
from scipy.optimize import linprog

Matrix = list[list[float]]

GAME = PepperCorn()
DEALS = (203849597, 224902078, 696831125, 936740704)
_OPTIONS = {"rows": "1", "columns": "3", "hand_a": "4", "hand_b": "4", "dealt_hands_known": "true"}


def secured(shares: Matrix, mix: list[float]) -> float:
    """What a mixed strategy over the rows gets at least."""
    return min(sum(p * row[column] for p, row in zip(mix, shares, strict=True)) for column in range(len(shares[0])))


def turned(shares: Matrix) -> Matrix:
    """The same game with the seats exchanged."""
    return [[1.0 - row[column] for row in shares] for column in range(len(shares[0]))]


def matrix_value(shares: Matrix) -> float:
    """The value of a matrix game for the rows, by linear programming."""
    rows, columns = len(shares), len(shares[0])
    against = [[-shares[row][column] for row in range(rows)] + [1.0] for column in range(columns)]
    answer = linprog(
        [0.0] * rows + [-1.0],
        A_ub=against,
        b_ub=[0.0] * columns,
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0.0, 1.0)] * rows + [(None, None)],
    )
    return float(-answer.fun)


def share_of_a(position: Position) -> float:
    """A's share of the win by plain minimax; only where nothing is secret any more."""
    if position.is_terminal:
        return position.win_shares()[0]
    if position.is_chance:
        return sum(chance * share_of_a(position.play(outcome)) for outcome, chance in position.chance_outcomes())
    best = max if position.seat_to_move == 0 else min
    return best(share_of_a(position.play(move)) for move in position.search_moves())


def shown(position: Position) -> Position:
    """The position after the chance events that have one outcome."""
    while position.is_chance and len(position.chance_outcomes()) == 1:
        position = position.play(position.chance_outcomes()[0][0])
    return position


def choice_game(position: Position) -> Matrix:
    """A's shares in the game of choices, rows A's."""
    return [
        [share_of_a(shown(position.play(a).play(b))) for b in position.play(a).legal_moves()]
        for a in position.legal_moves()
    ]


def divisions(position: Position) -> list[Position]:
    """All ways for the seat to move to divide its cards."""
    seat, found = position.seat_to_move, [position]
    while found[0].seat_to_move == seat and found[0].is_secret:
        found = [at.play(move) for at in found for move in at.legal_moves()]
    return found


def mix_of_divisions(position: Position, simulations: int, chance: float = 1.0) -> list[float]:
    """The chances of the divisions, in the order of `divisions`, when every step is drawn from a search of its own."""
    seat = position.seat_to_move
    analysis = analyze(
        Record(GAME, (position,), ()), limits=Limits(simulations=simulations), options=SearchOptions(lines=0, seed=1)
    )
    mix = {GAME.parse_move(position, line.move): line.probability or 0.0 for line in analysis.lines}
    chances = []
    for move in position.legal_moves():
        after = position.play(move)
        if after.seat_to_move == seat and after.is_secret:
            chances += mix_of_divisions(after, simulations, chance * mix[move])
        else:
            chances.append(chance * mix[move])
    return chances


def solved_splits() -> Iterator[tuple[Position, Matrix, float]]:
    """For each deal and seat: its first decision, its shares by division of both, and the value of the split for it."""
    for seed in DEALS:
        start = GAME.deal(seed, _OPTIONS)
        firsts = divisions(start)
        table = [[matrix_value(choice_game(shown(second))) for second in divisions(first)] for first in firsts]
        value = matrix_value(table)
        yield start, table, value
        yield firsts[-1], turned(table), 1.0 - value


def losses(simulations: int | None) -> list[float]:
    """What is lost on each of `solved_splits`: by searches of so many simulations a step, or by dividing at random."""
    found = []
    for position, shares, value in solved_splits():
        mix = [1.0 / len(shares)] * len(shares) if simulations is None else mix_of_divisions(position, simulations)
        found.append(value - secured(shares, mix))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.split_loss", description=__doc__.partition("\n")[0])
    parser.add_argument("simulations", type=int, nargs="*", default=[2_000, 20_000, 100_000], help="simulations a step")
    print("| simulations a step | mean loss | largest |")
    print("| --: | --: | --: |")
    for simulations in (None, *parser.parse_args().simulations):
        lost = losses(simulations)
        print(f"| {simulations or 'random'} | {sum(lost) / len(lost):.3f} | {max(lost):.3f} |")


if __name__ == "__main__":
    main()
