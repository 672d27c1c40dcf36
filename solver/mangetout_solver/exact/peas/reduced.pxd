"""The reduced state of a PEAS round, and how plays change it. docs/exact/peas.md has the proofs.

Decided pods are gone: their points are in `score`, and what else a later play can depend on is kept in the row of pods
that are still open and in the places that await a card whose choice decides nothing.
A card is 8 * colour + rank - 1, a hand a 32-bit mask with one byte a colour. A hidden hand is all the cards that it may
hold: whoever plays it need not choose before it must.
"""

from libc.stdint cimport int8_t, int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from mangetout_solver.games.peas.rules cimport MAX_COLOURS, NO_CARD, Rules, State, ctz, popcount

cdef enum:
    # What the winner of an open pod depends on where its two cards are of different colours (the parent).
    CHAINED = 1  # the winner of the open pod before it
    BY_A = 2  # A is the parent
    BY_B = 3
    UNSET = 4  # the Bottom pod before its first card
    PARENT = 7
    LONE_A = 8  # A's card lies on it
    LONE_B = 16
    LONE = 24
    # Ways a pod can still end, as bits.
    A_TAKES = 1  # a higher card of the same colour
    B_TAKES = 2
    PASSES = 4  # different colours: the parent takes it
    # What can be switched off, in the order of TECHNIQUES in solver.pyx.
    EARLY_IDENTITY = 1 << 0
    DETERMINED = 1 << 1
    UNCOMPARED = 1 << 2
    RANKS = 1 << 3
    COLOURS = 1 << 4
    THRESHOLD = 1 << 5
    BOUNDS = 1 << 6
    SURE_ANSWERS = 1 << 7
    LOOK_AHEAD = 1 << 8
    HISTORY = 1 << 9
    # Where a card goes, besides pods.
    FREE = 12
    OWED = 13
    BLANK = 14
    DENIED = 15  # and the colours after it: an owed place, by a card of another colour
    SWEPT = 120  # margin of a player who takes all pods


ctypedef struct Node:
    int8_t value[16]  # of the open pods, Bottom first; 0 beyond them
    uint8_t kind[16]  # parent and owner of the lone card; 0 beyond them
    int8_t lone[12]  # the card on the pod where there is one
    uint8_t ways[12]  # how the pod can end
    uint8_t name[12]  # which pod of the game it is
    uint32_t hand[2]
    uint8_t spare[2]  # cards of `hand` that the player does not hold
    uint8_t owed[2][4]  # places where the player must follow a colour, and that decide nothing
    uint8_t free[2]  # places where the player may put any card
    uint8_t blank  # empty pods whose winner does not matter
    uint8_t pods  # number of open pods
    uint8_t turn
    uint8_t sweep  # bit of each player who may still take all pods, where that matters
    int16_t score  # points of A minus those of B on decided pods


cdef inline uint32_t in_colour(uint32_t cards, int colour) noexcept nogil:
    """The cards of a colour, as a byte."""
    return cards >> (8 * colour) & 0xFF


cdef inline int comparisons(uint32_t a, uint32_t b) noexcept nogil:
    """Which player's cards of the same colour can beat some of the other's: A_TAKES and B_TAKES."""
    cdef int found = 0
    cdef int colour
    cdef uint32_t x, y
    for colour in range(MAX_COLOURS):
        x = in_colour(a, colour)
        y = in_colour(b, colour)
        if x and y:
            if x > (y & -y):
                found |= A_TAKES
            if y > (x & -x):
                found |= B_TAKES
    return found


cdef inline int answers(const Node *s, int owner, int card, int off) noexcept nogil:
    """How a pod with a lone card can end, by what the other player holds."""
    cdef uint32_t hand = s.hand[1 - owner]
    cdef uint32_t same = in_colour(hand, card >> 3)
    cdef int rank = card & 7
    cdef int found = 0
    if not same:
        return PASSES
    if off & DETERMINED:
        return A_TAKES | B_TAKES | PASSES
    if same & ((1 << rank) - 1):
        found |= A_TAKES << owner
    if same >> rank:
        found |= B_TAKES >> owner
    # To answer in another colour the player must first be rid of this one.
    if hand != same << (card & 24):
        found |= PASSES
    return found


cdef inline void await_answer(Node *s, int seat, int colour) noexcept nogil:
    """A place where the player still answers a card of the colour, and that decides nothing."""
    if in_colour(s.hand[seat], colour):
        s.owed[seat][colour] += 1
    else:
        s.free[seat] += 1


cdef inline int won_by(int kind) noexcept nogil:
    """How a pod with a fixed parent ends when it passes."""
    return A_TAKES if kind & PARENT == BY_A else B_TAKES


cdef inline void settle(Node *s, int answered, int outcome, int off) noexcept nogil:
    """Takes out the pods that are decided. answered: the pod just filled, -1 for none; outcome: how it has ended."""
    cdef int seat, colour, i, ways, kind, empty_ways
    cdef int fixed = 0  # the winner of the pod before, where it is decided
    cdef int n = 0
    for seat in range(2):
        for colour in range(MAX_COLOURS):
            if s.owed[seat][colour] and not in_colour(s.hand[seat], colour):
                s.free[seat] += s.owed[seat][colour]
                s.owed[seat][colour] = 0
    empty_ways = A_TAKES | B_TAKES | PASSES if off & UNCOMPARED else 0
    for i in range(s.pods):
        kind = s.kind[i]
        if fixed and kind & PARENT == CHAINED:
            kind = (kind & LONE) | (BY_A if fixed == A_TAKES else BY_B)
        if i == answered:
            ways = outcome
        elif not kind & LONE:
            if not empty_ways:
                empty_ways = comparisons(s.hand[0], s.hand[1]) | PASSES
            ways = empty_ways
        elif off & EARLY_IDENTITY and not in_colour(s.hand[0 if kind & LONE == LONE_B else 1], s.lone[i] >> 3):
            ways = A_TAKES | B_TAKES | PASSES
        else:
            ways = answers(s, 0 if kind & LONE == LONE_A else 1, s.lone[i], off)
        if ways & PASSES and kind & PARENT in (BY_A, BY_B):
            ways = (ways & ~PASSES) | won_by(kind)
        if ways & (ways - 1) == 0 and kind & PARENT != UNSET:
            # Decided: only the card that is still to come has to be awaited.
            if i != answered:
                if not kind & LONE:
                    s.blank += 1
                else:
                    await_answer(s, 1 if kind & LONE == LONE_A else 0, s.lone[i] >> 3)
            if ways == PASSES:
                s.value[n - 1] += s.value[i]
            else:
                s.score += s.value[i] if ways == A_TAKES else -s.value[i]
                s.sweep &= <uint8_t> ways
                fixed = ways
            continue
        fixed = 0
        s.value[n] = s.value[i]
        s.kind[n] = <uint8_t> kind
        s.lone[n] = s.lone[i]
        s.ways[n] = <uint8_t> ways
        s.name[n] = s.name[i]
        n += 1
    for i in range(n, s.pods):
        s.value[i] = 0
        s.kind[i] = 0
    s.pods = <uint8_t> n


cdef inline bint may_deny(const Node *s, int seat, uint32_t cards) noexcept nogil:
    """Whether the player may turn out to hold none of the cards."""
    return popcount(s.hand[seat] & cards) <= s.spare[seat]


cdef inline void deny(Node *s, int seat, int colour) noexcept nogil:
    """The player shows to hold no card of a colour."""
    cdef uint32_t cards = s.hand[seat] & <uint32_t> 0xFF << (8 * colour)
    s.hand[seat] ^= cards
    s.spare[seat] -= popcount(cards)


cdef inline void play_reduced(Node *s, int card, int place, int off) noexcept nogil:
    """Plays a card of the player to move on an open pod, or on FREE, OWED, BLANK, DENIED and a colour."""
    cdef int seat = s.turn
    cdef int answered = -1
    cdef int outcome = 0
    cdef int other
    s.hand[seat] ^= <uint32_t> 1 << card
    s.turn = <uint8_t> (1 - seat)
    if place == FREE:
        s.free[seat] -= 1
    elif place == OWED:
        s.owed[seat][card >> 3] -= 1
    elif place == BLANK:
        s.blank -= 1
        await_answer(s, 1 - seat, card >> 3)
    elif place >= DENIED:
        s.owed[seat][place - DENIED] -= 1
        deny(s, seat, place - DENIED)
    elif s.kind[place] & LONE:
        other = s.lone[place]
        answered = place
        if (other ^ card) & 24:
            outcome = PASSES
            deny(s, seat, other >> 3)
        else:
            outcome = A_TAKES << (seat if card > other else 1 - seat)
    else:
        s.lone[place] = <int8_t> card
        if s.kind[place] == UNSET:
            s.kind[place] = BY_A if seat == 0 else BY_B
        s.kind[place] |= LONE_A << seat
    settle(s, answered, outcome, off)


cdef inline void reduce_round(const Rules *r, const State *s, Node *out, int off) noexcept nogil:
    """The reduced state of a round in which each hand is known or hidden as a whole."""
    cdef int pod, a, b, kind, seat
    cdef int parent = UNSET
    memset(out, 0, sizeof(Node))
    for seat in range(2):
        out.hand[seat] = s.hand[seat]
        if s.unknown[seat]:
            out.hand[seat] = s.pool & ~s.excluded[seat]
            out.spare[seat] = <uint8_t> (popcount(out.hand[seat]) - s.unknown[seat])
    out.turn = <uint8_t> s.turn
    out.sweep = A_TAKES | B_TAKES
    if (s.led[0] | s.led[1]) & 1:
        parent = BY_A if s.led[0] & 1 else BY_B
    # Filled pods first become open ones that have ended; then all are settled at once.
    cdef int n = 0
    for pod in range(r.pods):
        a = s.card[0][pod]
        b = s.card[1][pod]
        if a != NO_CARD and b != NO_CARD:
            if (a ^ b) & 24:
                # Passes on who took the pod before.
                if parent == CHAINED:
                    out.value[n - 1] += s.value[pod]
                else:
                    out.score += s.value[pod] if parent == BY_A else -s.value[pod]
                    out.sweep &= A_TAKES if parent == BY_A else B_TAKES
                continue
            out.score += s.value[pod] if a > b else -s.value[pod]
            out.sweep &= A_TAKES if a > b else B_TAKES
            parent = BY_A if a > b else BY_B
            continue
        kind = parent
        if a != NO_CARD:
            kind |= LONE_A
            out.lone[n] = <int8_t> a
        elif b != NO_CARD:
            kind |= LONE_B
            out.lone[n] = <int8_t> b
        out.value[n] = s.value[pod]
        out.name[n] = <uint8_t> pod
        out.kind[n] = <uint8_t> kind
        n += 1
        parent = CHAINED
    out.pods = <uint8_t> n
    settle(out, -1, 0, off)
