"""What the open pods of a reduced PEAS state can still bring: bounds, and a guess to order moves by."""

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
    SWEPT,
    UNSET,
    Node,
    in_colour,
    popcount,
)


cdef inline void reach(const Node *s, int *low, int *high) noexcept nogil:
    """The least and the most that A's margin can still change by if both wanted it so, a sweep counting as SWEPT.

    From the Tip: the least and the most that a pod and those after it bring, by who took the pod before.
    """
    cdef int most_a = 0  # after A took the pod before
    cdef int most_b = 0
    cdef int least_a = 0
    cdef int least_b = 0
    cdef int i, v, ways, parent
    cdef int most, least, up, down
    for i in range(s.pods - 1, -1, -1):
        v = s.value[i]
        ways = s.ways[i]
        # If A takes this pod, if B does.
        up = v + most_a
        down = -v + most_b
        most = -1000
        if ways & A_TAKES:
            most = up
        if ways & B_TAKES and down > most:
            most = down
        most_a = up if ways & PASSES and up > most else most
        most_b = down if ways & PASSES and down > most else most
        up = v + least_a
        down = -v + least_b
        least = 1000
        if ways & A_TAKES:
            least = up
        if ways & B_TAKES and down < least:
            least = down
        least_a = up if ways & PASSES and up < least else least
        least_b = down if ways & PASSES and down < least else least
        parent = s.kind[i] & PARENT
        if parent == BY_A:
            most_b = most_a
            least_b = least_a
        elif parent == BY_B:
            most_a = most_b
            least_a = least_b
        elif parent == UNSET:
            most_a = most_b = most_a if most_a > most_b else most_b
            least_a = least_b = least_a if least_a < least_b else least_b
    high[0] = SWEPT if s.sweep & A_TAKES else most_a
    low[0] = -SWEPT if s.sweep & B_TAKES else least_a


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
