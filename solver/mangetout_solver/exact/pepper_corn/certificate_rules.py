"""The rules of play of Pepper. Corn! for the checker of certificates, and what follows from them for the margin.

Knows nothing of how a proof was found; docs/certificates.md has the arguments, and ids such as PC-17 are those of
docs/rulings/pepper_corn.md. The margin is A's score less B's at the end: ranks of the cards in discards and hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from mangetout_solver.exact.certificates.checker import Invalid, Look

CARD = "(?:[A2-9X][MSWLYK]{1,2}|[PC][MSWLYK]{3}|EX)"
DECK = (
    *("AM", "AS", "AW", "AL", "AY", "AK", "2MK", "2SY", "2WL", "3MW", "3SK", "3LY", "4MS", "4WL", "4YK"),
    *("5ML", "5SW", "5YK", "6MW", "6SY", "6LK", "7ML", "7SK", "7WY", "8MS", "8WL", "8YK", "9MS", "9WY", "9LK"),
    *("XM", "XS", "XW", "XL", "XY", "XK", "PMSL", "PMYK", "PSWK", "PWLY", "CMWK", "CMLY", "CSWY", "CSLK", "EX"),
)
BASIC = 36  # the others are of the extended deck
EXCUSE, GAP = "EX", "-"
MOST_LEFT = 12
RANK = {card: max(0, "0A23456789X".find(card[0])) for card in DECK}


class Options(NamedTuple):
    """columns: of the tableau. restricted: whether the far edge stays closed (PC-17). matching: whether a converter
    goes only with Aces and what shows a suit of it (PC-37). takeable: whether the Excuse can be taken (PC-40)."""

    columns: int
    restricted: bool
    matching: bool
    takeable: bool


class Capture(NamedTuple):
    """One under way. target: the card to be taken. converter: "" for none. laid: cards laid down beside it."""

    target: str
    converter: str
    laid: tuple[str, ...]


class Position(NamedTuple):
    """cells: cards and gaps, row by row, the front row of A first. hands: of A and of B. points: in their discards.
    mover: 0 for A, 1 for B. passes: turns passed in a row, 2 at the end. capture: under way, if any."""

    options: Options
    cells: tuple[str, ...]
    hands: tuple[tuple[str, ...], tuple[str, ...]]
    points: tuple[int, int]
    mover: int
    passes: int
    capture: Capture | None


# ------------------------------------------------------------------------------------------------------ the rules


def parse(text: str) -> Position:
    """Reads a position of play with every card known. Raises Invalid."""
    options = (
        r"(?:{(access=restricted)?,?(?:empty_piles=true)?,?(?:dealt_hands_known=true)?,?"
        r"(deck=extended)?,?(conversion=matching)?,?(?:excuse=(blocker|takeable))?})?"
    )
    cell, hand = f"(?:{CARD}|-)", f"(-|{CARD}+)"
    tableau = f"({cell}(?:[,/]{cell})*)"
    stage = rf"play/([AB])(?:(/passed)|/x({CARD})(?:~({CARD}))?((?:\+{CARD})*))?"
    fields = re.fullmatch(rf"pepper_corn{options} {tableau} {hand} {hand} (\d{{1,3}})-(\d{{1,3}}) {stage}", text)
    if not fields:
        raise Invalid(f"not a position of play with every card known: {text!r}")
    restricted, extended, matching, excuse, board, *in_hand, points_a, points_b, seat, passed = fields.groups()[:11]
    rows = [row.split(",") for row in board.split("/")]
    hands = [tuple(re.findall(CARD, cards)) for cards in in_hand]
    cells = [card for row in rows for card in row]
    cards = [card for card in (*cells, *hands[0], *hands[1]) if card != GAP]
    if len(set(cards)) < len(cards) or not {*DECK[: None if extended else BASIC]}.issuperset(cards):
        raise Invalid("a card stands twice or is not in the deck")
    if len({*map(len, rows)}) > 1:
        raise Invalid("the rows are not equally long")
    if excuse is None:  # PC-40
        cells = [GAP if card == EXCUSE else card for card in cells]
    position = Position(
        Options(len(rows[0]), restricted is not None, matching is not None, excuse == "takeable"),
        tuple(cells),
        (hands[0], hands[1]),
        (int(points_a), int(points_b)),
        "AB".index(seat),
        int(passed is not None),
        None,
    )
    return position if fields[12] is None else within(position, *fields.groups()[11:])


def within(position: Position, target: str, converter: str | None, laid: str) -> Position:
    """The position with a capture under way. Raises Invalid where it cannot be finished."""
    hand, cards = position.hands[position.mover], re.findall(CARD, laid)
    captures = [Capture(target, converter or "", tuple(cards[:count])) for count in range(len(cards) + 1)]
    found = position._replace(capture=captures[-1])
    if (
        target not in accessible(position, position.mover)
        or (converter and converter not in converters(hand, target))
        or any(card not in may_follow(position, hand, at) for card, at in zip(cards, captures, strict=False))
        or not moves(found)
    ):
        raise Invalid("the capture under way is not a legal one")
    return found


@cache
def fits(card: str, target: str, takeable: bool) -> bool:
    """Whether the card may be among those that take the target without being converted (PC-08, 11, 12, 35, 40)."""
    if EXCUSE in (card, target):
        return takeable and card != EXCUSE
    return card[0] == "A" or not {*card[1:]}.isdisjoint(target[1:])


def is_converter(card: str) -> bool:
    """Whether it is a Pawn or Court."""
    return card[0] in "PC"


def converters(hand: Iterable[str], target: str) -> list[str]:
    """Cards of the hand that may convert those which take the target (PC-36)."""
    return [card for card in hand if is_converter(card) and target != EXCUSE and fits(card, target, False)]


def converted(options: Options, hand: Iterable[str], converter: str) -> list[str]:
    """Cards of the hand that the converter may convert (PC-36 to 38)."""
    return [
        card
        for card in hand
        if card not in (converter, EXCUSE) and (not options.matching or fits(card, converter, False))
    ]


def accessible(position: Position, seat: int) -> tuple[str, ...]:
    """The cards that the seat has access to, by cells."""
    return at_hand(position.cells, position.options.columns, position.options.restricted, seat)


@lru_cache(1 << 14)
def at_hand(cells: tuple[str, ...], columns: int, restricted: bool, seat: int) -> tuple[str, ...]:
    """The cards that the seat has access to (PC-15 to 19), by cells."""
    last = len(cells) - columns
    edges = range(columns), range(last, len(cells))
    near, far = edges[seat], edges[1 - seat]
    reached: set[int] = set()
    to_visit = [*near]
    while to_visit:
        cell = to_visit.pop()
        if cell in reached:
            continue
        reached.add(cell)
        if cells[cell] == GAP:
            to_visit += [cell - columns] * (cell >= columns) + [cell + columns] * (cell < last)
            to_visit += [cell - 1] * (cell % columns > 0) + [cell + 1] * ((cell + 1) % columns > 0)
            to_visit += [] if restricted or cell not in far else far
    return tuple(cells[cell] for cell in sorted(reached) if cells[cell] != GAP)


@lru_cache(1 << 14)
def tableau(cells: tuple[str, ...]) -> tuple[str, ...]:
    """The cards on the tableau, in one order wherever they lie."""
    return tuple(sorted(card for card in cells if card != GAP))


def left(position: Position) -> int:
    """How many cards are on the tableau."""
    return len(tableau(position.cells))


def is_over(position: Position) -> bool:
    """PC-21."""
    return position.passes == 2 or not left(position)


def moves(position: Position) -> list[str]:
    """The legal turns, such as "pass", "x9MS+AS+8MS." or "x9MS~PMSL+3LY+8YK.", or what is left of one under way; none
    at the end. Captures with a card to spare are left out: it does no harm in the hand."""
    if is_over(position):
        return []
    hand = position.hands[position.mover]
    if position.capture is not None:
        return finishes(position, hand, position.capture)
    found = ["pass"]
    for target in accessible(position, position.mover):
        found += [f"x{target}{paid}" for paid in payments(position.options, hand, target)]
    return found


def payments(options: Options, hand: tuple[str, ...], target: str) -> Iterator[str]:
    """What a card can be taken with."""
    fitting = [card for card in hand if fits(card, target, options.takeable)]
    for laid in least(fitting, RANK[target]):
        yield payment(laid)
    for converter in converters(hand, target) if RANK[target] else []:
        for laid in least(converted(options, hand, converter), RANK[target]):
            if not {*laid}.issubset(fitting):
                yield f"~{converter}{payment(laid)}"


def least(cards: list[str], rank: int) -> Iterator[tuple[str, ...]]:
    """The sets of cards, not empty, that reach a rank (PC-09) but not with any of them left out."""
    if rank <= 0:
        yield from ((card,) for card in cards)
        return
    # With the lowest card last, a set is one of these where it does not reach the rank before that.
    ordered = sorted((card for card in cards if RANK[card]), key=lambda card: -RANK[card])

    def extended(laid: tuple[str, ...], start: int, missing: int) -> Iterator[tuple[str, ...]]:
        for number, card in enumerate(ordered[start:], start + 1):
            if RANK[card] >= missing:
                yield (*laid, card)
            else:
                yield from extended((*laid, card), number, missing - RANK[card])

    yield from extended((), 0, rank)


def payment(laid: Iterable[str]) -> str:
    """Cards laid down, in the order of the deck."""
    return "".join(f"+{card}" for card in sorted(laid, key=DECK.index)) + "."


def may_follow(position: Position, hand: tuple[str, ...], at: Capture) -> list[str]:
    """Cards that may be laid down next, or later, in a capture: in the order of the deck."""
    if at.converter:
        cards = converted(position.options, hand, at.converter)
    else:
        cards = [card for card in hand if fits(card, at.target, position.options.takeable)]
    return [card for card in cards if not at.laid or DECK.index(card) > DECK.index(at.laid[-1])]


def finishes(position: Position, hand: tuple[str, ...], at: Capture) -> list[str]:
    """What is left of a capture under way."""
    if not at.converter and not at.laid:
        return [*payments(position.options, hand, at.target)]
    missing = RANK[at.target] - sum(RANK[card] for card in at.laid)
    return ["."] if missing <= 0 else [*map(payment, least(may_follow(position, hand, at), missing))]


def play(position: Position, move: str) -> Position:
    """The position after a move."""
    me, at = position.mover, position.capture
    if move == "pass":
        return position._replace(mover=1 - me, passes=position.passes + 1)
    word = f"x{at.target}~{at.converter}+{'+'.join(at.laid)}{move}" if at else move
    target, *laid = re.findall(CARD, word)
    hands, points = [*position.hands], [*position.points]
    hands[me] = (*(card for card in hands[me] if card not in laid), target)
    points[me] += sum(RANK[card] for card in laid)
    cells = tuple(GAP if card == target else card for card in position.cells)
    return Position(position.options, cells, (hands[0], hands[1]), (points[0], points[1]), 1 - me, 0, None)


# ------------------------------------------------------------------------------- what can still come of a position


def look(position: Position) -> Look:
    """What can still come of a position, from A's view.

    A seat gains no card outside its reach; so cards outside both only bar the way, those in hand that fit nothing
    within it are never laid down, and two that fit the same there differ by their rank alone, up to that from which on
    they take all of it.
    """
    held = [points + strength(hand) for points, hand in zip(position.points, position.hands, strict=True)]
    score = held[0] - held[1]
    if is_over(position):
        return Look(score, score, score, ())
    cards, takeable = tableau(position.cells), position.options.takeable
    reaches = [reach(hand, cards, takeable) for hand in position.hands]
    most = [*map(strength, reaches)]
    sure = sure_gain(position, reaches[position.mover], reaches[1 - position.mover])
    low, high = (sure, most[0]) if position.mover == 0 else (-most[1], -sure)
    return Look(score + low, score + high, score, key(position, reaches))


def sure_gain(position: Position, own: tuple[str, ...], other: tuple[str, ...]) -> int:
    """By how much at least the margin of the seat to move grows: if all that is within the other one's reach is lost,
    perhaps after a capture; or as nothing follows a second pass."""
    lost = strength(other)
    gains = [0 if position.passes else -lost]
    hand = position.hands[position.mover]
    targets = [position.capture.target] if position.capture else accessible(position, position.mover)
    for card in targets:
        gain = RANK[card] * (2 if card in other else 1) - lost
        if gain > gains[-1] and card in own and any(payments(position.options, hand, card)):
            gains.append(gain)
    return gains[-1]


@lru_cache(1 << 16)
def strength(cards: tuple[str, ...]) -> int:
    """Ranks in all."""
    return sum(RANK[card] for card in cards)


@lru_cache(1 << 16)
def reach(hand: tuple[str, ...], cards: tuple[str, ...], takeable: bool) -> tuple[str, ...]:
    """Of the cards on the tableau those that a hand may ever take, perhaps more. What it takes is within its strength,
    which never grows, shows a suit of its cards or of those that it may take, and is reached by the ranks of as many of
    these that fit it as there are cards in hand."""
    kept = [card for card in cards if RANK[card] <= strength(hand)]
    while True:
        takers, others = [*hand], kept
        for taker in takers:
            more = [card for card in others if fits(taker, card, takeable)]
            others = [card for card in others if card not in more]
            takers += more
        found = takers[len(hand) :]
        if any(map(is_converter, takers)):  # which make cards fit
            return tuple(sorted(found))
        kept = []
        for card in found:
            ranks = sorted(
                (RANK[taker] for taker in takers if taker != card and fits(taker, card, takeable)), reverse=True
            )
            if sum(ranks[: len(hand)]) >= RANK[card]:
                kept.append(card)
        if len(kept) == len(found):
            return tuple(sorted(found))


def key(position: Position, reaches: list[tuple[str, ...]]) -> tuple[object, ...]:
    """What can still matter of a position."""
    if position.capture is not None:
        return position
    places: tuple[object, ...] = ()
    if any(not {*accessible(position, seat)}.issuperset(reaches[seat]) for seat in (0, 1)):
        wanted = {GAP, *reaches[0], *reaches[1]}
        places = tuple(card if card in wanted else "" for card in position.cells)
    hands = (useful(position.hands[seat], reaches[seat], position.options.takeable) for seat in (0, 1))
    return (position.mover, position.passes, *reaches, places, *hands)


@lru_cache(1 << 16)
def useful(hand: tuple[str, ...], within_reach: tuple[str, ...], takeable: bool) -> tuple[object, ...]:
    """What of a hand can still matter: for each card what it fits, and its rank as far as that matters."""
    if any(map(is_converter, (*hand, *within_reach))):
        return tuple(sorted(hand))
    found = []
    for card in hand:
        fitting = tuple(target for target in within_reach if fits(card, target, takeable))
        if fitting:
            found.append((min(RANK[card], max(RANK[target] for target in fitting)), fitting))
    return tuple(sorted(found))
