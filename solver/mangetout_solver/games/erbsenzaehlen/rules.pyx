"""Erbsenzählen: the game's table of functions. Positions are built and read in positions.pyx."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from mangetout_solver.games.defaults cimport (
    already_complete,
    already_determined,
    always,
    never,
    nothing_to_redact,
    one_world,
    seen_by_all,
)
from mangetout_solver.games.erbsenzaehlen.exchanges cimport (
    any_exchange,
    list_openings,
    list_trades,
    random_exchange,
)
from mangetout_solver.games.interface cimport CHANCE, TERMINAL, GameOps, hash_bytes
from mangetout_solver.games.position cimport register_ops
from mangetout_solver.games.rng cimport Rng, rng_below

cdef uint8_t _cards[2][6]
cdef int _own, _theirs, _value
for _own in range(64):
    for _theirs in range(64):
        for _value in range(VALUES):
            _cards[0][_value] = _own >> _value & 1
            _cards[1][_value] = _theirs >> _value & 1
        if any_exchange(_cards[0], _cards[1]):
            SINGLES[_own] |= <uint64_t> 1 << _theirs


cdef int players(const void *rules) noexcept nogil:
    return (<const Rules *> rules).players


cdef int max_steps(const void *rules) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    cdef int green = 0
    cdef int red = 0
    cdef int sequences = MAX_PER_VALUE
    cdef int value, cards, turns, exchanges, trades
    for value in range(VALUES):
        green += r.cards[2 * value]
        red += r.cards[2 * value + 1]
        sequences = min(sequences, r.cards[2 * value] + r.cards[2 * value + 1])
    cards = green + red + r.mush + r.thieves + r.bad_luck + r.bonus
    turns = cards // CARDS_TURNED_UP + 2  # each of the fewest cards, and the one under way
    # An exchange is opened, leaves each partner, and moves each unprotected card at most once.
    trades = 1 + green + r.players - 1
    exchanges = turns * (r.players - 1)
    if r.unlimited:
        exchanges = (turns + r.thieves + r.bad_luck + sequences) * r.unlimited
    # Every card is turned up and placed or used at most once.
    return 2 * cards + turns + exchanges * trades + (VALUES * sequences if r.owner_chooses else 0)


cdef int32_t turn(const void *rules, const void *state) noexcept nogil:
    return (<const State *> state).turn


cdef int list_decisions(const Rules *r, const State *s, uint32_t *out) noexcept nogil:
    cdef int n = 0
    cdef int seat
    cdef uint32_t targets
    cdef uint32_t sorts = s.to_place
    while sorts:
        out[n] = ctz(sorts)
        sorts &= sorts - 1
        n += 1
    if s.bonus and s.centre_total:  # EZ-19a
        out[n] = USE_BONUS
        n += 1
    if s.thieves[s.seat]:
        for seat in range(r.players):
            targets = greens_on_top(s, seat) if seat != s.seat else 0  # EZ-13
            while targets:
                out[n] = STEAL + 6 * seat + ctz(targets)
                targets &= targets - 1
                n += 1
    if s.bad_luck[s.seat]:
        for seat in range(r.players):
            if seat != s.seat and not (r.one_missed and s.missed[seat]):  # EZ-17
                out[n] = SKIP + seat
                n += 1
    if not (r.must_place and s.to_place):  # EZ-05
        out[n] = END_TURN
        n += 1 + list_openings(r, s, out + n + 1)
    return n


cdef int list_leaving(const State *s, uint32_t *out) noexcept nogil:
    """EZ-24, owner's choice: the topmost of each run of cards of one colour."""
    cdef int value = s.completing - 1
    cdef uint32_t column = s.column[s.turn][value]
    cdef int above
    cdef int n = 0
    for above in range(height(column)):
        if above == 0 or (column >> above ^ column >> (above - 1)) & 1:
            out[n] = <uint32_t> LEAVE << 24 | <uint32_t> (32 * value + above)
            n += 1
    return n


cdef inline int list_moves(const void *rules, const void *state, bint one_way, uint32_t *out) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    cdef const State *s = <const State *> state
    if s.partners:
        return list_trades(r, s, one_way, out)
    if s.completing:
        return list_leaving(s, out)
    return list_decisions(r, s, out)


cdef int legal_moves(const void *rules, const void *state, uint32_t *out) noexcept nogil:
    return list_moves(rules, state, False, out)


cdef int search_moves(const void *rules, const void *state, uint32_t *out) noexcept nogil:
    """Leaves out exchanges with one partner in which a value goes both ways. Without the cards that do, the same
    position follows, as the unprotected cards of a column are alike (EZ-32), and it still is an exchange."""
    return list_moves(rules, state, True, out)


cdef void apply(const void *rules, void *state, uint32_t move) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    cdef State *s = <State *> state
    cdef uint32_t kind = move >> 24
    cdef uint32_t number = move & NUMBER
    if kind == TURN_UP:
        draw(s, number)
    elif kind == TRADE:
        trade(r, s, number)
    elif kind == LEAVE:
        leave(r, s, number)
    elif number < SORTS:
        place(r, s, number)
    elif number == USE_BONUS:
        s.bonus -= 1
        turn_up(s, CARDS_FOR_BONUS)
    elif number < SKIP:
        steal(r, s, <int> (number - STEAL) // 6, <int> (number - STEAL) % 6)
    elif number < END_TURN:
        s.bad_luck[s.seat] -= 1
        s.missed[number - SKIP] += 1
        clear_barred(s)
    elif number == END_TURN:
        end_turn(r, s)
    else:
        open_exchange(s, number - EXCHANGE)


cdef int chance_outcomes(const void *rules, const void *state, uint32_t *out, double *probability) noexcept nogil:
    cdef const State *s = <const State *> state
    cdef int kind
    cdef int n = 0
    for kind in range(KINDS_OF_CARDS):
        if s.centre[kind]:
            out[n] = <uint32_t> TURN_UP << 24 | <uint32_t> kind
            probability[n] = s.centre[kind] / <double> s.centre_total
            n += 1
    return n


cdef uint32_t sample_chance(const void *rules, const void *state, Rng *rng) noexcept nogil:
    return <uint32_t> TURN_UP << 24 | random_card(<const State *> state, rng)


cdef void returns(const void *rules, const void *state, double *win_share, double *score) noexcept nogil:
    """EZ-39."""
    cdef const Rules *r = <const Rules *> rules
    cdef const State *s = <const State *> state
    cdef int rank[5]
    cdef int best = 0
    cdef int winners = 0
    cdef int seat
    for seat in range(r.players):
        score[seat] = s.giant_peas[seat]
        rank[seat] = 256 * s.giant_peas[seat] + s.mush[seat]
        best = max(best, rank[seat])
    for seat in range(r.players):
        winners += rank[seat] == best
    for seat in range(r.players):
        win_share[seat] = 1.0 / winners if rank[seat] == best else 0.0


cdef void information_key(const void *rules, const void *state, int seat, uint64_t *out) noexcept nogil:
    cdef const State *s = <const State *> state
    cdef size_t used = <size_t> (<const char *> s.barred - <const char *> s) + s.n_barred * sizeof(s.barred[0])
    out[0] = out[1] = 0
    hash_bytes(rules, sizeof(Rules), out)
    hash_bytes(s, (used + 3) // 4 * 4, out)  # what follows is 0


cdef uint32_t random_move(const void *rules, const void *state, Rng *rng) noexcept nogil:
    cdef uint32_t moves[MAX_MOVES]
    return moves[rng_below(rng, list_moves(rules, state, True, moves))]


cdef int playout(const void *rules, void *state, Rng *rng) noexcept nogil:
    cdef State *s = <State *> state
    cdef uint32_t move
    cdef int steps = 0
    while s.turn != TERMINAL:
        if s.turn == CHANCE:
            draw(s, random_card(s, rng))
        else:
            move = random_move(rules, s, rng)
            apply(rules, s, move)
            # What an exchange can be is found once for all its steps.
            if EXCHANGE < move < <uint32_t> TRADE << 24 and s.n_barred == 0 and popcount(s.partners) == 1:
                steps += random_exchange(<const Rules *> rules, s, rng)
        steps += 1
    return steps


cdef GameOps _OPS
_OPS.name = "erbsenzaehlen"
_OPS.rules_size = sizeof(Rules)
_OPS.state_size = sizeof(State)
_OPS.max_moves = MAX_MOVES
_OPS.players = players
_OPS.max_steps = max_steps
_OPS.is_open = always
_OPS.turn = turn
_OPS.is_secret = never
_OPS.legal_moves = legal_moves
_OPS.search_moves = search_moves
_OPS.apply = apply
_OPS.chance_outcomes = chance_outcomes
_OPS.sample_chance = sample_chance
_OPS.returns = returns
_OPS.observe = seen_by_all
_OPS.redact = nothing_to_redact
_OPS.count_worlds = one_world
_OPS.complete = already_complete
_OPS.determinize = already_determined
_OPS.information_key = information_key
_OPS.random_move = random_move
_OPS.playout = playout
register_ops(&_OPS)


cdef const GameOps *erbsenzaehlen_ops() noexcept nogil:
    return &_OPS
