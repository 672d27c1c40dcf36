"""One round of PEAS for pyplAI's single-observer IS-MCTS, for speed comparisons.

pyplAI asks for plain functions on a state with an attribute ``jugadorActual``, 1 or 2; these are seats A and B.

* A *card* is an index ``6 * colour + rank - 1`` with the colours in the order B R V Y; a hand is a mask of such bits.
* A *pod* is an index from 0 at the Bottom.
* A *move* is ``24 * pod + card``.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from time import process_time
from typing import Any

from pyplAI import SOISMCTS

SEATS = "AB"
COLOURS = "BRVY"
CARD_NAMES = tuple(colour + rank for colour in COLOURS for rank in "123456")

_PODS = 10
_ALL_CARDS = (1 << 24) - 1
_NO_CARD = -1
# Per card: the mask of its colour.
_SUIT = tuple(0b111111 << 6 * (card // 6) for card in range(24))


def _members(mask: int) -> list[int]:
    """Return the numbers of the bits set in ``mask``, ascending."""
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


# Per pod: for every lower and upper half of a hand, the moves that play its cards there.
_LOW_MOVES = tuple(
    tuple(tuple(24 * pod + card for card in _members(half)) for half in range(1 << 12)) for pod in range(_PODS)
)
_HIGH_MOVES = tuple(
    tuple(tuple(24 * pod + 12 + card for card in _members(half)) for half in range(1 << 12)) for pod in range(_PODS)
)
_POD_LISTS = tuple(tuple(_members(pods)) for pods in range(1 << _PODS))


class State:
    """A round in progress, changed in place by moves.

    ``ask[seat][pod]`` are the cards that the pod asks of that seat: all, or those of the colour lying there.
    ``may[seat]`` are the cards that the open play leaves possible for that seat. ``winner`` is 0 until the round is
    over and then 1 or 2.
    """

    __slots__ = ("ask", "cards", "hands", "jugadorActual", "may", "open", "opener", "pea", "pods", "seen", "winner")

    jugadorActual: int
    pods: tuple[int, ...]
    pea: int  # index of the seat that began the round
    hands: list[int]
    open: list[int]  # per seat, the pods without a card of its own
    ask: tuple[list[int], list[int]]
    cards: tuple[list[int], list[int]]  # per seat and pod, the card lying there
    may: list[int]
    seen: int  # cards on the table
    opener: int  # index of the seat that played first at the Bottom
    winner: int

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        """Return an independent copy, cheaply: pyplAI deep-copies states."""
        new = State.__new__(State)
        new.jugadorActual = self.jugadorActual
        new.pods = self.pods
        new.pea = self.pea
        new.hands = self.hands[:]
        new.open = self.open[:]
        new.ask = (self.ask[0][:], self.ask[1][:])
        new.cards = (self.cards[0][:], self.cards[1][:])
        new.may = self.may[:]
        new.seen = self.seen
        new.opener = self.opener
        new.winner = self.winner
        return new


def position(
    pods: Sequence[int],
    hands: tuple[Sequence[str], Sequence[str]],
    plays: Sequence[Sequence[tuple[str, str]]],
    pea: str,
) -> State:
    """Return the state of a round in progress, the seat to move following from the plays.

    pods: values of the ten pods, Bottom first. hands: the cards that A and B still hold. plays: for each pod, the
    ``(seat, card)`` lying there in the order played. pea: the seat that began the round. ValueError when the numbers of
    pods and cards do not fit together.
    """
    if len(pods) != _PODS or len(plays) != _PODS:
        raise ValueError("there are ten pods, each with its own list of plays")
    state = State.__new__(State)
    state.pods = tuple(pods)
    state.pea = SEATS.index(pea)
    state.hands = [sum(1 << CARD_NAMES.index(card) for card in hand) for hand in hands]
    state.open = [(1 << _PODS) - 1] * 2
    state.ask = ([_ALL_CARDS] * _PODS, [_ALL_CARDS] * _PODS)
    state.cards = ([_NO_CARD] * _PODS, [_NO_CARD] * _PODS)
    state.may = [_ALL_CARDS] * 2
    state.seen = 0
    state.opener = 0
    state.winner = 0
    for pod, pod_plays in enumerate(plays):
        for seat, name in pod_plays:
            _lay(state, SEATS.index(seat), pod, CARD_NAMES.index(name))
    made = [_PODS - still_open.bit_count() for still_open in state.open]
    if [hand.bit_count() + count for hand, count in zip(state.hands, made, strict=True)] != [_PODS, _PODS]:
        raise ValueError("each seat has ten cards in hand and on the table")
    if made[state.pea] - made[1 - state.pea] not in (0, 1):
        raise ValueError("the seats play in turn from the holder of the pea")
    state.jugadorActual = 1 + (state.pea if made[0] == made[1] else 1 - state.pea)
    if sum(made) == 2 * _PODS:
        state.winner = _winner(state)
    return state


def _lay(state: State, seat: int, pod: int, card: int) -> None:
    """Lay ``card`` of ``seat`` on ``pod``."""
    other = 1 - seat
    state.cards[seat][pod] = card
    state.open[seat] ^= 1 << pod
    bit = 1 << card
    state.seen |= bit
    if state.cards[other][pod] == _NO_CARD:
        state.ask[other][pod] = _SUIT[card]
        if pod == 0:
            state.opener = seat
    else:
        asked = state.ask[seat][pod]
        if not bit & asked:
            state.may[seat] &= ~asked


def apply_move(state: State, move: int) -> State:
    """Make a legal move in place and return the same state."""
    pod, card = divmod(move, 24)
    seat = state.jugadorActual - 1
    state.hands[seat] ^= 1 << card
    _lay(state, seat, pod, card)
    state.jugadorActual = 2 - seat
    if not state.hands[1 - seat]:
        state.winner = _winner(state)
    return state


def legal_moves(state: State) -> list[int]:
    """Return the legal moves of the seat to move, ascending."""
    seat = state.jugadorActual - 1
    hand = state.hands[seat]
    ask = state.ask[seat]
    moves: list[int] = []
    for pod in _POD_LISTS[state.open[seat]]:
        fitting = hand & ask[pod] or hand
        moves += _LOW_MOVES[pod][fitting & 4095]
        moves += _HIGH_MOVES[pod][fitting >> 12]
    return moves


def is_over(state: State) -> bool:
    """Whether all cards have been played."""
    return state.winner != 0


def has_won(state: State, player: int) -> bool:
    """Whether ``player``, 1 or 2, won the finished round."""
    return state.winner == player


def _winner(state: State) -> int:
    """Return 1 or 2, the winner of a round with all cards on the table."""
    parent = state.opener
    taken = [0, 0]
    points = [0, 0]
    for card_a, card_b, value in zip(*state.cards, state.pods, strict=True):
        if card_a // 6 == card_b // 6:
            parent = 0 if card_a > card_b else 1
        taken[parent] += 1
        points[parent] += value
    if taken[0] == 0 or taken[1] == 0:
        return 1 if taken[0] else 2
    if points[0] == points[1]:
        return 1 + state.pea
    return 1 if points[0] > points[1] else 2


def determinization(state: State) -> State:
    """Return a copy where the hand of the seat not to move is dealt anew, uniformly over all that it can be."""
    seat = state.jugadorActual - 1
    hidden = 1 - seat
    pool = state.may[hidden] & ~(state.hands[seat] | state.seen)
    surplus = pool.bit_count() - state.hands[hidden].bit_count()
    # At most four cards are in no hand: it is quicker to draw those.
    for card in random.sample(_members(pool), surplus):
        pool ^= 1 << card
    new = state.__deepcopy__({})
    new.hands[hidden] = pool
    return new


def ismcts_per_second(
    pods: Sequence[int],
    hands: tuple[Sequence[str], Sequence[str]],
    plays: Sequence[Sequence[tuple[str, str]]],
    pea: str,
    seconds: float,
) -> float:
    """Return the simulations of pyplAI's SO-ISMCTS in a second of processor time, over one search of ``seconds``.

    The position is given as for ``position``. Each simulation asks for exactly one determinization, so those are
    counted. ValueError when there is no choice of moves.
    """
    state = position(pods, hands, plays, pea)
    if is_over(state) or len(legal_moves(state)) < 2:
        raise ValueError("a search needs a choice of moves")
    simulations = 0

    def counted_determinization(root: State) -> State:
        nonlocal simulations
        simulations += 1
        return determinization(root)

    search = SOISMCTS(apply_move, legal_moves, is_over, has_won, counted_determinization, 2, seconds)
    start = process_time()
    search.ejecuta(state)
    return simulations / (process_time() - start)
