"""Pepper. Corn! positions and steps as text; the grammar is in docs/notation/pepper_corn.md."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from mangetout_solver.errors import InputError, NotationError, PositionError
from mangetout_solver.games.decktet import CARD_NUMBERS, CARDS
from mangetout_solver.games.game import MoveParts, Record
from mangetout_solver.games.options import BoolOption, ChoiceOption, format_options, parse_options
from mangetout_solver.games.pepper_corn.positions import (
    EXCUSES,
    FACE_DOWN_CELL,
    GAP_CELL,
    HIDDEN,
    PHASES,
    GameView,
    HandView,
    build,
    card_at,
    next_card,
    view,
)
from mangetout_solver.games.position import Position
from mangetout_solver.games.reader import Reader

ACCESS = ChoiceOption(
    "access",
    "open",
    "Whether the far edge can be walked on once it is reached (open), or never (restricted).",
    choices=("open", "restricted"),
)
EMPTY_PILES = BoolOption("empty_piles", "false", "Whether a player may leave one of the two piles empty.")
DEALT_HANDS_KNOWN = BoolOption(
    "dealt_hands_known", "false", "Whether the dealt hands are open at the split, also where cards are out of play."
)
DECK = ChoiceOption(
    "deck",
    "basic",
    "36 cards, or 45: with Pawns and Courts as converters, and the Excuse.",
    choices=("basic", "extended"),
)
CONVERSION = ChoiceOption(
    "conversion",
    "any",
    "Extended deck: whether a converter converts any cards, or only those that share a suit with it.",
    choices=("any", "matching"),
)
EXCUSE = ChoiceOption(
    "excuse", "gap", "Extended deck: what the Excuse is on the tableau; in a hand it is never played.", choices=EXCUSES
)
_OPTIONS = (ACCESS, EMPTY_PILES, DEALT_HANDS_KNOWN, DECK, CONVERSION, EXCUSE)

_HEADER = r"pepper_corn(\{[^}\s]*\}?)?"
_CARD = r"[A2-9X][MSWLYK]{1,2}|[PC][MSWLYK]{3}|EX"

# Kinds and numbers of steps, as in rules.pxd.
_TARGET, _CONVERT, _LAY, _DIVIDE, _TAKE = range(5)
_SHOW_CARD, _SHOW_CHOICES, _TURN_UP, _LOT = range(128, 132)
_PASS = _DONE = 63
_UNSEEN = 0xFFFFFF


def check_deck(options: Mapping[str, Any]) -> None:
    """Raises InputError (``options.<name>``) for an option that only the extended deck gives a meaning."""
    for option in (CONVERSION, EXCUSE):
        value = options[option.name]
        if options[DECK.name] == "basic" and value != option.default:
            raise InputError(f"options.{option.name}", f"found {value} with the basic deck, expected {option.default}")


def _card(reader: Reader) -> int:
    start = reader.at
    id_ = reader.take(_CARD, "a card: a rank A, 2 to 9, X, P or C and its suits of MSWLYK, or EX")
    if id_ not in CARD_NUMBERS:
        reader.at = start
        raise reader.error("a card of the Decktet")
    return CARD_NUMBERS[id_]


def _cards(reader: Reader) -> list[int]:
    """Cards without blanks between, possibly none."""
    cards = []
    while re.match(r"[^ |?]", reader.text[reader.at :]):
        cards.append(_card(reader))
    return cards


def _pile(reader: Reader) -> list[int]:
    if reader.optional("-"):
        return []
    cards = _cards(reader)
    if not cards:
        raise reader.error("the cards of a pile, or '-' for none")
    return cards


def _hand(reader: Reader) -> tuple[list[int], int, tuple[list[int], list[int]] | None]:
    """Known cards, number of further ones, and the piles where they are given."""
    if reader.optional("-"):
        if reader.text[reader.at : reader.at + 1] in ("", " "):
            return [], 0, None
        raise reader.error("the end of an empty hand")
    cards = _cards(reader)
    piles = None
    if reader.optional("|"):
        piles = (cards, _pile(reader))
        cards = [*piles[0], *piles[1], *(_cards(reader) if reader.optional("|") else ())]
    unknown = len(reader.take(r"\?*", "'?'"))
    if not cards and not unknown:
        raise reader.error("a hand: cards, '?' for each unknown one, or '-' for none")
    return cards, unknown, piles


def _seat(reader: Reader) -> int:
    return "AB".index(reader.take("[AB]", "a seat, A or B"))


def _number(reader: Reader, what: str) -> int:
    return int(reader.take(r"[0-9]{1,3}", what))


def _choice(reader: Reader) -> int:
    digit = reader.take(r"[01?]", "a pile, 0 or 1, or '?'")
    return HIDDEN if digit == "?" else int(digit)


def _stage(reader: Reader) -> dict[str, Any]:
    phases = "split, show, choose, reveal, lot, play, uncover or end"
    stage: dict[str, Any] = {"phase": reader.take("|".join(PHASES), f"a stage: {phases}")}
    phase = stage["phase"]
    if phase in ("split", "choose", "play", "uncover"):
        reader.take("/", "'/' and the seat to move")
        stage["seat"] = _seat(reader)
    if phase in ("split", "show"):
        reader.take("/", "'/' and a number")
        stage["steps"] = _number(reader, "a number")
    elif phase == "choose" and stage["seat"] == 1:
        reader.take("/", "'/' and the choice of A")
        stage["choices"] = (_choice(reader), None)
    elif phase == "reveal":
        reader.take("/", "'/' and both choices")
        stage["choices"] = (_choice(reader), _choice(reader))
    elif phase == "play" and reader.optional("/"):
        if reader.optional("passed"):
            stage["passed"] = True
        else:
            reader.take("x", "'passed', or 'x' and the card to be taken")
            stage["target"] = _card(reader)
            if reader.optional("~"):
                stage["converter"] = _card(reader)
            stage["laid"] = []
            while reader.optional("+"):
                stage["laid"].append(_card(reader))
    return stage


def _tableau_cell(reader: Reader) -> int:
    if reader.optional("-"):
        return GAP_CELL
    return FACE_DOWN_CELL if reader.optional("?") else _card(reader)


def parse(text: str, field: str) -> Position:
    """Reads a position. Raises NotationError with the column, or PositionError, both under `field`."""
    reader = Reader(text, field)
    reader.skip_blanks()
    start = reader.at
    header = reader.take(_HEADER, "'pepper_corn'")
    options = parse_options(header[len("pepper_corn") :], _OPTIONS, field, start + len("pepper_corn"))
    reader.blanks("the tableau")
    tableau: list[list[int]] = []
    while not tableau or reader.optional("/"):
        row: list[int] = []
        while not row or reader.optional(","):
            row.append(_tableau_cell(reader))
        tableau.append(row)
    unseen = [_card(reader), *_cards(reader)] if reader.optional("|") else []
    reader.blanks("A's hand")
    hand_a = _hand(reader)
    reader.blanks("B's hand")
    hand_b = _hand(reader)
    reader.blanks("the points in the discards")
    points_a = _number(reader, "the points in A's discards")
    reader.take("-", "'-' between the points")
    points_b = _number(reader, "the points in B's discards")
    reader.blanks("the stage")
    stage = _stage(reader)
    reader.skip_blanks()
    if reader.at < len(text):
        raise reader.error("the end of the position")
    try:
        check_deck(options)
        return build(
            tableau,
            (hand_a[0], hand_b[0]),
            unseen=unseen,
            unknown=(hand_a[1], hand_b[1]),
            piles=(hand_a[2], hand_b[2]),
            points=(points_a, points_b),
            restricted=options["access"] == "restricted",
            empty_piles=options["empty_piles"],
            hands_known=options["dealt_hands_known"],
            extended=options["deck"] == "extended",
            matching=options["conversion"] == "matching",
            excuse=options["excuse"],
            **stage,
        )
    except InputError as error:
        raise PositionError(field, f"{error.field}: {error.reason}") from None


def _hand_text(hand: HandView) -> str:
    rest = [card for card in hand.cards if hand.piles is None or card not in (*hand.piles[0], *hand.piles[1])]
    parts = [] if hand.piles is None else ["".join(pile) or "-" for pile in hand.piles]
    if rest or hand.unknown:
        parts.append("".join(rest) + "?" * hand.unknown)
    return "|".join(parts) or "-"


def _stage_text(game: GameView) -> str:
    choices = ["?" if choice == HIDDEN else str(choice) for choice in game.choices]
    seat = "" if game.seat is None else "AB"[game.seat]
    match game.phase:
        case "split":
            return f"split/{seat}/{game.steps}"
        case "show":
            return f"show/{game.steps}"
        case "choose":
            return "choose/A" if seat == "A" else f"choose/B/{choices[0]}"
        case "reveal":
            return f"reveal/{choices[0]}{choices[1]}"
        case "uncover":
            return f"uncover/{'AB'[game.next_seat or 0]}"
        case "play":
            converter = () if game.converter is None else (f"~{game.converter}",)
            laid = (f"+{card}" for card in game.laid)
            chain = "" if game.target is None else "".join((f"/x{game.target}", *converter, *laid))
            return f"play/{seat}{'/passed' if game.passed else chain}"
    return game.phase


def format_game(game: GameView) -> str:
    """The canonical notation."""
    values = {
        "access": game.access,
        "empty_piles": game.empty_piles,
        "dealt_hands_known": game.dealt_hands_known,
        "deck": game.deck,
        "conversion": game.conversion,
        "excuse": game.excuse,
    }
    tableau = "/".join(",".join(card or "-" for card in row) for row in game.tableau)
    if game.unseen:
        tableau += "|" + "".join(game.unseen)
    hands = " ".join(_hand_text(hand) for hand in game.hands)
    points = f"{game.points[0]}-{game.points[1]}"
    return f"pepper_corn{format_options(values, _OPTIONS)} {tableau} {hands} {points} {_stage_text(game)}"


def mirrored(text: str) -> str:
    """The canonical text with the columns in reverse order."""
    header, tableau, *rest = text.split(" ")
    rows, bar, unseen = tableau.partition("|")
    rows = "/".join(",".join(reversed(row.split(","))) for row in rows.split("/"))
    return " ".join((header, rows + bar + unseen, *rest))


def steps_of(word: str) -> list[str]:
    """The steps that a word of a record consists of: a capture, or a part of one, may be written as one word."""
    parts = re.findall(r"[+~][^+~.]*|[.]|[^+~.]+", word)
    return parts if "".join(parts) == word and all(map(continues_word, parts[1:])) else [word]


def continues_word(step: str) -> bool:
    """Whether a step stands in one word with the step before."""
    return step[0] in "+~."


def _cell(text: str, game: GameView, field: str) -> int:
    cells = len(game.tableau) * len(game.tableau[0])
    if text != str(int(text)) or int(text) >= cells:
        raise NotationError(field, 3, repr(text), f"the number of a cell, 0 to {cells - 1}")
    return int(text)


def parse_step(position: Position, text: str, field: str) -> int:
    """The number of a step, legal or not. Raises NotationError."""
    game = view(position)

    def number(kind: int, within: int) -> int:
        return kind << 24 | within

    def card(id_: str, column: int) -> int:
        if id_ not in CARD_NUMBERS:
            raise NotationError(field, column, repr(id_), "a card of the Decktet")
        return CARD_NUMBERS[id_]

    if text == "pass":
        return number(_TARGET, _PASS)
    if text == ".":
        return number(_LAY, _DONE)
    if text == "?" and game.phase in ("split", "choose"):
        return number(_DIVIDE if game.phase == "split" else _TAKE, _UNSEEN)
    if match := re.fullmatch(r"take([01])", text):
        return number(_TAKE, int(match[1]))
    if match := re.fullmatch(rf"([+~])({_CARD})", text):
        return number(_LAY if match[1] == "+" else _CONVERT, card(match[2], 2))
    if match := re.fullmatch(r"x@(\d{1,2})", text):
        return number(_TARGET, _cell(match[1], game, field))
    if match := re.fullmatch(rf"x({_CARD})", text):
        target = CARDS[card(match[1], 2)].id
        for row, cells in enumerate(game.tableau):
            if target in cells:
                return number(_TARGET, row * len(cells) + cells.index(target))
        raise NotationError(field, 2, repr(target), "a card on the tableau")
    if match := re.fullmatch(rf"({_CARD}|\?)>([01])", text):
        if game.phase == "split":
            due = next_card(position)
            expected = "?" if due is None else CARDS[due].id
            if match[1] != expected:
                raise NotationError(field, 1, repr(match[1]), f"{expected}, the card whose pile is decided next")
        return number(_DIVIDE, int(match[2]))
    if match := re.fullmatch(rf"\*({_CARD})>([01])", text):
        return number(_SHOW_CARD, 2 * card(match[1], 2) + int(match[2]))
    if match := re.fullmatch(r"\*take([01])([01])", text):
        return number(_SHOW_CHOICES, int(match[1]) + 2 * int(match[2]))
    if match := re.fullmatch(rf"\*({_CARD})", text):
        return number(_TURN_UP, card(match[1], 2))
    if match := re.fullmatch(r"\*([AB])", text):
        return number(_LOT, "AB".index(match[1]))
    raise NotationError(field, 1, repr(text[:20]), f"a step such as {_EXAMPLES[game.phase]}")


_EXAMPLES = {
    "split": "2MK>1",
    "show": "*2MK>1",
    "choose": "take0",
    "reveal": "*take01",
    "lot": "*A",
    "play": "x9MS, +8MS, '.' or pass",
    "uncover": "*7WY",
    "end": "none",
}


def format_step(position: Position, step: int) -> str:
    """The step's notation."""
    kind, number = step >> 24, step & _UNSEEN
    if number == _UNSEEN:
        return "?"
    if kind == _TARGET:
        if number == _PASS:
            return "pass"
        card = card_at(position, number)
        return f"x@{number}" if card is None else "x" + CARDS[card].id
    if kind == _LAY:
        return "." if number == _DONE else "+" + CARDS[number].id
    if kind == _CONVERT:
        return "~" + CARDS[number].id
    if kind == _DIVIDE:
        due = next_card(position)
        return f"{'?' if due is None else CARDS[due].id}>{number}"
    if kind == _TAKE:
        return f"take{number}"
    if kind == _SHOW_CARD:
        return f"*{CARDS[number >> 1].id}>{number & 1}"
    if kind == _SHOW_CHOICES:
        return f"*take{number & 1}{number >> 1}"
    if kind == _TURN_UP:
        return "*" + CARDS[number].id
    return "*" + "AB"[number]


def step_parts(position: Position, step: int) -> MoveParts:
    """The step in structured form. Places are cells, row * columns + column, or piles 0 and 1."""
    kind, number = step >> 24, step & _UNSEEN
    names = {_LAY: "lay", _CONVERT: "convert", _DIVIDE: "divide", _TAKE: "take_pile"}
    if number == _UNSEEN:
        return MoveParts(names[kind])
    if kind == _TARGET:
        if number == _PASS:
            return MoveParts("pass")
        card = card_at(position, number)
        return MoveParts("target", "" if card is None else CARDS[card].id, place=number)
    if kind == _LAY and number == _DONE:
        return MoveParts("done")
    if kind in (_LAY, _CONVERT):
        return MoveParts(names[kind], CARDS[number].id)
    if kind == _DIVIDE:
        due = next_card(position)
        return MoveParts(names[kind], "" if due is None else CARDS[due].id, place=number)
    if kind == _TAKE:
        return MoveParts(names[kind], place=number)
    if kind == _SHOW_CARD:
        return MoveParts("show_card", CARDS[number >> 1].id, place=number & 1)
    if kind == _SHOW_CHOICES:
        return MoveParts("show_choices", place=number & 1, number=number >> 1)
    if kind == _TURN_UP:
        return MoveParts("turn_up", CARDS[number].id)
    return MoveParts("lot", seats=(number,))


def describe_step(position: Position, step: int) -> str:
    """The step in words."""
    game = view(position)
    kind, number = step >> 24, step & _UNSEEN
    seat = game.seat
    if number == _UNSEEN:
        return "a decision that was not seen"
    if kind == _TARGET:
        card = card_at(position, number)
        if card is None:
            return "pass" if number == _PASS else f"take the card of cell {number}"
        return f"take {CARDS[card].words}"
    if kind == _LAY:
        if number == _DONE:
            return _capture(game)
        return f"with {CARDS[number].words}"
    if kind == _CONVERT:
        return f"with {CARDS[number].words} as a converter"
    if kind == _DIVIDE:
        due = next_card(position)
        return f"put {'a card' if due is None else CARDS[due].words} into pile {number}"
    if kind == _TAKE:
        hand = game.hands[1 - (seat or 0)]
        piles = hand.piles or (hand.cards, ())
        return f"take pile {number}: {_words(piles[number])}"
    if kind == _SHOW_CARD:
        return f"{CARDS[number >> 1].words} is shown in pile {number & 1}"
    if kind == _SHOW_CHOICES:
        return f"A takes pile {number & 1}, B takes pile {number >> 1}"
    if kind == _TURN_UP:
        return f"{CARDS[number].words} is turned up"
    return f"{'AB'[number]} begins by lot"


def describe_next(position: Position) -> str:
    """The decision or chance event that comes next, in words."""
    game = view(position)
    match game.phase:
        case "split":
            due = next_card(position)
            return f"put {'a card' if due is None else CARDS[due].words} into one of two piles"
        case "choose":
            return f"take one of the two piles of {'BA'[game.seat or 0]}"
        case "play":
            return "take a card or pass" if game.target is None else f"pay for {_words([game.target])}"
        case "show":
            return "a dealt card and its pile are shown"
        case "reveal":
            return "both choices are shown"
        case "lot":
            return "who begins is drawn"
        case "uncover":
            return "a card that came within reach is turned up"
    return ""


def _capture(game: GameView) -> str:
    taken = f"take {_words([game.target] if game.target else [])} with"
    if game.converter is None:
        return f"{taken} {_words(reversed(game.laid))}"
    converter = CARDS[CARD_NUMBERS[game.converter]].words
    return f"{taken} {_words(reversed(game.laid))}, converted by {converter}" if game.laid else f"{taken} {converter}"


def describe_turn(turn: Record) -> str:
    """A whole turn in words: a capture by its last step, a division by its piles."""
    step, before = turn.moves[-1], turn.positions[-2]
    if step >> 24 != _DIVIDE:
        return describe_step(before, step)
    seat = view(before).seat or 0
    hand = view(turn.current).hands[seat]
    piles = hand.piles or (hand.cards, ())
    return f"offer {_words(piles[0])} | {_words(piles[1])}"


def _words(ids: Iterable[str]) -> str:
    return " + ".join(CARDS[CARD_NUMBERS[id_]].words for id_ in ids) or "nothing"
