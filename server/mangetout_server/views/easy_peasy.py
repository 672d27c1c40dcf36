"""The structured view of a position of Easy Peasy."""

from __future__ import annotations

from mangetout.v1 import game_pb2
from mangetout_solver.games import easy_peasy
from mangetout_solver.games.position import Position

_DIRECTIONS = {
    "-": game_pb2.EASY_PEASY_DIRECTION_UNSPECIFIED,
    "up": game_pb2.EASY_PEASY_DIRECTION_UP,
    "down": game_pb2.EASY_PEASY_DIRECTION_DOWN,
}


def show(position: Position, shown: game_pb2.EasyPeasyView) -> None:
    """Fills in all that the position shows."""
    view = easy_peasy.view(position)
    phase, settings = view.phase, view.settings
    shown.phase = game_pb2.EasyPeasyPhase.Value(f"EASY_PEASY_PHASE_{phase.upper()}")
    shown.direction = _DIRECTIONS[view.direction]
    shown.tops.extend("" if top is None else easy_peasy.card_text(top) for top in view.tops)
    shown.discards.extend(map(easy_peasy.card_text, view.discards))
    shown.draw_pile = view.draw_pile
    for era in view.eras[1:]:
        shown.shuffles.add(cards=map(easy_peasy.card_text, era))
    for row, hand, score, last in zip(view.rows, view.hands, view.scores, view.last_scores, strict=True):
        player = shown.players.add(
            hand=map(easy_peasy.card_text, hand.cards),
            unknown=sum(hand.unknown),
            unknown_by_shuffle=hand.unknown,
            score=score,
            last_score=last,
        )
        for pile in row:
            unknown = pile.beneath == easy_peasy.UNKNOWN
            player.row.add(
                open="" if pile.open is None else easy_peasy.card_text(pile.open),
                beneath="" if pile.beneath is None or unknown else easy_peasy.card_text(pile.beneath),
                beneath_unknown=unknown,
            )
    for stuck in view.showings:
        shown.players[stuck.seat].stuck.MergeFrom(
            game_pb2.EasyPeasyShowing(above=stuck.above, rank=stuck.rank, shuffle=stuck.era, free=stuck.free)
        )
    if view.seat is not None:
        if phase == "score":
            shown.ended_by = view.seat
        else:
            shown.active_seat = view.seat
    shown.flipped_again = view.again
    match phase:
        case "draw":
            shown.draws_left = view.number
        case "bonus":
            shown.bonus_pile = view.number
        case "reveal":
            shown.row_pile = view.number
        case "score":
            shown.hands_shown = view.number
    shown.beginners.extend(view.beginners)
    shown.round, shown.turns, shown.most_turns = view.round, view.turns, settings.turns * settings.players
    shown.cut_off = view.cut_off
    if settings.rounds is not None:
        shown.rounds = settings.rounds
    if settings.points is not None:
        shown.points = settings.points
