"""Easy Peasy: the game's table of functions. Building and reading positions from Python is in positions.pyx."""

from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memset

from mangetout_solver.games.defaults cimport never
from mangetout_solver.games.easy_peasy.state cimport (
    BEGIN,
    BEGIN_DOWN,
    BEGIN_UP,
    BONUS,
    COLOURS,
    DEAL,
    DOWN,
    DRAW,
    DRAW_CARD,
    DRAW_LOT,
    END,
    EXTRA,
    FLIP,
    FLIPPED,
    FORBID,
    LOT,
    MAIN,
    MAX_SEATS,
    NONE,
    NO_CARD,
    NO_SEAT,
    OVER,
    PLACE,
    RANKS,
    SCORE,
    SHOW_SUM,
    STUCK,
    TURN,
    TURN_PILE,
    TURN_UP,
    UNSEEN,
    UP,
    Rules,
    State,
    all_known,
    bit_of,
    ctz,
    fitting,
    fitting_any,
    known_hands,
    next_unknown,
    nth_bit,
    open_cards,
    popcount,
    rank_of,
    ranks_of,
    unknown_cards,
)
from mangetout_solver.games.easy_peasy.worlds cimport (
    Demand,
    complete_world,
    draw_world,
    must_fit,
    weigh,
    weigh_fitting,
    world_weight,
)
from mangetout_solver.games.interface cimport CHANCE, TERMINAL, GameOps, hash_bytes
from mangetout_solver.games.position cimport register_ops
from mangetout_solver.games.rng cimport Rng, rng_below, rng_unit

cdef enum:
    MAX_MOVES = MAX_SUM + 1


cdef int players(const void *rules) noexcept nogil:
    return (<const Rules *> rules).players


cdef int max_steps(const void *rules) noexcept nogil:
    """A turn has at most two flips, four draws and two steps after its last card; each card held or drawn is played
    once; all but one seat score a point or more in each round."""
    cdef const Rules *r = <const Rules *> rules
    cdef int n = r.players
    cdef int turns = n * r.turns
    cdef int deal = n * (r.piles + r.hand) + 4
    cdef int play = 12 * turns + n * (2 * r.piles + r.hand)
    cdef int score = n * (r.piles + 1)
    cdef int rounds = r.rounds if r.rounds else n * (r.points - 1) // (n - 1) + 1
    return rounds * (deal + play + score)


cdef int32_t turn(const void *rules, const void *state) noexcept nogil:
    cdef const State *s = <const State *> state
    if s.phase < BEGIN:
        return CHANCE
    return TERMINAL if s.phase == OVER else s.seat


# ---------------------------------------------------------------- moves


cdef bint in_some_world(const Rules *r, const State *s, int card) noexcept nogil:
    """Whether the seat to move, whose hand is not all known, may hold a hidden card."""
    cdef State holding = s[0]
    holding.hand[s.seat] |= bit_of(card)
    return world_weight(r, &holding, 0) > 0


cdef uint64_t usable_cards(const Rules *r, const State *s, uint64_t wanted) noexcept nogil:
    """Cards of `wanted` that the seat to move can play: those it has and, where its hand is not all known, may have."""
    cdef uint64_t cards = (s.hand[s.seat] | open_cards(r, s, s.seat)) & wanted
    cdef uint64_t hidden
    cdef int era
    if unknown_cards(s, s.seat):
        for era in range(s.newest + 1):
            hidden = s.pool[era] & ~known_hands(r, s) & wanted
            while hidden and s.held[s.seat][era]:
                if in_some_world(r, s, ctz(hidden)):
                    cards |= hidden & -hidden
                hidden &= hidden - 1
    return cards


cdef bint can_flip(const Rules *r, const State *s) noexcept nogil:
    """At the beginning of a turn. EP-09, EP-12."""
    cdef Demand demand = Demand(0, 0, s.seat)
    cdef uint64_t fits
    if r.stuck != FORBID:
        return True
    fits = fitting_any(s, UP + DOWN - s.direction)
    if (s.hand[s.seat] | open_cards(r, s, s.seat)) & fits:
        return True
    return unknown_cards(s, s.seat) and weigh_fitting(r, s, demand, fits) > 0


cdef bint can_be_stuck(const Rules *r, const State *s) noexcept nogil:
    """After a flip. EP-12."""
    cdef Demand demand = Demand(0, fitting_any(s, s.direction), s.seat)
    if s.flips > 1 or r.stuck == FORBID:
        return False
    if (s.hand[s.seat] | open_cards(r, s, s.seat)) & demand.barred:
        return False
    return not unknown_cards(s, s.seat) or weigh(r, s, &demand) > 0


cdef inline uint32_t playing(const State *s, int card, int pile) noexcept nogil:
    return <uint32_t> EXTRA << 24 | <uint32_t> card if s.phase == BONUS else <uint32_t> (2 * card + pile)


cdef inline int turnable(const Rules *r, const State *s) noexcept nogil:
    """Row piles of the seat to move that a bonus action can turn, as a set. EP-18, EP-19."""
    cdef int piles = 0
    cdef int pile
    for pile in range(r.piles):
        if s.beneath[s.seat][pile] != NO_CARD:
            piles |= 1 << pile
    return piles


cdef int legal_moves(const void *rules, const void *state, uint32_t *out) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    cdef const State *s = <const State *> state
    cdef uint64_t fits[2]
    cdef uint64_t cards
    cdef int card, pile
    cdef int n = 0
    if s.phase == BEGIN:
        out[0] = BEGIN_UP
        out[1] = BEGIN_DOWN
        return 2
    for pile in range(2):
        fits[pile] = 0 if s.phase == BONUS and pile != s.number else fitting(s.direction, s.top[pile])
    cards = usable_cards(r, s, fits[0] | fits[1])
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        for pile in range(2):
            if fits[pile] >> card & 1:
                out[n] = playing(s, card, pile)
                n += 1
    if s.phase == BONUS:
        for pile in range(r.piles):
            if turnable(r, s) >> pile & 1:
                out[n] = <uint32_t> EXTRA << 24 | <uint32_t> (TURN_PILE + pile)
                n += 1
        out[n] = <uint32_t> EXTRA << 24 | <uint32_t> NONE
        n += 1
    elif can_flip(r, s) if s.phase == TURN else can_be_stuck(r, s):
        out[n] = STUCK if s.phase == FLIPPED and r.stuck == END else FLIP
        n += 1
    return n


cdef uint32_t random_move(const void *rules, const void *state, Rng *rng) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    cdef const State *s = <const State *> state
    cdef uint64_t cards, first, second
    cdef int n, m, others, at
    if s.phase == BEGIN:
        return BEGIN_UP + rng_below(rng, 2)
    cards = s.hand[s.seat] | open_cards(r, s, s.seat)
    if s.phase == BONUS:
        first = cards & fitting(s.direction, s.top[s.number])
        n = popcount(first)
        others = turnable(r, s) | 1 << (NONE - TURN_PILE)
        at = rng_below(rng, n + popcount(others))
        if at < n:
            return playing(s, nth_bit(first, at), s.number)
        return <uint32_t> EXTRA << 24 | <uint32_t> (TURN_PILE + nth_bit(others, at - n))
    first = cards & fitting(s.direction, s.top[0])
    second = cards & fitting(s.direction, s.top[1])
    n = popcount(first)
    m = popcount(second)
    others = can_flip(r, s) if s.phase == TURN else n + m == 0
    at = rng_below(rng, n + m + others)
    if at < n:
        return playing(s, nth_bit(first, at), 0)
    if at < n + m:
        return playing(s, nth_bit(second, at - n), 1)
    return STUCK if s.phase == FLIPPED and r.stuck == END else FLIP


cdef uint32_t policy_move(const void *rules, const void *state, Rng *rng) noexcept nogil:
    """A card where one fits: whoever draws without need keeps the round going and more to answer for."""
    cdef const Rules *r = <const Rules *> rules
    cdef const State *s = <const State *> state
    cdef uint64_t cards, first, second
    cdef int n, at
    if s.phase == BEGIN:
        return random_move(rules, state, rng)
    cards = s.hand[s.seat] | open_cards(r, s, s.seat)
    first = cards & fitting(s.direction, s.top[s.number if s.phase == BONUS else 0])
    second = 0 if s.phase == BONUS else cards & fitting(s.direction, s.top[1])
    n = popcount(first)
    if not first | second:
        return random_move(rules, state, rng)
    at = rng_below(rng, n + popcount(second))
    if at < n:
        return playing(s, nth_bit(first, at), s.number if s.phase == BONUS else 0)
    return playing(s, nth_bit(second, at - n), 1)


cdef void apply(const void *rules, void *state, uint32_t move) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    cdef State *s = <State *> state
    cdef uint32_t kind = move >> 24
    cdef uint32_t number = move & UNSEEN
    if kind == EXTRA:
        if number < TURN_PILE:
            play(r, s, number, s.number)
        elif number < NONE:
            turn_pile(r, s, number - TURN_PILE)
        else:
            end_turn(r, s)
    elif kind == MAIN:
        if number < FLIP:
            play(r, s, number >> 1, number & 1)
        elif number == FLIP:
            flip(s)
        elif number == STUCK:
            show_stuck(s)
            end_turn(r, s)
        else:
            s.direction = UP if number == BEGIN_UP else DOWN
            s.phase = TURN
    elif kind == DRAW_CARD and s.phase == DRAW:
        draw(s, number)
    elif kind == TURN_UP:
        turn_up(r, s, number)
    elif kind == SHOW_SUM:
        show_hand(r, s, number)
    elif kind == LOT:
        begin_round(s, number)
    else:
        deal_card(r, s, number)


# ---------------------------------------------------------------- chance


cdef uint32_t card_kind(const Rules *r, const State *s) noexcept nogil:
    """The kind of the event, where it is a card."""
    if s.phase == DRAW or (s.phase == DEAL and seat_dealt_to(r, s) != NO_SEAT):
        return <uint32_t> DRAW_CARD << 24
    return <uint32_t> (PLACE if s.phase == DEAL else TURN_UP) << 24


cdef inline uint64_t cards_to_come(const Rules *r, const State *s) noexcept nogil:
    """The cards that the event may bring, in a hand or not as far as is known."""
    return s.pool[s.newest if s.phase == DRAW else 0] & ~known_hands(r, s)


cdef inline bint shows_hand(const Rules *r, const State *s) noexcept nogil:
    """In the stage SCORE: whether a hand comes next, not an unknown row card."""
    return next_unknown(r, s) < 0


cdef int list_cards(const Rules *r, const State *s, uint32_t *out, double *probability) noexcept nogil:
    """A card that comes is any of those that no hand holds. Where hands are not known: by the number of worlds."""
    cdef uint32_t kind = card_kind(r, s)
    cdef uint64_t cards = cards_to_come(r, s)
    cdef bint alike = all_known(r, s) or not (s.showing[0].limit or must_fit(r, s))
    cdef double total = 0.0
    cdef double weight
    cdef int i
    cdef int n = 0
    while cards:
        weight = 1.0 if alike else <double> world_weight(r, s, cards & -cards)
        if weight > 0.0:
            out[n] = kind | <uint32_t> ctz(cards)
            probability[n] = weight
            total += weight
            n += 1
        cards &= cards - 1
    for i in range(n):
        probability[i] /= total
    return n


cdef void add_sums(uint64_t cards, int k, double *chance) noexcept nogil:
    """Adds the sum of `k` of these cards, any as likely, to a sum of given chances."""
    cdef double ways[RANKS * COLOURS + 1][MAX_SUM + 1]
    cdef double total = 0.0
    cdef int i, card, sum_
    memset(ways, 0, sizeof(ways))
    for sum_ in range(MAX_SUM + 1):
        ways[0][sum_] = chance[sum_]
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        for i in range(k, 0, -1):
            for sum_ in range(rank_of(card), MAX_SUM + 1):
                ways[i][sum_] += ways[i - 1][sum_ - rank_of(card)]
    for sum_ in range(MAX_SUM + 1):
        total += ways[k][sum_]
    for sum_ in range(MAX_SUM + 1):
        chance[sum_] = ways[k][sum_] / total


cdef int list_sums(const Rules *r, const State *s, int seat, uint32_t *out, double *probability) noexcept nogil:
    """The sum of a seat's hand; what is not known of it is any of the hidden cards of its eras."""
    cdef double chance[MAX_SUM + 1]
    cdef uint64_t hidden = ~known_hands(r, s)
    cdef int era, k, sum_
    cdef int n = 0
    memset(chance, 0, sizeof(chance))
    chance[ranks_of(s.hand[seat])] = 1.0
    for era in range(s.newest + 1):
        k = s.held[seat][era] - popcount(s.hand[seat] & s.pool[era])
        if k:
            add_sums(s.pool[era] & hidden, k, chance)
    for sum_ in range(MAX_SUM + 1):
        if chance[sum_] > 0.0:
            out[n] = <uint32_t> SHOW_SUM << 24 | <uint32_t> sum_
            probability[n] = chance[sum_]
            n += 1
    return n


cdef int chance_outcomes(const void *rules, const void *state, uint32_t *out, double *probability) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    cdef const State *s = <const State *> state
    cdef int seat
    cdef int n = 0
    if s.phase == SCORE and shows_hand(r, s):
        return list_sums(r, s, s.number, out, probability)
    if s.phase != DRAW_LOT:
        return list_cards(r, s, out, probability)
    for seat in range(r.players):
        if s.beginners >> seat & 1:
            out[n] = <uint32_t> LOT << 24 | <uint32_t> seat
            probability[n] = 1.0 / popcount(s.beginners)
            n += 1
    return n


cdef uint32_t sample_chance(const void *rules, const void *state, Rng *rng) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    cdef const State *s = <const State *> state
    cdef uint32_t out[MAX_MOVES]
    cdef double probability[MAX_MOVES]
    cdef uint64_t cards
    cdef double at
    cdef int i, n
    if s.phase == DRAW_LOT:
        return <uint32_t> LOT << 24 | <uint32_t> nth_bit(s.beginners, rng_below(rng, popcount(s.beginners)))
    if s.phase == SCORE and shows_hand(r, s):
        if not unknown_cards(s, s.number):
            return <uint32_t> SHOW_SUM << 24 | <uint32_t> ranks_of(s.hand[s.number])
    elif not s.showing[0].limit or all_known(r, s):
        if not must_fit(r, s) or all_known(r, s):
            cards = cards_to_come(r, s)
            return card_kind(r, s) | <uint32_t> nth_bit(cards, rng_below(rng, popcount(cards)))
    n = chance_outcomes(rules, state, out, probability)
    at = rng_unit(rng)
    i = 0
    while i < n - 1 and at >= probability[i]:
        at -= probability[i]
        i += 1
    return out[i]


# ---------------------------------------------------------------- results and knowledge


cdef void returns(const void *rules, const void *state, double *win_share, double *score) noexcept nogil:
    """EP-30: the least points win, then the least in the last round."""
    cdef const Rules *r = <const Rules *> rules
    cdef const State *s = <const State *> state
    cdef int value[MAX_SEATS]
    cdef int seat, winners
    for seat in range(r.players):
        score[seat] = s.score[seat]
        value[seat] = 0xFFFF - s.score[seat]
    winners = best_of((1 << r.players) - 1, value)
    for seat in range(r.players):
        value[seat] = 0xFFFF - s.last[seat]
    winners = best_of(winners, value)
    for seat in range(r.players):
        win_share[seat] = 1.0 / popcount(winners) if winners >> seat & 1 else 0.0


cdef uint32_t observe(const void *rules, const void *state, uint32_t move, int seat) noexcept nogil:
    cdef const State *s = <const State *> state
    if move >> 24 != DRAW_CARD:
        return move
    if seat == (s.seat if s.phase == DRAW else seat_dealt_to(<const Rules *> rules, s)):
        return move
    return <uint32_t> DRAW_CARD << 24 | UNSEEN


cdef void redact(const void *rules, void *state, int seat) noexcept nogil:
    cdef State *s = <State *> state
    cdef int other
    for other in range(MAX_SEATS):
        if other != seat:
            s.hand[other] = 0


cdef int64_t count_worlds(const void *rules, const void *state) noexcept nogil:
    cdef long double ways = world_weight(<const Rules *> rules, <const State *> state, 0)
    return INT64_MAX if ways >= <long double> INT64_MAX else <int64_t> ways


cdef void complete(const void *rules, void *state, int64_t index) noexcept nogil:
    complete_world(<const Rules *> rules, <State *> state, <uint64_t> index)


cdef void determinize(const void *rules, void *state, Rng *rng) noexcept nogil:
    draw_world(<const Rules *> rules, <State *> state, rng)


cdef void information_key(const void *rules, const void *state, int seat, uint64_t *out) noexcept nogil:
    cdef State s = (<const State *> state)[0]
    if seat >= 0:
        redact(rules, &s, seat)
    out[0] = out[1] = 0
    hash_bytes(rules, sizeof(Rules), out)
    hash_bytes(&s, sizeof(State), out)


cdef int playout(const void *rules, void *state, Rng *rng) noexcept nogil:
    cdef State *s = <State *> state
    cdef int steps = 0
    while s.phase != OVER:
        apply(rules, s, sample_chance(rules, s, rng) if s.phase < BEGIN else random_move(rules, s, rng))
        steps += 1
    return steps


cdef GameOps _OPS
_OPS.name = "easy_peasy"
_OPS.rules_size = sizeof(Rules)
_OPS.state_size = sizeof(State)
_OPS.max_moves = MAX_MOVES
_OPS.players = players
_OPS.max_steps = max_steps
_OPS.is_open = never
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
_OPS.policy_move = policy_move
register_ops(&_OPS)


cdef const GameOps *easy_peasy_ops() noexcept nogil:
    return &_OPS
