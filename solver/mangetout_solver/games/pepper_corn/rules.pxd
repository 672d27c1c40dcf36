"""Pepper. Corn!: state and rules as plain C. Rulings PC-* are named where they apply.

A card is its number in the Decktet by rank (Aces 0-5, then three cards a rank, Crowns 30-35, and of rank 0 the Pawns
36-39, Courts 40-43 and the Excuse 44), a set of cards a 64-bit mask; a cell of the tableau is row * columns + column,
row 0 being A's front row, and a set of cells a mask as well.
Bits 24-31 of a step are its kind, the lower bits its number within the kind.
"""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from mangetout_solver.games.interface cimport GameOps

cdef extern from *:
    int ctz "__builtin_ctzll"(unsigned long long x) noexcept nogil
    int clz "__builtin_clzll"(unsigned long long x) noexcept nogil
    int popcount "__builtin_popcountll"(unsigned long long x) noexcept nogil

cdef enum:
    BASIC_SIZE = 36
    DECK_SIZE = 45
    EXCUSE = 44
    MAX_CELLS = 40
    MAX_ROWS = 8
    MAX_COLUMNS = 12
    NO_CARD = -1
    FACE_DOWN = -2
    NO_CELL = -1
    NO_CONVERTER = 0  # not the number of one
    # Kinds of steps.
    TARGET = 0  # cell, or PASS
    CONVERT = 1  # Pawn or Court
    LAY = 2  # card, or DONE
    DIVIDE = 3  # pile 0 or 1 for the next dealt card
    TAKE = 4  # pile 0 or 1 of the other's
    SHOW_CARD = 128  # 2 * card + pile
    SHOW_CHOICES = 129  # choice of A + 2 * choice of B
    TURN_UP = 130  # card
    LOT = 131  # seat
    PASS = 63
    DONE = 63
    UNSEEN = 0xFFFFFF
    # A choice not made yet, and one that is made but not known.
    NO_CHOICE = -1
    HIDDEN_CHOICE = 2


cdef enum Phase:
    SPLIT = 0
    SHOW = 1
    CHOOSE = 2
    REVEAL = 3
    DRAW_LOT = 4
    PLAY = 5
    OVER = 6
    UNCOVER = 7


cdef enum Excuse:
    AS_GAP = 0
    AS_BLOCKER = 1
    TAKEABLE = 2


ctypedef struct Rules:
    uint64_t board  # all cells
    uint64_t first_column
    uint64_t last_column
    uint64_t front[2]  # the rows next to A and to B
    int8_t rows
    int8_t columns
    int8_t restricted  # PC-17: whether the opponent's edge cannot be walked on
    int8_t empty_piles  # PC-03
    int8_t hands_known  # PC-25: whether the dealt hands are open
    int8_t extended  # whether Pawns, Courts and the Excuse are in the deck
    int8_t matching  # PC-37: whether a converter converts only cards that share a suit with it
    int8_t excuse  # PC-40: what the Excuse is on the tableau


ctypedef struct State:
    uint64_t hand[2]  # known cards; before play those dealt
    uint64_t pile[2]  # known cards of pile 1 of the division a player makes of its dealt cards
    uint64_t occupied  # cells with a card that is not a gap
    uint64_t laid  # cards laid down for the capture under way; they still stand in the hand
    uint64_t unseen  # from the lot on, while cards lie face down: those that do or are out of play
    uint16_t points[2]  # ranks in the discards
    int8_t unknown[2]  # further dealt cards
    int8_t division_known[2]  # 0 where decisions of the division are not known
    int8_t choice[2]  # pile taken of the other's
    int8_t phase
    int8_t turn  # seat, CHANCE or TERMINAL
    int8_t steps  # decisions made in the division under way, or dealt cards shown; at UNCOVER whose turn follows
    int8_t passes  # turns in a row that were passes
    int8_t target  # cell of the card to be taken, or NO_CELL
    int8_t converter  # Pawn or Court that converts the cards laid down, itself among them; or NO_CONVERTER
    int8_t cell[40]  # card, FACE_DOWN or NO_CARD


# Tables over cards, filled when the module is loaded.
cdef uint8_t RANK[64]
cdef uint64_t FIT[64]  # by card on the tableau: the cards in hand that fit it (PC-08, PC-11, PC-12, PC-35, PC-40 c)
cdef uint64_t RANK_BIT[4]  # the cards whose rank has the bit
cdef uint64_t CHOOSE_TABLE[46][46]  # binomial coefficients

cdef const GameOps *pepper_corn_ops() noexcept nogil
cdef int64_t count_worlds(const void *rules, const void *state) noexcept nogil
# What only variants have: out of line, it does not slow down the rest.
cdef uint64_t takeable(const Rules *r, const State *s, uint64_t cells, uint64_t hand) noexcept nogil
cdef uint64_t converted(const Rules *r, int converter) noexcept nogil
cdef uint64_t fitting_converted(const Rules *r, const State *s) noexcept nogil
cdef uint64_t usable_converters(const Rules *r, uint64_t hand, int target) noexcept nogil
cdef uint64_t minimal_converters(const Rules *r, const State *s) noexcept nogil
cdef uint64_t minimal_converted(const Rules *r, const State *s) noexcept nogil
cdef uint64_t face_down(const Rules *r, const State *s) noexcept nogil
cdef int next_to_turn_up(const Rules *r, const State *s) noexcept nogil
cdef void turn_up(const Rules *r, State *s, int card) noexcept nogil


cdef inline uint64_t deck(const Rules *r) noexcept nogil:
    return (<uint64_t> 1 << (DECK_SIZE if r.extended else BASIC_SIZE)) - 1


cdef inline uint64_t ranked() noexcept nogil:
    """The cards that have a rank above 0."""
    return (<uint64_t> 1 << BASIC_SIZE) - 1


cdef inline uint64_t converters() noexcept nogil:
    """Pawns and Courts."""
    return (<uint64_t> 1 << EXCUSE) - (<uint64_t> 1 << BASIC_SIZE)


cdef inline int ranks_of(uint64_t cards) noexcept nogil:
    """Sum of the ranks."""
    return (
        popcount(cards & RANK_BIT[0])
        + 2 * popcount(cards & RANK_BIT[1])
        + 4 * popcount(cards & RANK_BIT[2])
        + 8 * popcount(cards & RANK_BIT[3])
    )


cdef inline int nth_bit(uint64_t mask, uint32_t n) noexcept nogil:
    """Index of the n-th set bit, counted from 0."""
    while n:
        mask &= mask - 1
        n -= 1
    return ctz(mask)


cdef inline uint64_t above(int card) noexcept nogil:
    """All higher card numbers."""
    return ~<uint64_t> 0 << card << 1


cdef inline uint64_t lowest(uint64_t cards, int n) noexcept nogil:
    """The n lowest of the cards."""
    cdef uint64_t rest = cards
    while n > 0:
        rest &= rest - 1
        n -= 1
    return cards ^ rest
