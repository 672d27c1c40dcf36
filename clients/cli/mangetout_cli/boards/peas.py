"""A round of PEAS as a row of pods between the cards of both players."""

from __future__ import annotations

from mangetout.v1 import game_pb2
from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from mangetout_cli import seats
from mangetout_cli.words import amount

_COLOUR_NAMES = {"B": "blue", "R": "pink", "V": "purple", "Y": "yellow"}
_COLOUR_STYLES = {"B": "bright_blue", "R": "hot_pink", "V": "medium_purple2", "Y": "yellow"}


class PeasBoard:
    """Draws `PeasView`. Stateless."""

    def draw(self, position: game_pb2.Position, viewer: int | None) -> RenderableType:
        """The pods from the Bottom to the Tip, the viewer's cards below them, then all hands."""
        view = position.peas
        # The viewer sits below the row; who only watches reads A first.
        order = sorted(range(len(view.hands)), key=lambda seat: seat == viewer)
        return Group(*_match(view), _pods(view, order), *(_hand(view, seat, viewer) for seat in order))

    def result(self, position: game_pb2.Position) -> RenderableType:
        """Who won which pod, in the order of judging."""
        table = Table(box=box.SIMPLE_HEAD, title="Judging, from the Bottom to the Tip", title_justify="left")
        for header in ("Pod", "Worth", *(f"{seats.letter(s)} played" for s in range(position.players)), "Won by"):
            table.add_column(header, justify="right")
        for number, pod in enumerate(position.peas.pods):
            cards = [_card_of(pod, seat) for seat in range(position.players)]
            table.add_row(str(number), _worth(pod), *cards, _winner(pod))
        return table


def _match(view: game_pb2.PeasView) -> list[Text]:
    """The rounds won, and how far a round under way of being dealt is; nothing in a single round."""
    if not view.wins:
        return []
    lines = [Text("Rounds won: " + ", ".join(f"{seats.letter(s)} {wins}" for s, wins in enumerate(view.wins)))]
    if view.HasField("deal"):
        left = ", ".join(f"{value:+d}" for value in view.deal.undrawn)
        dealt = f"pods to be drawn: {left}" if left else f"{amount(view.deal.dealt, 'card')} dealt"
        lines.append(Text(f"The next round is dealt; {dealt}"))
    return lines


def _pods(view: game_pb2.PeasView, order: list[int]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, caption_justify="left")
    if any(pod.plays for pod in view.pods):
        table.caption = "* was played first on its pod"
    table.add_column("\npod", style="bold", no_wrap=True)
    last = len(view.pods) - 1
    for number in range(len(view.pods)):
        end = "Bottom" if number == 0 else "Tip" if number == last else ""
        table.add_column(f"{end}\n{number}", justify="center", no_wrap=True)
    rows: list[tuple[str | Text, ...]] = [
        (seats.letter(seat), *(_card_of(pod, seat) for pod in view.pods)) for seat in order
    ]
    # The row of pods lies between the players.
    rows.insert(len(rows) - 1, ("worth", *(_worth(pod) for pod in view.pods)))
    for row in rows:
        table.add_row(*row)
    if any(pod.HasField("winner") for pod in view.pods):
        table.add_row("won by", *(_winner(pod) for pod in view.pods))
    return table


def _worth(pod: game_pb2.PeasPod) -> Text:
    return Text(f"{pod.value:+d}", style="bold green" if pod.value >= 0 else "bold red")


def _winner(pod: game_pb2.PeasPod) -> str:
    return seats.letter(pod.winner) if pod.HasField("winner") else ""


def _card_of(pod: game_pb2.PeasPod, seat: int) -> Text:
    """The card of a seat on a pod, marked when it was the first there; empty where there is none."""
    for index, play in enumerate(pod.plays):
        if play.seat == seat:
            return Text(play.card + ("*" if index == 0 else ""), style=_COLOUR_STYLES.get(play.card[:1], ""))
    return Text()


def _hand(view: game_pb2.PeasView, seat: int, viewer: int | None) -> Text:
    """One line: whose hand, its known cards by colour, the number of others, and the colours it is known to lack."""
    hand = view.hands[seat]
    text = Text(" ").append(seats.letter(seat), style="bold")
    notes = [note for note, holds in (("you", seat == viewer), ("pea", seat == view.pea)) if holds]
    text.append(f" ({', '.join(notes)}): " if notes else ": ")
    parts = [_suit(colour, hand) for colour in _COLOUR_NAMES if any(card[:1] == colour for card in hand.cards)]
    if hand.unknown:
        parts.append(Text(amount(hand.unknown, "hidden card")))
    text.append_text(Text("  ").join(parts) if parts else Text("no cards left"))
    if hand.voids and (hand.cards or hand.unknown):
        names = " or ".join(_COLOUR_NAMES.get(colour, colour) for colour in hand.voids)
        text.append(f"  (has no {names})", style="italic")
    return text


def _suit(colour: str, hand: game_pb2.PeasHand) -> Text:
    cards = " ".join(card for card in hand.cards if card[:1] == colour)
    return Text(f"{_COLOUR_NAMES[colour]} {cards}", style=_COLOUR_STYLES[colour])
