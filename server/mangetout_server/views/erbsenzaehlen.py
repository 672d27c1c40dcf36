"""The structured view of a position of Erbsenzählen."""

from __future__ import annotations

from mangetout.v1 import game_pb2
from mangetout_solver.games import erbsenzaehlen
from mangetout_solver.games.position import Position

_PHASES = {
    "draw": game_pb2.ERBSENZAEHLEN_PHASE_DRAW,
    "play": game_pb2.ERBSENZAEHLEN_PHASE_PLAY,
    "complete": game_pb2.ERBSENZAEHLEN_PHASE_COMPLETE,
    "end": game_pb2.ERBSENZAEHLEN_PHASE_END,
}


def show(position: Position, shown: game_pb2.ErbsenzaehlenView) -> None:
    """Fills in all that the position shows."""
    view = erbsenzaehlen.view(position)
    shown.phase = _PHASES[view.phase]
    if view.seat is not None:
        shown.seat = view.seat
    for player in view.players:
        shown.players.add(
            columns=player.columns,
            giant_peas=player.giant_peas,
            mush=player.mush,
            thieves=player.thieves,
            bad_luck=player.bad_luck,
            missed=player.missed,
        )
    for cards, counts in ((shown.centre, view.centre), (shown.box, view.box)):
        cards.green.extend(counts[0:12:2])
        cards.red.extend(counts[1:12:2])
        cards.mush, cards.thieves, cards.bad_luck, cards.bonus = counts[12:]
    for kind, count in zip(erbsenzaehlen.KINDS, view.drawn, strict=False):
        shown.drawn.extend([kind] * count)
    shown.bonus, shown.to_turn_up, shown.barred = view.bonus, view.to_turn_up, len(view.barred)
    shown.traded.extend(view.traded)
    shown.partners.extend(view.partners)
    for trade in view.trades:
        shown.trades.add(partner=trade.partner, given=trade.given, taken=trade.taken)
    if view.completing is not None:
        shown.completing_seat, shown.completing_value = view.completing
