"""Keys of reduced PEAS states: equal for states that differ by names alone. docs/exact/peas.md has the proofs."""

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t, uint64_t

from mangetout_solver.exact.peas.reduced cimport (
    A_TAKES,
    ANSWERS_ONLY,
    B_TAKES,
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

cdef enum:
    WIDEST = 8  # open pods whose outcomes are weighed as a truth table


cdef inline uint64_t mix(uint64_t x, uint64_t secret) noexcept nogil:
    return fold(x ^ secret, 0x9E3779B97F4A7C15ULL ^ (secret << 1 | 1))


# For each way in which the open pods can be shared out (bit i of the index: B takes pod i) whether A's margin reaches
# what is needed: a bit each, lowest index first.
ctypedef struct Outcomes:
    uint64_t word[4]


cdef inline int truth(const Node *s, int need, Outcomes *with_sweep, Outcomes *plain) noexcept nogil:
    """The truth tables with and without the sweep rule, of at most WIDEST pods and SWEPT / 2 points. Returns words."""
    cdef uint64_t lanes, at, bits
    cdef int i, j, k
    cdef int n = s.pods
    cdef int words = 1 if n <= 6 else 1 << (n - 6)
    cdef int total = 0
    cdef int shift[WIDEST]
    cdef uint64_t last
    for i in range(WIDEST):
        shift[i] = 2 * s.value[i] if i < n else 0
        total += s.value[i] if i < n else 0
    # Eight outcomes a word, a byte each: the top bit says whether the sum, less what is needed, is not negative.
    lanes = <uint64_t> (128 + total - need) * 0x0101010101010101ULL
    lanes -= <uint64_t> <long long> shift[0] * 0x0100010001000100ULL
    lanes -= <uint64_t> <long long> shift[1] * 0x0101000001010000ULL
    lanes -= <uint64_t> <long long> shift[2] * 0x0101010100000000ULL
    for k in range(words):
        bits = 0
        for j in range(8):
            at = lanes
            if j & 1:
                at -= <uint64_t> <long long> shift[3] * 0x0101010101010101ULL
            if j & 2:
                at -= <uint64_t> <long long> shift[4] * 0x0101010101010101ULL
            if j & 4:
                at -= <uint64_t> <long long> shift[5] * 0x0101010101010101ULL
            if k & 1:
                at -= <uint64_t> <long long> shift[6] * 0x0101010101010101ULL
            if k & 2:
                at -= <uint64_t> <long long> shift[7] * 0x0101010101010101ULL
            bits |= ((((at >> 7) & 0x0101010101010101ULL) * 0x0102040810204080ULL) >> 56) << (8 * j)
        plain.word[k] = bits
    if n < 6:
        plain.word[0] &= (<uint64_t> 1 << (1 << n)) - 1
    with_sweep[0] = plain[0]
    if s.sweep & A_TAKES:
        with_sweep.word[0] |= 1
    if s.sweep & B_TAKES:
        last = <uint64_t> 1 << (((1 << n) - 1) & 63)
        with_sweep.word[words - 1] &= ~last
    return words


cdef inline int depends_on(const Outcomes *t, int words, int n, int pod) noexcept nogil:
    """Whether the outcome of a pod can matter."""
    cdef uint64_t low
    cdef int k, step
    if pod >= 6:
        step = 1 << (pod - 6)
        for k in range(words):
            if not k & step and t.word[k] != t.word[k + step]:
                return 1
        return 0
    if pod == 0:
        low = 0x5555555555555555ULL
    elif pod == 1:
        low = 0x3333333333333333ULL
    elif pod == 2:
        low = 0x0F0F0F0F0F0F0F0FULL
    elif pod == 3:
        low = 0x00FF00FF00FF00FFULL
    elif pod == 4:
        low = 0x0000FFFF0000FFFFULL
    else:
        low = 0x00000000FFFFFFFFULL
    for k in range(words):
        if (t.word[k] ^ (t.word[k] >> (1 << pod))) & low & (
            ~<uint64_t> 0 if n >= 6 else (<uint64_t> 1 << (1 << n)) - 1
        ):
            return 1
    return 0


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
            lones[colour] += mix(<uint64_t> (i << 4 | count) << 1 | (s.kind[i] & LONE == LONE_A), 0xD1B54A32D192ED03ULL)
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
