"""Erbsenzählen: which steps of an exchange can be continued to a legal one.

An exchange is legal if both sides are worth the same, every partner gives and gets a card, and the position that
follows is neither the present one (EZ-32) nor barred (EZ-30).
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from mangetout_solver.games.erbsenzaehlen.rules cimport (
    DONE,
    EXCHANGE,
    GIVE,
    NEXT_PARTNER,
    TAKE,
    TRADE,
    VALUES,
    Rules,
    State,
    SINGLES,
    count_unprotected,
    ctz,
    greens_on_top,
    has_two_alike,
    open_exchange,
    partners_left,
    popcount,
    trade,
    unprotected,
)
from mangetout_solver.games.rng cimport Rng, rng_below

cdef extern from *:
    ctypedef unsigned long long wide "unsigned __int128"

cdef enum:
    ZERO = 63  # the bit of the difference 0 in a set of differences
    NO_VALUE = 6


# Any exchange, by sets of sums as bits.

ctypedef struct Sums:
    uint64_t word[8]  # up to 511, all that green cards are worth together


cdef inline void add_card(Sums *to, const Sums *sums, int points, int words) noexcept nogil:
    """Adds to one set what a card makes of the sums of another, which may be the same."""
    cdef int i = words - 1
    while i > 0:
        to.word[i] |= sums.word[i] << points | sums.word[i - 1] >> (64 - points)
        i -= 1
    to.word[0] |= sums.word[0] << points


cdef inline int last_value(const State *s) noexcept nogil:
    """The value of the last card laid down with the present partner; NO_VALUE if there is none."""
    cdef int value
    for value in range(VALUES):
        if s.given[s.partner][value] or s.taken[s.partner][value]:
            return value
    return NO_VALUE


cdef inline int points(const uint8_t *count) noexcept nogil:
    return count[0] + 2 * count[1] + 3 * count[2] + 4 * count[3] + 5 * count[4] + 6 * count[5]


cdef inline int number_of(const uint8_t *count) noexcept nogil:
    return count[0] + count[1] + count[2] + count[3] + count[4] + count[5]


cdef inline int balance(const Rules *r, const State *s) noexcept nogil:
    """Points given less points taken."""
    cdef int difference = 0
    cdef int seat
    for seat in range(r.players):
        difference += points(s.given[seat]) - points(s.taken[seat])
    return difference


cdef inline int own_left(const Rules *r, const State *s, int value) noexcept nogil:
    """Cards of the mover that may still be given."""
    cdef int left = unprotected(s.column[s.seat][value])
    cdef int seat
    for seat in range(r.players):
        left -= s.given[seat][value]
    return left


cdef inline int theirs_left(const State *s, int partner, int value) noexcept nogil:
    return unprotected(s.column[partner][value]) - s.taken[partner][value]


cdef inline bint may_give(const State *s, int value, int last) noexcept nogil:
    """Whether the order allows to give the present partner a card of the value next."""
    return value < last or (value == last and not s.taken[s.partner][value])


cdef inline bint may_take(const State *s, int value, int last, bint one_way) noexcept nogil:
    return value <= last and not (one_way and s.given[s.partner][value])


cdef inline bint values_can_meet(const Rules *r, const State *s, bint one_way) noexcept nogil:
    """Whether the exchange can be continued to one of equal values in which every partner gives and gets a card.

    one_way: the present partner's last value does not go both ways. Lower ones need no look, as cards that go both ways
    can be left out.
    """
    cdef Sums taken[2]  # without and with a card from the partner in question
    cdef Sums given[6]  # by the number of cards given that are still called for, up to all that are
    cdef int last = last_value(s)
    cdef int later = partners_left(s)
    cdef bint gets_one = number_of(s.given[s.partner]) > 0
    cdef int needed = popcount(later) + (0 if gets_one else 1)
    cdef int given_points = 0
    cdef int taken_points = 0
    cdef int most_given = 0
    cdef int most_taken = 0
    cdef int seat, value, n, i, words, _card
    cdef int early
    for seat in range(r.players):
        given_points += points(s.given[seat])
        taken_points += points(s.taken[seat])
        if s.partners >> seat & 1:
            for value in range(VALUES):
                most_taken += (value + 1) * unprotected(s.column[seat][value])
    for value in range(VALUES):
        most_given += (value + 1) * unprotected(s.column[s.seat][value])
    n = min(most_given, most_taken)
    if given_points > n or taken_points > n:
        return False
    words = n // 64 + 1

    memset(taken, 0, sizeof(taken))
    taken[1 if number_of(s.taken[s.partner]) else 0].word[taken_points >> 6] = <uint64_t> 1 << (taken_points & 63)
    for seat in range(s.partner, r.players):
        if seat != s.partner:
            if not later >> seat & 1:
                continue
            taken[0] = taken[1]
            memset(&taken[1], 0, sizeof(Sums))
        for value in range(VALUES):
            if seat == s.partner and not may_take(s, value, last, one_way):
                continue
            for _card in range(theirs_left(s, seat, value)):
                add_card(&taken[1], &taken[1], value + 1, words)
                add_card(&taken[1], &taken[0], value + 1, words)

    memset(given, 0, sizeof(given))
    given[0].word[given_points >> 6] = <uint64_t> 1 << (given_points & 63)
    # First the cards that the present partner can get, then those that are only for later ones.
    for early in range(1, -1, -1):
        for value in range(VALUES):
            if may_give(s, value, last) == early and (early or later):
                for _card in range(own_left(r, s, value)):
                    add_card(&given[needed], &given[needed], value + 1, words)
                    for n in range(needed - 1, -1, -1):
                        add_card(&given[n + 1], &given[n], value + 1, words)
        if early and later and not gets_one:
            memset(&given[0], 0, sizeof(Sums))
    for i in range(words):
        if given[needed].word[i] & taken[1].word[i]:
            return True
    return False


cdef inline bint leads_to(const Rules *r, const State *s, const uint8_t *position, bint finished) noexcept nogil:
    """Whether the exchange leads to a position given by the unprotected cards of all seats; if it is not finished,
    whether what is settled does not rule that out."""
    cdef int last = -1 if finished else last_value(s)
    cdef int seat, value, after
    for seat in range(r.players):
        # What the mover has follows from the others.
        if seat == s.seat or (not finished and seat > s.partner and s.partners >> seat & 1):
            continue
        for value in range(VALUES):
            if seat == s.partner and value <= last:
                continue
            after = unprotected(s.column[seat][value]) + s.given[seat][value] - s.taken[seat][value]
            if after != position[VALUES * seat + value]:
                return False
    return True


cdef inline bint meets_barred(const Rules *r, const State *s, bint finished) noexcept nogil:
    """Whether the exchange leads, or if it is not finished may lead, to the present or a barred position."""
    cdef uint8_t present[5][6]
    cdef int i
    memset(present, 0, sizeof(present))
    for i in range(r.players):
        count_unprotected(s, i, present[i])
    if leads_to(r, s, &present[0][0], finished):
        return True
    for i in range(s.n_barred):
        if leads_to(r, s, &s.barred[i][0][0], finished):
            return True
    return False


cdef inline bint partner_served(const State *s) noexcept nogil:
    """Whether the present partner gives and gets a card."""
    return number_of(s.given[s.partner]) > 0 and number_of(s.taken[s.partner]) > 0


cdef inline int candidates(const Rules *r, const State *s, bint one_way, uint32_t *out) noexcept nogil:
    """Numbers of the steps that the order allows, ascending."""
    cdef int last = last_value(s)
    cdef int value
    cdef int n = 0
    for value in range(VALUES):
        if may_give(s, value, last) and own_left(r, s, value) > 0:
            out[n] = GIVE + value
            n += 1
    for value in range(VALUES):
        if may_take(s, value, last, one_way) and theirs_left(s, s.partner, value) > 0:
            out[n] = TAKE + value
            n += 1
    if partner_served(s):
        out[n] = NEXT_PARTNER if partners_left(s) else DONE
        n += 1
    return n


cdef inline bint can_follow(const Rules *r, const State *s, uint32_t number, bint one_way) noexcept nogil:
    """Whether the exchange can be finished after a step that the order allows."""
    cdef State after
    if number == DONE:
        return balance(r, s) == 0 and not meets_barred(r, s, True)
    after = s[0]
    trade(r, &after, number)
    return can_finish(r, &after, one_way)


cdef inline bint can_finish(const Rules *r, const State *s, bint one_way) noexcept nogil:
    cdef uint32_t next_steps[16]
    cdef int i
    if not values_can_meet(r, s, one_way):
        return False
    if not meets_barred(r, s, False):
        return True
    # Few continuations lead to the present or a barred position, so one that does not is soon found.
    for i in range(candidates(r, s, one_way, next_steps)):
        if can_follow(r, s, next_steps[i], one_way):
            return True
    return False


cdef inline int list_any(const Rules *r, const State *s, bint one_way, uint32_t *out) noexcept nogil:
    cdef uint32_t steps[16]
    cdef int i
    cdef int n = 0
    for i in range(candidates(r, s, one_way, steps)):
        if can_follow(r, s, steps[i], one_way):
            out[n] = <uint32_t> TRADE << 24 | steps[i]
            n += 1
    return n


# An exchange with one partner, no position being barred and no value going both ways: one set of differences for each
# value, points given less points taken, found once for the whole exchange.

ctypedef struct Differences:
    wide any[7]  # by n: what cards of the n lowest values can make
    wide give[6]  # by value: what it and lower ones can make, cards of it being given
    wide take[6]  # cards of it being taken
    uint8_t own[6]
    uint8_t theirs[6]


cdef inline void set_differences(Differences *d) noexcept nogil:
    """From the cards of both sides; differences beyond 63 points are left out."""
    cdef wide gives, takes
    cdef int value, _card
    d.any[0] = <wide> 1 << ZERO
    for value in range(VALUES):
        gives = takes = 0
        for _card in range(d.own[value]):
            gives = (gives | d.any[value]) << (value + 1)
        for _card in range(d.theirs[value]):
            takes = (takes | d.any[value]) >> (value + 1)
        d.give[value] = gives
        d.take[value] = takes
        d.any[value + 1] = d.any[value] | gives | takes


cdef inline bint has_difference(wide differences, int difference) noexcept nogil:
    return -ZERO <= difference <= ZERO and differences >> (ZERO + difference) & 1


cdef inline bint find_differences(const State *s, int partner, Differences *d) noexcept nogil:
    """Whether they hold all that an exchange with the partner can be: one side has at most 63 points, so no part of an
    exchange is worth more."""
    count_unprotected(s, s.seat, d.own)
    count_unprotected(s, partner, d.theirs)
    set_differences(d)
    return min(points(d.own), points(d.theirs)) <= ZERO


cdef inline uint32_t values_of(const uint8_t *count) noexcept nogil:
    """The values of which there are cards, as a set."""
    cdef uint32_t values = 0
    cdef int value
    for value in range(VALUES):
        if count[value]:
            values |= <uint32_t> 1 << value
    return values


cdef inline bint any_exchange(const uint8_t *own, const uint8_t *theirs) noexcept nogil:
    """Whether the cards of both sides make an exchange.

    If they make one, they make one that cannot be divided. Give in it while no more is given than taken, else take: all
    differences met are distinct and lie between -5 and 6, so at most 6 cards are given and 6 taken. As no value is on
    both sides, one of them has no 6 and 30 points at most: differences from -31 to 32 are enough.
    """
    cdef uint64_t differences = <uint64_t> 1 << 31
    cdef uint64_t gives, takes
    cdef int value, _card
    for value in range(VALUES):
        gives = takes = 0
        for _card in range(own[value]):
            gives = (gives | differences) << (value + 1)
        for _card in range(theirs[value]):
            takes = (takes | differences) >> (value + 1)
        if (gives | takes) >> 31 & 1:
            return True
        differences |= gives | takes
    return False


cdef inline bint can_exchange_with(const State *s, int partner) noexcept nogil:
    cdef uint8_t cards[2][6]
    cdef uint32_t own = greens_on_top(s, s.seat)
    cdef uint32_t theirs = greens_on_top(s, partner)
    if SINGLES[own] >> theirs & 1:
        return True
    if own == 0 or theirs == 0 or not (has_two_alike(s, s.seat) or has_two_alike(s, partner)):
        return False
    count_unprotected(s, s.seat, cards[0])
    count_unprotected(s, partner, cards[1])
    return any_exchange(cards[0], cards[1])


cdef inline uint32_t one_way_steps(const Differences *d, int last, int used, int missing) noexcept nogil:
    """The numbers of the steps with which the exchange can be finished, as a set.

    last: value of the last card, NO_VALUE before the first. used: number of cards of it that were given, or, below 0,
    taken. missing: points taken less points given so far.
    """
    cdef uint32_t steps = 0
    cdef int value, i
    for value in range(last):
        steps |= <uint32_t> has_difference(d.give[value], missing) << (GIVE + value)
        steps |= <uint32_t> has_difference(d.take[value], missing) << (TAKE + value)
    for i in range(1, d.own[last] - used + 1 if used > 0 else 0):
        if has_difference(d.any[last], missing - i * (last + 1)):
            steps |= <uint32_t> 1 << (GIVE + last)
            break
    for i in range(1, d.theirs[last] + used + 1 if used < 0 else 0):
        if has_difference(d.any[last], missing + i * (last + 1)):
            steps |= <uint32_t> 1 << (TAKE + last)
            break
    if missing == 0 and used:
        steps |= <uint32_t> 1 << DONE
    return steps


cdef inline int list_one_way(const State *s, const Differences *d, uint32_t *out) noexcept nogil:
    """The steps of an exchange in which no value goes both ways, or 0 where one did already or none follows."""
    cdef const uint8_t *given = s.given[s.partner]
    cdef const uint8_t *taken = s.taken[s.partner]
    cdef int last = last_value(s)
    cdef uint32_t steps
    cdef int n = 0
    if values_of(given) & values_of(taken):
        return 0
    steps = one_way_steps(d, last, given[last] - taken[last] if last < NO_VALUE else 0, points(taken) - points(given))
    while steps:
        out[n] = <uint32_t> TRADE << 24 | <uint32_t> ctz(steps)
        steps &= steps - 1
        n += 1
    return n


cdef inline int random_exchange(const Rules *r, State *s, Rng *rng) noexcept nogil:
    """Plays an exchange with one partner, no position being barred, from its opening to its end by uniformly random
    steps of one way; returns their number, 0 where that has to be done step by step."""
    cdef Differences d
    cdef int last = NO_VALUE
    cdef int used = 0
    cdef int missing = 0
    cdef int played = 0
    cdef int value
    cdef uint32_t steps, number
    if not find_differences(s, s.partner, &d):
        return 0
    while True:
        steps = one_way_steps(&d, last, used, missing)
        number = rng_below(rng, popcount(steps))
        while number:
            steps &= steps - 1
            number -= 1
        number = ctz(steps)
        played += 1
        trade(r, s, number)
        if number == DONE:
            return played
        value = number & 7
        if value != last:
            last, used = value, 0
        if number < TAKE:
            used += 1
            missing -= value + 1
        else:
            used -= 1
            missing += value + 1


# The steps offered.

cdef inline bint can_open(const Rules *r, const State *s, int partners) noexcept nogil:
    """Whether a legal exchange with the partners, who have not been exchanged with in this turn, exists."""
    cdef State opened
    if s.n_barred == 0 and popcount(partners) == 1:
        return can_exchange_with(s, ctz(partners))
    if r.unlimited and s.n_barred == r.unlimited:
        return False
    opened = s[0]
    open_exchange(&opened, partners)
    return can_finish(r, &opened, False)


cdef inline int list_openings(const Rules *r, const State *s, uint32_t *out) noexcept nogil:
    cdef int free = ((1 << r.players) - 1) & ~(1 << s.seat) & ~<int> s.traded
    cdef int partners = free & -free
    cdef int n = 0
    while partners:
        if can_open(r, s, partners):
            out[n] = EXCHANGE + partners
            n += 1
        if r.pooled:
            partners = (partners - free) & free  # the next of the sets of those free
        else:
            free &= free - 1
            partners = free & -free
    return n


cdef inline int list_trades(const Rules *r, const State *s, bint one_way, uint32_t *out) noexcept nogil:
    """one_way: only exchanges in which no value goes both ways, where one of them can still be made.

    With several partners a card that goes both ways can be what each must give and get, so there all are listed.
    """
    cdef Differences d
    cdef int n = 0
    if one_way and popcount(s.partners) == 1:
        if s.n_barred == 0 and find_differences(s, s.partner, &d):
            n = list_one_way(s, &d, out)
        else:
            n = list_any(r, s, True, out)
    return n if n else list_any(r, s, False, out)
