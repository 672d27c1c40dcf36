"""Names of reduced states: equal where the same play is left to both."""

from libc.stdint cimport uint64_t

from mangetout_solver.exact.pepper_corn.reduced cimport CONVERTERS, TYPES, Node, Setting, ctz, highest
from mangetout_solver.exact.table cimport Key

cdef enum:
    KIND = 56  # bits of a part below those that say what it is
    REACHED = 0x80
    IDENTITY = 0x40
    PLACES = 0x20


cdef inline void add(Key *key, uint64_t part) noexcept nogil:
    """Parts add up, as they have no order."""
    part *= <uint64_t> 0x9E3779B97F4A7C15
    part ^= part >> 29
    part *= <uint64_t> 0xBF58476D1CE4E5B9
    part ^= part >> 32
    key.high += part
    key.low += (part * <uint64_t> 0x94D049BB133111EB) ^ (part >> 17)


cdef inline Key make_key(const Setting *g, const Node *s) noexcept nogil:
    """Seats count as the one to move and the other one. A card in hand is what it can still take, and its rank up to
    the highest of that: above, it takes all of it alone."""
    cdef Key key
    cdef int seat, i, card
    cdef uint64_t left, hits
    key.high = g.name
    key.low = ~g.name
    for i in range(2):
        seat = s.turn ^ i
        add(&key, s.reach[seat] | <uint64_t> (REACHED | i) << KIND)
        left = s.hand[seat]
        if g.off & TYPES or (left | s.reach[seat]) & CONVERTERS:
            add(&key, left | <uint64_t> (IDENTITY | i) << KIND)
            continue
        while left:
            card = ctz(left)
            left &= left - 1
            hits = g.hits[card] & s.reach[seat]
            if hits:
                add(&key, hits | <uint64_t> (min(g.rank[card], g.rank[highest(hits)]) | i << 4) << KIND)
    if g.off & TYPES or s.reach[0] & ~s.within[0] or s.reach[1] & ~s.within[1]:
        key.high ^= s.places
        add(&key, s.places >> 8 | <uint64_t> (PLACES | s.turn) << KIND)
    return key
