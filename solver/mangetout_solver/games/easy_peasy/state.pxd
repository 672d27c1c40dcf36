"""Easy Peasy: the state of a match as plain C, and how to read it. Rulings EP-* are named where they apply.

A card is 6 * (rank - 1) + colour, so that the cards that fit a discard pile are a range of bits, and a set of cards a
64-bit mask. Cards that nobody has seen are in no order anywhere: they are drawn when they are first seen. Bits 24-31 of
a step are its kind, the lower bits its number within the kind.
"""

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from *:
    int clz "__builtin_clzll"(unsigned long long x) noexcept nogil
    int ctz "__builtin_ctzll"(unsigned long long x) noexcept nogil
    int popcount "__builtin_popcountll"(unsigned long long x) noexcept nogil

cdef enum:
    COLOURS = 6
    RANKS = 10
    MAX_SEATS = 6
    MAX_PILES = 3
    MAX_ERAS = 8
    MAX_SHOWINGS = 3
    # Places of cards in rows and on top of discard piles.
    NO_CARD = -1
    UNKNOWN = -2  # beneath only
    NO_SEAT = -1
    # Kinds of steps.
    MAIN = 0  # 2 * card + discard pile, FLIP, STUCK, BEGIN_UP or BEGIN_DOWN
    EXTRA = 1  # bonus action: card, TURN_PILE + row pile, or NONE
    DRAW_CARD = 128  # card, or UNSEEN
    TURN_UP = 129  # card
    SHOW_SUM = 130  # sum of the ranks in a hand
    LOT = 131  # seat
    PLACE = 132  # card
    FLIP = 120
    STUCK = 121
    BEGIN_UP = 122
    BEGIN_DOWN = 123
    TURN_PILE = 124
    NONE = 127
    UNSEEN = 0xFFFFFF


cdef enum Phase:
    # Chance events, then decisions.
    DEAL = 0
    DRAW_LOT = 1
    DRAW = 2
    REVEAL = 3
    SCORE = 4
    BEGIN = 5
    TURN = 6
    FLIPPED = 7
    BONUS = 8
    OVER = 9


cdef enum Direction:
    NOT_CHOSEN = 0
    UP = 1
    DOWN = 2


# EP-12: what a seat does that is stuck after a flip of its own choice.
cdef enum StuckRule:
    AGAIN = 0
    END = 1
    FORBID = 2


ctypedef struct Rules:
    uint64_t deck
    uint8_t players
    uint8_t piles  # in each row
    uint8_t hand  # cards dealt to each hand
    uint8_t last_round_first  # EP-04: points of the last round decide who begins, not all points
    uint8_t scored_row_first  # EP-05: the row just scored decides a tie, not the new deal
    uint8_t stuck  # StuckRule
    uint8_t rounds  # of the match; 0: it is played to `points`
    uint8_t points
    uint8_t turns  # EP-34: of each player in a round
    uint8_t colours
    uint8_t ranks
    uint8_t spare[5]


# A seat was stuck: its cards of eras before `era`, and all but `free` of its cards of that era, are above rank `limit`,
# or below rank -`limit`. All zero where there is none.
ctypedef struct Showing:
    int8_t limit
    int8_t seat
    uint8_t era
    uint8_t free


ctypedef struct State:
    # Cards that are hidden, by era: in hands, in the draw pile and, of era 0, under open row cards. Era 0 has never
    # lain open; each further era is a shuffle of discards (EP-13). Cards are drawn from the newest.
    uint64_t pool[MAX_ERAS]
    uint64_t hand[MAX_SEATS]  # known cards
    uint64_t discards  # under the tops
    uint8_t held[MAX_SEATS][MAX_ERAS]  # numbers of cards in the hands
    Showing showing[MAX_SHOWINGS]  # oldest first
    uint16_t score[MAX_SEATS]
    uint16_t last[MAX_SEATS]  # of the last round scored
    uint16_t turns  # finished in this round
    int8_t open[MAX_SEATS][MAX_PILES]  # open card, or NO_CARD
    int8_t beneath[MAX_SEATS][MAX_PILES]  # card beneath, UNKNOWN or NO_CARD
    int8_t top[2]
    int8_t direction
    int8_t phase
    int8_t seat  # in its turn, or that has ended the round; NO_SEAT: the round was cut off
    # DEAL: cards dealt; DRAW: draws left; REVEAL: row pile; SCORE: hands shown; BONUS: discard pile.
    int8_t number
    int8_t flips  # DRAW and FLIPPED: made in this turn
    uint8_t round
    uint8_t newest  # era
    uint8_t beginners  # DEAL and DRAW_LOT: seats that may begin, as a set
    uint8_t cut  # whether the last round scored was cut off (EP-34)
    uint8_t drawable  # cards in the draw pile
    uint8_t spare[2]


cdef inline uint64_t bit_of(int card) noexcept nogil:
    return <uint64_t> 1 << card


cdef inline int rank_of(int card) noexcept nogil:
    return card // COLOURS + 1


cdef inline uint64_t from_rank(int rank) noexcept nogil:
    """All cards of this rank or a higher one; 1 <= rank <= RANKS."""
    return ~<uint64_t> 0 << (COLOURS * (rank - 1))


cdef inline uint64_t fitting(int direction, int top) noexcept nogil:
    """Cards that may be played on `top` (EP-07)."""
    if direction == UP:
        return from_rank(rank_of(top))
    return ~(from_rank(rank_of(top)) << COLOURS)


cdef inline uint64_t fitting_any(const State *s, int direction) noexcept nogil:
    """Cards that fit one of the discard piles."""
    return fitting(direction, s.top[0]) | fitting(direction, s.top[1])


cdef inline int ranks_of(uint64_t cards) noexcept nogil:
    """Sum of the ranks."""
    cdef int total = 0
    while cards:
        total += popcount(cards)
        cards >>= COLOURS  # each card once for its rank and once for each lower one
    return total


cdef inline int nth_bit(uint64_t mask, uint32_t n) noexcept nogil:
    """Index of the n-th set bit, counted from 0."""
    while n:
        mask &= mask - 1
        n -= 1
    return ctz(mask)


cdef inline int hand_size(const State *s, int seat) noexcept nogil:
    """The sum of the eight bytes of held[seat]."""
    return <int> ((<const uint64_t *> s.held[seat])[0] * <uint64_t> 0x0101010101010101 >> 56)


cdef inline int unknown_cards(const State *s, int seat) noexcept nogil:
    return hand_size(s, seat) - popcount(s.hand[seat])


cdef inline uint64_t known_hands(const Rules *r, const State *s) noexcept nogil:
    cdef uint64_t cards = 0
    cdef int seat
    for seat in range(r.players):
        cards |= s.hand[seat]
    return cards


cdef inline bint all_known(const Rules *r, const State *s) noexcept nogil:
    cdef int seat
    for seat in range(r.players):
        if unknown_cards(s, seat):
            return False
    return True


cdef inline uint64_t open_cards(const Rules *r, const State *s, int seat) noexcept nogil:
    cdef uint64_t cards = 0
    cdef int pile
    for pile in range(r.piles):
        if s.open[seat][pile] >= 0:
            cards |= bit_of(s.open[seat][pile])
    return cards


cdef inline bint row_empty(const Rules *r, const State *s, int seat) noexcept nogil:
    """EP-25."""
    cdef int pile
    for pile in range(r.piles):
        if s.open[seat][pile] != NO_CARD or s.beneath[seat][pile] != NO_CARD:
            return False
    return True


cdef inline int row_sum(const Rules *r, const State *s, int seat) noexcept nogil:
    """Sum of the ranks of a row without unknown cards."""
    cdef int total = 0
    cdef int pile
    for pile in range(r.piles):
        if s.open[seat][pile] >= 0:
            total += rank_of(s.open[seat][pile])
        if s.beneath[seat][pile] >= 0:
            total += rank_of(s.beneath[seat][pile])
    return total


cdef inline int next_unknown(const Rules *r, const State *s) noexcept nogil:
    """MAX_PILES * seat + pile of the first unknown row card, or -1."""
    cdef int seat, pile
    for seat in range(r.players):
        for pile in range(r.piles):
            if s.beneath[seat][pile] == UNKNOWN:
                return MAX_PILES * seat + pile
    return -1


cdef inline int era_of(const State *s, int card) noexcept nogil:
    """The era of a hidden card."""
    cdef int era = s.newest
    while era and not s.pool[era] >> card & 1:
        era -= 1
    return era


cdef inline uint64_t outside(const Showing *shown) noexcept nogil:
    """The cards that are not above or below the limit."""
    return ~(from_rank(shown.limit) << COLOURS) if shown.limit > 0 else from_rank(-shown.limit)
