"""A Pepper. Corn! tableau between the cards of both players."""

from __future__ import annotations

from mangetout.v1 import game_pb2
from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from mangetout_cli import seats
from mangetout_cli.words import amount

_EXCUSES = {
    game_pb2.PEPPER_CORN_EXCUSE_BLOCKER: "bars the way: nothing takes it",
    game_pb2.PEPPER_CORN_EXCUSE_TAKEABLE: "can be taken with any card",
}


class PepperCornBoard:
    """Draws `PepperCornView`. Stateless."""

    def draw(self, position: game_pb2.Position, viewer: int | None) -> RenderableType:
        """The tableau, the viewer's side below, and the cards of both players on their sides."""
        view = position.pepper_corn
        # A's front row comes first in the message; the viewer, A where nobody plays, sits below.
        below = 1 if viewer == 1 else 0
        hands = [_hand(view, seat, viewer) for seat in (1 - below, below)]
        return Group(hands[0], _tableau(view, below), hands[1], *_notes(view))

    def result(self, position: game_pb2.Position) -> RenderableType:
        """Where the points of each player lie."""
        table = Table(box=box.SIMPLE_HEAD)
        for header in ("Player", "In discards", "In hand"):
            table.add_column(header, justify="right")
        for result, hand in zip(position.returns, position.pepper_corn.hands, strict=True):
            table.add_row(seats.letter(result.seat), str(hand.points), f"{result.score - hand.points:g}")
        return table


def _tableau(view: game_pb2.PepperCornView, below: int) -> Table:
    table = Table(box=box.SQUARE, show_header=False, show_lines=True)
    rows = list(reversed(view.rows)) if below == 0 else list(view.rows)
    for row in rows:
        cells = list(row.cells) if below == 0 else list(reversed(row.cells))
        table.add_row(*(_cell(cell, view) for cell in cells))
    return table


def _cell(cell: str, view: game_pb2.PepperCornView) -> Text:
    """A card, a dot for a gap, or a question mark for a card that lies face down."""
    if not cell or (cell == "EX" and view.excuse == game_pb2.PEPPER_CORN_EXCUSE_GAP):
        return Text("·")
    return Text(cell, style="bold" if cell == view.target else "dim" if cell == "?" else "")


def _hand(view: game_pb2.PepperCornView, seat: int, viewer: int | None) -> Text:
    """One line: whose cards, in their piles where these are known, and the points in the discards."""
    hand = view.hands[seat]
    text = Text(" ").append(seats.letter(seat), style="bold")
    text.append(" (you): " if seat == viewer else ": ")
    parts = [" ".join(pile) for pile in (hand.pile_0, hand.pile_1) if pile]
    in_piles = {*hand.pile_0, *hand.pile_1}
    rest = [card for card in hand.cards if card not in in_piles]
    if hand.deduced:
        rest.append(f"({' '.join(hand.deduced)}: no others are left)")
    elif hand.unknown:
        rest.append(amount(hand.unknown, "hidden card"))
    if rest:
        parts.append(" ".join(rest))
    text.append(" | ".join(parts) if parts else "no cards")
    return text.append(f"   {amount(hand.points, 'point')} in the discards" if hand.points else "")


def _notes(view: game_pb2.PepperCornView) -> list[Text]:
    notes = []
    if view.target:
        converter = f", converted by {view.converter}" if view.converter else ""
        notes.append(Text(f" taking {view.target} with {' + '.join(view.laid) or '...'}{converter}", style="italic"))
    if view.passed:
        notes.append(Text(" the turn before was a pass: a second one ends the game", style="italic"))
    if view.unseen:
        notes.append(Text(f" face down or out of play: {' '.join(view.unseen)}"))
    if view.HasField("next_seat"):
        notes.append(Text(f" a card is turned up, before {seats.letter(view.next_seat)}'s turn", style="italic"))
    if view.excuse in _EXCUSES:
        notes.append(Text(f" EX, the Excuse, {_EXCUSES[view.excuse]}"))
    return notes
