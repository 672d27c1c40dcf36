"""The structured view of a position of PEAS."""

from __future__ import annotations

from mangetout.v1 import game_pb2
from mangetout_solver.games import peas
from mangetout_solver.games.position import Position


def show(position: Position, shown: game_pb2.PeasView) -> None:
    """Fills in all that the position shows."""
    view = peas.view(position)
    shown.pea, shown.colours, shown.ranks = view.pea, view.colours, view.ranks
    for pod in view.pods:
        plays = [game_pb2.PeasPlay(seat=seat, card=card) for seat, card in pod.plays]
        shown.pods.add(value=pod.value, plays=plays, winner=pod.winner)
    for hand in view.hands:
        shown.hands.add(cards=hand.cards, unknown=hand.unknown, voids=hand.voids)
    shown.wins.extend(view.wins or ())
    if view.deal is not None:
        deal = game_pb2.PeasDeal(undrawn=view.deal.undrawn, dealt=view.deal.dealt, placed=view.deal.placed)
        shown.deal.CopyFrom(deal)
