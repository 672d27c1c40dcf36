"""The structured view of a position of Pepper. Corn!."""

from __future__ import annotations

from mangetout.v1 import game_pb2
from mangetout_solver.games import pepper_corn
from mangetout_solver.games.position import Position

_PHASES = {
    "split": game_pb2.PEPPER_CORN_PHASE_SPLIT,
    "show": game_pb2.PEPPER_CORN_PHASE_SHOW,
    "choose": game_pb2.PEPPER_CORN_PHASE_CHOOSE,
    "reveal": game_pb2.PEPPER_CORN_PHASE_REVEAL,
    "lot": game_pb2.PEPPER_CORN_PHASE_LOT,
    "play": game_pb2.PEPPER_CORN_PHASE_PLAY,
    "end": game_pb2.PEPPER_CORN_PHASE_END,
    "uncover": game_pb2.PEPPER_CORN_PHASE_UNCOVER,
}
_EXCUSES = {
    "gap": game_pb2.PEPPER_CORN_EXCUSE_GAP,
    "blocker": game_pb2.PEPPER_CORN_EXCUSE_BLOCKER,
    "takeable": game_pb2.PEPPER_CORN_EXCUSE_TAKEABLE,
}


def show(position: Position, shown: game_pb2.PepperCornView) -> None:
    """Fills in all that the position shows."""
    view = pepper_corn.view(position)
    shown.phase = _PHASES[view.phase]
    shown.passed, shown.target = view.passed, view.target or ""
    shown.laid.extend(view.laid)
    shown.converter = view.converter or ""
    shown.unseen.extend(view.unseen)
    if view.next_seat is not None:
        shown.next_seat = view.next_seat
    if any("EX" in row for row in view.tableau):
        shown.excuse = _EXCUSES[view.excuse]
    shown.cards_shown = view.steps if view.phase == "show" else 0
    for row in view.tableau:
        shown.rows.add(cells=[card or "" for card in row])
    for hand, points in zip(view.hands, view.points, strict=True):
        piles = hand.piles or ((), ())
        shown.hands.add(
            cards=hand.cards,
            unknown=hand.unknown,
            points=points,
            pile_0=piles[0],
            pile_1=piles[1],
            deduced=hand.deduced,
        )
    for seat, pile in enumerate(view.choices):
        if pile is not None:
            shown.choices.add(seat=seat, pile=None if pile == pepper_corn.HIDDEN else pile)
