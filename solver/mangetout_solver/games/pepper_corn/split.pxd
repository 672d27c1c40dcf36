"""Pepper. Corn!: the split, and what is not known of it. See rules.pxd."""

from libc.stdint cimport int8_t, uint8_t, uint64_t

from mangetout_solver.games.pepper_corn.captures cimport next_turn
from mangetout_solver.games.pepper_corn.rules cimport (
    CHOOSE_TABLE,
    DRAW_LOT,
    FACE_DOWN,
    HIDDEN_CHOICE,
    MAX_CELLS,
    NO_CHOICE,
    SHOW,
    SPLIT,
    Rules,
    State,
    above,
    clz,
    deck,
    lowest,
    popcount,
    ranks_of,
)


cdef inline int dealt(const State *s, int seat) noexcept nogil:
    return popcount(s.hand[seat]) + s.unknown[seat]


cdef inline int n_decisions(const State *s, int seat) noexcept nogil:
    """Steps of a division: one for each card but the lowest."""
    return dealt(s, seat) - 1


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


cdef inline bint any_face_down(const State *s) noexcept nogil:
    cdef uint8_t found = 0
    cdef int i
    for i in range(MAX_CELLS):
        found |= s.cell[i] == FACE_DOWN
    return found


cdef inline uint64_t on_tableau(const Rules *r, const State *s) noexcept nogil:
    cdef uint64_t cards = 0
    cdef int i
    for i in range(r.rows * r.columns):
        if s.cell[i] >= 0:
            cards |= <uint64_t> 1 << s.cell[i]
    return cards


cdef inline uint64_t candidates(const Rules *r, const State *s, int seat) noexcept nogil:
    """What a player's unknown cards can be. Dealt cards are shown in ascending order, so those to come are higher."""
    cdef uint64_t unseen = deck(r) & ~(on_tableau(r, s) | s.hand[0] | s.hand[1])
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


cdef inline void make_up_hands(const Rules *r, State *s, int choice_a, int choice_b) noexcept nogil:
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
    if any_face_down(s):
        s.unseen = deck(r) & ~(on_tableau(r, s) | s.hand[0] | s.hand[1])
    a = 64 * ranks_of(s.hand[0]) + popcount(s.hand[0])
    b = 64 * ranks_of(s.hand[1]) + popcount(s.hand[1])
    if a == b and s.occupied:
        s.phase = DRAW_LOT
        s.turn = -1
    else:
        next_turn(r, s, 0 if a < b else 1)


# Worlds are a product of independent parts: the cards of A and of B that are not known, the decisions of each division
# that are not known, and the choices that are not known.

cdef enum:
    PARTS = 6


cdef inline bint must_fill_pile(const Rules *r, const State *s, int seat) noexcept nogil:
    """Whether the decisions not known cannot all be for pile 0 (PC-03)."""
    return not (r.empty_piles or s.pile[seat]) and decided(s, seat) == n_decisions(s, seat)


cdef inline void count_parts(const Rules *r, const State *s, uint64_t *count) noexcept nogil:
    cdef int free_cards = popcount(candidates(r, s, 1))
    cdef int seat
    count[0] = count[1] = 1
    if s.unknown[0]:
        count[0] = CHOOSE_TABLE[popcount(candidates(r, s, 0))][s.unknown[0]]
    if s.unknown[1]:
        free_cards -= s.unknown[0]
        count[1] = CHOOSE_TABLE[free_cards][s.unknown[1]] if free_cards >= 0 else 0
    for seat in range(2):
        count[2 + seat] = 1
        if not s.division_known[seat]:
            count[2 + seat] = <uint64_t> 1 << hidden_decisions(s, seat)
            if must_fill_pile(r, s, seat):
                count[2 + seat] -= 1
        count[4 + seat] = 2 if s.choice[seat] == HIDDEN_CHOICE else 1


cdef inline uint64_t subset(uint64_t cards, int k, uint64_t index) noexcept nogil:
    """The index-th of the k-card subsets of a set."""
    cdef int n = popcount(cards)
    cdef uint64_t chosen = 0
    cdef uint64_t bit
    while k:
        bit = cards & -cards
        cards ^= bit
        n -= 1
        if index < CHOOSE_TABLE[n][k - 1]:
            chosen |= bit
            k -= 1
        else:
            index -= CHOOSE_TABLE[n][k - 1]
    return chosen


cdef inline void complete_parts(const Rules *r, State *s, const uint64_t *index) noexcept nogil:
    cdef int seat
    cdef uint64_t pattern, cards, bit
    for seat in range(2):
        if s.unknown[seat]:
            cards = subset(candidates(r, s, seat), s.unknown[seat], index[seat])
            s.unknown[seat] = 0
            s.hand[seat] |= cards
    for seat in range(2):
        if not s.division_known[seat]:
            pattern = index[2 + seat] + (1 if must_fill_pile(r, s, seat) else 0)
            cards = lowest(s.hand[seat], decided(s, seat) + 1)
            cards ^= lowest(cards, max(shown(s, seat), 1))
            while cards:
                bit = cards & -cards
                cards ^= bit
                if pattern & 1:
                    s.pile[seat] |= bit
                pattern >>= 1
            s.division_known[seat] = 1
        if s.choice[seat] == HIDDEN_CHOICE:
            s.choice[seat] = <int8_t> index[4 + seat]


cdef inline double world_weight(const Rules *r, const State *s) noexcept nogil:
    """Number of worlds, as a floating point number that does not saturate."""
    cdef uint64_t count[PARTS]
    cdef double total = 1.0
    cdef int i
    count_parts(r, s, count)
    for i in range(PARTS):
        total *= <double> count[i]
    return total
