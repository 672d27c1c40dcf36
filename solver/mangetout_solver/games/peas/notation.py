"""PEAS positions and moves as text; the grammar is in docs/notation/peas.md."""

from __future__ import annotations

import re

from mangetout_solver.errors import InputError, NotationError, PositionError
from mangetout_solver.games.options import IntOption, format_options, parse_options
from mangetout_solver.games.peas.positions import COLOUR_LETTERS, RoundView, build, view
from mangetout_solver.games.position import Position
from mangetout_solver.games.reader import Reader

COLOURS = IntOption("colours", "4", "Number of colours in the deck.", low=1, high=4)
RANKS = IntOption("ranks", "6", "Cards of each colour, numbered from 1.", low=1, high=8)

_HEADER = re.compile(r"peas(\{[^}\s]*\}?)?")
_MOVE = re.compile(r"([BRVY])([1-8])@(\d{1,2})")


def _card(reader: Reader) -> int:
    colour = reader.take("[BRVY]", "a card: a colour B, R, V or Y and a rank")
    rank = reader.take("[1-8]", "a rank from 1 to 8")
    return 8 * COLOUR_LETTERS.index(colour) + int(rank) - 1


def _seat(reader: Reader) -> int:
    return "AB".index(reader.take("[AB]", "a seat, A or B"))


def _pod(reader: Reader) -> tuple[int, list[tuple[int, int]]]:
    value = int(reader.take("[+-][0-9]", "a pod value: + or - and a digit"))
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


def parse(text: str, field: str) -> Position:
    """Reads a position. Raises NotationError with the column, or PositionError, both under `field`."""
    reader = Reader(text, field)
    reader.skip_blanks()
    start = reader.at
    header = reader.take(_HEADER.pattern, "'peas'")
    options = parse_options(header[len("peas") :], (COLOURS, RANKS), field, start + len("peas"))
    reader.blanks("the pods")
    pods: list[int] = []
    plays: list[list[tuple[int, int]]] = []
    while not pods or reader.optional("/"):
        value, on_pod = _pod(reader)
        pods.append(value)
        plays.append(on_pod)
    reader.blanks("A's hand")
    hand_a = _hand(reader)
    reader.blanks("B's hand")
    hand_b = _hand(reader)
    reader.blanks("the holder of the pea")
    pea = _seat(reader)
    reader.skip_blanks()
    if reader.at < len(text):
        raise reader.error("the end of the position")
    try:
        return build(
            pods, plays, (hand_a[0], hand_b[0]), (hand_a[1], hand_b[1]), pea, options["colours"], options["ranks"]
        )
    except InputError as error:
        raise PositionError(field, f"{error.field}: {error.reason}") from None


def format_round(round_: RoundView) -> str:
    """The canonical notation."""
    header = "peas" + format_options({"colours": round_.colours, "ranks": round_.ranks}, (COLOURS, RANKS))
    pods = []
    for pod in round_.pods:
        plays = ",".join(f"{'AB'[seat]}={card}" for seat, card in pod.plays)
        pods.append(f"{pod.value:+d}" + (f"[{plays}]" if plays else ""))
    hands = ["".join(hand.cards) + "?" * hand.unknown or "-" for hand in round_.hands]
    return f"{header} {'/'.join(pods)} {hands[0]} {hands[1]} {'AB'[round_.pea]}"


def parse_move(text: str, field: str) -> int:
    """The number of a move. Raises NotationError."""
    match = _MOVE.fullmatch(text)
    if match is None:
        raise NotationError(field, 1, repr(text[:20]), "a card and a pod, such as B2@0")
    pod = int(match[3])
    if pod > 11 or str(pod) != match[3]:
        raise NotationError(field, 4, repr(match[3]), "the number of a pod, 0 to 11")
    return 32 * pod + 8 * COLOUR_LETTERS.index(match[1]) + int(match[2]) - 1


def renamings(position: Position) -> dict[str, str]:
    """The notations that renaming the colours gives, by the new letters of the colours; the first is the position's.

    The colours are alike in all rules.
    """
    round_ = view(position)
    text = format_round(round_)
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
    return " ".join((header, pods, *hands, rest[2]))
