"""Easy Peasy: the hands that are possible, counted, listed and drawn.

Eras are independent of each other: of each, every hand gets as many cards as it holds, and the rest is in no hand. A
showing bounds how many cards of a hand may lie outside of what it tells; hands that are bounded so are filled card by
card, by a table of the numbers of ways over what they still need; the others by binomials. Numbers of ways are exact
below 2**63, as a long double holds them, and rounded above.
"""

from libc.stdint cimport INT64_MAX, uint64_t

from mangetout_solver.games.easy_peasy.state cimport (
    DRAW,
    FLIPPED,
    FORBID,
    MAX_SEATS,
    MAX_SHOWINGS,
    NO_SEAT,
    Rules,
    Showing,
    State,
    all_known,
    bit_of,
    clz,
    ctz,
    fitting_any,
    known_hands,
    nth_bit,
    open_cards,
    outside,
    popcount,
)
from mangetout_solver.games.rng cimport Rng, rng_below, rng_unit

cdef enum:
    CARDS = 60
    MAX_BOUNDED = MAX_SHOWINGS + 1  # showings, and a demand
    # Ways are counted over what bounded hands need: at most 60 cards in 4 hands.
    TABLE = 16 * 16 * 16 * 16
    MISSES = 32  # random hands tried before ways are counted


ctypedef struct Bound:
    int seat
    int cap  # most cards of `outside` that the hand may still get
    bint above  # whether the cards outside are the lower ones
    uint64_t outside
    uint64_t barred
    int stride  # in the table


# The cards of one era to be handed out, and the hands that need some.
ctypedef struct Part:
    uint64_t cards
    int need[MAX_SEATS]
    Bound bound[MAX_BOUNDED]
    int n_bound
    bint free[MAX_SEATS]  # hands without a bound
    int size  # of the table


cdef long double CHOOSE[CARDS + 1][CARDS + 1]
cdef int _n, _k
for _n in range(CARDS + 1):
    CHOOSE[_n][0] = 1
    for _k in range(1, CARDS + 1):
        CHOOSE[_n][_k] = 0 if _n == 0 else CHOOSE[_n - 1][_k - 1] + CHOOSE[_n - 1][_k]


cdef bint read_part(const Rules *r, const State *s, int era, const Demand *demand, Part *part) noexcept nogil:
    """Whether there are ways at all as far as known cards and numbers tell."""
    cdef const Showing *shown
    cdef Bound bound
    cdef uint64_t mine
    cdef int seat, i, cap
    cdef int left
    part.cards = s.pool[era] & ~known_hands(r, s) & ~demand.loose
    part.n_bound = 0
    part.size = 1
    left = popcount(part.cards)
    for seat in range(r.players):
        mine = s.hand[seat] & s.pool[era]
        part.need[seat] = s.held[seat][era] - popcount(mine)
        part.free[seat] = True
        left -= part.need[seat]
        if part.need[seat] < 0:
            return False
        bound.seat = seat
        bound.cap = part.need[seat]
        bound.above = False
        bound.outside = 0
        bound.barred = demand.barred & part.cards if seat == demand.seat else 0
        for i in range(MAX_SHOWINGS):
            shown = &s.showing[i]
            if not shown.limit or shown.seat != seat or shown.era < era:
                continue
            cap = (shown.free if shown.era == era else 0) - popcount(mine & outside(shown))
            if cap < 0:
                return False
            if cap < bound.cap:
                bound.cap = cap
                bound.above = shown.limit > 0
                bound.outside = outside(shown) & part.cards
        if part.need[seat] and (bound.barred or bound.outside):
            bound.stride = part.size
            part.size *= part.need[seat] + 1
            part.bound[part.n_bound] = bound
            part.n_bound += 1
            part.free[seat] = False
    return left >= 0


cdef bint may_take(const Part *part, int i, int card, int need) noexcept nogil:
    """Whether bounded hand i, in need of so many cards when it is their turn in ascending order, may take this one."""
    cdef const Bound *bound = &part.bound[i]
    if not need or bound.barred >> card & 1:
        return False
    if not bound.outside >> card & 1:
        return True
    # The cards outside come first, and those that the hand has are all outside; or they come last, with all it needs.
    return need > part.need[bound.seat] - bound.cap if bound.above else need <= bound.cap


cdef int digit(const Part *part, int i, int index) noexcept nogil:
    return index // part.bound[i].stride % (part.need[part.bound[i].seat] + 1)


cdef void count_ways(const Part *part, uint64_t cards, long double *ways) noexcept nogil:
    """By what the bounded hands need: the number of ways to take it from these cards, the highest of the part."""
    cdef int index, i, card, need
    for index in range(part.size):
        ways[index] = 0
    ways[0] = 1
    while cards:
        card = 63 - clz(cards)
        cards ^= bit_of(card)
        index = part.size
        while index > 1:  # downwards: what is added is still without the card
            index -= 1
            for i in range(part.n_bound):
                need = digit(part, i, index)
                if may_take(part, i, card, need):
                    ways[index] += ways[index - part.bound[i].stride]


cdef long double ways_of_bounded(const Part *part) noexcept nogil:
    cdef long double ways[TABLE]
    if not part.n_bound:
        return 1
    count_ways(part, part.cards, ways)
    return ways[part.size - 1]


cdef long double ways_of_part(const Part *part, int players) noexcept nogil:
    cdef long double ways = ways_of_bounded(part)
    cdef int left = popcount(part.cards)
    cdef int seat
    for seat in range(players):
        if not part.free[seat]:
            left -= part.need[seat]
    for seat in range(players):
        if part.free[seat]:
            ways *= CHOOSE[left][part.need[seat]]
            left -= part.need[seat]
    return ways


cdef long double weigh(const Rules *r, const State *s, const Demand *demand) noexcept nogil:
    """Number of ways to complete the hands by numbers, showings and the demand alone."""
    cdef Part part
    cdef long double ways = 1
    cdef int era
    for era in range(s.newest + 1):
        if not read_part(r, s, era, demand, &part):
            return 0
        ways *= ways_of_part(&part, r.players)
    return ways


# ---------------------------------------------------------------- EP-12 forbid: some card fits


cdef bint must_fit(const Rules *r, const State *s) noexcept nogil:
    if r.stuck != FORBID or (s.phase != FLIPPED and s.phase != DRAW):
        return False
    return not (open_cards(r, s, s.seat) | s.hand[s.seat]) & fitting_any(s, s.direction)


cdef bint next_case(const Rules *r, State *s, Demand *demand, uint64_t *fits, int *era) noexcept nogil:
    """Takes the next card of `fits` into the hand of the demand's seat and bars those before it: era by era, ascending.

    The cases are disjoint and together make up all hands with a card of `fits`. False after the last.
    """
    cdef uint64_t cards
    cdef uint64_t unheld = ~(known_hands(r, s) & ~s.hand[demand.seat])
    while era[0] <= s.newest:
        cards = s.pool[era[0]] & fits[0] & unheld & ~demand.barred & ~demand.loose
        if cards and s.held[demand.seat][era[0]]:
            s.hand[demand.seat] |= cards & -cards
            return True
        demand.barred |= s.pool[era[0]] & fits[0]
        era[0] += 1
    return False


cdef long double weigh_fitting(const Rules *r, const State *s, Demand demand, uint64_t fits) noexcept nogil:
    """As `weigh`, with some card of `fits` in the hand of the demand's seat, of whose known cards none is."""
    cdef State case
    cdef long double ways = 0
    cdef int era = 0
    case = s[0]
    while next_case(r, &case, &demand, &fits, &era):
        ways += weigh(r, &case, &demand)
        demand.barred |= case.hand[demand.seat] ^ s.hand[demand.seat]
        case.hand[demand.seat] = s.hand[demand.seat]
    return ways


cdef long double world_weight(const Rules *r, const State *s, uint64_t loose) noexcept nogil:
    """Number of worlds in which these cards are in no hand."""
    cdef Demand demand = Demand(0, 0, NO_SEAT)
    demand.loose = loose
    if must_fit(r, s):
        demand.seat = s.seat
        return weigh_fitting(r, s, demand, fitting_any(s, s.direction))
    return weigh(r, s, &demand)


# ---------------------------------------------------------------- completing


cdef uint64_t subset(uint64_t cards, int k, uint64_t index) noexcept nogil:
    """The index-th of the k-card subsets of a set."""
    cdef int n = popcount(cards)
    cdef uint64_t chosen = 0
    cdef uint64_t bit
    cdef uint64_t with_it
    while k:
        bit = cards & -cards
        cards ^= bit
        n -= 1
        with_it = <uint64_t> CHOOSE[n][k - 1]
        if index < with_it:
            chosen |= bit
            k -= 1
        else:
            index -= with_it
    return chosen


cdef uint64_t random_subset(uint64_t cards, int k, Rng *rng) noexcept nogil:
    cdef int n = popcount(cards)
    cdef uint64_t chosen = 0
    cdef uint64_t bit
    while k:
        bit = bit_of(nth_bit(cards, rng_below(rng, n)))
        cards ^= bit
        chosen |= bit
        n -= 1
        k -= 1
    return chosen


cdef void fill_bounded(State *s, Part *part, long double at) noexcept nogil:
    """Fills the bounded hands in the way at `at` in the list of all; takes their cards out of the part."""
    cdef long double ways[TABLE]
    cdef uint64_t left = part.cards
    cdef uint64_t bit
    cdef int index = part.size - 1
    cdef int i, card, chosen
    while index:
        card = ctz(left)
        bit = bit_of(card)
        left ^= bit
        count_ways(part, left, ways)
        # What rounding may leave over goes to the last choice that there is.
        chosen = -1
        if at < ways[index]:
            continue
        at -= ways[index]
        for i in range(part.n_bound):
            if may_take(part, i, card, digit(part, i, index)) and ways[index - part.bound[i].stride] > 0:
                chosen = i
                if at < ways[index - part.bound[i].stride]:
                    break
                at -= ways[index - part.bound[i].stride]
        if chosen >= 0:
            s.hand[part.bound[chosen].seat] |= bit
            part.cards ^= bit
            index -= part.bound[chosen].stride


cdef uint64_t as_number(long double ways) noexcept nogil:
    """Saturates, so that the first ways can be listed even if there are too many to number."""
    return INT64_MAX if ways >= <long double> INT64_MAX else <uint64_t> ways


cdef void complete_case(const Rules *r, State *s, const Demand *demand, uint64_t index) noexcept nogil:
    """Completes the hands by numbers, showings and the demand alone."""
    cdef Part part
    cdef uint64_t at, ways, cards
    cdef int era, seat
    for era in range(s.newest + 1):
        read_part(r, s, era, demand, &part)
        ways = as_number(ways_of_part(&part, r.players))
        at = index % ways
        index //= ways
        if part.n_bound:
            ways = as_number(ways_of_bounded(&part))
            fill_bounded(s, &part, <long double> (at % ways))
            at //= ways
        for seat in range(r.players):
            if part.free[seat] and part.need[seat]:
                ways = <uint64_t> CHOOSE[popcount(part.cards)][part.need[seat]]
                cards = subset(part.cards, part.need[seat], at % ways)
                at //= ways
                s.hand[seat] |= cards
                part.cards ^= cards


cdef void complete_world(const Rules *r, State *s, uint64_t index) noexcept nogil:
    cdef Demand demand = Demand(0, 0, NO_SEAT)
    cdef State case
    cdef uint64_t fits, ways
    cdef int era = 0
    if not must_fit(r, s):
        complete_case(r, s, &demand, index)
        return
    fits = fitting_any(s, s.direction)
    demand.seat = s.seat
    case = s[0]
    while next_case(r, &case, &demand, &fits, &era):
        ways = as_number(weigh(r, &case, &demand))
        if index < ways:
            complete_case(r, &case, &demand, index)
            s[0] = case
            return
        index -= ways
        demand.barred |= case.hand[demand.seat] ^ s.hand[demand.seat]
        case.hand[demand.seat] = s.hand[demand.seat]


cdef bint within_bounds(const Part *part, const uint64_t *hand) noexcept nogil:
    cdef int i
    for i in range(part.n_bound):
        if popcount(hand[part.bound[i].seat] & part.bound[i].outside) > part.bound[i].cap:
            return False
    return True


cdef void draw_part(State *s, Part *part, int players, Rng *rng) noexcept nogil:
    """Completes the hands with cards of the part, each way equally likely."""
    cdef uint64_t hand[MAX_SEATS]
    cdef uint64_t left
    cdef int seat
    cdef int misses = 0
    while True:
        left = part.cards
        for seat in range(players):
            hand[seat] = random_subset(left, part.need[seat], rng) if part.need[seat] else 0
            left ^= hand[seat]
        if within_bounds(part, hand):
            break
        misses += 1
        if misses == MISSES:
            fill_bounded(s, part, rng_unit(rng) * ways_of_bounded(part))
            left = part.cards
            for seat in range(players):
                hand[seat] = random_subset(left, part.need[seat], rng) if part.free[seat] else 0
                left ^= hand[seat]
            break
    for seat in range(players):
        s.hand[seat] |= hand[seat]


cdef void draw_world(const Rules *r, State *s, Rng *rng) noexcept nogil:
    cdef Demand demand = Demand(0, 0, NO_SEAT)
    cdef Part part
    cdef State world
    cdef int era
    if all_known(r, s):
        return
    while True:
        world = s[0]
        for era in range(s.newest + 1):
            read_part(r, s, era, &demand, &part)
            draw_part(&world, &part, r.players, rng)
        if not must_fit(r, &world):
            break
    s[0] = world
