"""A reduced state of Pepper. Corn! in play: what still decides, and what a capture changes.

Cards are numbered by rank: the nine of rank 0, then Aces to Crowns. A set of cards is a mask, a set of cells another.
"""

from libc.stdint cimport int8_t, int16_t, uint8_t, uint64_t

from mangetout_solver.games.pepper_corn.captures cimport beside, walkable, within_reach
from mangetout_solver.games.pepper_corn.rules cimport BASIC_SIZE, DECK_SIZE, MAX_CELLS, Rules, clz, ctz, popcount

cdef enum:
    RANKLESS = DECK_SIZE - BASIC_SIZE  # how many cards have rank 0
    CONVERTERS = 0xFF  # Pawns and Courts; the Excuse comes after them
    HIGHEST_RANK = 10
    ALL_SUITS = 63
    # What can be switched off, in the order of TECHNIQUES in solver.pyx.
    REACH = 1
    SUMS = 2
    SWAPS = 4
    CAPTURES = 8
    CHAINS = 16
    TYPES = 32
    LOST = 64


# What does not change in a game.
ctypedef struct Setting:
    Rules rules
    uint64_t fits[DECK_SIZE]  # by card to be taken: the cards that fit it
    uint64_t hits[DECK_SIZE]  # by card in hand: the cards it fits
    uint64_t takes[DECK_SIZE]  # by card in hand: the cards it takes alone
    uint64_t converts[DECK_SIZE]  # by converter: the cards that may be laid down with it
    uint64_t shown[64]  # by suits: the cards that show one of them, or that any card fits
    uint64_t up_to[HIGHEST_RANK + 1]  # by rank: the cards of this rank or less
    uint64_t rank_bit[4]  # the cards whose rank has the bit
    uint64_t places[DECK_SIZE]  # by card: a number that stands for it on its cell
    uint64_t name  # stands for the rules
    uint8_t suits[DECK_SIZE]  # that a card in hand fits by
    uint8_t rank[DECK_SIZE]
    int8_t off  # techniques to do without
    int8_t cell_of[DECK_SIZE]
    int8_t card_at[MAX_CELLS]


ctypedef struct Node:
    uint64_t tableau  # cards that stand there
    uint64_t occupied  # their cells
    uint64_t places  # what stands where, as one number
    uint64_t hand[2]  # cards that may still be laid down
    uint64_t area[2]  # gaps a seat can walk to
    uint64_t within[2]  # cards a seat has access to
    uint64_t reach[2]  # cards a seat may still come to take, perhaps more
    int16_t gain[2]  # the most they can be worth
    int8_t turn


cdef inline int sum_of(const Setting *g, uint64_t cards) noexcept nogil:
    """Of the ranks."""
    return (
        popcount(cards & g.rank_bit[0])
        + 2 * popcount(cards & g.rank_bit[1])
        + 4 * popcount(cards & g.rank_bit[2])
        + 8 * popcount(cards & g.rank_bit[3])
    )


cdef inline int highest(uint64_t cards) noexcept nogil:
    return 63 - clz(cards)


cdef inline bint can_take(const Setting *g, uint64_t hand, int card) noexcept nogil:
    """Whether cards of the hand that fit a card of rank 1 or more take it, nothing being converted (PC-08, PC-09)."""
    return sum_of(g, g.fits[card] & hand) >= g.rank[card]


cdef inline uint64_t edges(const Rules *r, uint64_t area, int seat) noexcept nogil:
    """The rows that a seat walks in from: the other one's too once there is a way through (PC-17)."""
    if area & r.front[1 - seat] and not r.restricted:
        return r.front[0] | r.front[1]
    return r.front[seat]


cdef inline void open_ways(const Setting *g, Node *s, int seat) noexcept nogil:
    """Finds what a seat has access to, from what it had."""
    cdef uint64_t cells
    s.area[seat] = walkable(&g.rules, s.occupied, seat, s.area[seat])
    cells = within_reach(&g.rules, s.occupied, s.area[seat], seat)
    s.within[seat] = 0
    while cells:
        s.within[seat] |= <uint64_t> 1 << g.card_at[ctz(cells)]
        cells &= cells - 1


cdef inline bint adds_up(
    const Setting *g, uint64_t hand, uint64_t reach, int power, int most_cards, int card
) noexcept nogil:
    """Whether a hand, and what it may come to hold, might take a card all the same."""
    cdef uint64_t fitting = g.fits[card] & (hand | reach) & ~(<uint64_t> 1 << card)
    cdef int now = sum_of(g, fitting & hand)
    if now >= g.rank[card] or fitting & CONVERTERS:
        return True
    if min(power, now + sum_of(g, fitting & ~hand)) < g.rank[card]:
        return False
    if popcount(fitting) <= most_cards:
        return True
    now = 0
    while most_cards and now < g.rank[card]:
        now += g.rank[highest(fitting)]
        fitting ^= <uint64_t> 1 << highest(fitting)
        most_cards -= 1
    return now >= g.rank[card]


cdef inline void survey(const Setting *g, Node *s, int seat, uint64_t standing) noexcept nogil:
    """Finds which of the cards a seat may still come to take, and which cards it may lay down for them.

    No capture adds to the ranks of a hand, none to the number of its cards, and a card fits by what it shows alone.
    """
    cdef uint64_t left = s.hand[seat]
    cdef uint64_t hand = 0
    cdef uint64_t alone = 0  # what one card takes, of the hand or of those taken alone
    cdef uint64_t reach = 0
    cdef uint64_t new, changed
    cdef bint converts = (left | standing) & CONVERTERS != 0  # any card may then be laid down
    cdef int card, power
    if g.off & REACH:
        s.reach[seat] = standing
        s.gain[seat] = <int16_t> sum_of(g, standing)
        return
    while left:
        card = ctz(left)
        if converts or g.hits[card] & standing:
            hand |= left & -left
            reach |= g.hits[card]
            alone |= g.takes[card]
        left &= left - 1
    power = sum_of(g, hand)
    standing &= g.up_to[min(power, <int> HIGHEST_RANK)]
    reach &= standing
    new = reach
    while new and reach != standing:
        card = ctz(new)
        new |= g.hits[card] & standing & ~reach
        reach |= new
        new &= ~(<uint64_t> 1 << card)
    if not g.off & SUMS:
        left = reach & alone
        while left and reach & ~alone:
            card = highest(left)
            left ^= <uint64_t> 1 << card
            left |= g.takes[card] & reach & ~alone
            alone |= g.takes[card]
        changed = reach & ~alone
        while changed:
            changed = 0
            left = reach & ~alone
            while left:
                card = highest(left)
                left ^= <uint64_t> 1 << card
                if not adds_up(g, hand, reach, power, popcount(hand), card):
                    changed = <uint64_t> 1 << card
                    reach ^= changed
    s.reach[seat] = reach
    s.gain[seat] = <int16_t> sum_of(g, reach)
    left = 0 if converts else hand
    while left:
        card = ctz(left)
        if not g.hits[card] & reach:
            hand ^= left & -left
        left &= left - 1
    s.hand[seat] = hand


cdef inline void remove(const Setting *g, const Node *s, int card, Node *out) noexcept nogil:
    """The mover takes a card, as if for nothing: what is common to all ways to take it. The other seat is to move.

    The mover's reach and gain stay bounds whatever it lays down; its hand is left as it was.
    """
    cdef int mover = s.turn
    cdef int other = 1 - mover
    cdef int seat
    cdef uint64_t bit = <uint64_t> 1 << card
    cdef uint64_t cell = <uint64_t> 1 << g.cell_of[card]
    out[0] = s[0]
    out.tableau ^= bit
    out.occupied ^= cell
    out.places ^= g.places[card]
    out.turn = <int8_t> other
    for seat in range(2):
        if out.tableau & ~s.within[seat] and cell & (
            edges(&g.rules, s.area[seat], seat) | beside(&g.rules, s.area[seat])
        ):
            open_ways(g, out, seat)
        else:
            # The gap is one that no way leads to yet, or there is nothing to find any more.
            out.within[seat] &= ~bit
    out.reach[mover] &= ~bit
    out.gain[mover] = <int16_t> (s.gain[mover] - (g.rank[card] if s.reach[mover] & bit else 0))
    if s.reach[other] & bit:
        survey(g, out, other, s.reach[other] & ~bit)
        out.gain[other] = min(out.gain[other], s.gain[other])
