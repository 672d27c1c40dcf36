"""What the open pods of a reduced PEAS state can still bring: bounds, and a guess to order moves by."""

from libc.stdint cimport uint32_t

from mangetout_solver.exact.peas.reduced cimport (
    A_TAKES,
    B_TAKES,
    BY_A,
    BY_B,
    CHAINED,
    LONE,
    LONE_A,
    MAX_COLOURS,
    PARENT,
    PASSES,
    SURE_ANSWERS,
    SWEPT,
    UNSET,
    Node,
    in_colour,
    popcount,
)


cdef enum:
    FAR = 1000  # beyond all margins


cdef inline int sure_answers(const Node *s, int pod, uint32_t *spare) noexcept nogil:
    """How the player who answers the lone card of a pod can surely end it, with cards set aside for it alone."""
    cdef int seat = 1 if s.kind[pod] & LONE == LONE_A else 0
    cdef int shift = s.lone[pod] & 24
    cdef uint32_t same = spare[seat] >> shift & 0xFF
    cdef uint32_t lower = same & ((1 << (s.lone[pod] & 7)) - 1)
    cdef uint32_t higher = same ^ lower
    cdef int sure = 0
    if lower:
        lower &= -lower
        spare[seat] ^= lower << shift
        sure = B_TAKES >> seat
    if higher:
        higher &= -higher
        spare[seat] ^= higher << shift
        sure |= A_TAKES << seat
    return sure


cdef inline int most_with(int ways, int up, int down) noexcept nogil:
    """The more of two totals, if A or if B takes a pod, among those that can come about."""
    if not ways & A_TAKES:
        return down if ways & B_TAKES else -FAR
    return up if not ways & B_TAKES or up > down else down


cdef inline int least_with(int ways, int up, int down) noexcept nogil:
    if not ways & A_TAKES:
        return down if ways & B_TAKES else FAR
    return up if not ways & B_TAKES or up < down else down


cdef inline void reach(const Node *s, int *low, int *high, int off) noexcept nogil:
    """Bounds of what A's margin still grows by, a sweep counting as SWEPT.

    Below, all is left to B except the answers that A is sure of, and above the other way round: a lone card that a
    player answers with a card set aside for it ends as the player has decided beforehand. From the Tip: what a pod and
    those after it bring, by who took the pod before; also where a player who may still take all pods has done so up to
    here, and the decisions are then the best for that case.
    """
    cdef int most_a = 0  # after A took the pod before
    cdef int most_b = 0
    cdef int least_a = 0
    cdef int least_b = 0
    cdef int sweep_a = FAR  # the most, where A has taken all pods before; by the parent
    cdef int sweep_b = FAR
    cdef int swept_a = -FAR  # the least, where B has
    cdef int swept_b = -FAR
    cdef int i, v, ways, parent, sure, seat, best
    cdef uint32_t spare[2]
    spare[0] = s.hand[0]
    spare[1] = s.hand[1]
    for i in range(s.pods - 1, -1, -1):
        v = s.value[i]
        parent = s.kind[i] & PARENT
        sure = 0
        seat = 1 if s.kind[i] & LONE == LONE_A else 0
        if s.kind[i] & LONE and not off & SURE_ANSWERS:
            sure = sure_answers(s, i, spare)

        ways = s.ways[i]
        if sure and seat == 1:
            ways = sure
            if sure == A_TAKES | B_TAKES:
                # One decision for both cases: it cannot wait until the pods before are decided.
                if s.sweep & A_TAKES:
                    ways = A_TAKES if v + sweep_a < -v + most_b else B_TAKES
                else:
                    ways = A_TAKES if v + most_a < -v + most_b else B_TAKES
        if s.sweep & A_TAKES:
            best = most_with(ways, v + sweep_a, -v + most_b)
            sweep_b = max(best, -v + most_b) if ways & PASSES else best
            sweep_a = max(best, v + sweep_a) if ways & PASSES else best
        best = most_with(ways, v + most_a, -v + most_b)
        most_a = max(best, v + most_a) if ways & PASSES else best
        most_b = max(best, -v + most_b) if ways & PASSES else best

        ways = s.ways[i]
        if sure and seat == 0:
            ways = sure
            if sure == A_TAKES | B_TAKES:
                if s.sweep & B_TAKES:
                    ways = A_TAKES if v + least_a > -v + swept_b else B_TAKES
                else:
                    ways = A_TAKES if v + least_a > -v + least_b else B_TAKES
        if s.sweep & B_TAKES:
            best = least_with(ways, v + least_a, -v + swept_b)
            swept_a = min(best, v + least_a) if ways & PASSES else best
            swept_b = min(best, -v + swept_b) if ways & PASSES else best
        best = least_with(ways, v + least_a, -v + least_b)
        least_a = min(best, v + least_a) if ways & PASSES else best
        least_b = min(best, -v + least_b) if ways & PASSES else best

        if parent == BY_A:
            most_b = most_a
            least_b = least_a
            sweep_b = sweep_a
            swept_b = swept_a
        elif parent == BY_B:
            most_a = most_b
            least_a = least_b
            sweep_a = sweep_b
            swept_a = swept_b
        elif parent == UNSET:
            most_a = most_b = max(most_a, most_b)
            least_a = least_b = min(least_a, least_b)
            sweep_a = sweep_b = max(sweep_a, sweep_b)
            swept_a = swept_b = min(swept_a, swept_b)
    high[0] = most_a
    low[0] = least_a
    if s.sweep & A_TAKES:
        high[0] = sweep_a if sweep_a < FAR // 2 else SWEPT
    if s.sweep & B_TAKES:
        low[0] = swept_a if swept_a > -FAR // 2 else -SWEPT


cdef inline int guess(const Node *s) noexcept nogil:
    """About what A's margin will still change by, in 1/256 points: every pod ends at random, as the hands suggest."""
    cdef int a_beats = 1
    cdef int b_beats = 1
    cdef int colour, i, owner, same, low, high, other, total, passes, takes_a, takes_b
    cdef unsigned int x, y, bit
    cdef int after_a = 0
    cdef int after_b = 0
    cdef int up, down, base
    for colour in range(MAX_COLOURS):
        x = in_colour(s.hand[0], colour)
        y = in_colour(s.hand[1], colour)
        while x and y:
            bit = x & -x
            x ^= bit
            a_beats += popcount(y & (bit - 1))
            b_beats += popcount(y & ~(bit - 1))
    for i in range(s.pods - 1, -1, -1):
        if s.kind[i] & LONE:
            owner = 0 if s.kind[i] & LONE == LONE_A else 1
            same = in_colour(s.hand[1 - owner], s.lone[i] >> 3)
            low = popcount(same & ((1 << (s.lone[i] & 7)) - 1))
            high = popcount(same) - low
            other = popcount(s.hand[1 - owner]) - popcount(same)
            passes = other if s.ways[i] & PASSES else 0
            takes_a = 2 * low if owner == 0 else 2 * high
            takes_b = 2 * high if owner == 0 else 2 * low
        else:
            takes_a = a_beats if s.ways[i] & A_TAKES else 0
            takes_b = b_beats if s.ways[i] & B_TAKES else 0
            passes = a_beats + b_beats
        total = takes_a + takes_b + passes
        if total == 0:
            total = passes = 1
        up = 256 * s.value[i] + after_a
        down = -256 * s.value[i] + after_b
        base = takes_a * up + takes_b * down
        after_a = (base + passes * up) // total
        after_b = (base + passes * down) // total
        if s.kind[i] & PARENT == BY_A:
            after_b = after_a
        elif s.kind[i] & PARENT == BY_B:
            after_a = after_b
        elif s.kind[i] & PARENT == UNSET:
            after_a = after_b = (after_a + after_b) // 2
    return after_a
