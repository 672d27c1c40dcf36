"""PEAS: building positions and reading them from Python. See positions.pyi for the contract."""

from libc.stdint cimport int8_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from dataclasses import dataclass

from mangetout_solver.errors import InputError, PositionError
from mangetout_solver.games.interface cimport TERMINAL
from mangetout_solver.games.peas.rules cimport (
    MAX_COLOURS,
    MAX_PODS,
    MAX_RANKS,
    NO_CARD,
    Rules,
    State,
    colour_of,
    count_worlds,
    ctz,
    judge,
    peas_ops,
    play_card,
    popcount,
)
from mangetout_solver.games.position cimport Position, new_position

COLOUR_LETTERS = "BRVY"


@dataclass(frozen=True)
class PodView:
    value: int
    plays: tuple[tuple[int, str], ...]
    winner: int | None


@dataclass(frozen=True)
class HandView:
    cards: tuple[str, ...]
    unknown: int
    voids: tuple[str, ...]


@dataclass(frozen=True)
class RoundView:
    pods: tuple[PodView, ...]
    hands: tuple[HandView, ...]
    pea: int
    colours: int
    ranks: int


def card_text(card: int) -> str:
    return f"{COLOUR_LETTERS[card >> 3]}{(card & 7) + 1}"


cdef tuple _texts(uint32_t cards):
    return tuple([card_text(card) for card in range(32) if cards >> card & 1])


cdef const State *_state(Position position) except NULL:
    if position.ops != peas_ops():
        raise TypeError("not a PEAS position")
    return <const State *> position.state_ptr()


def view(Position position not None) -> RoundView:
    cdef const State *s = _state(position)
    cdef const Rules *r = <const Rules *> position.rules_ptr()
    cdef int8_t winners[MAX_PODS]
    cdef int points_a
    over = s.turn == TERMINAL
    if over:
        judge(r, s, &points_a, winners)
    pods = []
    for pod in range(r.pods):
        seats = (0, 1) if s.led[0] >> pod & 1 else (1, 0)
        plays = tuple([(seat, card_text(s.card[seat][pod])) for seat in seats if s.card[seat][pod] != NO_CARD])
        pods.append(PodView(r.value[pod], plays, winners[pod] if over else None))
    hands = []
    for seat in range(2):
        voids = tuple([COLOUR_LETTERS[c] for c in range(r.colours) if s.excluded[seat] >> (8 * c) & 1])
        hands.append(HandView(_texts(s.hand[seat]), s.unknown[seat], voids))
    return RoundView(tuple(pods), tuple(hands), r.pea, r.colours, r.ranks)


def why_illegal(Position position not None, move: int) -> str:
    cdef const State *s = _state(position)
    cdef const Rules *r = <const Rules *> position.rules_ptr()
    cdef int pod = move >> 5
    cdef int card = move & 31
    cdef int seat = s.turn
    player = "AB"[seat]
    if pod >= r.pods:
        return f"found pod {pod}, expected 0 to {r.pods - 1}"
    if not r.deck >> card & 1:
        return f"{card_text(card)} is not in this deck"
    if not s.open[seat] >> pod & 1:
        return f"{player} has already played on pod {pod}"
    lead = s.card[1 - seat][pod]
    if lead != NO_CARD and s.hand[seat] & colour_of(lead) and (lead ^ card) & 24:
        return f"{player} holds {COLOUR_LETTERS[lead >> 3]} and must match {card_text(lead)} on pod {pod}"
    return f"{player} cannot hold {card_text(card)}"


def build(pods, plays, hands, unknown, pea: int, colours: int, ranks: int) -> Position:
    cdef Rules r
    cdef State s
    cdef int pod, seat, card
    cdef uint32_t seen = 0
    cdef uint32_t bit
    memset(&r, 0, sizeof(Rules))
    memset(&s, 0, sizeof(State))
    memset(s.card, NO_CARD, sizeof(s.card))
    if not 1 <= colours <= MAX_COLOURS:
        raise InputError("options.colours", f"found {colours}, expected 1 to {MAX_COLOURS}")
    if not 1 <= ranks <= MAX_RANKS:
        raise InputError("options.ranks", f"found {ranks}, expected 1 to {MAX_RANKS}")
    if not 1 <= len(pods) <= MAX_PODS:
        raise PositionError("pods", f"found {len(pods)} pods, expected 1 to {MAX_PODS}")
    if 2 * len(pods) > colours * ranks:
        raise PositionError("pods", f"found {len(pods)} pods, expected at most {colours * ranks // 2}: two cards each")
    r.pods, r.colours, r.ranks, r.pea = len(pods), colours, ranks, pea
    for pod in range(r.pods):
        if not -9 <= pods[pod] <= 9:
            raise PositionError(f"pods[{pod}]", f"found {pods[pod]}, expected -9 to 9")
        r.value[pod] = pods[pod]
    for card in range(8 * colours):
        if (card & 7) < ranks:
            r.deck |= <uint32_t> 1 << card
    s.open[0] = s.open[1] = (1 << r.pods) - 1

    for pod in range(r.pods):
        for seat, card in plays[pod]:
            bit = _take(&r, &seen, card, f"pods[{pod}]")
            if not s.open[seat] >> pod & 1:
                raise PositionError(f"pods[{pod}]", f"found two cards of {'AB'[seat]}, expected at most one")
            s.hand[seat] |= bit  # play_card takes it from there
            play_card(&s, seat, pod, card)
    for seat in range(2):
        for card in hands[seat]:
            s.hand[seat] |= _take(&r, &seen, card, f"hands.{'AB'[seat]}")
        found, expected = len(hands[seat]) + unknown[seat], popcount(s.open[seat])
        if found != expected:
            reason = f"found {found} cards, expected {expected}: one for each open pod"
            raise PositionError(f"hands.{'AB'[seat]}", reason)
        s.unknown[seat] = unknown[seat]
        for card in hands[seat]:
            if s.excluded[seat] >> card & 1:
                reason = f"found {card_text(card)}, expected none of a colour that {'AB'[seat]} has shown not to hold"
                raise PositionError(f"hands.{'AB'[seat]}", reason)
    s.pool = r.deck & ~seen

    played = [r.pods - popcount(s.open[seat]) for seat in range(2)]
    if played[pea] - played[1 - pea] not in (0, 1):
        raise PositionError(
            "pods", f"found {played[0]} cards of A and {played[1]} of B, expected turns that alternate from {'AB'[pea]}"
        )
    s.turn = pea if played[0] == played[1] else 1 - pea
    if not s.open[0] | s.open[1]:
        s.turn = TERMINAL
    if count_worlds(&r, &s) == 0:
        raise PositionError("hands", "the unseen cards are too few or of colours shown not to be held")
    if not _reachable(&r, &s):
        raise PositionError("pods", "no order of play leads here: a colour not held cannot be played later on")
    return new_position(peas_ops(), &r, &s)


cdef uint32_t _take(const Rules *r, uint32_t *seen, int card, field) except? 0:
    """Marks a card as seen and returns its bit; raises PositionError for a second one or one not in the deck."""
    cdef uint32_t bit = <uint32_t> 1 << card
    if not r.deck & bit:
        raise PositionError(field, f"{card_text(card)} is not in this deck")
    if seen[0] & bit:
        raise PositionError(field, f"{card_text(card)} stands twice")
    seen[0] |= bit
    return bit


cdef bint _reachable(const Rules *r, const State *s) except -1:
    """Whether some order of the plays is legal: depth first over sets of plays already made.

    A play is named by its bit pod + 12 * seat. It needs the first card of its pod, and an answer in another colour
    needs every play of the colour led by the same player before it.
    """
    cdef uint32_t need[2 * MAX_PODS]
    cdef uint32_t all_plays = 0
    cdef uint32_t done, options, bit
    cdef int seat, pod, other, lead, depth = 0
    cdef uint32_t stack[2 * MAX_PODS + 1]
    cdef uint32_t left[2 * MAX_PODS + 1]
    cdef size_t size = <size_t> 1 << (2 * MAX_PODS - 3)
    cdef unsigned char *seen
    for seat in range(2):
        for pod in range(r.pods):
            if s.card[seat][pod] == NO_CARD:
                continue
            bit = <uint32_t> 1 << (pod + MAX_PODS * seat)
            all_plays |= bit
            need[pod + MAX_PODS * seat] = 0
            if s.led[seat] >> pod & 1:
                continue
            lead = s.card[1 - seat][pod]
            need[pod + MAX_PODS * seat] = <uint32_t> 1 << (pod + MAX_PODS * (1 - seat))
            if (lead ^ s.card[seat][pod]) & 24:
                for other in range(r.pods):
                    if s.card[seat][other] != NO_CARD and not (s.card[seat][other] ^ lead) & 24:
                        need[pod + MAX_PODS * seat] |= <uint32_t> 1 << (other + MAX_PODS * seat)
    seen = <unsigned char *> calloc(size, 1)
    if seen == NULL:
        raise MemoryError
    try:
        stack[0] = 0
        left[0] = all_plays & (<uint32_t> 0xFFF << (MAX_PODS * r.pea))
        while depth >= 0:
            done = stack[depth]
            if done == all_plays:
                return True
            options = left[depth]
            if not options:
                depth -= 1
                continue
            bit = options & -options
            left[depth] = options ^ bit
            if need[ctz(bit)] & ~done or seen[(done | bit) >> 3] >> ((done | bit) & 7) & 1:
                continue
            done |= bit
            seen[done >> 3] |= <unsigned char> (1 << (done & 7))
            depth += 1
            stack[depth] = done
            seat = 1 if depth & 1 == (1 - r.pea) else 0
            left[depth] = all_plays & ~done & (<uint32_t> 0xFFF << (MAX_PODS * seat))
        return False
    finally:
        free(seen)
