"""Erbsenzählen steps and turns in words."""

from __future__ import annotations

from collections.abc import Sequence

from mangetout_solver.games.erbsenzaehlen.notation import format_step
from mangetout_solver.games.erbsenzaehlen.positions import KINDS, SEATS, GameView, TradeView, card_above, view
from mangetout_solver.games.game import Record
from mangetout_solver.games.position import Position

_COLOURS = {"G": "green", "R": "red", "": "missing"}
_OTHER_CARDS = {"mush": "pea mush", "thief": "a pea thief", "luck": "a bad luck pea", "bonus": "a bonus pea"}


def describe_step(position: Position, step: int) -> str:
    """The step in words."""
    game = view(position)
    text = format_step(step)
    match text[0]:
        case "*":
            return f"{_card(text[1:])} is turned up"
        case "^":
            value, above = int(text[1]), int(text[3:])
            colour = _COLOURS[card_above(position, value - 1, above)]
            return (
                f"the {colour} {value} under {above} {'card' if above == 1 else 'cards'} leaves"
                if above
                else f"the top {colour} {value} leaves"
            )
        case "x":
            return f"exchange with {_names([SEATS.index(letter) for letter in text[1:]])}"
        case "-":
            return f"give {SEATS[game.trades[-1].partner]} a {text[1]}" if game.trades else f"give a {text[1]}"
        case "+":
            return f"take a {text[1]} from {SEATS[game.trades[-1].partner]}" if game.trades else f"take a {text[1]}"
        case ",":
            return "go on with the next partner"
        case ".":
            return describe_exchange(game)
    if text == "bonus":
        return "use a bonus pea: turn up 3 more cards"
    if text in KINDS:
        return f"place {_card(text)}"
    if text == "end":
        return "end the turn"
    if text.startswith("thief"):
        return f"steal a green {text[-1]} from {text[-2]}"
    return f"{text[-1]} misses a turn"


def describe_next(position: Position) -> str:
    """The decision or chance event that comes next, in words; empty at the end."""
    game = view(position)
    if game.completing is not None:
        return f"choose the {game.completing[1]} that leaves with the complete sequence"
    if game.partners:
        return f"choose the cards to exchange with {SEATS[game.trades[-1].partner]}"
    match game.phase:
        case "draw":
            return (
                "a card is turned up" if game.to_turn_up == 1 else f"the first of {game.to_turn_up} cards is turned up"
            )
        case "play":
            return "place, use or exchange cards, or end the turn"
    return ""


def describe_exchange(game: GameView) -> str:
    """The exchange under way as one sentence."""
    return "exchange " + " and ".join(map(_trade, game.trades))


def describe_turn(turn: Record) -> str:
    """A whole turn in words: an exchange, also one that is not finished, as one sentence."""
    said = []
    for position, step, after in zip(turn.positions, turn.moves, turn.positions[1:], strict=False):
        text = format_step(step)
        if text[0] in "x-+,":
            # The last step tells it all; where it is still to come, the last one there is.
            if after is turn.current:
                said.append(describe_exchange(view(after)) if text[0] != "x" else describe_step(position, step))
        else:
            said.append(describe_step(position, step))
    return "; ".join(said)


def _card(kind: str) -> str:
    return _OTHER_CARDS[kind] if kind in _OTHER_CARDS else f"a {_COLOURS[kind[1]]} {kind[0]}"


def _names(seats: Sequence[int]) -> str:
    return " and ".join(SEATS[seat] for seat in seats)


def _trade(trade: TradeView) -> str:
    given, taken = (" + ".join(map(str, values)) or "nothing" for values in (trade.given, trade.taken))
    return f"{given} for {SEATS[trade.partner]}'s {taken}"
