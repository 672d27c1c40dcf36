"""What a threshold asks of the open pods: which ways of sharing them out reach it."""

from libc.stdint cimport uint64_t

from mangetout_solver.exact.peas.reduced cimport (
    A_TAKES,
    B_TAKES,
    SWEPT,
    THRESHOLD,
    Node,
)

cdef enum:
    WIDEST = 7  # open pods whose outcomes are weighed as a truth table


# For each way in which the open pods can be shared out (bit i of the index: B takes pod i) whether A's margin reaches
# what is needed: a bit each, lowest index first.
ctypedef struct Outcomes:
    uint64_t word[4]


cdef inline int truth(const Node *s, int need, Outcomes *table) noexcept nogil:
    """The truth table of at most WIDEST pods and SWEPT / 2 points. Returns its words."""
    cdef uint64_t lanes, at, bits
    cdef int i, j, k
    cdef int n = s.pods
    cdef int words = 1 if n <= 6 else 1 << (n - 6)
    cdef int total = 0
    cdef int shift[WIDEST]
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
        table.word[k] = bits
    if n < 6:
        table.word[0] &= (<uint64_t> 1 << (1 << n)) - 1
    if s.sweep & A_TAKES:
        table.word[0] |= 1
    if s.sweep & B_TAKES:
        table.word[words - 1] &= ~(<uint64_t> 1 << (((1 << n) - 1) & 63))
    return words


cdef inline int settle_need(Node *s, int need) noexcept nogil:
    """Forgets sweeps that cannot matter for the question whether A's margin still grows by `need`; returns the
    least need that asks the same."""
    cdef int total = 0
    cdef int size = 0
    cdef int i
    for i in range(s.pods):
        total += s.value[i]
        size += s.value[i] if s.value[i] >= 0 else -s.value[i]
    if total >= need:
        s.sweep &= B_TAKES
    if -total < need:
        s.sweep &= A_TAKES
    if need > size:
        return size + 1
    if need < -size:
        return -size
    # All sums are odd, or all are even.
    return need + ((need - total) & 1)


cdef inline int weigh(const Node *s, int need, Outcomes *table, int *words, int off) noexcept nogil:
    """Reads what is needed as a truth table over the open pods; words: 0 where there are too many pods or points.

    1 when A surely gets it, 0 when surely not, -1 otherwise.
    """
    cdef int i
    cdef int size = 0
    cdef uint64_t ones = ~<uint64_t> 0 if s.pods >= 6 else (<uint64_t> 1 << (1 << s.pods)) - 1
    cdef uint64_t every = ones
    cdef uint64_t any_ = 0
    words[0] = 0
    for i in range(s.pods):
        size += s.value[i] if s.value[i] >= 0 else -s.value[i]
    if off & THRESHOLD or s.pods > WIDEST or size > SWEPT // 2:
        return -1
    words[0] = truth(s, need, table)
    for i in range(words[0]):
        every &= table.word[i]
        any_ |= table.word[i]
    return 0 if not any_ else 1 if every == ones else -1
