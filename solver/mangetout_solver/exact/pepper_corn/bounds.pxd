"""What a look at a reduced state tells of what the mover still gains."""

from libc.stdint cimport uint8_t, uint64_t

from mangetout_solver.exact.pepper_corn.reduced cimport (
    CAPTURES,
    CHAINS,
    DECK_SIZE,
    Node,
    Setting,
    can_take,
    ctz,
    highest,
    popcount,
    sum_of,
)

cdef enum:
    FEWEST_FOR_CHAINS = 5  # cards to take: with less, a search is as quick


cdef inline bint secures(const Setting *g, const Node *s, int seat, bint first, int wanted) noexcept nogil:
    """Whether a seat is sure to gain so much, with what it so takes from the other one's reach added. first: it is to
    move.

    Cards that share a suit are a chain for a card in hand that shows it too: each takes the next lower one. Of cards
    that both can take it answers each loss with the highest left of the same chain; what the other one cannot take can
    wait. Of what is left over in the chains, the highest go by turns.
    """
    cdef uint64_t contested = s.reach[1 - seat]
    cdef uint64_t targets = s.reach[seat] & s.within[seat]
    cdef uint64_t left = s.hand[seat]
    cdef uint64_t unused = 0
    cdef uint64_t chain, best_chain, bits
    cdef uint8_t suits
    cdef int over[DECK_SIZE + 1]
    cdef int n_over = 0
    cdef int total = 0
    cdef int card, value, last, best, best_last, i, j
    while left and targets:
        card = highest(left)
        left ^= <uint64_t> 1 << card
        best = best_last = 0
        best_chain = 0
        suits = g.suits[card]
        while suits:
            chain = targets & g.shown[suits & -suits] & g.up_to[g.rank[card]]
            suits &= suits - 1
            value = last = 0
            bits = chain & contested
            while bits:
                if last:
                    value += 2 * g.rank[highest(bits)]
                    last = 0
                else:
                    last = 2 * g.rank[highest(bits)]
                bits ^= <uint64_t> 1 << highest(bits)
            bits = chain & contested
            if bits:
                # What it alone can take, below all of the others.
                value += sum_of(g, chain & ~contested & ((bits & -bits) - 1))
            if sum_of(g, chain & ~contested) > value + last // 2:
                chain &= ~contested
                value = sum_of(g, chain)
                last = 0
            if 2 * value + last > 2 * best + best_last:
                best = value
                best_last = last
                best_chain = chain
        if best_chain:
            total += best
            if total >= wanted:
                return True
            targets &= ~best_chain
            if best_last:
                over[n_over] = best_last
                n_over += 1
        else:
            unused |= <uint64_t> 1 << card
    # One card for those that are in no chain, together.
    left = targets if unused else 0
    while left:
        card = highest(left)
        left ^= <uint64_t> 1 << card
        if can_take(g, unused, card):
            if contested >> card & 1:
                over[n_over] = 2 * g.rank[card]
                n_over += 1
            else:
                total += g.rank[card]
            break
    for i in range(n_over):
        for j in range(i + 1, n_over):
            if over[j] > over[i]:
                over[i], over[j] = over[j], over[i]
        if first == (i % 2 == 0):
            total += over[i]
    return total >= wanted


cdef inline bint worth_chains(const Setting *g, uint64_t targets, int most, int wanted) noexcept nogil:
    """Whether chains are looked for. most: what is above half of the cards that both want, at the most."""
    return (
        not g.off & CHAINS
        and popcount(targets) >= FEWEST_FOR_CHAINS
        and sum_of(g, targets) + most >= wanted
    )


cdef inline bint wins_at_sight(const Setting *g, const Node *s, int asked) noexcept nogil:
    """Whether the mover is sure to gain what is asked."""
    cdef int other = 1 - s.turn
    cdef int wanted = asked + s.gain[other]
    cdef uint64_t targets = s.reach[s.turn] & s.within[s.turn]
    cdef uint64_t left = targets
    cdef int card
    if wanted <= 0:
        return True
    if g.off & CAPTURES:
        return False
    while left:
        card = highest(left)
        if 2 * g.rank[card] < wanted:
            break
        left ^= <uint64_t> 1 << card
        if (s.reach[other] >> card & 1 or g.rank[card] >= wanted) and can_take(g, s.hand[s.turn], card):
            return True
    return (
        targets != 0
        and worth_chains(g, targets, g.rank[highest(targets)], wanted)
        and secures(g, s, s.turn, True, wanted)
    )


cdef inline bint fails_at_sight(const Setting *g, const Node *s, int asked) noexcept nogil:
    """Whether the mover is sure not to gain what is asked."""
    cdef int other = 1 - s.turn
    cdef int spare = s.gain[s.turn] - asked
    cdef uint64_t targets = s.reach[other] & s.within[other]
    cdef uint64_t left = targets
    cdef int card, rank
    cdef bint taken = False
    if spare < 0:
        return True
    if g.off & CAPTURES:
        return False
    while left:
        card = highest(left)
        rank = g.rank[card]
        if 2 * rank <= spare:
            break
        left ^= <uint64_t> 1 << card
        if s.reach[s.turn] >> card & 1:
            # The mover may take one of them first.
            if can_take(g, s.hand[other], card):
                if taken:
                    return True
                taken = True
        elif rank > spare and can_take(g, s.hand[other], card):
            return True
    return targets != 0 and worth_chains(g, targets, 0, spare + 1) and secures(g, s, other, False, spare + 1)
