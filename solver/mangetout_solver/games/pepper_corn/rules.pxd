"""Pepper. Corn!, base game: state and rules as plain C. Rulings PC-* are named where they apply.

A card is its number in the Decktet by rank (Aces 0-5, then three cards a rank, Crowns 30-35), a set of cards a 64-bit
mask; a cell of the tableau is row * columns + column, row 0 being A's front row, and a set of cells a mask as well.
Bits 24-31 of a step are its kind, the lower bits its number within the kind.
"""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from mangetout_solver.games.interface cimport TERMINAL, GameOps
from mangetout_solver.games.rng cimport Rng, rng_below

cdef extern from *:
    int ctz "__builtin_ctzll"(unsigned long long x) noexcept nogil
    int clz "__builtin_clzll"(unsigned long long x) noexcept nogil
    int popcount "__builtin_popcountll"(unsigned long long x) noexcept nogil

cdef enum:
    DECK_SIZE = 36
    MAX_CELLS = 34  # leaves each player a card
    MAX_ROWS = 8
    MAX_COLUMNS = 12
    NO_CARD = -1
    NO_CELL = -1
    # Kinds of steps.
    TARGET = 0  # cell, or PASS
    LAY = 2  # card, or DONE
    DIVIDE = 3  # pile 0 or 1 for the next dealt card
    TAKE = 4  # pile 0 or 1 of the other's
    SHOW_CARD = 128  # 2 * card + pile
    SHOW_CHOICES = 129  # choice of A + 2 * choice of B
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
    int8_t spare[3]


ctypedef struct State:
    uint64_t hand[2]  # known cards; before play those dealt
    uint64_t pile[2]  # known cards of pile 1 of the division a player makes of its dealt cards
    uint64_t occupied  # cells with a card
    uint64_t laid  # cards laid down for the capture under way; they still stand in the hand
    uint16_t points[2]  # ranks in the discards
    int8_t unknown[2]  # further dealt cards
    int8_t division_known[2]  # 0 where decisions of the division are not known
    int8_t choice[2]  # pile taken of the other's
    int8_t phase
    int8_t turn  # seat, CHANCE or TERMINAL
    int8_t steps  # decisions made in the division under way, or dealt cards shown
    int8_t passes  # turns in a row that were passes
    int8_t target  # cell of the card to be taken, or NO_CELL
    int8_t spare[9]
    int8_t cell[40]  # card, or NO_CARD


# Tables over cards, filled when the module is loaded.
cdef uint8_t RANK[64]
cdef uint64_t FIT[64]  # by card on the tableau: the cards in hand that may be laid down for it (PC-08, PC-11, PC-12)
cdef uint64_t RANK_BIT[4]  # the cards whose rank has the bit

cdef const GameOps *pepper_corn_ops() noexcept nogil
cdef int64_t count_worlds(const void *rules, const void *state) noexcept nogil


cdef inline uint64_t all_cards() noexcept nogil:
    return (<uint64_t> 1 << DECK_SIZE) - 1


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


cdef inline uint64_t strong_enough(const State *s, uint64_t cells, uint64_t hand) noexcept nogil:
    """Those of the cells whose card some cards of the hand can take (PC-08, PC-09)."""
    cdef uint64_t found = 0
    cdef uint64_t bit
    cdef int card
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
    return strong_enough(s, within_reach(r, s.occupied, area, s.turn), s.hand[s.turn])


# A capture, step by step. While it is under way hand and tableau stand still, so every step sees the same cards.

cdef inline uint64_t fitting(const State *s) noexcept nogil:
    """Cards of the mover that may still be laid down: ascending order keeps a set from being built twice."""
    cdef uint64_t cards = s.hand[s.turn] & FIT[s.cell[s.target]]
    if s.laid:
        cards &= above(63 - clz(s.laid))
    return cards


cdef inline uint64_t layable(const State *s) noexcept nogil:
    """Cards with which the rank of the target can still be reached (PC-10)."""
    cdef uint64_t left = fitting(s)
    cdef uint64_t cards = 0
    cdef uint64_t bit
    cdef int missing = RANK[s.cell[s.target]] - ranks_of(s.laid)
    while left and ranks_of(left) >= missing:
        bit = left & -left
        left ^= bit
        cards |= bit
    return cards


cdef inline uint64_t minimal_layable(const State *s) noexcept nogil:
    """Cards with which a set can be completed that no card can be left out of.

    As cards are laid down by rank, the first one is the lowest, and the set is minimal exactly if its sum is below the
    target's rank plus that lowest rank.
    """
    cdef uint64_t left = fitting(s)
    cdef uint64_t cards = 0
    cdef uint64_t sums = 1  # bit n: some higher cards add up to n
    cdef int rank = RANK[s.cell[s.target]]
    cdef int laid = ranks_of(s.laid)
    cdef int least = RANK[ctz(s.laid)] if s.laid else 0
    cdef int card
    while left:
        card = 63 - clz(left)
        left ^= <uint64_t> 1 << card
        if sums << (laid + RANK[card]) & ((<uint64_t> 1 << (least if least else RANK[card])) - 1) << rank:
            cards |= <uint64_t> 1 << card
        sums |= sums << RANK[card]
        sums &= 0xFFFFFF  # no set in question adds up to more than 19
    return cards


cdef inline void finish_capture(State *s) noexcept nogil:
    cdef int seat = s.turn
    cdef int card = s.cell[s.target]
    s.points[seat] += <uint16_t> ranks_of(s.laid)
    s.hand[seat] = (s.hand[seat] ^ s.laid) | <uint64_t> 1 << card  # PC-13, PC-14
    s.cell[s.target] = NO_CARD
    s.occupied ^= <uint64_t> 1 << s.target
    s.laid = 0
    s.target = NO_CELL
    s.turn = <int8_t> (1 - seat)
    if not s.occupied:
        end_game(s)


cdef inline void end_game(State *s) noexcept nogil:
    s.phase = OVER
    s.turn = TERMINAL
    s.passes = 0


cdef inline void pass_turn(State *s) noexcept nogil:
    s.passes += 1
    s.turn = 1 - s.turn
    if s.passes == 2:  # PC-21
        end_game(s)


# Before play.

cdef inline int dealt(const State *s, int seat) noexcept nogil:
    return popcount(s.hand[seat]) + s.unknown[seat]


cdef inline int n_decisions(const State *s, int seat) noexcept nogil:
    """Steps of a division: one for each card but the lowest."""
    return dealt(s, seat) - 1


cdef inline uint64_t lowest(uint64_t cards, int n) noexcept nogil:
    """The n lowest of the cards."""
    cdef uint64_t rest = cards
    while n > 0:
        rest &= rest - 1
        n -= 1
    return cards ^ rest


cdef inline int shown(const State *s, int seat) noexcept nogil:
    """How many of a player's dealt cards have been shown to both."""
    cdef int first = dealt(s, 0)
    if s.phase < SHOW:
        return 0
    if s.phase > SHOW:
        return dealt(s, seat)
    return s.steps - first if seat and s.steps > first else (0 if seat else min(<int> s.steps, first))


cdef inline int due_to_show(const State *s) noexcept nogil:
    """The seat whose card is shown next."""
    return 0 if s.steps < dealt(s, 0) else 1


cdef inline uint64_t on_tableau(const Rules *r, const State *s) noexcept nogil:
    cdef uint64_t cards = 0
    cdef int i
    for i in range(r.rows * r.columns):
        if s.cell[i] != NO_CARD:
            cards |= <uint64_t> 1 << s.cell[i]
    return cards


cdef inline uint64_t candidates(const Rules *r, const State *s, int seat) noexcept nogil:
    """What a player's unknown cards can be. Dealt cards are shown in ascending order, so those to come are higher."""
    cdef uint64_t unseen = all_cards() & ~(on_tableau(r, s) | s.hand[0] | s.hand[1])
    return unseen & above(63 - clz(s.hand[seat])) if shown(s, seat) else unseen


cdef inline int decided(const State *s, int seat) noexcept nogil:
    """Decisions taken in a player's division, known or not."""
    if s.phase > SPLIT or seat < s.turn:
        return n_decisions(s, seat)
    return s.steps if seat == s.turn else 0


cdef inline int hidden_decisions(const State *s, int seat) noexcept nogil:
    """Decisions that the other player has not seen: those on the cards that are not shown."""
    cdef int seen = shown(s, seat)
    return dealt(s, seat) - seen if seen else decided(s, seat)


cdef inline void next_division(State *s) noexcept nogil:
    """Goes on where the division of the seat to move may be complete."""
    while s.phase == SPLIT and s.steps == n_decisions(s, s.turn):
        s.steps = 0
        if s.turn == 0:
            s.turn = 1
        else:
            s.phase = SHOW
            s.turn = -1


cdef inline void begin_play(State *s, int seat) noexcept nogil:
    s.phase = PLAY
    s.turn = <int8_t> seat
    if not s.occupied:
        end_game(s)


cdef inline void make_up_hands(State *s, int choice_a, int choice_b) noexcept nogil:
    """PC-04: the pile taken from the other, and the own one that the other left; then PC-06."""
    cdef uint64_t pile_a[2]
    cdef uint64_t pile_b[2]
    cdef int a, b
    pile_a[0] = s.hand[0] & ~s.pile[0]
    pile_a[1] = s.pile[0]
    pile_b[0] = s.hand[1] & ~s.pile[1]
    pile_b[1] = s.pile[1]
    s.hand[0] = pile_b[choice_a] | pile_a[1 - choice_b]
    s.hand[1] = pile_a[choice_b] | pile_b[1 - choice_a]
    s.pile[0] = s.pile[1] = 0
    s.choice[0] = s.choice[1] = NO_CHOICE
    a = 64 * ranks_of(s.hand[0]) + popcount(s.hand[0])
    b = 64 * ranks_of(s.hand[1]) + popcount(s.hand[1])
    if a == b and s.occupied:
        s.phase = DRAW_LOT
        s.turn = -1
    else:
        begin_play(s, 0 if a < b else 1)


# Random play, over the moves to search.

cdef inline uint32_t random_step(const Rules *r, const State *s, Rng *rng) noexcept nogil:
    """A uniformly random search move of a decision in play."""
    cdef uint64_t choices
    cdef uint32_t n
    if s.target != NO_CELL:
        if ranks_of(s.laid) >= RANK[s.cell[s.target]]:
            return <uint32_t> LAY << 24 | DONE
        choices = minimal_layable(s)
        if not choices:
            choices = layable(s)
        return <uint32_t> LAY << 24 | <uint32_t> nth_bit(choices, rng_below(rng, popcount(choices)))
    choices = within_reach(r, s.occupied, walkable(r, s.occupied, s.turn, 0), s.turn)
    choices = strong_enough(s, choices, s.hand[s.turn])
    n = rng_below(rng, popcount(choices) + 1)
    return PASS if n == <uint32_t> popcount(choices) else <uint32_t> nth_bit(choices, n)


cdef inline int play_out(const Rules *r, State *s, Rng *rng) noexcept nogil:
    """Uniformly random search moves from a decision in play to the end; returns their number."""
    cdef uint64_t area[2]
    cdef uint64_t choices
    cdef uint32_t choice
    cdef int seat
    cdef int steps = 0
    area[0] = area[1] = 0
    while s.turn >= 0:
        if s.target != NO_CELL:
            choices = 0
            if ranks_of(s.laid) < RANK[s.cell[s.target]]:
                choices = minimal_layable(s)
                if not choices:
                    choices = layable(s)
            steps += 1
            if choices:
                s.laid |= <uint64_t> 1 << nth_bit(choices, rng_below(rng, popcount(choices)))
            else:
                finish_capture(s)
            continue
        seat = s.turn
        area[seat] = walkable(r, s.occupied, seat, area[seat])
        choices = strong_enough(s, within_reach(r, s.occupied, area[seat], seat), s.hand[seat])
        choice = rng_below(rng, popcount(choices) + 1)
        steps += 1
        if choice == <uint32_t> popcount(choices):
            pass_turn(s)
        else:
            s.target = <int8_t> nth_bit(choices, choice)
            s.passes = 0
    return steps
