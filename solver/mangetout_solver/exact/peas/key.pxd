"""Keys of reduced PEAS states: equal for states that differ by names alone. docs/exact/peas.md has the proofs."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from mangetout_solver.exact.peas.outcomes cimport Outcomes
from mangetout_solver.exact.peas.reduced cimport (
    COLOURS,
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


cdef inline Key make_key(
    const Node *s, const uint16_t *words, const Outcomes *outcomes, int n_words, int off
) noexcept nogil:
    """outcomes: stand for values and sweeps; NULL: those are part of the key."""
    cdef Key key
    cdef int i, colour, card, by_a, count
    cdef uint64_t x
    cdef uint64_t high[MAX_COLOURS]  # of the lone cards of each colour, for either half of the key
    cdef uint64_t low[MAX_COLOURS]
    cdef uint64_t shape
    cdef uint64_t row = 0
    for colour in range(MAX_COLOURS):
        high[colour] = low[colour] = 0
    for i in range(s.pods):
        row = row << 5 | s.kind[i]
        if s.kind[i] & LONE:
            card = s.lone[i]
            by_a = s.kind[i] & LONE == LONE_A
            count = card & 7
            if not off & RANKS:
                count = popcount(in_colour(s.hand[by_a], card >> 3) & ((1 << count) - 1))
            x = <uint64_t> (i << 4 | count) << 1 | by_a
            high[card >> 3] += fold(x ^ 0xD1B54A32D192ED03ULL, 0x2545F4914F6CDD1DULL)
            low[card >> 3] += fold(x ^ 0x9FB21C651E98DF25ULL, 0xD6E8FEB86659FD93ULL)
    key.high = key.low = 0
    for colour in range(MAX_COLOURS):
        x = in_colour(s.hand[0], colour) | in_colour(s.hand[1], colour) << 8
        if not off & RANKS:
            x = words[x]
        x = x << 16 | s.owed[0][colour] << 8 | s.owed[1][colour]
        if off & COLOURS:
            x |= <uint64_t> (colour + 1) << 56
        if x or high[colour]:
            high[colour] += fold(x ^ 0xA0761D6478BD642FULL, 0xE7037ED1A0B428DBULL)
            low[colour] += fold(x ^ 0xC4CEB9FE1A85EC53ULL, 0xFF51AFD7ED558CCDULL)
            key.high += fold(high[colour] ^ 0x8EBC6AF09C88C6E3ULL, 0x589965CC75374CC3ULL)
            key.low += fold(low[colour] ^ 0x1D8E4E27C47D124FULL, 0xEB44ACCAB455D165ULL)
    shape = <uint64_t> s.turn | <uint64_t> s.free[0] << 8 | <uint64_t> s.free[1] << 16 | <uint64_t> s.blank << 24
    shape |= <uint64_t> s.spare[0] << 32 | <uint64_t> s.spare[1] << 40
    if outcomes == NULL:
        shape |= <uint64_t> s.sweep << 48 | <uint64_t> 1 << 56
    key.high = fold(fold(key.high ^ shape, 0x9E3779B97F4A7C15ULL) ^ row, 0xA0761D6478BD642FULL)
    key.low = fold(fold(key.low ^ shape, 0xC2B2AE3D27D4EB4FULL) ^ row, 0xE7037ED1A0B428DBULL)
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
