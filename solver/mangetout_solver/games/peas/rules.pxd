"""PEAS, one round or a match: state and rules as plain C. Rulings PEAS-* are named where they apply.

A card is the number 8 * colour + rank - 1 and a set of cards a 32-bit mask, so a colour is one byte of the mask.
A move is 32 * pod + card: card `move & 31` played on pod `move >> 5`.
In a match the chance events of kind POD and CARD deal the rounds after the first. A round that is over, the match not
being decided, waits for the first of them.
"""

from libc.stdint cimport int8_t, int64_t, uint16_t, uint32_t, uint64_t

from mangetout_solver.games.interface cimport CHANCE, TERMINAL, GameOps
from mangetout_solver.games.rng cimport Rng, rng_below, rng_next

cdef extern from *:
    int ctz "__builtin_ctz"(unsigned int x) noexcept nogil
    int popcount "__builtin_popcount"(unsigned int x) noexcept nogil

cdef enum:
    MAX_PODS = 12
    MAX_COLOURS = 4
    MAX_RANKS = 8
    NO_CARD = -1
    ROUNDS_TO_WIN = 2  # a match (PEAS-18)
    # Kinds of chance events, as bits 24 to 31 of their numbers.
    POD = 128  # the next pod is drawn: first index of its value in the rules
    CARD = 129  # the next card is dealt: 32 * zone + card
    UNSEEN = 0xFFFFFF
    ASIDE = 2  # zone of the cards not used; 0 and 1 are the hands


ctypedef struct Rules:
    uint32_t deck  # all cards of the game
    int8_t pods
    int8_t colours
    int8_t ranks
    int8_t match  # 1: a match, 0: one round
    int8_t value[MAX_PODS]  # pod points, ascending


ctypedef struct State:
    uint32_t hand[2]  # known cards in hand
    uint32_t pool  # cards not played and not in a known hand
    uint32_t excluded[2]  # cards of the colours a player has shown not to hold (PEAS-06)
    uint16_t open[2]  # pods without a card of the player
    uint16_t led[2]  # pods on which the player was the first to play
    # Further cards in hand, drawn from the pool. While cards are dealt: 0 where all are known, else those missing from
    # the whole hand; any dealt card of the pool may then be one of them.
    int8_t unknown[2]
    int8_t turn  # seat to move, CHANCE or TERMINAL
    int8_t pea  # seat that holds the first-player pea in this round
    int8_t card[2][MAX_PODS]  # card of the player on the pod, or NO_CARD
    int8_t value[MAX_PODS]  # pod points, Bottom first; 0 as long as not drawn
    int8_t wins[2]  # rounds won
    # While a round is dealt: pods drawn, at least 1, and cards dealt, the lowest of the deck; else 0.
    int8_t drawn
    int8_t dealt


cdef const GameOps *peas_ops() noexcept nogil
cdef int64_t count_worlds(const void *rules, const void *state) noexcept nogil


cdef inline uint32_t colour_of(int card) noexcept nogil:
    """The mask of the card's colour."""
    return <uint32_t> 0xFF << (card & 24)


cdef inline int nth_bit(uint32_t mask, uint32_t n) noexcept nogil:
    """Index of the n-th set bit, counted from 0."""
    while n:
        mask &= mask - 1
        n -= 1
    return ctz(mask)


cdef inline uint32_t next_card(const Rules *r, const State *s) noexcept nogil:
    return <uint32_t> nth_bit(r.deck, s.dealt)


cdef inline void lose_track(const Rules *r, State *s) noexcept nogil:
    """Forgets where the dealt cards lie that are in no known hand."""
    cdef int seat
    for seat in range(2):
        s.unknown[seat] = <int8_t> (r.pods - popcount(s.hand[seat]))


cdef inline uint32_t playable(const State *s, int seat, int pod) noexcept nogil:
    """Cards of a fully known hand that may go on an open pod (PEAS-03 to PEAS-06)."""
    cdef uint32_t hand = s.hand[seat]
    cdef uint32_t matching
    cdef int lead = s.card[1 - seat][pod]
    if lead == NO_CARD:
        return hand
    matching = hand & colour_of(lead)
    return matching if matching else hand


cdef inline void play_card(State *s, int seat, int pod, int card) noexcept nogil:
    """Plays a card, legal or not, and passes the turn; TERMINAL after the last card of the round."""
    cdef uint32_t bit = <uint32_t> 1 << card
    cdef uint16_t place = <uint16_t> (1 << pod)
    cdef int lead = s.card[1 - seat][pod]
    if s.hand[seat] & bit:
        s.hand[seat] ^= bit
    else:
        s.unknown[seat] -= 1
        s.pool &= ~bit
    if lead == NO_CARD:
        s.led[seat] |= place
    elif (lead ^ card) & 24:
        s.excluded[seat] |= colour_of(lead)
    s.card[seat][pod] = <int8_t> card
    s.open[seat] ^= place
    s.turn = <int8_t> (1 - seat)
    if not (s.open[0] | s.open[1]):
        s.turn = TERMINAL


cdef inline uint32_t random_play(const State *s, Rng *rng) noexcept nogil:
    """A uniformly random legal move of a fully known hand."""
    cdef int seat = s.turn
    cdef uint32_t free_pods = s.open[seat] & s.open[1 - seat]
    cdef uint32_t answers = s.open[seat] ^ free_pods
    cdef uint32_t hand = s.hand[seat]
    cdef uint32_t n_hand = popcount(s.open[seat])  # one card a pod still open
    cdef uint32_t total = popcount(free_pods) * n_hand
    cdef uint32_t choices[MAX_PODS]
    cdef uint32_t pods = answers
    cdef int pod, n = 0
    cdef uint32_t r, quotient
    while pods:
        choices[n] = playable(s, seat, ctz(pods))
        total += n_hand if choices[n] == hand else popcount(choices[n])
        pods &= pods - 1
        n += 1
    r = rng_below(rng, total)
    # The answers come first: their lists are short, and what is left divides evenly over the free pods.
    n = 0
    pods = answers
    while pods:
        quotient = popcount(choices[n])
        if r < quotient:
            pod = ctz(pods)
            return <uint32_t> (pod << 5) | <uint32_t> nth_bit(choices[n], r)
        r -= quotient
        pods &= pods - 1
        n += 1
    quotient = r // n_hand
    pod = nth_bit(free_pods, quotient)
    return <uint32_t> (pod << 5) | <uint32_t> nth_bit(hand, r - quotient * n_hand)


cdef inline int play_out(State *s, Rng *rng) noexcept nogil:
    """Random moves to the end of the round from fully known hands; returns their number.

    Draws a card and an open pod until they go together: that is uniform over the legal moves and needs no list of them.
    """
    cdef int8_t cards[2][MAX_PODS]
    cdef int8_t pods[2][MAX_PODS]
    cdef int8_t held[2][MAX_COLOURS]
    cdef int left[2]
    cdef uint32_t mask
    cdef uint64_t draw
    cdef int seat, i, j, card, pod, lead
    cdef int n = 0
    for seat in range(2):
        for i in range(MAX_COLOURS):
            held[seat][i] = <int8_t> popcount(s.hand[seat] >> (8 * i) & 0xFF)
        mask = s.hand[seat]
        i = 0
        while mask:
            cards[seat][i] = <int8_t> ctz(mask)
            mask &= mask - 1
            i += 1
        left[seat] = i
        mask = s.open[seat]
        i = 0
        while mask:
            pods[seat][i] = <int8_t> ctz(mask)
            mask &= mask - 1
            i += 1
    while s.turn >= 0:
        seat = s.turn
        while True:
            draw = rng_next(rng)
            i = <int> (((draw >> 32) * <uint64_t> left[seat]) >> 32)
            j = <int> ((<uint64_t> <uint32_t> draw * <uint64_t> left[seat]) >> 32)
            card = cards[seat][i]
            pod = pods[seat][j]
            lead = s.card[1 - seat][pod]
            if lead == NO_CARD or not (lead ^ card) & 24 or not held[seat][lead >> 3]:
                break
        play_card(s, seat, pod, card)
        held[seat][card >> 3] -= 1
        left[seat] -= 1
        cards[seat][i] = cards[seat][left[seat]]
        pods[seat][j] = pods[seat][left[seat]]
        n += 1
    return n


cdef inline int judge(const Rules *r, const State *s, int *points_a, int8_t *winner) noexcept nogil:
    """Judges a finished round (PEAS-08 to PEAS-15): returns the winning seat; A's points (B has the rest of the sum).

    winner: receives the seat that takes each pod; may be NULL.
    """
    cdef int pod, a, b
    cdef int taken_by_b = 0
    cdef int parent = 0 if s.led[0] & 1 else 1  # PEAS-08
    cdef int points[2]
    points[0] = points[1] = 0
    for pod in range(r.pods):
        a = s.card[0][pod]
        b = s.card[1][pod]
        # PEAS-09, PEAS-11: unless a higher card of the parent's colour beats it, the parent's card wins.
        if not ((a ^ b) & 24):
            parent = 1 if b > a else 0
        points[parent] += s.value[pod]
        taken_by_b += parent
        if winner != NULL:
            winner[pod] = <int8_t> parent
    points_a[0] = points[0]
    if taken_by_b == 0:  # PEAS-13, PEAS-14
        return 0
    if taken_by_b == r.pods:
        return 1
    if points[0] != points[1]:
        return 0 if points[0] > points[1] else 1
    return s.pea  # PEAS-15
