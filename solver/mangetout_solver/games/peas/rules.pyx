"""PEAS: the game's table of functions. Positions are built and read in positions.pyx."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from mangetout_solver.games.defaults cimport never, two_players
from mangetout_solver.games.interface cimport CHANCE, TERMINAL, GameOps, hash_bytes
from mangetout_solver.games.position cimport register_ops
from mangetout_solver.games.rng cimport Rng, rng_below, rng_below_large

cdef uint64_t CHOOSE[33][33]
cdef int _n, _k
for _n in range(33):
    CHOOSE[_n][0] = 1
    for _k in range(1, 33):
        CHOOSE[_n][_k] = 0 if _n == 0 else CHOOSE[_n - 1][_k - 1] + CHOOSE[_n - 1][_k]


# What the seats' unknown cards can be. Each card of the pool may lie in A's hand, in B's, in both or in neither, by the
# colours they have shown not to hold. The worlds with `a_own` cards of A and `b_own` of B from the cards that only they
# can hold form one class; a class is a product of four choices.

ctypedef struct Pool:
    uint32_t only_a
    uint32_t only_b
    uint32_t both


cdef inline Pool split_pool(const State *s) noexcept nogil:
    cdef Pool p
    cdef uint32_t a = s.pool & ~s.excluded[0] if s.unknown[0] else 0
    cdef uint32_t b = s.pool & ~s.excluded[1] if s.unknown[1] else 0
    p.only_a = a & ~b
    p.only_b = b & ~a
    p.both = a & b
    return p


cdef inline uint64_t class_size(const Pool *p, int a, int b, int a_own, int b_own) noexcept nogil:
    """Worlds of one class, where a and b are the numbers of unknown cards."""
    cdef int shared = popcount(p.both)
    if a_own > a or b_own > b or a - a_own > shared or b - b_own > shared - (a - a_own):
        return 0
    return (
        CHOOSE[popcount(p.only_a)][a_own]
        * CHOOSE[popcount(p.only_b)][b_own]
        * CHOOSE[shared][a - a_own]
        * CHOOSE[shared - (a - a_own)][b - b_own]
    )


cdef inline uint32_t subset(uint32_t cards, int k, uint64_t index) noexcept nogil:
    """The index-th of the k-card subsets of a set."""
    cdef int n = popcount(cards)
    cdef uint32_t chosen = 0
    cdef uint32_t bit
    while k:
        bit = cards & -cards
        cards ^= bit
        n -= 1
        if index < CHOOSE[n][k - 1]:
            chosen |= bit
            k -= 1
        else:
            index -= CHOOSE[n][k - 1]
    return chosen


cdef inline uint32_t lowest(uint32_t cards, int n) noexcept nogil:
    """The n lowest cards of a set."""
    cdef uint32_t rest = cards
    while n:
        rest &= rest - 1
        n -= 1
    return cards ^ rest


cdef int64_t count_worlds(const void *rules, const void *state) noexcept nogil:
    cdef const State *s = <const State *> state
    cdef Pool p = split_pool(s)
    cdef int a_own, b_own
    cdef uint64_t total = 0
    for a_own in range(popcount(p.only_a) + 1):
        for b_own in range(popcount(p.only_b) + 1):
            total += class_size(&p, s.unknown[0], s.unknown[1], a_own, b_own)
    return <int64_t> total


cdef void complete(const void *rules, void *state, int64_t index) noexcept nogil:
    cdef State *s = <State *> state
    cdef Pool p = split_pool(s)
    cdef int a = s.unknown[0]
    cdef int b = s.unknown[1]
    cdef int a_own = 0
    cdef int b_own = 0
    cdef uint64_t i = <uint64_t> index
    cdef uint64_t size
    cdef uint32_t cards
    if a == 0 and b == 0:
        return
    while True:
        size = class_size(&p, a, b, a_own, b_own)
        if i < size:
            break
        i -= size
        b_own += 1
        if b_own > popcount(p.only_b):
            b_own = 0
            a_own += 1
    size = CHOOSE[popcount(p.only_a)][a_own]
    s.hand[0] |= subset(p.only_a, a_own, i % size)
    i //= size
    size = CHOOSE[popcount(p.only_b)][b_own]
    s.hand[1] |= subset(p.only_b, b_own, i % size)
    i //= size
    size = CHOOSE[popcount(p.both)][a - a_own]
    cards = subset(p.both, a - a_own, i % size)
    s.hand[0] |= cards
    s.hand[1] |= subset(p.both & ~cards, b - b_own, i // size)
    if s.drawn:
        # The index stands for a whole deal: partial ones are as likely as there are ways to finish them.
        cards = lowest((<const Rules *> rules).deck, s.dealt)
        s.hand[0] &= cards
        s.hand[1] &= cards
    s.pool &= ~(s.hand[0] | s.hand[1])
    s.unknown[0] = s.unknown[1] = 0


cdef void determinize(const void *rules, void *state, Rng *rng) noexcept nogil:
    cdef uint64_t n = <uint64_t> count_worlds(rules, state)
    if n:
        complete(rules, state, <int64_t> rng_below_large(rng, n))


cdef void redact(const void *rules, void *state, int seat) noexcept nogil:
    cdef State *s = <State *> state
    cdef int other = 1 - seat
    s.pool |= s.hand[other]
    if not s.drawn:
        s.unknown[other] += popcount(s.hand[other])
    s.hand[other] = 0
    if s.dealt > popcount(s.hand[seat]):
        lose_track(<const Rules *> rules, s)


cdef int max_steps(const void *rules) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    if r.match:  # three rounds, the last two of them dealt (PEAS-18)
        return 3 * 2 * r.pods + 2 * (r.pods + popcount(r.deck))
    return 2 * r.pods


cdef int is_open(const void *rules, const void *state) noexcept nogil:
    return 0  # the cards set aside at the deal stay hidden (PEAS-02), and each player's hand from the other


cdef int32_t turn(const void *rules, const void *state) noexcept nogil:
    return (<const State *> state).turn


cdef uint32_t possible(const State *s, int seat, int pod) noexcept nogil:
    """Cards that a hand with unknown cards may play on an open pod: those playable in at least one world."""
    cdef State after
    cdef uint32_t candidates = s.hand[seat] | (s.pool & ~s.excluded[seat])
    cdef uint32_t found = 0
    cdef uint32_t bit
    cdef int card
    cdef int lead = s.card[1 - seat][pod]
    if lead != NO_CARD and s.hand[seat] & colour_of(lead):
        candidates &= colour_of(lead)
    while candidates:
        bit = candidates & -candidates
        candidates ^= bit
        card = ctz(bit)
        # Playing it must leave a world; playing another colour shows that the colour led is not held.
        after = s[0]
        play_card(&after, seat, pod, card)
        if count_worlds(NULL, &after):
            found |= bit
    return found


cdef int legal_moves(const void *rules, const void *state, uint32_t *out) noexcept nogil:
    cdef const State *s = <const State *> state
    cdef int seat = s.turn
    cdef uint32_t pods = s.open[seat]
    cdef uint32_t cards
    cdef uint32_t base
    cdef int pod
    cdef int n = 0
    while pods:
        pod = ctz(pods)
        pods &= pods - 1
        cards = possible(s, seat, pod) if s.unknown[seat] else playable(s, seat, pod)
        base = <uint32_t> pod << 5
        while cards:
            out[n] = base | <uint32_t> ctz(cards)
            cards &= cards - 1
            n += 1
    return n


# The rounds of a match (PEAS-16 to PEAS-18).

cdef void end_round(const Rules *r, State *s) noexcept nogil:
    """Counts a finished round."""
    cdef int points_a
    cdef int winner = judge(r, s, &points_a, NULL)
    s.wins[winner] += 1
    s.turn = TERMINAL if s.wins[winner] == ROUNDS_TO_WIN else CHANCE


cdef void clear_table(const Rules *r, State *s) noexcept nogil:
    s.pea = <int8_t> (1 - s.pea)  # PEAS-16
    s.hand[0] = s.hand[1] = s.excluded[0] = s.excluded[1] = 0
    s.pool = r.deck
    s.open[0] = s.open[1] = <uint16_t> ((1 << r.pods) - 1)
    s.led[0] = s.led[1] = 0
    memset(s.card, NO_CARD, sizeof(s.card))
    memset(s.value, 0, sizeof(s.value))


cdef inline int first_index(const Rules *r, int value) noexcept nogil:
    """The number of a value."""
    cdef int i = 0
    while r.value[i] != value:
        i += 1
    return i


cdef int undrawn(const Rules *r, const State *s, int8_t *left) noexcept nogil:
    """Writes how many pods of each value, by the number of the value, are to be drawn; returns how many in all."""
    cdef int i
    memset(left, 0, MAX_PODS)
    for i in range(r.pods):
        left[first_index(r, r.value[i])] += 1
    for i in range(s.drawn):
        left[first_index(r, s.value[i])] -= 1
    return r.pods - s.drawn


cdef int zones(const Rules *r, const State *s, int *room) noexcept nogil:
    """Writes the room in each zone for the next card; returns that of all.

    Where it is not known which cards a zone has been dealt, those are counted as still to come: they are like all
    others that are in no known hand.
    """
    cdef int total = popcount(r.deck) - s.dealt
    if s.unknown[0] or s.unknown[1]:
        total = popcount(s.pool)
    room[0] = r.pods - popcount(s.hand[0])
    room[1] = r.pods - popcount(s.hand[1])
    room[ASIDE] = total - room[0] - room[1]
    return total


cdef void deal(const Rules *r, State *s, uint32_t event) noexcept nogil:
    """Applies a chance event, or the token of a card not seen."""
    cdef uint32_t number = event & UNSEEN
    cdef uint32_t zone = number >> 5
    cdef uint32_t bit
    if event >> 24 == POD:
        if not s.drawn:
            clear_table(r, s)
        s.value[s.drawn] = r.value[number]
        s.drawn += 1
        return
    if number == UNSEEN:
        s.dealt += 1
        lose_track(r, s)
    else:
        bit = <uint32_t> 1 << next_card(r, s)
        s.dealt += 1
        if zone != ASIDE:
            s.hand[zone] |= bit
            s.pool ^= bit
            if s.unknown[zone]:
                s.unknown[zone] -= 1
    if s.dealt == popcount(r.deck):
        s.drawn = s.dealt = 0
        s.turn = s.pea


cdef int chance_outcomes(const void *rules, const void *state, uint32_t *out, double *probability) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    cdef const State *s = <const State *> state
    cdef int8_t left[MAX_PODS]
    cdef int room[3]
    cdef int i, total
    cdef int n = 0
    if s.drawn < r.pods:
        total = undrawn(r, s, left)
        for i in range(r.pods):
            if left[i]:
                out[n] = <uint32_t> POD << 24 | <uint32_t> i
                probability[n] = <double> left[i] / total
                n += 1
        return n
    total = zones(r, s, room)
    for i in range(3):
        if room[i]:
            out[n] = <uint32_t> CARD << 24 | <uint32_t> i << 5 | next_card(r, s)
            probability[n] = <double> room[i] / total
            n += 1
    return n


cdef uint32_t sample_chance(const void *rules, const void *state, Rng *rng) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    cdef const State *s = <const State *> state
    cdef int8_t left[MAX_PODS]
    cdef int room[3]
    cdef int i = 0
    cdef int at
    if s.drawn < r.pods:
        at = rng_below(rng, undrawn(r, s, left))
        while at >= left[i]:
            at -= left[i]
            i += 1
        return <uint32_t> POD << 24 | <uint32_t> i
    at = rng_below(rng, zones(r, s, room))
    while at >= room[i]:
        at -= room[i]
        i += 1
    return <uint32_t> CARD << 24 | <uint32_t> i << 5 | next_card(r, s)


cdef void apply(const void *rules, void *state, uint32_t move) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    cdef State *s = <State *> state
    if move >> 24:
        deal(r, s, move)
        return
    play_card(s, s.turn, move >> 5, move & 31)
    if r.match and s.turn == TERMINAL:
        end_round(r, s)


cdef uint32_t observe(const void *rules, const void *state, uint32_t move, int seat) noexcept nogil:
    if move >> 24 == CARD and (move & UNSEEN) >> 5 != <uint32_t> seat:
        return <uint32_t> CARD << 24 | UNSEEN  # PEAS-02
    return move


cdef int round_returns(const void *rules, const void *state, double *win_share, double *score) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    cdef const State *s = <const State *> state
    cdef int points_a, winner, pod
    cdef int total = 0
    if s.open[0] | s.open[1]:
        return 0
    winner = judge(r, s, &points_a, NULL)
    for pod in range(r.pods):
        total += s.value[pod]
    win_share[winner] = 1.0
    win_share[1 - winner] = 0.0
    score[0] = points_a
    score[1] = total - points_a
    return 1


cdef void returns(const void *rules, const void *state, double *win_share, double *score) noexcept nogil:
    cdef const State *s = <const State *> state
    round_returns(rules, state, win_share, score)  # whoever wins the last round wins the match
    if (<const Rules *> rules).match:
        score[0] = s.wins[0]
        score[1] = s.wins[1]


cdef void information_key(const void *rules, const void *state, int seat, uint64_t *out) noexcept nogil:
    cdef State s = (<const State *> state)[0]
    if seat >= 0:
        redact(rules, &s, seat)
    out[0] = out[1] = 0
    hash_bytes(rules, sizeof(Rules), out)
    hash_bytes(&s, sizeof(State), out)


cdef uint32_t random_move(const void *rules, const void *state, Rng *rng) noexcept nogil:
    return random_play(<const State *> state, rng)


cdef int playout(const void *rules, void *state, Rng *rng) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    cdef State *s = <State *> state
    cdef int steps = 0
    while s.turn == CHANCE:
        apply(rules, state, sample_chance(rules, state, rng))
        steps += 1
    if s.turn != TERMINAL:
        steps += play_out(s, rng)
        if r.match:
            end_round(r, s)
    return steps


cdef GameOps _OPS
_OPS.name = "peas"
_OPS.rules_size = sizeof(Rules)
_OPS.state_size = sizeof(State)
_OPS.max_moves = MAX_PODS * MAX_COLOURS * MAX_RANKS
_OPS.players = two_players
_OPS.max_steps = max_steps
_OPS.is_open = is_open
_OPS.turn = turn
_OPS.is_secret = never
_OPS.legal_moves = legal_moves
_OPS.search_moves = legal_moves
_OPS.apply = apply
_OPS.chance_outcomes = chance_outcomes
_OPS.sample_chance = sample_chance
_OPS.returns = returns
_OPS.observe = observe
_OPS.redact = redact
_OPS.count_worlds = count_worlds
_OPS.complete = complete
_OPS.determinize = determinize
_OPS.information_key = information_key
_OPS.random_move = random_move
_OPS.playout = playout
_OPS.round_returns = round_returns
register_ops(&_OPS)


cdef const GameOps *peas_ops() noexcept nogil:
    return &_OPS
