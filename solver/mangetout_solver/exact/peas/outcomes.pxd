"""What a threshold asks of the open pods: which ways of sharing them out reach it."""

from libc.stdint cimport uint64_t

from mangetout_solver.exact.peas.reduced cimport (
    A_TAKES,
    B_TAKES,
    CHAINED,
    IMPOSSIBLE,
    IRRELEVANT,
    PARENT,
    PASSES,
    SWEPT,
    THRESHOLD,
    Node,
    drop_irrelevant,
)

cdef extern from *:
    """
    /* Bit i of the index of each outcome of six pods. */
    static const uint64_t mangetout_pattern[6] = {
        0xAAAAAAAAAAAAAAAAULL, 0xCCCCCCCCCCCCCCCCULL, 0xF0F0F0F0F0F0F0F0ULL,
        0xFF00FF00FF00FF00ULL, 0xFFFF0000FFFF0000ULL, 0xFFFFFFFF00000000ULL,
    };
    """
    const uint64_t PATTERN "mangetout_pattern"[6]

cdef enum:
    WIDEST = 7  # open pods whose outcomes are weighed as a truth table


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
    low = ~PATTERN[pod]
    for k in range(words):
        if (t.word[k] ^ (t.word[k] >> (1 << pod))) & low & (
            ~<uint64_t> 0 if n >= 6 else (<uint64_t> 1 << (1 << n)) - 1
        ):
            return 1
    return 0


cdef inline void forget_impossible(const Node *s, Outcomes *t, int words) noexcept nogil:
    """Clears the outcomes that cannot come about: a pod that one player can only take as the parent goes to the other
    after the other has taken the pod before."""
    cdef uint64_t before, this, impossible
    cdef int i, k, ways
    for i in range(1, s.pods):
        ways = s.ways[i]
        if s.kind[i] & PARENT != CHAINED or not ways & PASSES or ways == (A_TAKES | B_TAKES | PASSES):
            continue
        for k in range(words):
            this = PATTERN[i] if i < 6 else (~<uint64_t> 0 if k >> (i - 6) & 1 else 0)
            before = PATTERN[i - 1] if i < 7 else (~<uint64_t> 0 if k >> (i - 7) & 1 else 0)
            impossible = ~before & this if ways & A_TAKES else before & ~this
            t.word[k] &= ~impossible


cdef inline int settle_need(Node *s, int need, int off) noexcept nogil:
    """Forgets sweeps that cannot matter for the question whether A's margin still grows by `need`; returns the
    least need that asks the same."""
    cdef int total = 0
    cdef int size = 0
    cdef int i
    for i in range(s.pods):
        total += s.value[i]
        size += s.value[i] if s.value[i] >= 0 else -s.value[i]
    if s.sweep:
        if total >= need:
            s.sweep &= B_TAKES
        if -total < need:
            s.sweep &= A_TAKES
        if not s.sweep and not off & IRRELEVANT:
            drop_irrelevant(s)
    if need > size:
        return size + 1
    if need < -size:
        return -size
    # All sums are odd, or all are even.
    return need + ((need - total) & 1)


cdef inline int weigh(Node *s, int need, Outcomes *outcomes, int *words, int off) noexcept nogil:
    """Reads what is needed as a truth table over the open pods, and drops the pods that cannot matter.

    1 when A surely gets it, 0 when surely not, -1 otherwise; words: 0 where there is no such table.
    """
    cdef Outcomes plain
    cdef int i, size, changed
    cdef uint64_t ones, all_true
    words[0] = 0
    if off & THRESHOLD:
        return -1
    while True:
        size = 0
        for i in range(s.pods):
            size += s.value[i] if s.value[i] >= 0 else -s.value[i]
        if s.pods > WIDEST or size > SWEPT // 2:
            return -1
        words[0] = truth(s, need, outcomes, &plain)
        ones = ~<uint64_t> 0 if s.pods >= 6 else (<uint64_t> 1 << (1 << s.pods)) - 1
        all_true = ones
        size = 0
        for i in range(words[0]):
            all_true &= outcomes.word[i] | ~ones
            size |= outcomes.word[i] != 0
        if not size:
            return 0
        if all_true == ones:
            return 1
        changed = 0
        for i in range(s.pods):
            if s.value[i] and not depends_on(outcomes, words[0], s.pods, i):
                if s.sweep and depends_on(&plain, words[0], s.pods, i):
                    continue
                s.value[i] = 0
                s.sweep = 0
                changed = 1
        i = s.pods
        if changed and not off & IRRELEVANT:
            drop_irrelevant(s)
        if s.pods == i:
            break
    if not off & IMPOSSIBLE:
        forget_impossible(s, outcomes, words[0])
    return -1
