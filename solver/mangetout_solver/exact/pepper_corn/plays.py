"""Play of Pepper. Corn! for the solving of whole positions: how it may end, and `PlaySolver`."""

from __future__ import annotations

from mangetout_solver.exact.pepper_corn.solver import PlaySolver
from mangetout_solver.exact.solution import Outcome
from mangetout_solver.games.decktet import CARDS
from mangetout_solver.games.pepper_corn import view
from mangetout_solver.games.position import Position

_RANKS = {card.id: card.points for card in CARDS}


class Plays(PlaySolver):
    """See `exact.solution.Kernel`."""

    def outcomes(self, position: Position) -> tuple[Outcome, ...]:
        """See `Kernel`."""
        game = view(position)
        ranks = [sum(_RANKS[card] for card in hand.cards) for hand in game.hands]
        margin = game.points[0] + ranks[0] - game.points[1] - ranks[1]
        most = self.most_gains(position)
        # PC-24
        return tuple(
            Outcome(found, (1.0, 0.0) if found > 0 else (0.0, 1.0) if found < 0 else (0.5, 0.5), None)
            for found in range(margin - most[1], margin + most[0] + 1)
        )


def in_play(position: Position) -> bool:
    """Whether nothing is left to chance: the hands are made up and no card lies face down."""
    game = view(position)
    return game.phase == "play" and not game.unseen
