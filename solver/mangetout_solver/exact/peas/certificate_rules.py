"""The rules of a round of PEAS for the checker of certificates, and what follows from them for the margin.

Knows nothing of how a proof was found; docs/certificates.md has the arguments. The margin is A's pod points less B's at
the end; who takes all pods has SWEEP instead of them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from mangetout_solver.exact.certificates.checker import Invalid, Look

SWEEP = 120
MOST_LEFT = 14
# Results of a pod, as sets: A or B takes it, or whoever takes the pod below (of the Bottom pod, whoever led it).
A, B, LINK = 1, 2, 4


class Position(NamedTuple):
    """pods: value, card of A, card of B ("" for none), Bottom first. hands: of A and of B. mover: 0 for A, 1 for B.
    opener: who led the Bottom pod, A | B while it is empty."""

    pods: tuple[tuple[int, str, str], ...]
    hands: tuple[tuple[str, ...], tuple[str, ...]]
    mover: int
    opener: int


# ------------------------------------------------------------------------------------------------------ the rules


def parse(text: str) -> Position:
    """Reads a position of a round; of a match, the round at hand. Raises Invalid."""
    card, hand = "([BRVY][1-8])", "(-|(?:[BRVY][1-8])+)"
    options = r"(?:{(?:colours=([1-4]))?,?(?:ranks=([1-8]))?,?(?:scope=match)?})?"
    fields = re.fullmatch(rf"peas{options} ([^ ]+) {hand} {hand} ([AB])(?: \d-\d)?", text)
    if not fields:
        raise Invalid(f"not a position of a round with both hands known: {text!r}")
    colours, ranks, row, *in_hand, first = fields.groups()
    pods, openers = [], []
    for pod in row.split("/"):
        found = re.fullmatch(rf"([+-]\d)(?:\[(?:A={card}(?:,B={card})?|B={card}(?:,A={card})?)\])?", pod)
        if not found:
            raise Invalid(f"not a pod: {pod!r}")
        pods.append((int(found[1]), found[2] or found[5] or "", found[3] or found[4] or ""))
        openers.append(A if found[2] else B if found[4] else A | B)
    hands = [sorted(re.findall("[BRVY].", cards)) for cards in in_hand]
    table = [[a for _, a, _ in pods if a], [b for _, _, b in pods if b]]
    cards = [*hands[0], *hands[1], *table[0], *table[1]]
    deck = {colour + rank for colour in "BRVY"[: int(colours or 4)] for rank in "12345678"[: int(ranks or 6)]}
    if len(set(cards)) < len(cards) or not deck.issuperset(cards) or len(pods) > 12:
        raise Invalid("a card stands twice or is not in the deck, or there are more than 12 pods")
    if any(len(hands[seat]) + len(table[seat]) != len(pods) for seat in (0, 1)):
        raise Invalid("a hand has not one card for each pod without a card of its owner")
    pea = "AB".index(first)
    ahead = len(table[pea]) - len(table[1 - pea])
    if ahead not in (0, 1):
        raise Invalid("turns do not alternate from the holder of the pea on")
    return Position(tuple(pods), (tuple(hands[0]), tuple(hands[1])), pea ^ ahead, openers[0])


def left(position: Position) -> int:
    """How many cards are still to be played."""
    return sum(map(len, position.hands))


def moves(position: Position) -> list[str]:
    """All legal moves, such as "B2@0", by pod, then card: onto pods without an own card, matching the other's if there
    is one to match and a card that can."""
    me, hand = position.mover, position.hands[position.mover]
    found = []
    for number, (_, *cards) in enumerate(position.pods):
        if not cards[me]:
            matching = [card for card in hand if card[0] == cards[1 - me][:1]]
            found += [f"{card}@{number}" for card in matching or hand]
    return found


def play(position: Position, move: str) -> Position:
    """The position after a legal move."""
    card, me = move[:2], position.mover
    number = int(move[3:])
    value, *cards = position.pods[number]
    cards[me] = card
    pods = (*position.pods[:number], (value, cards[0], cards[1]), *position.pods[number + 1 :])
    hands = list(position.hands)
    hands[me] = tuple(held for held in hands[me] if held != card)
    opener = (A, B)[me] if number == 0 and position.opener == A | B else position.opener
    return Position(pods, (hands[0], hands[1]), 1 - me, opener)


def result(a: str, b: str) -> int:
    """Of a pod with two cards: the higher one takes it, but with two colours whoever takes the pod below."""
    return LINK if a[0] != b[0] else A if a > b else B


# ------------------------------------------------------------------------------- what can still come of a position


def look(position: Position) -> Look:
    """What can still come of a position, from A's view.

    The cards on a pod and in hand say which results it can still have. A settled pod counts at once, and one that is
    sure to go with the pod below is one with it: of either only the room for a card is left, and the colour that must
    be matched there. Of a lone card on any other pod only the number of lower cards in the hand that can answer it
    matters, and of the two hands in a colour only whose cards are higher than whose.
    """
    hands = position.hands
    score, may_sweep = 0, A | B
    groups: list[tuple[int, int, int, int]] = []  # value, results, who takes it with two colours, who can answer
    lone: list[tuple[str, int, int]] = []  # colour, group, lower cards in the hand that can answer
    rooms: list[tuple[str, int]] = []  # on settled pods: colour to be matched, by whom; "" where there is no card
    of_any_two = 0
    for a in hands[0]:
        for b in hands[1]:
            of_any_two |= result(a, b)
    below = position.opener  # who can take the pod below
    for value, a, b in position.pods:
        can, answers = (result(a, b) if a and b else of_any_two), 0
        if bool(a) != bool(b):
            can, answers = 0, B if a else A
            for card in hands[answers - 1]:
                can |= result(a or card, b or card)
        linked = can & LINK
        if linked and below != A | B:
            can, linked = can ^ LINK | below, below
        below = can & (A | B) | (below if linked else 0)
        if can in (A, B):
            score += value if can == A else -value
            may_sweep &= can
        elif can == LINK and groups:
            groups[-1] = (groups[-1][0] + value, *groups[-1][1:])
        else:
            if answers:
                lone.append(((a or b)[0], len(groups), sum(result(a or b, card) == A for card in hands[answers - 1])))
            groups.append((value, can, linked, answers))
            continue
        if answers and any(card[0] == (a or b)[0] for card in hands[answers - 1]):
            rooms.append(((a or b)[0], answers))
        elif not a and not b:
            rooms.append(("", 0))

    owners = sorted([(card, "A") for card in hands[0]] + [(card, "B") for card in hands[1]])
    order = "".join(card[0] + owner for card, owner in owners)
    key = (position.mover, may_sweep, tuple(groups), tuple(lone), tuple(sorted(rooms)), order)
    return Look(*bounds(score, may_sweep, groups), score, key)


def bounds(score: int, may_sweep: int, groups: list[tuple[int, int, int, int]]) -> tuple[int, int]:
    """The least and the greatest margin by any results that the groups can have, each taken by itself."""
    ends = {(below, may_sweep): (score, score) for below in (A, B)}  # by who takes the last pod and who may sweep
    for value, can, _, _ in groups:
        reached = ends
        ends = {}
        for (below, all_), (low, high) in reached.items():
            for taker in (A, B):
                if taker & (can | below if can & LINK else can):
                    points = value if taker == A else -value
                    least, most = ends.get((taker, all_ & taker), (SWEEP, -SWEEP))
                    ends[taker, all_ & taker] = min(least, low + points), max(most, high + points)
    sweeps = {0: 0, A: SWEEP, B: -SWEEP}
    margins = [sweeps[all_] or points for (_, all_), end in ends.items() for points in end]
    return min(margins), max(margins)
