"""Hands that lost: what answers a state in which the loser has no more than that."""

from libc.stdint cimport int8_t, uint64_t

from mangetout_solver.exact.pepper_corn.reduced cimport DECK_SIZE, Node
from mangetout_solver.exact.table cimport Table, set_aside
from mangetout_solver.games.rng cimport mix64

cdef enum:
    HANDS = 16  # a bucket
    MOST_ASKED = 127
    ASKED_BITS = 8  # in data, above the cards; above these some of what stands where
    FEWEST_STANDING = 9  # cards: with less, a search is as quick
    SHARE = 16  # of the memory, what goes here
    TABLE_SHIFT = 4  # log of how many buckets of the table, a quarter as large, go with one here


# As in the table, threads that write at once leave nothing that is taken for an entry.
ctypedef struct LostHand:
    uint64_t check  # name ^ data
    uint64_t data


ctypedef struct LostHands:
    LostHand *hands
    uint64_t mask  # of the bits of a name that number its bucket, once the table has grown to its size
    const Table *table


cdef inline bint open_lost(LostHands *lost, Table *t) noexcept nogil:
    """Takes a part of the table's memory, before that is used; False where there is too little."""
    cdef uint64_t buckets = 1
    while 2 * buckets * HANDS * sizeof(LostHand) <= t.size // SHARE:
        buckets *= 2
    lost.mask = buckets - 1
    lost.table = t
    lost.hands = <LostHand *> set_aside(t, buckets * HANDS * sizeof(LostHand))
    return lost.hands != NULL


cdef inline LostHand *hands_of(const LostHands *lost, uint64_t name) noexcept nogil:
    """The bucket of a name. Only so much is used as goes with the table, so that short searches touch little memory;
    what is kept may not be found again when that grows."""
    return lost.hands + HANDS * (name & min(lost.mask, lost.table.mask >> TABLE_SHIFT))


cdef inline uint64_t name_of(const Node *s) noexcept nogil:
    """The mover is to win: where what stands, and what it has in hand."""
    return mix64(s.places + mix64(s.hand[s.turn] << 1 | s.turn))


cdef inline uint64_t data_of(const Node *s, int asked) noexcept nogil:
    return s.places << (DECK_SIZE + ASKED_BITS) | <uint64_t> (asked & 0xFF) << DECK_SIZE | s.hand[1 - s.turn]


cdef inline bint covers(uint64_t a, uint64_t b) noexcept nogil:
    """Whether what is kept as a answers b, for the same name: no cards more, and asked for no more."""
    return (
        a >> (DECK_SIZE + ASKED_BITS) == b >> (DECK_SIZE + ASKED_BITS)
        and <int8_t> (a >> DECK_SIZE) >= <int8_t> (b >> DECK_SIZE)
        and not b & ~a & ((<uint64_t> 1 << DECK_SIZE) - 1)
    )


cdef inline bint has_lost(const LostHands *lost, const Node *s, int asked) noexcept nogil:
    """Whether the mover gains what is asked, as it does against a hand that is kept."""
    cdef uint64_t name = name_of(s)
    cdef uint64_t data = data_of(s, asked)
    cdef const LostHand *kept = hands_of(lost, name)
    cdef int i
    for i in range(HANDS):
        if kept[i].check ^ kept[i].data == name and covers(kept[i].data, data):
            return -MOST_ASKED <= asked <= MOST_ASKED
    return False


cdef inline void keep_lost(LostHands *lost, const Node *s, int asked) noexcept nogil:
    """The mover gains what is asked. A hand that is covered makes room, else any."""
    cdef uint64_t name = name_of(s)
    cdef uint64_t data = data_of(s, asked)
    cdef LostHand *kept = hands_of(lost, name)
    cdef uint64_t other
    cdef int i
    cdef int place = mix64(data) % HANDS
    if not -MOST_ASKED <= asked <= MOST_ASKED:
        return
    for i in range(HANDS):
        other = kept[i].data
        if kept[i].check ^ other != name:
            if not other:
                place = i
        elif covers(data, other):
            place = i
            break
    kept[place].data = data
    kept[place].check = name ^ data
