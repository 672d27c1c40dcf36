"""The moves of a reduced PEAS state: one of each kind that leads to the same, and where it leads."""

from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint16_t, uint32_t

from mangetout_solver.exact.peas.bounds cimport reach
from mangetout_solver.exact.peas.key cimport make_key
from mangetout_solver.exact.peas.outcomes cimport Outcomes, settle_need, weigh
from mangetout_solver.exact.peas.reduced cimport (
    A_TAKES,
    BLANK,
    BOUNDS,
    DENIED,
    FREE,
    LONE,
    LONE_A,
    MAX_COLOURS,
    OWED,
    RANKS,
    SWEPT,
    Node,
    ctz,
    in_colour,
    may_deny,
    play_reduced,
)
from mangetout_solver.exact.table cimport Key, Table, bucket, prefetch

cdef enum:
    MAX_CHILDREN = 12 * 20  # cards that a hand of 12 may hold, on as many pods
    PLACES = 15 + MAX_COLOURS  # pods, FREE, OWED, BLANK, and DENIED a colour


# A state and the question asked of it: whether A's margin still grows by `need`.
ctypedef struct Child:
    Node node
    Key key
    int16_t need
    int16_t asked  # the bound to look for in the table: 1 where the key itself says what is needed, else that
    int16_t gain  # what the move that leads here has decided for A
    uint16_t mark  # by which the table knows the best move
    int8_t card
    uint8_t place  # in the state before
    uint8_t target  # the pod of the game, or FREE, OWED, BLANK; FREE also where a colour is denied


cdef inline int estimate(Child *c, int need, int off) noexcept nogil:
    """Sets what is needed of a state whose score is 0. 1 or 0 where bounds answer the question, else -1."""
    cdef int low, high
    need = settle_need(&c.node, need)
    c.need = <int16_t> need
    if c.node.pods == 0:
        return (c.node.sweep == A_TAKES) if c.node.sweep else (need <= 0)
    if not off & BOUNDS:
        reach(&c.node, &low, &high, off)
        if low >= need:
            return 1
        if high < need:
            return 0
    return -1


cdef inline int identify(Child *c, const uint16_t *words, int off) noexcept nogil:
    """Brings the state into its simplest form for the question and finds its key. 1 or 0 where the question is answered
    by the way, else -1."""
    cdef Outcomes outcomes
    cdef int n_words = 0
    cdef int known = weigh(&c.node, c.need, &outcomes, &n_words, off)
    if known >= 0:
        return known
    c.key = make_key(&c.node, words, &outcomes if n_words else NULL, n_words, off)
    c.mark = <uint16_t> (c.key.high & 1023)
    c.asked = 1 if n_words else c.need
    return -1


cdef inline uint32_t representatives(const Node *s, int off) noexcept nogil:
    """Cards of the mover, one of each kind that compares alike with all it can still meet."""
    cdef int mover = s.turn
    cdef uint32_t opposing = s.hand[1 - mover]  # and the lone cards that the mover answers
    cdef uint32_t mine, theirs, bit
    cdef uint32_t found = 0
    cdef uint32_t before
    cdef int colour, i
    if off & RANKS:
        return s.hand[mover]
    for i in range(s.pods):
        if s.kind[i] & LONE and (s.kind[i] & LONE == LONE_A) == (mover == 1):
            opposing |= <uint32_t> 1 << s.lone[i]
    for colour in range(MAX_COLOURS):
        mine = in_colour(s.hand[mover], colour)
        theirs = in_colour(opposing, colour)
        before = 0
        while mine:
            bit = mine & -mine
            mine ^= bit
            if not before or theirs & (bit - 1) & ~(before - 1):
                found |= bit << (8 * colour)
            before = bit
    return found


cdef inline int list_moves(const Node *s, uint32_t *cards, uint8_t *places, int off) noexcept nogil:
    """Writes places and the cards to try there; returns their number, at most PLACES."""
    cdef int mover = s.turn
    cdef uint32_t all_cards = representatives(s, off)
    cdef uint32_t owed = 0
    cdef uint32_t colour
    cdef int i
    cdef int n = 0
    for i in range(s.pods):
        if not s.kind[i] & LONE:
            cards[n] = all_cards
        elif (s.kind[i] & LONE == LONE_A) == (mover == 1):
            colour = <uint32_t> 0xFF << (s.lone[i] & 24)
            cards[n] = all_cards if may_deny(s, mover, colour) else all_cards & colour
        else:
            continue
        places[n] = <uint8_t> i
        n += 1
    if s.free[mover]:
        cards[n] = all_cards
        places[n] = FREE
        n += 1
    for i in range(MAX_COLOURS):
        if s.owed[mover][i]:
            colour = <uint32_t> 0xFF << (8 * i)
            owed |= colour
            if may_deny(s, mover, colour):
                cards[n] = all_cards & ~colour
                places[n] = <uint8_t> (DENIED + i)
                n += 1
    if owed:
        cards[n] = all_cards & owed
        places[n] = OWED
        n += 1
    if s.blank:
        cards[n] = all_cards
        places[n] = BLANK
        n += 1
    return n


cdef inline int try_move(const Node *s, int need, int card, int place, Child *child, int off) noexcept nogil:
    """Fills in the state after a move. 1 or 0 where bounds answer the question there, else -1."""
    child.node = s[0]
    play_reduced(&child.node, card, place, off)
    child.gain = child.node.score
    child.node.score = 0
    child.card = <int8_t> card
    child.place = <uint8_t> place
    child.target = s.name[place] if place < FREE else <uint8_t> (FREE if place >= DENIED else place)
    return estimate(child, need - child.gain, off)


cdef inline int make_children(
    const Node *s, int need, Child *children, const Table *table, const uint16_t *words, int off
) noexcept nogil:
    """Fills in the states after the moves, those left out that are known to fail the mover. Returns their number, or
    -1 where a move is known to succeed."""
    cdef int good = 1 if s.turn == 0 else 0
    cdef uint32_t cards[PLACES]
    cdef uint8_t places[PLACES]
    cdef int n_places = list_moves(s, cards, places, off)
    cdef uint32_t choice
    cdef int i, card, known
    cdef int n = 0
    cdef int left = 0
    # Bounds are cheap: they may answer before a key is needed.
    for i in range(n_places):
        choice = cards[i]
        while choice:
            card = ctz(choice)
            choice &= choice - 1
            known = try_move(s, need, card, places[i], children + n, off)
            if known == good:
                return -1
            n += known < 0
    for i in range(n):
        known = identify(children + i, words, off)
        if known == good:
            return -1
        if known < 0:
            prefetch(bucket(table, children[i].key.high))
            if left != i:
                children[left] = children[i]
            left += 1
    return left
