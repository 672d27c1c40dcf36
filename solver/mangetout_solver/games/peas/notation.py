"""PEAS positions, moves and chance events as text; the grammar is in docs/notation/peas.md."""

from __future__ import annotations

import re
from typing import Any

from mangetout_solver.errors import InputError, NotationError, PositionError
from mangetout_solver.games.game import MoveParts
from mangetout_solver.games.options import ChoiceOption, IntOption, format_options, parse_options
from mangetout_solver.games.peas.positions import COLOUR_LETTERS, RoundView, build, card_text, view
from mangetout_solver.games.position import Position
from mangetout_solver.games.reader import Reader

COLOURS = IntOption("colours", "4", "Number of colours in the deck.", low=1, high=4)
RANKS = IntOption("ranks", "6", "Cards of each colour, numbered from 1.", low=1, high=8)
SCOPE = ChoiceOption(
    "scope", "round", "One round, or a match of up to three: whoever wins two wins it.", choices=("round", "match")
)
_OPTIONS = (COLOURS, RANKS, SCOPE)

# Kinds and numbers of steps, as in rules.pxd.
_POD, _CARD = 128, 129
_UNSEEN = 0xFFFFFF
_ZONES = "AB-"

_HEADER = re.compile(r"peas(\{[^}\s]*\}?)?")
_MOVE = re.compile(r"([BRVY])([1-8])@(\d{1,2})")
_DRAWN = re.compile(r"\*([+-]\d)")
_DEALT = re.compile(r"\*([BRVY])([1-8])>([AB-])")


def _card(reader: Reader) -> int:
    colour = reader.take("[BRVY]", "a card: a colour B, R, V or Y and a rank")
    rank = reader.take("[1-8]", "a rank from 1 to 8")
    return 8 * COLOUR_LETTERS.index(colour) + int(rank) - 1


def _seat(reader: Reader) -> int:
    return "AB".index(reader.take("[AB]", "a seat, A or B"))


def _value(reader: Reader) -> int:
    return int(reader.take("[+-][0-9]", "a pod value: + or - and a digit"))


def _pod(reader: Reader) -> tuple[int, list[tuple[int, int]]]:
    value = _value(reader)
    plays: list[tuple[int, int]] = []
    if reader.optional("["):
        while not plays or (len(plays) == 1 and reader.optional(",")):
            seat = _seat(reader)
            reader.take("=", "'='")
            plays.append((seat, _card(reader)))
        reader.take("]", "',' and a second card, or ']'" if len(plays) == 1 else "']'")
    return value, plays


def _hand(reader: Reader) -> tuple[list[int], int]:
    if reader.optional("-"):
        return [], 0
    cards = []
    while reader.text[reader.at : reader.at + 1] not in ("", " ", "?"):
        cards.append(_card(reader))
    unknown = len(reader.take(r"\?*", "'?'"))
    if not cards and not unknown:
        raise reader.error("a hand: cards, '?' for each unknown one, or '-' for none")
    return cards, unknown


def _match_fields(reader: Reader) -> dict[str, Any]:
    """Rounds won and, while a round is dealt, how far."""
    reader.blanks("the rounds won by A and by B")
    wins = (
        int(reader.take("[0-9]", "the rounds won by A")),
        int(reader.take("-[0-9]", "'-' and the rounds won by B")[1:]),
    )
    reader.skip_blanks()
    if reader.at == len(reader.text):
        return {"wins": wins}
    dealt = reader.take(r"deal/[0-9]{1,2}", "the end of the position, or 'deal/' and the number of cards dealt")
    return {"wins": wins, "dealt": int(dealt[len("deal/") :]), "placed": not reader.optional("?")}


def parse(text: str, field: str) -> Position:
    """Reads a position. Raises NotationError with the column, or PositionError, both under `field`."""
    reader = Reader(text, field)
    reader.skip_blanks()
    start = reader.at
    header = reader.take(_HEADER.pattern, "'peas'")
    options = parse_options(header[len("peas") :], _OPTIONS, field, start + len("peas"))
    reader.blanks("the pods")
    pods: list[int] = []
    plays: list[list[tuple[int, int]]] = []
    while not pods or reader.optional("/"):
        value, on_pod = _pod(reader)
        pods.append(value)
        plays.append(on_pod)
    is_match = options["scope"] == "match"
    undrawn: list[int] = []
    if is_match and reader.optional("|"):
        while not undrawn or reader.optional("/"):
            undrawn.append(_value(reader))
    reader.blanks("A's hand")
    hand_a = _hand(reader)
    reader.blanks("B's hand")
    hand_b = _hand(reader)
    reader.blanks("the holder of the pea")
    pea = _seat(reader)
    match = _match_fields(reader) if is_match else {}
    reader.skip_blanks()
    if reader.at < len(text):
        raise reader.error("the end of the position")
    try:
        return build(
            pods,
            plays,
            (hand_a[0], hand_b[0]),
            (hand_a[1], hand_b[1]),
            pea,
            options["colours"],
            options["ranks"],
            undrawn=undrawn,
            **match,
        )
    except InputError as error:
        raise PositionError(field, f"{error.field}: {error.reason}") from None


def format_round(round_: RoundView) -> str:
    """The canonical notation."""
    scope = "round" if round_.wins is None else "match"
    header = "peas" + format_options({"colours": round_.colours, "ranks": round_.ranks, "scope": scope}, _OPTIONS)
    pods = []
    for pod in round_.pods:
        plays = ",".join(f"{'AB'[seat]}={card}" for seat, card in pod.plays)
        pods.append(f"{pod.value:+d}" + (f"[{plays}]" if plays else ""))
    row = "/".join(pods)
    hands = ["".join(hand.cards) + "?" * hand.unknown or "-" for hand in round_.hands]
    fields = [header, row, *hands, "AB"[round_.pea]]
    if round_.wins is not None:
        fields.append(f"{round_.wins[0]}-{round_.wins[1]}")
    if round_.deal is not None:
        if round_.deal.undrawn:
            fields[1] += "|" + "/".join(f"{value:+d}" for value in round_.deal.undrawn)
        fields.append(f"deal/{round_.deal.dealt}" + ("" if round_.deal.placed else "?"))
    return " ".join(fields)


def parse_step(position: Position, text: str, field: str) -> int:
    """The number of a move or chance event, legal or not. Raises NotationError."""
    if match := _MOVE.fullmatch(text):
        pod = int(match[3])
        if pod > 11 or str(pod) != match[3]:
            raise NotationError(field, 4, repr(match[3]), "the number of a pod, 0 to 11")
        return 32 * pod + _card_number(match)
    round_ = view(position)
    if round_.wins is None:
        raise NotationError(field, 1, repr(text[:20]), "a card and a pod, such as B2@0")
    if match := _DRAWN.fullmatch(text):
        values = round_.values()
        if int(match[1]) not in values:
            raise NotationError(field, 2, repr(match[1]), "the value of a pod of the match")
        return _POD << 24 | values.index(int(match[1]))
    if match := _DEALT.fullmatch(text):
        return _CARD << 24 | 32 * _ZONES.index(match[3]) | _card_number(match)
    if text == "*?":
        return _CARD << 24 | _UNSEEN
    expected = "a card and a pod, such as B2@0, or a chance event, such as *+1, *B2>A or *?"
    raise NotationError(field, 1, repr(text[:20]), expected)


def _card_number(match: re.Match[str]) -> int:
    return 8 * COLOUR_LETTERS.index(match[1]) + int(match[2]) - 1


def format_step(position: Position, step: int) -> str:
    """The notation of a move or chance event."""
    kind, number = step >> 24, step & _UNSEEN
    if kind == _POD:
        return f"*{view(position).values()[number]:+d}"
    if kind == _CARD:
        return "*?" if number == _UNSEEN else f"*{card_text(number & 31)}>{_ZONES[number >> 5]}"
    return f"{card_text(number & 31)}@{number >> 5}"


def step_parts(position: Position, step: int) -> MoveParts:
    """A move or chance event in structured form."""
    kind, number = step >> 24, step & _UNSEEN
    if kind == _POD:
        return MoveParts("draw_pod", number=view(position).values()[number])
    if kind == _CARD and number == _UNSEEN:
        return MoveParts("deal")
    card = card_text(number & 31)
    if kind == _CARD:
        receiver = number >> 5
        return MoveParts("deal", card, seats=(receiver,)) if receiver < 2 else MoveParts("set_aside", card)
    return MoveParts("play", card, place=number >> 5)


def describe_step(position: Position, step: int) -> str:
    """A move or chance event in words."""
    kind, number = step >> 24, step & _UNSEEN
    round_ = view(position)
    if kind == _POD:
        pod = len(round_.pods) if round_.deal else 0
        return f"pod {pod} of the next round is worth {round_.values()[number]:+d}"
    if kind == _CARD and number == _UNSEEN:
        return "a card is dealt unseen"
    card = _card_words(card_text(number & 31))
    if kind == _CARD:
        return f"{card} is " + ("dealt to A", "dealt to B", "set aside")[number >> 5]
    on_pod = round_.pods[number >> 5]
    answered = f", against {on_pod.plays[0][1]}" if on_pod.plays else ""
    return f"{card} on pod {number >> 5} ({on_pod.value:+d}{answered})"


def describe_next(position: Position) -> str:
    """What comes next; empty at the end."""
    if position.is_terminal:
        return ""
    if not position.is_chance:
        return "lay a card on a pod"
    deal = view(position).deal
    return "a pod of the next round is drawn" if deal is None or deal.undrawn else "a card of the next round is dealt"


_COLOUR_NAMES = {"B": "blue", "R": "pink", "V": "purple", "Y": "yellow"}


def _card_words(card: str) -> str:
    return f"{_COLOUR_NAMES[card[0]]} {card[1]}"


def renamings(position: Position) -> dict[str, str]:
    """The notations that renaming the colours gives, by the new letters of the colours; the first is the position's.

    The colours are alike in all rules, except while cards are dealt in the order of the deck.
    """
    round_ = view(position)
    text = format_round(round_)
    if round_.deal is not None and round_.deal.dealt:
        return {COLOUR_LETTERS[: round_.colours]: text}
    return {letters: _renamed(text, letters, round_.colours) for letters in _PERMUTATIONS[round_.colours]}


def _permutations(letters: str) -> list[str]:
    if not letters:
        return [""]
    return [first + rest for first in letters for rest in _permutations(letters.replace(first, ""))]


_PERMUTATIONS = {n: _permutations(COLOUR_LETTERS[:n]) for n in range(1, len(COLOUR_LETTERS) + 1)}


def _renamed(text: str, letters: str, colours: int) -> str:
    """Renames the colours and puts the cards of each hand back in order. Seats are A and B, and so is one colour."""
    header, pods, *rest = text.split(" ")
    names = dict(zip(COLOUR_LETTERS[:colours], letters, strict=True))
    pods = re.sub(r"=([BRVY])", lambda match: "=" + names[match[1]], pods)
    hands = []
    for hand in rest[:2]:
        cards = [names[colour] + rank for colour, rank in re.findall(r"([BRVY])(\d)", hand)]
        hands.append("".join(sorted(cards)) + "?" * hand.count("?") or "-")
    return " ".join((header, pods, *hands, *rest[2:]))
