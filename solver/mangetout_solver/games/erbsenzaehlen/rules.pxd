"""Erbsenzählen: state and rules as plain C. Rulings EZ-* are named where they apply.

Values are counted from 0 here: the card 1 has value 0. A sort of point cards is 2 * value + (1 if red). A column is a
leading 1 and then its cards from bottom to top, red as 1 and green as 0: its unprotected cards (EZ-09 to 11) are its
trailing zeros, and an empty column is 1. Bits 24-31 of a step are its kind, the lower bits its number within the kind.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from mangetout_solver.games.interface cimport CHANCE, TERMINAL, GameOps
from mangetout_solver.games.rng cimport Rng, rng_below

cdef extern from *:
    int ctz "__builtin_ctz"(unsigned int x) noexcept nogil
    int clz "__builtin_clz"(unsigned int x) noexcept nogil
    int popcount "__builtin_popcount"(unsigned int x) noexcept nogil

cdef enum:
    VALUES = 6
    SORTS = 12
    KINDS_OF_CARDS = 16
    MAX_PER_VALUE = 31  # a column holds them all
    CARDS_TURNED_UP = 4  # EZ-03
    CARDS_FOR_BONUS = 3
    # Kinds of cards behind the sorts of point cards.
    MUSH = 12
    THIEF = 13
    BAD_LUCK = 14
    BONUS = 15
    # Kinds of steps.
    DECIDE = 0
    TRADE = 1  # GIVE + value, TAKE + value, NEXT_PARTNER, DONE
    LEAVE = 2  # 32 * value + number of cards above the one that leaves the column
    TURN_UP = 128  # kind of card
    # Numbers of decisions; a sort is placed.
    USE_BONUS = 12
    STEAL = 16  # + 6 * seat + value
    SKIP = 48  # + seat
    END_TURN = 63
    EXCHANGE = 64  # + set of partners
    # Numbers within an exchange.
    GIVE = 0
    TAKE = 8
    NEXT_PARTNER = 16
    DONE = 17
    MAX_MOVES = 64
    NUMBER = 0xFFFFFF


ctypedef struct Rules:
    uint8_t cards[12]  # of each sort
    uint8_t mush
    uint8_t thieves
    uint8_t bad_luck
    uint8_t bonus
    int8_t players
    int8_t giant_peas  # EZ-25: most that are awarded; 0: no limit
    int8_t must_place  # EZ-05
    int8_t one_missed  # EZ-17: whether a seat has at most one turn to miss
    int8_t owner_chooses  # EZ-24
    int8_t pooled  # EZ-29
    int8_t unlimited  # EZ-30: 0, or the most positions that are barred
    int8_t spare


ctypedef struct State:
    uint32_t column[5][6]
    uint8_t giant_peas[5]
    uint8_t mush[5]
    uint8_t thieves[5]  # kept
    uint8_t bad_luck[5]  # kept
    uint8_t missed[5]  # turns to be missed
    uint8_t bonus  # bonus peas turned up in this turn and not used
    uint8_t drawn[12]  # point cards turned up in this turn and not placed, by sort
    uint8_t centre[16]  # by kind
    uint16_t centre_total
    uint16_t to_place  # sorts of the cards drawn, as a set
    int8_t turn  # seat that decides, CHANCE or TERMINAL
    int8_t seat  # whose turn it is
    int8_t to_turn_up
    uint8_t traded  # set of seats exchanged with in this turn
    uint8_t partners  # of the exchange under way; 0: none
    int8_t partner  # whose cards are next
    int8_t completing  # 1 + value whose card leaves the display of `turn` next (EZ-24); 0: no sequence is completed
    uint8_t n_barred
    uint8_t given[5][6]  # in the exchange under way, to each partner
    uint8_t taken[5][6]
    # Unprotected cards of all seats in positions that must not come back (EZ-30), in the order of their bytes.
    uint8_t barred[7][5][6]


# Bit `theirs` of entry `own`: whether single cards of two sets of values make an exchange. Filled when the module is
# loaded.
cdef uint64_t SINGLES[64]

cdef const GameOps *erbsenzaehlen_ops() noexcept nogil
cdef void apply(const void *rules, void *state, uint32_t move) noexcept nogil


cdef inline int unprotected(uint32_t column) noexcept nogil:
    """Greens above the topmost red."""
    return ctz(column)


cdef inline uint32_t greens_on_top(const State *s, int seat) noexcept nogil:
    """The values of which a seat has an unprotected card, as a set."""
    cdef const uint32_t *column = s.column[seat]
    return ~(
        (column[0] & 1) | (column[1] & 1) << 1 | (column[2] & 1) << 2
        | (column[3] & 1) << 3 | (column[4] & 1) << 4 | (column[5] & 1) << 5
    ) & 63


cdef inline bint has_two_alike(const State *s, int seat) noexcept nogil:
    """Whether a seat has two unprotected cards of one value."""
    cdef int value
    for value in range(VALUES):
        if s.column[seat][value] & 3 == 0:
            return True
    return False


cdef inline int height(uint32_t column) noexcept nogil:
    """Number of cards."""
    return 31 - clz(column)


cdef inline bint is_complete(const State *s, int seat) noexcept nogil:
    """Whether no column is empty."""
    cdef const uint32_t *column = s.column[seat]
    return (
        column[0] > 1 and column[1] > 1 and column[2] > 1 and column[3] > 1 and column[4] > 1 and column[5] > 1
    )


cdef inline void turn_up(State *s, int count) noexcept nogil:
    """Chance comes next, for as many cards as there are (EZ-04)."""
    s.to_turn_up = <int8_t> min(count, <int> s.centre_total)
    s.turn = CHANCE


cdef inline void draw(State *s, uint32_t kind) noexcept nogil:
    s.centre[kind] -= 1
    s.centre_total -= 1
    s.to_turn_up -= 1
    if kind < SORTS:
        s.drawn[kind] += 1
        s.to_place |= 1 << kind
    elif kind == MUSH:
        s.mush[s.seat] += 1
    elif kind == THIEF:
        s.thieves[s.seat] += 1
    elif kind == BAD_LUCK:
        s.bad_luck[s.seat] += 1
    else:
        s.bonus += 1
    if s.to_turn_up == 0:
        s.turn = s.seat


cdef inline uint32_t random_card(const State *s, Rng *rng) noexcept nogil:
    """The kind of a card of the centre, all cards being equally likely."""
    cdef int32_t at = <int32_t> rng_below(rng, s.centre_total)
    cdef uint32_t kind = 0
    while at >= s.centre[kind]:
        at -= s.centre[kind]
        kind += 1
    return kind


cdef inline void clear_hand(State *s) noexcept nogil:
    """What is not placed or used goes to the box (EZ-05, EZ-19)."""
    s.bonus = 0
    s.to_place = 0
    memset(s.drawn, 0, sizeof(s.drawn))


cdef inline void clear_barred(State *s) noexcept nogil:
    """After what cannot be undone no barred position can come back."""
    if s.n_barred:
        memset(s.barred, 0, sizeof(s.barred))
        s.n_barred = 0


cdef inline void award(const Rules *r, State *s, int seat) noexcept nogil:
    cdef int awarded = 0
    cdef int other
    if r.giant_peas:
        for other in range(r.players):
            awarded += s.giant_peas[other]
        if awarded == r.giant_peas:  # EZ-25
            return
    s.giant_peas[seat] += 1


cdef inline void complete_sequences(const Rules *r, State *s) noexcept nogil:
    """EZ-23 and 27: as long as a display is complete, the active player's first."""
    cdef int value, _i
    cdef int seat = s.seat
    s.turn = s.seat
    for _i in range(r.players):
        while is_complete(s, seat):
            clear_barred(s)
            if r.owner_chooses:
                s.turn = <int8_t> seat
                s.completing = 1
                return
            for value in range(VALUES):  # EZ-24
                s.column[seat][value] >>= 1
            award(r, s, seat)
        seat = seat + 1 if seat + 1 < r.players else 0


cdef inline void leave(const Rules *r, State *s, uint32_t number) noexcept nogil:
    """EZ-24, owner's choice: one card leaves a column."""
    cdef uint32_t *column = &s.column[s.turn][number >> 5]
    cdef uint32_t above = number & 31
    column[0] = column[0] >> (above + 1) << above | (column[0] & ((<uint32_t> 1 << above) - 1))
    if s.completing < VALUES:
        s.completing += 1
        return
    s.completing = 0
    award(r, s, s.turn)
    complete_sequences(r, s)


cdef inline void place(const Rules *r, State *s, uint32_t sort) noexcept nogil:
    cdef uint32_t *column = &s.column[s.seat][sort >> 1]
    s.drawn[sort] -= 1
    if s.drawn[sort] == 0:
        s.to_place ^= 1 << sort
    column[0] = column[0] << 1 | (sort & 1)
    if column[0] < 4:  # else it was not empty before, and nothing is completed
        complete_sequences(r, s)


cdef inline void steal(const Rules *r, State *s, int victim, int value) noexcept nogil:
    s.thieves[s.seat] -= 1
    s.column[victim][value] >>= 1
    s.column[s.seat][value] <<= 1  # EZ-15
    clear_barred(s)
    complete_sequences(r, s)


cdef inline void end_turn(const Rules *r, State *s) noexcept nogil:
    clear_hand(s)
    clear_barred(s)
    s.traded = 0
    if s.centre_total == 0:  # EZ-37
        s.seat = 0
        s.turn = TERMINAL
        return
    while True:
        s.seat = s.seat + 1 if s.seat + 1 < r.players else 0
        if s.missed[s.seat] == 0:
            break
        s.missed[s.seat] -= 1  # EZ-18
    turn_up(s, CARDS_TURNED_UP)


# Exchanges. Within one, the partners come by seat, their cards by descending value, given ones before those taken.

cdef inline void open_exchange(State *s, uint32_t partners) noexcept nogil:
    clear_hand(s)
    s.partners = <uint8_t> partners
    s.partner = <int8_t> ctz(partners)


cdef inline int partners_left(const State *s) noexcept nogil:
    """The set of partners behind the present one."""
    return s.partners >> s.partner >> 1 << s.partner << 1


cdef inline void next_partner(State *s) noexcept nogil:
    s.partner = <int8_t> ctz(partners_left(s))


cdef inline void count_unprotected(const State *s, int seat, uint8_t *count) noexcept nogil:
    cdef int value
    for value in range(VALUES):
        count[value] = <uint8_t> unprotected(s.column[seat][value])


cdef inline void bar_position(const Rules *r, State *s) noexcept nogil:
    """Adds the present position to the barred ones, in their order."""
    cdef uint8_t position[5][6]
    cdef int seat
    cdef int at = s.n_barred
    memset(position, 0, sizeof(position))
    for seat in range(r.players):
        count_unprotected(s, seat, position[seat])
    while at and memcmp(position, s.barred[at - 1], sizeof(position)) < 0:
        memcpy(s.barred[at], s.barred[at - 1], sizeof(position))
        at -= 1
    memcpy(s.barred[at], position, sizeof(position))
    s.n_barred += 1


cdef inline void finish_exchange(const Rules *r, State *s) noexcept nogil:
    """All cards change places at once (EZ-34)."""
    cdef uint32_t *own = s.column[s.seat]
    cdef uint32_t *theirs
    cdef int partners = s.partners
    cdef int partner, value, given, taken
    if r.unlimited:
        bar_position(r, s)
    else:
        s.traded |= s.partners
    while partners:
        partner = ctz(partners)
        partners &= partners - 1
        theirs = s.column[partner]
        for value in range(VALUES):
            given, taken = s.given[partner][value], s.taken[partner][value]
            own[value] = own[value] >> given << taken
            theirs[value] = theirs[value] >> taken << given
        memset(s.given[partner], 0, VALUES)
        memset(s.taken[partner], 0, VALUES)
    s.partners = 0
    s.partner = 0
    complete_sequences(r, s)


cdef inline void trade(const Rules *r, State *s, uint32_t number) noexcept nogil:
    """One step of an exchange."""
    if number < TAKE:
        s.given[s.partner][number - GIVE] += 1
    elif number < NEXT_PARTNER:
        s.taken[s.partner][number - TAKE] += 1
    elif number == NEXT_PARTNER:
        next_partner(s)
    else:
        finish_exchange(r, s)
