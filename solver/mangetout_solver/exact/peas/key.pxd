"""Keys of reduced PEAS states: equal for states that differ by names alone. docs/exact/peas.md has the proofs."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from mangetout_solver.exact.peas.outcomes cimport Outcomes
from mangetout_solver.exact.peas.reduced cimport (
    ANSWERS_ONLY,
    COLOURS,
    JUNK,
    LONE,
    LONE_A,
    MAX_COLOURS,
    RANKS,
    Node,
    in_colour,
    popcount,
)
from mangetout_solver.exact.table cimport Key

cdef extern from *:
    """
    static inline uint64_t mangetout_fold(uint64_t a, uint64_t b) {
        unsigned __int128 product = (unsigned __int128)a * b;
        return (uint64_t)product ^ (uint64_t)(product >> 64);
    }
    """
    uint64_t fold "mangetout_fold"(uint64_t a, uint64_t b) noexcept nogil


cdef inline int has_empty(const Node *s) noexcept nogil:
    """Whether an open pod has no card yet: only there cards of the two hands can be compared."""
    cdef int i
    for i in range(s.pods):
        if not s.kind[i] & LONE:
            return 1
    return 0


cdef inline uint32_t junk_colours(const Node *s, int seat, int empty, int off) noexcept nogil:
    """Bit of each colour whose cards in the player's hand are all alike: never compared and never asked for."""
    cdef uint32_t found = 0
    cdef int colour, i
    if off & JUNK:
        return 0
    for colour in range(MAX_COLOURS):
        if (
            in_colour(s.hand[seat], colour)
            and not s.owed[seat][colour]
            and (not in_colour(s.hand[1 - seat], colour) or not empty and not s.blank)
        ):
            found |= 1 << colour
    for i in range(s.pods):
        if s.kind[i] & LONE and (s.kind[i] & LONE == LONE_A) == (seat == 1):
            found &= ~(<uint32_t> 1 << (s.lone[i] >> 3))
    return found


cdef inline Key make_key(
    const Node *s, const uint16_t *words, const Outcomes *outcomes, int n_words, int off
) noexcept nogil:
    """outcomes: stand for values and sweeps; NULL: those are part of the key."""
    cdef Key key
    cdef int i, colour, seat, card, count
    cdef uint64_t x
    cdef uint64_t lones[4]
    cdef int junk[2]
    cdef uint32_t junks[2]
    cdef int empty = has_empty(s)
    cdef uint64_t shape
    junk[0] = junk[1] = 0
    junks[0] = junk_colours(s, 0, empty, off)
    junks[1] = junk_colours(s, 1, empty, off)
    lones[0] = lones[1] = lones[2] = lones[3] = 0
    for i in range(s.pods):
        if s.kind[i] & LONE:
            card = s.lone[i]
            colour = card >> 3
            if off & RANKS:
                count = card & 7
            else:
                count = popcount(
                    in_colour(s.hand[1 if s.kind[i] & LONE == LONE_A else 0], colour) & ((1 << (card & 7)) - 1)
                )
            x = <uint64_t> (i << 4 | count) << 1 | (s.kind[i] & LONE == LONE_A)
            lones[colour] += fold(x ^ 0xD1B54A32D192ED03ULL, 0x2545F4914F6CDD1DULL)
    key.high = key.low = 0
    for colour in range(MAX_COLOURS):
        x = 0
        for seat in range(2):
            if junks[seat] >> colour & 1:
                junk[seat] += popcount(in_colour(s.hand[seat], colour))
        if empty or off & (ANSWERS_ONLY | RANKS):
            if junks[0] >> colour & 1 or junks[1] >> colour & 1:
                x = words[
                    (0 if junks[0] >> colour & 1 else in_colour(s.hand[0], colour))
                    | (0 if junks[1] >> colour & 1 else in_colour(s.hand[1], colour)) << 8
                ]
            else:
                x = words[in_colour(s.hand[0], colour) | in_colour(s.hand[1], colour) << 8]
            if off & RANKS:
                x = in_colour(s.hand[0], colour) | in_colour(s.hand[1], colour) << 8
        else:
            x = (0 if junks[0] >> colour & 1 else popcount(in_colour(s.hand[0], colour))) | (
                0 if junks[1] >> colour & 1 else popcount(in_colour(s.hand[1], colour))
            ) << 8
        x = x << 16 | <uint64_t> s.owed[0][colour] << 8 | s.owed[1][colour]
        if off & COLOURS:
            x |= <uint64_t> (colour + 1) << 56
        if x or lones[colour]:
            x = fold(x ^ 0xA0761D6478BD642FULL, 0xE7037ED1A0B428DBULL) + lones[colour]
            key.high += fold(x ^ 0x8EBC6AF09C88C6E3ULL, 0x589965CC75374CC3ULL)
            key.low += fold(x ^ 0x1D8E4E27C47D124FULL, 0xEB44ACCAB455D165ULL)
    shape = (
        <uint64_t> s.turn
        | <uint64_t> s.free[0] << 8
        | <uint64_t> s.free[1] << 16
        | <uint64_t> s.blank << 24
        | <uint64_t> junk[0] << 32
        | <uint64_t> junk[1] << 40
    )
    if outcomes == NULL:
        shape |= <uint64_t> s.sweep << 48 | <uint64_t> 1 << 56
    key.high = fold(key.high ^ shape, 0x9E3779B97F4A7C15ULL)
    key.low = fold(key.low ^ shape, 0xC2B2AE3D27D4EB4FULL)
    for i in range(2):
        x = (<const uint64_t *> s.kind)[i]
        key.high = fold(key.high ^ x, 0xA0761D6478BD642FULL)
        key.low = fold(key.low ^ x, 0xE7037ED1A0B428DBULL)
    if outcomes == NULL:
        for i in range(2):
            x = (<const uint64_t *> s.value)[i]
            key.high = fold(key.high ^ x, 0x8EBC6AF09C88C6E3ULL)
            key.low = fold(key.low ^ x, 0x589965CC75374CC3ULL)
    else:
        for i in range(n_words):
            key.high = fold(key.high ^ outcomes.word[i], 0x8EBC6AF09C88C6E3ULL)
            key.low = fold(key.low ^ outcomes.word[i], 0x589965CC75374CC3ULL)
    return key
