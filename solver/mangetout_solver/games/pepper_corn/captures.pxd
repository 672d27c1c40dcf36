"""Pepper. Corn!: access to the tableau, captures and turns. See rules.pxd."""

from libc.stdint cimport int8_t, uint16_t, uint32_t, uint64_t

from mangetout_solver.games.interface cimport TERMINAL
from mangetout_solver.games.pepper_corn.rules cimport (
    CONVERT,
    FIT,
    NO_CARD,
    NO_CELL,
    NO_CONVERTER,
    OVER,
    PLAY,
    RANK,
    UNCOVER,
    UNSEEN,
    Rules,
    State,
    above,
    clz,
    ctz,
    fitting_converted,
    minimal_converted,
    next_to_turn_up,
    ranks_of,
    takeable,
)


cdef inline uint64_t beside(const Rules *r, uint64_t cells) noexcept nogil:
    """The cells next to any of `cells`, orthogonally (PC-19)."""
    return (
        cells << r.columns
        | cells >> r.columns
        | (cells & ~r.last_column) << 1
        | (cells & ~r.first_column) >> 1
    ) & r.board


cdef inline uint64_t flood(const Rules *r, uint64_t area, uint64_t gaps) noexcept nogil:
    """All gaps joined to `area` through gaps."""
    cdef uint64_t grown = area | (beside(r, area) & gaps)
    while grown != area:
        area = grown
        grown |= beside(r, area) & gaps
    return area


cdef inline uint64_t walkable(const Rules *r, uint64_t occupied, int seat, uint64_t known_area) noexcept nogil:
    """The gaps a player can walk to (PC-15 to PC-18). known_area: gaps that already were within reach."""
    cdef uint64_t gaps = r.board & ~occupied
    cdef uint64_t area = flood(r, known_area | (r.front[seat] & gaps), gaps)
    if area & r.front[1 - seat] and not r.restricted:
        area = flood(r, area | (r.front[1 - seat] & gaps), gaps)
    return area


cdef inline uint64_t within_reach(const Rules *r, uint64_t occupied, uint64_t area, int seat) noexcept nogil:
    """The cards that a player who can walk on `area` has access to."""
    cdef uint64_t edge = r.front[seat]
    if area & r.front[1 - seat] and not r.restricted:
        edge |= r.front[1 - seat]
    return occupied & (edge | beside(r, area))


cdef inline uint64_t strong_enough(const Rules *r, const State *s, uint64_t cells, uint64_t hand) noexcept nogil:
    """Those of the cells whose card some cards of the hand can take (PC-08, PC-09)."""
    cdef uint64_t found = 0
    cdef uint64_t bit
    cdef int card
    if r.extended:
        return takeable(r, s, cells, hand)
    while cells:
        bit = cells & -cells
        cells ^= bit
        card = s.cell[ctz(bit)]
        if ranks_of(hand & FIT[card]) >= RANK[card]:
            found |= bit
    return found


cdef inline uint64_t targets(const Rules *r, const State *s) noexcept nogil:
    """The cells a turn may begin with."""
    cdef uint64_t area = walkable(r, s.occupied, s.turn, 0)
    return strong_enough(r, s, within_reach(r, s.occupied, area, s.turn), s.hand[s.turn])


# A capture, step by step. While it is under way hand and tableau stand still, so every step sees the same cards.

cdef inline uint64_t fitting(const Rules *r, const State *s) noexcept nogil:
    """Cards of the mover that may still be laid down: ascending order keeps a set from being built twice."""
    cdef uint64_t cards = s.hand[s.turn] & FIT[s.cell[s.target]]
    if s.converter:
        return fitting_converted(r, s)
    if s.laid:
        cards &= above(63 - clz(s.laid))
    return cards


cdef inline bint reached(const State *s) noexcept nogil:
    """Whether the cards laid down are enough."""
    return (s.laid != 0) & (ranks_of(s.laid) >= RANK[s.cell[s.target]])


cdef inline uint64_t layable(const Rules *r, const State *s) noexcept nogil:
    """Cards with which the rank of the target can still be reached (PC-10)."""
    cdef uint64_t left = fitting(r, s)
    cdef uint64_t cards = 0
    cdef uint64_t bit
    cdef int missing = RANK[s.cell[s.target]] - ranks_of(s.laid)
    while left and ranks_of(left) >= missing:
        bit = left & -left
        left ^= bit
        cards |= bit
    return cards


cdef inline uint64_t completing(const State *s, uint64_t left, uint64_t fit, bint idle) noexcept nogil:
    """Cards of `left` with which a set can be completed that no card can be left out of; the target has a rank above 0.

    As cards are laid down by rank, the first one is the lowest, and the set is minimal exactly if its sum is below the
    target's rank plus that lowest rank, and if a converter has something to convert. Cards of rank 0, the last ones,
    are in none.

    idle: whether the set still needs a card outside of `fit`, as the converter converts nothing without it.
    """
    cdef uint64_t cards = 0
    cdef uint64_t sums = 1  # bit n: some higher cards add up to n
    cdef uint64_t outside = 0  # the same, one of them being outside of `fit`
    cdef uint64_t enough
    cdef int rank = RANK[s.cell[s.target]]
    cdef int laid = ranks_of(s.laid)
    cdef int least = RANK[ctz(s.laid)] if s.laid else 0
    cdef int card
    while left:
        card = 63 - clz(left)
        left ^= <uint64_t> 1 << card
        enough = outside if idle and fit >> card & 1 else sums
        if enough << (laid + RANK[card]) & ((<uint64_t> 1 << (least if least else RANK[card])) - 1) << rank:
            cards |= <uint64_t> 1 << card
        if idle:
            outside = (outside | enough << RANK[card]) & 0xFFFFFF
        sums |= sums << RANK[card]
        sums &= 0xFFFFFF  # no set in question adds up to more than 19
    return cards


cdef inline uint64_t minimal_layable(const Rules *r, const State *s) noexcept nogil:
    """Cards with which a minimal set can be completed."""
    if RANK[s.cell[s.target]] == 0:
        return 0 if s.laid else fitting(r, s)
    if s.converter:
        return minimal_converted(r, s)
    return completing(s, fitting(r, s), 0, False)


cdef inline void lay(State *s, uint32_t move) noexcept nogil:
    """Plays a step of the kinds CONVERT and LAY, other than DONE."""
    s.laid |= <uint64_t> 1 << (move & UNSEEN)
    if move >> 24 == CONVERT:
        s.converter = <int8_t> (move & UNSEEN)


cdef inline void next_turn(const Rules *r, State *s, int seat) noexcept nogil:
    """Goes on with a player's turn, or with what comes before it."""
    s.phase = PLAY
    s.turn = <int8_t> seat
    s.steps = 0
    if not s.occupied:
        end_game(s)
    elif s.unseen and next_to_turn_up(r, s) != NO_CELL:
        s.phase = UNCOVER
        s.turn = -1
        s.steps = <int8_t> seat


cdef inline void finish_capture(const Rules *r, State *s) noexcept nogil:
    cdef int seat = s.turn
    cdef int card = s.cell[s.target]
    s.points[seat] += <uint16_t> ranks_of(s.laid)
    s.hand[seat] = (s.hand[seat] ^ s.laid) | <uint64_t> 1 << card  # PC-13, PC-14
    s.cell[s.target] = NO_CARD
    s.occupied ^= <uint64_t> 1 << s.target
    s.laid = 0
    s.converter = NO_CONVERTER
    s.target = NO_CELL
    next_turn(r, s, 1 - seat)


cdef inline void end_game(State *s) noexcept nogil:
    s.phase = OVER
    s.turn = TERMINAL
    s.passes = 0


cdef inline void pass_turn(State *s) noexcept nogil:
    s.passes += 1
    s.turn = 1 - s.turn
    if s.passes == 2:  # PC-21
        end_game(s)
