"""An Erbsenzählen table: what lies before each player by value, and what is left in the centre."""

from __future__ import annotations

from collections.abc import Iterable

from mangetout.v1 import game_pb2
from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from mangetout_cli import seats
from mangetout_cli.words import amount

_STYLES = {"G": "green", "R": "red"}


class ErbsenzaehlenBoard:
    """Draws `ErbsenzaehlenView`. Stateless."""

    def draw(self, position: game_pb2.Position, viewer: int | None) -> RenderableType:
        """The displays, the cards left and the box beside them where there is room, and the turn under way."""
        view = position.erbsenzaehlen
        return Group(Columns([_displays(view, viewer), _stock(view)]), *_turn(view))

    def result(self, position: game_pb2.Position) -> RenderableType:
        """The giant peas of each player, and the mush, which decides where they are level."""
        table = Table(box=box.SIMPLE_HEAD)
        for header in ("Player", "Giant peas", "Mush"):
            table.add_column(header, justify="right")
        for seat, player in enumerate(position.erbsenzaehlen.players):
            table.add_row(seats.letter(seat), str(player.giant_peas), str(player.mush))
        return table


def _displays(view: game_pb2.ErbsenzaehlenView, viewer: int | None) -> Table:
    """A column a player: the six columns of the display as lines, then all else."""
    table = Table(box=box.SIMPLE_HEAD, caption="bottom to top, [protected]", caption_justify="left")
    table.add_column(overflow="fold")
    for seat in range(len(view.players)):
        # Whose turn it is stands out without colours too.
        mark = "> " if view.HasField("seat") and view.seat == seat else ""
        you = "you" if seat == viewer else ""
        table.add_column(Text(f"{mark}{seats.letter(seat)}\n{you}"), justify="center", overflow="fold")
    for value in range(6):
        table.add_row(Text(str(value + 1), style="bold"), *(_column(player.columns[value]) for player in view.players))
    table.add_section()
    for name in ("giant_peas", "mush", "thieves", "bad_luck", "missed"):
        counts = (getattr(player, name) for player in view.players)
        table.add_row(_LABELS[name], *(_count(count) for count in counts))
    return table


_LABELS = {
    "giant_peas": "giant peas",
    "mush": "mush",
    "thieves": "thieves",
    "bad_luck": "bad luck",
    "bonus": "bonus",
    "missed": "turns to miss",
}


def _stock(view: game_pb2.ErbsenzaehlenView) -> Table:
    """How many cards of each sort lie in the centre and in the box: point cards as green + red."""
    table = Table(box=box.SIMPLE_HEAD, caption="green + red", caption_justify="left")
    table.add_column(overflow="fold")
    for name, cards in (("centre", view.centre), ("box", view.box)):
        total = sum((*cards.green, *cards.red, cards.mush, cards.thieves, cards.bad_luck, cards.bonus))
        table.add_column(f"{name}\n{total}", justify="center", overflow="fold")
    for value in range(6):
        points = (f"{cards.green[value]} + {cards.red[value]}" for cards in (view.centre, view.box))
        table.add_row(Text(str(value + 1), style="bold"), *points)
    table.add_section()
    for name in ("mush", "thieves", "bad_luck", "bonus"):
        table.add_row(_LABELS[name], *(_count(getattr(cards, name)) for cards in (view.centre, view.box)))
    return table


def _count(number: int) -> str:
    return str(number or "-")


def _column(cards: str) -> Text:
    """The cards of a column from bottom to top, the protected ones in brackets."""
    protected, red, free = cards.rpartition("R")
    text = Text()
    if red:
        text.append("[").append_text(_colours(protected + red)).append("]")
    text.append_text(_colours(free))
    return text if cards else Text("-")


def _colours(cards: str) -> Text:
    return Text().join(Text(card, style=_STYLES.get(card, "")) for card in cards)


def _turn(view: game_pb2.ErbsenzaehlenView) -> list[Text]:
    """What the seat whose turn it is has in hand and has under way."""
    lines = []
    hand = [Text(card, style=_STYLES.get(card[-1:], "")) for card in view.drawn]
    if view.bonus:
        hand.append(Text(amount(view.bonus, "bonus pea")))
    if hand:
        lines.append(Text(" turned up, not used: ").append_text(Text("  ").join(hand)))
    if view.to_turn_up:
        lines.append(Text(f" still to be turned up: {amount(view.to_turn_up, 'card')}"))
    if view.traded:
        lines.append(Text(f" exchanged in this turn with {_letters(view.traded)}"))
    if view.barred:
        lines.append(Text(f" must not come back in this turn: {amount(view.barred, 'position')}"))
    if view.partners:
        lines.append(Text(f" exchange under way with {_letters(view.partners)}", style="bold"))
        lines += [_trade(view.seat, trade) for trade in view.trades]
    if view.HasField("completing_seat"):
        owner = seats.letter(view.completing_seat)
        lines.append(Text(f" {owner} has a complete sequence and gives up a {view.completing_value}", style="bold"))
    return lines


def _letters(numbers: Iterable[int]) -> str:
    return " and ".join(map(seats.letter, numbers))


def _trade(seat: int, trade: game_pb2.ErbsenzaehlenTrade) -> Text:
    given, taken = (" + ".join(map(str, values)) or "..." for values in (trade.given, trade.taken))
    return Text(f"   {seats.letter(seat)} gives {given} for {taken} of {seats.letter(trade.partner)}")
