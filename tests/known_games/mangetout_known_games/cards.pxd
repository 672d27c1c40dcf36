"""Hands of one card each: what is hidden, and the ways it can lie."""

from libc.stdint cimport int8_t, int64_t, uint32_t

cdef extern from *:
    int ctz "__builtin_ctz"(unsigned int x) noexcept nogil
    int popcount "__builtin_popcount"(unsigned int x) noexcept nogil

cdef enum:
    UNDEALT = -1
    HIDDEN = -2  # dealt, and not known
    DEAL = 0x80000000  # kind 128: a card for the seat whose turn it is to get one; its owner sees it
    UNSEEN_DEAL = 0x80FFFFFF


cdef inline uint32_t card_bit(int card) noexcept nogil:
    """The set of this card; empty for one that is not known."""
    return 0 if card < 0 else <uint32_t> 1 << card


cdef inline int64_t count_hands(uint32_t unseen, const int8_t *hands) noexcept nogil:
    """Ways to give each hidden hand a card of the set `unseen`."""
    cdef int hidden = (hands[0] == HIDDEN) + (hands[1] == HIDDEN)
    cdef int64_t n = popcount(unseen)
    return 1 if hidden == 0 else n if hidden == 1 else n * (n - 1)


cdef inline void complete_hands(uint32_t unseen, int8_t *hands, int64_t index) noexcept nogil:
    """Gives each hidden hand its card in the index-th of these ways."""
    cdef int seat
    cdef int64_t _i, n
    cdef uint32_t cards
    for seat in range(2):
        if hands[seat] == HIDDEN:
            n = popcount(unseen)
            cards = unseen
            for _i in range(index % n):
                cards &= cards - 1
            hands[seat] = <int8_t> ctz(cards)
            unseen &= ~card_bit(hands[seat])
            index //= n


cdef inline void hide_from(int8_t *hands, int seat) noexcept nogil:
    if hands[1 - seat] != UNDEALT:
        hands[1 - seat] = HIDDEN


cdef inline int list_deals(uint32_t unseen, uint32_t kind, uint32_t *out, double *probability) noexcept nogil:
    """The cards of the set as outcomes of this kind; returns their number.

    All are equally likely, also where hands that are hidden hold some of them: no card of the set is special.
    """
    cdef int n = popcount(unseen)
    cdef int i
    for i in range(n):
        out[i] = kind | <uint32_t> ctz(unseen)
        probability[i] = 1.0 / n
        unseen &= unseen - 1
    return n
