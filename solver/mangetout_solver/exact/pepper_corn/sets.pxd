"""Sets of cards to take a card with: those that no other is surely as good as."""

from libc.stdint cimport int8_t, int16_t, uint64_t
from libcpp.vector cimport vector

from mangetout_solver.exact.pepper_corn.reduced cimport (
    CONVERTERS,
    DECK_SIZE,
    SWAPS,
    Node,
    Setting,
    ctz,
    highest,
    sum_of,
)


cdef enum:
    CARD_COST = 4  # what a card laid down costs, in ranks to spare


# The mover's cards, highest first.
ctypedef struct Hand:
    int size
    int8_t card[DECK_SIZE]
    uint64_t worse[DECK_SIZE]  # by place in this order: the places of cards that this one is as good as


ctypedef struct Payment:
    uint64_t cards
    int16_t cost  # to try the least first


cdef inline void sort_hand(const Setting *g, const Node *s, Hand *h) noexcept nogil:
    """A card is as good as another if it fits all that the other one fits, and is as high or higher than all that."""
    cdef uint64_t left = s.hand[s.turn]
    cdef uint64_t reach = s.reach[s.turn]
    cdef uint64_t hits[DECK_SIZE]
    cdef int rank[DECK_SIZE]
    cdef int i, j
    cdef int n = 0
    # Where a card may be converted, it is worth more than what it fits.
    cdef bint compared = not (g.off & SWAPS or (left | reach) & CONVERTERS)
    while left:
        i = highest(left)
        left ^= <uint64_t> 1 << i
        h.card[n] = <int8_t> i
        hits[n] = g.hits[i] & reach
        rank[n] = min(g.rank[i], g.rank[highest(hits[n])]) if hits[n] else 0
        n += 1
    for i in range(n):
        h.worse[i] = 0
        for j in range(n if compared else 0):
            if i != j and not hits[j] & ~hits[i] and rank[j] <= rank[i] and (
                j < i or hits[i] & ~hits[j] or rank[j] < rank[i]
            ):
                h.worse[i] |= <uint64_t> 1 << j
    h.size = n


cdef inline bint can_swap(const Setting *g, const Hand *h, uint64_t places, uint64_t usable, int spare) noexcept nogil:
    """Whether a card of a set can be kept for one that it is as good as."""
    cdef uint64_t left = places
    cdef uint64_t others
    cdef int i, least
    while left:
        i = ctz(left)
        left &= left - 1
        others = h.worse[i] & usable & ~places
        least = g.rank[h.card[i]] - spare
        while others:
            if g.rank[h.card[ctz(others)]] >= least:
                return True
            others &= others - 1
    return False


cdef inline void list_payments(
    const Setting *g, const Hand *h, uint64_t allowed, int need, uint64_t beside, uint64_t outside, vector[Payment] *out
) noexcept nogil:
    """Appends the sets of allowed cards that add up to `need` and of which none can be left out or swapped for one that
    is worse. Each also holds the cards `beside`, and one card that is not among `outside` at least, unless that is 0.
    """
    cdef int place[DECK_SIZE]  # of the allowed cards, highest first
    cdef int rest[DECK_SIZE + 1]  # sum of the ranks from there on
    cdef int chosen[DECK_SIZE]
    cdef uint64_t usable = 0
    cdef uint64_t places, cards
    cdef Payment payment
    cdef int i, j, rank, spare
    cdef int n = 0
    cdef int depth = 0
    cdef int total = 0
    for i in range(h.size):
        if allowed >> h.card[i] & 1:
            usable |= <uint64_t> 1 << i
            place[n] = i
            n += 1
    rest[n] = 0
    for i in range(n - 1, -1, -1):
        rest[i] = rest[i + 1] + g.rank[h.card[place[i]]]
    i = 0
    while True:
        if i < n and total + rest[i] >= need:
            rank = g.rank[h.card[place[i]]]
            if total + rank < need:
                chosen[depth] = i
                depth += 1
                total += rank
            else:
                # As cards come highest first, the last one is the lowest and none can be left out.
                places = <uint64_t> 1 << place[i]
                cards = <uint64_t> 1 << h.card[place[i]]
                for j in range(depth):
                    places |= <uint64_t> 1 << place[chosen[j]]
                    cards |= <uint64_t> 1 << h.card[place[chosen[j]]]
                spare = total + rank - need
                if (not outside or cards & ~outside) and not can_swap(g, h, places, usable, spare):
                    payment.cost = <int16_t> (spare + CARD_COST * (depth + 1))
                    payment.cards = cards | beside
                    out.push_back(payment)
        elif depth:
            depth -= 1
            i = chosen[depth]
            total -= g.rank[h.card[place[i]]]
        else:
            return
        i += 1


cdef inline void list_all_payments(
    const Setting *g, const Hand *h, uint64_t hand, int card, vector[Payment] *out
) noexcept nogil:
    """Appends those for a card of the tableau, those with few cards and little rank to spare first."""
    cdef size_t first = out.size()
    cdef size_t i, j
    cdef uint64_t converters = hand & g.fits[card] & CONVERTERS
    cdef uint64_t allowed
    cdef int converter
    cdef Payment payment
    list_payments(g, h, g.fits[card], g.rank[card], 0, 0, out)
    while converters and g.rank[card]:
        converter = ctz(converters)
        converters &= converters - 1
        # Without a card to convert it takes no converter.
        allowed = g.converts[converter] & ~<uint64_t> CONVERTERS
        list_payments(g, h, allowed, g.rank[card], <uint64_t> 1 << converter, g.fits[card], out)
    for i in range(first + 1, out.size()):
        payment = out.at(i)
        j = i
        while j > first and out.at(j - 1).cost > payment.cost:
            out[0][j] = out.at(j - 1)
            j -= 1
        out[0][j] = payment
