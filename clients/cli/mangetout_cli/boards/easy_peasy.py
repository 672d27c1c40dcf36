"""An Easy Peasy table: the discard piles, a line for each row, and all hands."""

from __future__ import annotations

from collections.abc import Iterable

from mangetout.v1 import game_pb2
from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from mangetout_cli import seats
from mangetout_cli.words import amount

_STYLES = {"R": "red", "P": "magenta", "G": "green", "X": "cyan", "Y": "yellow", "Z": "bright_blue"}
_DIRECTIONS = {
    game_pb2.EASY_PEASY_DIRECTION_UP: "UP, the same rank or a higher one",
    game_pb2.EASY_PEASY_DIRECTION_DOWN: "DOWN, the same rank or a lower one",
}


class EasyPeasyBoard:
    """Draws `EasyPeasyView`. Stateless."""

    def draw(self, position: game_pb2.Position, viewer: int | None) -> RenderableType:
        """The state of the match, the discard piles, rows and scores by seat, then all hands."""
        view = position.easy_peasy
        if view.phase == game_pb2.EASY_PEASY_PHASE_END:
            # The table is cleared.
            return _match(view)
        hands = [_hand(view, seat, viewer) for seat in range(len(view.players))]
        return Group(_match(view), *_piles(view), _rows(view), *hands)

    def result(self, position: game_pb2.Position) -> RenderableType:
        """The penalty points of the match, and of its last round, which decides where they are level."""
        view = position.easy_peasy
        table = Table(box=box.SIMPLE_HEAD, caption_justify="left")
        if view.cut_off:
            table.caption = "the last round was cut off"
        for header in ("Player", "In the match", "In the last round"):
            table.add_column(header, justify="right")
        for seat, player in enumerate(view.players):
            table.add_row(seats.letter(seat), str(player.score), str(player.last_score))
        return table


def _match(view: game_pb2.EasyPeasyView) -> Text:
    """Which round it is, what ends the match, and how far the round has come."""
    text = Text(f" round {view.round}")
    text.append(f" of {view.rounds}" if view.HasField("rounds") else f", to {amount(view.points, 'point')}")
    if view.phase == game_pb2.EASY_PEASY_PHASE_SCORE:
        ended = f"{seats.letter(view.ended_by)} has ended it" if view.HasField("ended_by") else "cut off"
        return text.append(f": {ended}")
    return text.append(f": {amount(view.turns, 'turn')} finished, cut off at {view.most_turns}" if view.turns else "")


def _piles(view: game_pb2.EasyPeasyView) -> list[Text]:
    """The Up&Down card, the discard piles and the draw pile, with the cards known to lie in them."""
    lines = []
    if view.direction in _DIRECTIONS:
        lines.append(Text(" Up&Down: ").append(_DIRECTIONS[view.direction], style="bold"))
    for number, top in enumerate(view.tops):
        bonus = " (bonus)" if view.HasField("bonus_pile") and view.bonus_pile == number else ""
        lines.append(Text(f" discard pile {number}: ").append_text(_card(top or "-", "bold")).append(bonus))
    if view.discards:
        lines.append(Text(" under both: ").append_text(_cards(view.discards)))
    lines.append(Text(f" draw pile: {amount(view.draw_pile, 'card')}"))
    for number, shuffle in enumerate(view.shuffles, start=1):
        lines.append(Text(f" hidden since shuffle {number}: ").append_text(_cards(shuffle.cards)))
    return lines


def _rows(view: game_pb2.EasyPeasyView) -> Table:
    table = Table(box=box.SIMPLE_HEAD, caption_justify="left")
    piles = [pile for player in view.players for pile in player.row]
    if any(pile.beneath or pile.beneath_unknown for pile in piles):
        table.caption = "open/beneath, ? nobody has seen"
    scoring = view.phase == game_pb2.EASY_PEASY_PHASE_SCORE
    headers = ["\nscore", "this\nround" if scoring else "last\nround"]
    if view.round == 1 and not scoring:
        del headers[1]
    table.add_column(overflow="fold")
    for number in range(len(view.players[0].row)):
        table.add_column(f"row\n{number}", justify="center", overflow="fold")
    for header in headers:
        table.add_column(header, justify="right", overflow="fold")
    for seat, player in enumerate(view.players):
        scores = [str(player.score), "" if scoring and seat >= view.hands_shown else str(player.last_score)]
        table.add_row(_name(view, seat), *map(_pile, player.row), *scores[: len(headers)])
    return table


def _name(view: game_pb2.EasyPeasyView, seat: int) -> Text:
    """The letter of a seat, marked when it is its turn."""
    active = view.HasField("active_seat") and view.active_seat == seat
    return Text(("> " if active else "  ") + seats.letter(seat), style="bold")


def _pile(pile: game_pb2.EasyPeasyPile) -> Text:
    text = _card(pile.open or "-")
    if pile.beneath or pile.beneath_unknown:
        text.append("/").append_text(_card(pile.beneath or "?"))
    return text


def _hand(view: game_pb2.EasyPeasyView, seat: int, viewer: int | None) -> Text:
    """One line: whose hand, its known cards, the number of others, and what being stuck has shown of them."""
    player = view.players[seat]
    text = Text(" ").append(seats.letter(seat), style="bold")
    notes = [note for note, holds in (("you", seat == viewer), ("may begin", seat in view.beginners)) if holds]
    text.append(f" ({', '.join(notes)}): " if notes else ": ")
    parts = [_cards(player.hand)] if player.hand else []
    if player.unknown:
        parts.append(Text(_unknown(player)))
    text.append_text(Text("  ").join(parts) if parts else Text("no cards"))
    if player.HasField("stuck"):
        text.append(f"  ({_showing(player.stuck, len(view.shuffles))})", style="italic")
    return text


def _unknown(player: game_pb2.EasyPeasyPlayer) -> str:
    by_shuffle = [f"{count} since shuffle {n}" for n, count in enumerate(player.unknown_by_shuffle) if n and count]
    return ", ".join([amount(player.unknown, "hidden card"), *by_shuffle])


def _showing(showing: game_pb2.EasyPeasyShowing, newest: int) -> str:
    """What being stuck has shown; newest: number of the last shuffle."""
    which = "cards" if showing.shuffle == newest else f"cards from before shuffle {showing.shuffle + 1}"
    text = f"was stuck: {which} {'above' if showing.above else 'below'} {showing.rank}"
    if not showing.free:
        return text
    return f"{text}, but for {showing.free}" + (f" since shuffle {showing.shuffle}" if showing.shuffle else "")


def _cards(cards: Iterable[str]) -> Text:
    return Text(" ").join(map(_card, cards))


def _card(card: str, style: str = "") -> Text:
    return Text(card, style=f"{style} {_STYLES.get(card[:1], '')}".strip())
