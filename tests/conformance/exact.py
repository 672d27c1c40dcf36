"""Plain exact search on small positions with everything known."""

from __future__ import annotations

from collections.abc import Callable

from mangetout_solver.games.position import Position

Moves = Callable[[Position], list[int]]


def guaranteed(position: Position, seat: int, moves: Moves, known: dict[Position, float]) -> float:
    """The share of the win that a seat can guarantee against all others, who see everything as it does.

    moves: what is tried. known: the values found so far, for this seat and these moves.
    """
    if position not in known:
        if position.is_terminal:
            value = position.win_shares()[seat]
        elif position.is_chance:
            value = sum(p * guaranteed(position.play(o), seat, moves, known) for o, p in position.chance_outcomes())
        else:
            best = max if position.seat_to_move == seat else min
            value = best(guaranteed(position.play(move), seat, moves, known) for move in moves(position))
        known[position] = value
    return known[position]


def values(position: Position) -> list[float]:
    """What each seat can guarantee, all legal moves tried."""
    return [guaranteed(position, seat, Position.legal_moves, {}) for seat in range(position.players)]
