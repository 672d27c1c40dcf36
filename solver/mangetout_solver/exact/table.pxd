"""A transposition table of proven bounds, in one block. Entries are verified by 96 bits of a 128-bit key."""

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

cdef extern from *:
    void prefetch "__builtin_prefetch"(const void *address) noexcept nogil

cdef enum:
    WAYS = 4  # entries a bucket: one line of the cache


ctypedef struct Key:
    uint64_t high
    uint64_t low


ctypedef struct Entry:
    uint64_t high
    uint32_t low
    int8_t least
    int8_t most
    uint16_t move  # bits 0 to 9; above them the effort: about the logarithm of the nodes that the bounds took


ctypedef struct Table:
    Entry *entries
    uint64_t buckets


cdef inline Entry *bucket(const Table *t, Key key) noexcept nogil:
    return t.entries + WAYS * (((<uint64_t> <uint32_t> (key.low >> 32)) * t.buckets) >> 32)


cdef inline Entry *look_up(const Table *t, Key key) noexcept nogil:
    """The entry of a key, or NULL."""
    cdef Entry *e = bucket(t, key)
    cdef int i
    for i in range(WAYS):
        if e[i].high == key.high and e[i].low == <uint32_t> key.low:
            return &e[i]
    return NULL


cdef inline void keep(Table *t, Key key, int least, int most, int move, int effort) noexcept nogil:
    """Stores bounds; the least effort of the bucket makes room."""
    cdef Entry *e = bucket(t, key)
    cdef Entry *victim = e
    cdef int i
    for i in range(WAYS):
        if e[i].high == key.high and e[i].low == <uint32_t> key.low:
            if least > e[i].least:
                e[i].least = <int8_t> least
            if most < e[i].most:
                e[i].most = <int8_t> most
            if effort < e[i].move >> 10:
                effort = e[i].move >> 10
            e[i].move = <uint16_t> (move | effort << 10)
            return
        if e[i].move >> 10 < victim.move >> 10:
            victim = &e[i]
    victim.high = key.high
    victim.low = <uint32_t> key.low
    victim.least = <int8_t> least
    victim.most = <int8_t> most
    victim.move = <uint16_t> (move | effort << 10)
