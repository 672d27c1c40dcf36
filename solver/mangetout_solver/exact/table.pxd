"""A transposition table of proven bounds, shared by the threads of a search without locks.

An entry is verified by 96 bits of a 128-bit key, and its two words by each other (Hyatt and Mann 2002): what two
threads wrote at once is not found. The table grows up to its budget by linear hashing (Litwin 1980), so that short
searches touch little memory: bucket by bucket while one thread searches, by `widen` between two searches of several.
"""

from libc.stdint cimport int8_t, int64_t, uint32_t, uint64_t

cdef extern from *:
    """
    #include <sys/mman.h>
    /* Zeroed memory, used only where it is touched, in large pages where the system has them; NULL if refused. */
    static void *mangetout_reserve(size_t size) {
        void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED) return NULL;
    #ifdef MADV_HUGEPAGE
        madvise(block, size, MADV_HUGEPAGE);
    #endif
        return block;
    }
    """
    void *reserve "mangetout_reserve"(size_t size) noexcept nogil
    int munmap(void *block, size_t size) noexcept nogil
    void prefetch "__builtin_prefetch"(const void *address) noexcept nogil

cdef enum:
    WAYS = 4  # entries a bucket, which is one line of the cache
    FIRST_BUCKETS = 1 << 12
    MOST_EFFORT = 63
    NO_BOUND = 127  # a most of this, or a least of its complement, says nothing


ctypedef struct Key:
    uint64_t high
    uint64_t low


ctypedef struct Entry:
    uint64_t check  # key.high ^ data; 0 with data 0: unused
    uint64_t data  # from the top: 32 bits of key.low, 8 least, 8 most, 6 effort, 10 move


ctypedef struct Table:
    Entry *entries
    uint64_t size  # of the memory, in bytes
    uint64_t most_buckets  # that the memory holds
    uint64_t buckets
    uint64_t mask  # of the bits of a key that number its bucket; where that is not there yet, one bit less
    uint64_t used  # entries; not counted while shared
    int shared  # by threads that search


cdef inline int open_table(Table *t, uint64_t size) noexcept nogil:
    """0 where there is no memory. size: bytes, at least a bucket's."""
    cdef uint64_t power = 1
    t.most_buckets = size // (WAYS * sizeof(Entry))
    while 2 * power <= t.most_buckets and power < FIRST_BUCKETS:
        power *= 2
    t.buckets = power
    t.mask = 2 * power - 1
    t.used = 0
    t.shared = 0
    t.size = t.most_buckets * WAYS * sizeof(Entry)
    t.entries = <Entry *> reserve(t.size)
    return t.entries != NULL


cdef inline void close_table(Table *t) noexcept nogil:
    if t.entries != NULL:
        munmap(t.entries, t.size)
        t.entries = NULL


cdef inline void *set_aside(Table *t, uint64_t size) noexcept nogil:
    """Memory of the table for something else, zeroed, as long as the table is there; NULL where there is too little.
    size: bytes, of whole buckets."""
    cdef uint64_t n = size // (WAYS * sizeof(Entry))
    if not n or t.most_buckets < t.buckets + n:
        return NULL
    t.most_buckets -= n
    return t.entries + WAYS * t.most_buckets


cdef inline Entry *bucket(const Table *t, uint64_t high) noexcept nogil:
    cdef uint64_t i = high & t.mask
    if i >= t.buckets:
        i &= t.mask >> 1
    return t.entries + WAYS * i


cdef inline int least_of(uint64_t data) noexcept nogil:
    return <int8_t> (data >> 24)


cdef inline int most_of(uint64_t data) noexcept nogil:
    return <int8_t> (data >> 16)


cdef inline int effort_of(uint64_t data) noexcept nogil:
    return data >> 10 & MOST_EFFORT


cdef inline int move_of(uint64_t data) noexcept nogil:
    return data & 1023


cdef inline uint64_t look_up(const Table *t, Key key) noexcept nogil:
    """The data of a key; 0: none."""
    cdef const Entry *e = bucket(t, key.high)
    cdef uint64_t data
    cdef int i
    for i in range(WAYS):
        data = e[i].data
        if e[i].check ^ data == key.high and data >> 32 == <uint32_t> key.low:
            return data
    return 0


cdef inline void split_bucket(Table *t) noexcept nogil:
    """One bucket more: it takes its entries from the one that stood for it."""
    cdef Entry *old
    cdef Entry *place
    cdef uint64_t high
    cdef int i
    if t.buckets > t.mask:
        t.mask = 2 * t.mask + 1
    old = t.entries + WAYS * (t.buckets & (t.mask >> 1))
    place = t.entries + WAYS * t.buckets
    for i in range(WAYS):
        high = old[i].check ^ old[i].data
        if old[i].data and high & t.mask == t.buckets:
            place[0] = old[i]
            place += 1
            old[i].check = old[i].data = 0
    t.buckets += 1


cdef inline void widen(Table *t, uint64_t buckets) noexcept nogil:
    """Grows to so many buckets at once, or to all there are."""
    cdef uint64_t used = t.buckets
    cdef uint64_t b
    cdef Entry *entry
    cdef Entry *place
    t.buckets = max(used, min(buckets, t.most_buckets))
    while t.mask < t.buckets - 1:
        t.mask = 2 * t.mask + 1
    for b in range(WAYS * used):
        entry = t.entries + b
        place = bucket(t, entry.check ^ entry.data)
        if entry.data and place != t.entries + (b & ~<uint64_t> (WAYS - 1)):
            while place.data:
                place += 1
            place[0] = entry[0]
            entry.check = entry.data = 0


cdef inline uint64_t room(const Table *t) noexcept nogil:
    """How many entries more until the table is to grow; all bits set where it does not."""
    if t.buckets == t.most_buckets:
        return ~<uint64_t> 0
    return 2 * t.buckets - t.used if t.used < 2 * t.buckets else 0


cdef inline void keep(Table *t, Key key, int least, int most, int move, int effort) noexcept nogil:
    """Stores bounds, narrowing those of the same key; otherwise the least effort of the bucket makes room.

    move: 10 bits to know the best move by. effort: 1 to MOST_EFFORT, about the logarithm of the work.
    """
    cdef Entry *e
    cdef Entry *place
    cdef uint64_t data
    cdef int i
    if not t.shared and not room(t):
        split_bucket(t)
    e = bucket(t, key.high)
    place = e
    for i in range(WAYS):
        data = e[i].data
        if e[i].check ^ data == key.high and data >> 32 == <uint32_t> key.low:
            least = max(least, least_of(data))
            most = min(most, most_of(data))
            effort = max(effort, effort_of(data))
            place = &e[i]
            break
        if effort_of(data) < effort_of(place.data):
            place = &e[i]
    else:
        if not t.shared:
            t.used += not place.data
    data = (
        <uint64_t> <uint32_t> key.low << 32
        | <uint64_t> (least & 0xFF) << 24
        | <uint64_t> (most & 0xFF) << 16
        | effort << 10
        | move
    )
    place.data = data
    place.check = key.high ^ data


cdef inline int answer_in(const Table *t, Key key, int asked) noexcept nogil:
    """Whether the value of a key is at least what is asked, by what is stored: 1 or 0, -1 where that does not tell."""
    cdef uint64_t data = look_up(t, key)
    if data:
        if least_of(data) >= asked:
            return 1
        if most_of(data) < min(asked, <int> NO_BOUND):
            return 0
    return -1


cdef inline void keep_answer(Table *t, Key key, int asked, int answer, int move, int64_t nodes) noexcept nogil:
    """Stores what an answer says of the value, as far as a byte holds it. nodes: searched for it."""
    cdef int effort = 1
    while effort < MOST_EFFORT and nodes >> (effort >> 1):
        effort += 1
    if answer:
        keep(t, key, max(~NO_BOUND, min(asked, <int> NO_BOUND)), NO_BOUND, move, effort)
    elif asked <= NO_BOUND:
        keep(t, key, ~NO_BOUND, max(asked - 1, -NO_BOUND), move, effort)
