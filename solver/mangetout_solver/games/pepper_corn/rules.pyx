"""Pepper. Corn!: the game's table of functions. Positions are built and read in positions.pyx."""

from libc.stdint cimport INT64_MAX, int8_t, int32_t, int64_t, uint32_t, uint64_t

from mangetout_solver.games.decktet import CARDS
from mangetout_solver.games.defaults cimport two_players
from mangetout_solver.games.interface cimport CHANCE, GameOps, hash_bytes
from mangetout_solver.games.pepper_corn.captures cimport (
    completing,
    finish_capture,
    fitting,
    lay,
    layable,
    minimal_layable,
    next_turn,
    pass_turn,
    reached,
    targets,
    walkable,
    within_reach,
)
from mangetout_solver.games.pepper_corn.playouts cimport play_out, random_step
from mangetout_solver.games.pepper_corn.split cimport (
    PARTS,
    candidates,
    complete_parts,
    count_parts,
    dealt,
    due_to_show,
    hidden_decisions,
    make_up_hands,
    n_decisions,
    next_division,
    shown,
    world_weight,
)
from mangetout_solver.games.position cimport register_ops
from mangetout_solver.games.rng cimport Rng, rng_below, rng_below_large, rng_unit

cdef int _card, _other, _bit
for _card in range(DECK_SIZE):
    RANK[_card] = CARDS[_card].points
    for _bit in range(4):
        if RANK[_card] >> _bit & 1:
            RANK_BIT[_bit] |= <uint64_t> 1 << _card
    for _other in range(DECK_SIZE):
        if CARDS[_other].is_ace or set(CARDS[_other].suits) & set(CARDS[_card].suits):
            FIT[_card] |= <uint64_t> 1 << _other
FIT[EXCUSE] = ranked() | converters()

cdef int _n, _k
for _n in range(DECK_SIZE + 1):
    CHOOSE_TABLE[_n][0] = 1
    for _k in range(1, DECK_SIZE + 1):
        CHOOSE_TABLE[_n][_k] = 0 if _n == 0 else CHOOSE_TABLE[_n - 1][_k - 1] + CHOOSE_TABLE[_n - 1][_k]


# Converters, which are rare.

cdef uint64_t converted(const Rules *r, int converter) noexcept nogil:
    """The cards that may be laid down with a converter (PC-36 to PC-38)."""
    return (FIT[converter] if r.matching else ranked() | converters()) & ~(<uint64_t> 1 << converter)


cdef uint64_t fitting_converted(const Rules *r, const State *s) noexcept nogil:
    """Cards of the mover that may still be laid down with a converter, ascending as all others."""
    cdef uint64_t cards = s.hand[s.turn] & converted(r, s.converter)
    cdef uint64_t laid = s.laid ^ <uint64_t> 1 << s.converter
    return cards & above(63 - clz(laid)) if laid else cards


cdef uint64_t usable_converters(const Rules *r, uint64_t hand, int target) noexcept nogil:
    """The cards of a hand that can convert others, so that they take the target. The Excuse has no suit for it."""
    cdef uint64_t left = hand & FIT[target] & converters() if target != EXCUSE else 0
    cdef uint64_t found = 0
    cdef uint64_t bit
    while left:
        bit = left & -left
        left ^= bit
        if ranks_of(hand & converted(r, ctz(bit))) >= RANK[target]:
            found |= bit
    return found


cdef uint64_t takeable(const Rules *r, const State *s, uint64_t cells, uint64_t hand) noexcept nogil:
    """Those of the cells whose card some cards of the hand can take, with or without a converter."""
    cdef uint64_t found = 0
    cdef uint64_t fit, bit
    cdef int card
    while cells:
        bit = cells & -cells
        cells ^= bit
        card = s.cell[ctz(bit)]
        fit = hand & FIT[card]
        if card == EXCUSE and r.excuse != TAKEABLE:
            continue
        if (fit and ranks_of(fit) >= RANK[card]) or usable_converters(r, hand, card):
            found |= bit
    return found


cdef uint64_t minimal_converters(const Rules *r, const State *s) noexcept nogil:
    """Converters with which a minimal set can be completed, where nothing is laid down yet."""
    cdef State named = s[0]
    cdef uint64_t left = usable_converters(r, s.hand[s.turn], s.cell[s.target])
    cdef uint64_t found = 0
    cdef uint64_t bit
    while left:
        bit = left & -left
        left ^= bit
        named.laid = 0
        lay(&named, <uint32_t> CONVERT << 24 | <uint32_t> ctz(bit))
        if minimal_layable(r, &named):
            found |= bit
    return found


cdef uint64_t minimal_converted(const Rules *r, const State *s) noexcept nogil:
    """Cards with which a minimal set can be completed after a converter, which converts no card of rank 0 in it."""
    cdef uint64_t fit = FIT[s.cell[s.target]]
    return completing(s, fitting(r, s) & ranked(), fit, not s.laid & ~fit)


# Cards that lie face down are turned up before the turn that follows the capture that brought them within reach.

cdef uint64_t face_down(const Rules *r, const State *s) noexcept nogil:
    """The cells with such a card."""
    cdef uint64_t cells = 0
    cdef int i
    for i in range(r.rows * r.columns):
        if s.cell[i] == FACE_DOWN:
            cells |= <uint64_t> 1 << i
    return cells


cdef int next_to_turn_up(const Rules *r, const State *s) noexcept nogil:
    """The first such cell that either player has access to, or NO_CELL."""
    cdef uint64_t cells = (
        within_reach(r, s.occupied, walkable(r, s.occupied, 0, 0), 0)
        | within_reach(r, s.occupied, walkable(r, s.occupied, 1, 0), 1)
    ) & face_down(r, s)
    return ctz(cells) if cells else NO_CELL


cdef void turn_up(const Rules *r, State *s, int card) noexcept nogil:
    s.cell[next_to_turn_up(r, s)] = <int8_t> card
    s.unseen ^= <uint64_t> 1 << card
    if not face_down(r, s):
        s.unseen = 0
    next_turn(r, s, s.steps)


cdef int64_t count_worlds(const void *rules, const void *state) noexcept nogil:
    cdef uint64_t count[PARTS]
    cdef uint64_t total = 1
    cdef int i
    count_parts(<const Rules *> rules, <const State *> state, count)
    for i in range(PARTS):
        if count[i] and total > <uint64_t> INT64_MAX // count[i]:
            return INT64_MAX
        total *= count[i]
    return <int64_t> total


cdef void complete(const void *rules, void *state, int64_t index) noexcept nogil:
    cdef uint64_t count[PARTS]
    cdef uint64_t part[PARTS]
    cdef uint64_t rest = <uint64_t> index
    cdef int i
    count_parts(<const Rules *> rules, <const State *> state, count)
    for i in range(PARTS):
        part[i] = rest % count[i]
        rest //= count[i]
    complete_parts(<const Rules *> rules, <State *> state, part)


cdef void determinize(const void *rules, void *state, Rng *rng) noexcept nogil:
    cdef uint64_t count[PARTS]
    cdef int i
    count_parts(<const Rules *> rules, <const State *> state, count)
    for i in range(PARTS):
        count[i] = rng_below_large(rng, count[i]) if count[i] > 1 else 0
    complete_parts(<const Rules *> rules, <State *> state, count)


cdef void redact(const void *rules, void *state, int seat) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    cdef State *s = <State *> state
    cdef int other = 1 - seat
    cdef uint64_t seen
    if s.phase >= DRAW_LOT:  # PC-05
        return
    seen = lowest(s.hand[other], shown(s, other))
    if shown(s, other) < dealt(s, other) and hidden_decisions(s, other):
        s.division_known[other] = 0
        s.pile[other] &= seen
    if not r.hands_known:
        s.unknown[other] += popcount(s.hand[other] ^ seen)
        s.hand[other] = seen
    if s.choice[other] != NO_CHOICE:
        s.choice[other] = HIDDEN_CHOICE


cdef int max_steps(const void *rules) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    cdef int cards = DECK_SIZE if r.extended else BASIC_SIZE
    cdef int tableau = min(r.rows * r.columns, cards)
    # No card of a front row lies face down.
    cdef int turned_up = 0 if r.extended else max(0, r.rows - 2) * r.columns
    # Divide and show each card off the tableau, two choices, their reveal, the lot; then each card of the tableau is
    # named, taken and followed by a pass, each card of the deck laid down once, and two passes end the game.
    return 2 * (cards - tableau) + 4 + 3 * tableau + cards + 2 + turned_up


cdef int is_open(const void *rules, const void *state) noexcept nogil:
    return (<const State *> state).phase >= DRAW_LOT  # what nobody holds is out of play and never comes back (PC-26)


cdef int32_t turn(const void *rules, const void *state) noexcept nogil:
    return (<const State *> state).turn


cdef int is_secret(const void *rules, const void *state) noexcept nogil:
    cdef int phase = (<const State *> state).phase
    return phase == SPLIT or phase == CHOOSE  # PC-01


cdef int write(uint32_t kind, uint64_t numbers, uint32_t *out) noexcept nogil:
    cdef int n = 0
    while numbers:
        out[n] = kind << 24 | <uint32_t> ctz(numbers)
        numbers &= numbers - 1
        n += 1
    return n


cdef uint64_t decisions(const Rules *r, const State *s) noexcept nogil:
    """Choices at a secret decision, as a set of numbers."""
    cdef bint last = s.steps == n_decisions(s, s.turn) - 1
    if s.phase == SPLIT and last and not r.empty_piles and s.division_known[s.turn] and not s.pile[s.turn]:
        return 2
    return 3


cdef int list_first_cards(const Rules *r, const State *s, bint minimal, uint32_t *out) noexcept nogil:
    """What a capture of the extended deck may begin with."""
    cdef uint64_t converting = usable_converters(r, s.hand[s.turn], s.cell[s.target])
    cdef int n = write(CONVERT, minimal_converters(r, s) if minimal else converting, out)
    return n + write(LAY, minimal_layable(r, s) if minimal else layable(r, s), out + n)


cdef int list_moves(const Rules *r, const State *s, bint minimal, uint32_t *out) noexcept nogil:
    cdef uint64_t done = <uint64_t> 1 << DONE
    cdef uint64_t cards
    if s.phase != PLAY:
        return write(DIVIDE if s.phase == SPLIT else TAKE, decisions(r, s), out)
    if s.target == NO_CELL:
        return write(TARGET, targets(r, s) | <uint64_t> 1 << PASS, out)  # PC-20, PC-22
    if reached(s):
        return write(LAY, done if minimal else layable(r, s) | done, out)
    if r.extended and not s.laid:
        return list_first_cards(r, s, minimal, out)
    cards = minimal_layable(r, s) if minimal else layable(r, s)
    return write(LAY, cards if cards else layable(r, s), out)


cdef int legal_moves(const void *rules, const void *state, uint32_t *out) noexcept nogil:
    return list_moves(<const Rules *> rules, <const State *> state, False, out)


cdef int search_moves(const void *rules, const void *state, uint32_t *out) noexcept nogil:
    """Leaves out captures with a card to spare. A larger hand is never worse: play on as with the smaller one, as the
    other player's moves do not depend on it, nor what is turned up. This holds for a converter that is not needed too.
    Where cards to spare lie there already: all that the rules allow."""
    return list_moves(<const Rules *> rules, <const State *> state, True, out)


cdef void apply(const void *rules, void *state, uint32_t move) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    cdef State *s = <State *> state
    cdef uint32_t kind = move >> 24
    cdef uint32_t number = move & UNSEEN
    cdef uint64_t bit
    cdef int seat = s.turn
    if kind == TARGET:
        if number == PASS:
            pass_turn(s)
        else:
            s.target = <int8_t> number
            s.passes = 0
    elif kind == LAY:
        if number == DONE:
            finish_capture(r, s)
        else:
            lay(s, move)
    elif kind == CONVERT:
        lay(s, move)
    elif kind == DIVIDE:
        if number == UNSEEN or s.unknown[seat] or not s.division_known[seat]:
            s.division_known[seat] = 0
        elif number:
            bit = lowest(s.hand[seat], s.steps + 2) ^ lowest(s.hand[seat], s.steps + 1)
            s.pile[seat] |= bit
        s.steps += 1
        next_division(s)
    elif kind == TAKE:
        s.choice[seat] = HIDDEN_CHOICE if number == UNSEEN else <int8_t> number
        if seat == 0:
            s.turn = 1
        else:
            s.phase = REVEAL
            s.turn = CHANCE
    elif kind == SHOW_CARD:
        seat = due_to_show(s)
        bit = <uint64_t> 1 << (number >> 1)
        if not s.hand[seat] & bit:
            s.hand[seat] |= bit
            s.unknown[seat] -= 1
        if number & 1:
            s.pile[seat] |= bit
        s.steps += 1
        if shown(s, seat) == dealt(s, seat):
            s.division_known[seat] = 1
        if s.steps == dealt(s, 0) + dealt(s, 1):
            s.phase = CHOOSE
            s.turn = 0
            s.steps = 0
    elif kind == SHOW_CHOICES:
        make_up_hands(r, s, number & 1, number >> 1)
    elif kind == TURN_UP:
        turn_up(r, s, number)
    else:
        next_turn(r, s, number)


cdef inline uint64_t not_shown(const State *s, int seat) noexcept nogil:
    """Known dealt cards still to be shown."""
    return s.hand[seat] ^ lowest(s.hand[seat], shown(s, seat))


cdef inline uint32_t shown_outcome(const State *s, int seat, int card) noexcept nogil:
    return <uint32_t> SHOW_CARD << 24 | <uint32_t> (2 * card) | <uint32_t> (s.pile[seat] >> card & 1)


cdef int chance_outcomes(const void *rules, const void *state, uint32_t *out, double *probability) noexcept nogil:
    """Where what is shown is not known: every outcome of a world, by the number of its worlds."""
    cdef const Rules *r = <const Rules *> rules
    cdef const State *s = <const State *> state
    cdef State after
    cdef uint64_t cards
    cdef double total = world_weight(r, s)
    cdef double weight
    cdef int seat, card, pile, a, b, i
    cdef int n = 0
    if s.phase == SHOW:
        seat = due_to_show(s)
        if s.division_known[seat] and not s.unknown[seat]:
            out[0] = shown_outcome(s, seat, ctz(not_shown(s, seat)))
            probability[0] = 1.0
            return 1
        cards = candidates(r, s, seat) if s.unknown[seat] else not_shown(s, seat) & -not_shown(s, seat)
        while cards:
            card = ctz(cards)
            cards &= cards - 1
            for pile in range(2 if shown(s, seat) else 1):
                after = s[0]
                apply(rules, &after, <uint32_t> SHOW_CARD << 24 | <uint32_t> (2 * card + pile))
                weight = world_weight(r, &after)
                if weight > 0.0 and (after.pile[seat] or r.empty_piles or shown(&after, seat) < dealt(&after, seat)):
                    out[n] = <uint32_t> SHOW_CARD << 24 | <uint32_t> (2 * card + pile)
                    probability[n] = weight / total
                    n += 1
    elif s.phase == REVEAL:
        for b in range(2):
            for a in range(2):
                if s.choice[0] in (a, HIDDEN_CHOICE) and s.choice[1] in (b, HIDDEN_CHOICE):
                    out[n] = <uint32_t> SHOW_CHOICES << 24 | <uint32_t> (a + 2 * b)
                    probability[n] = 1.0 / total
                    n += 1
    elif s.phase == UNCOVER:
        n = write(TURN_UP, s.unseen, out)
        for i in range(n):
            probability[i] = 1.0 / n
    else:
        for seat in range(2):
            out[seat] = <uint32_t> LOT << 24 | <uint32_t> seat
            probability[seat] = 0.5
        n = 2
    return n


cdef uint32_t sample_chance(const void *rules, const void *state, Rng *rng) noexcept nogil:
    cdef const State *s = <const State *> state
    cdef uint32_t out[MAX_MOVES]
    cdef double probability[MAX_MOVES]
    cdef int seat, n
    cdef int i = 0
    cdef double at
    if s.phase == SHOW:
        seat = due_to_show(s)
        if s.division_known[seat] and not s.unknown[seat]:
            return shown_outcome(s, seat, ctz(not_shown(s, seat)))
    n = chance_outcomes(rules, state, out, probability)
    if n > 1:
        at = rng_unit(rng)
        while i < n - 1 and at >= probability[i]:
            at -= probability[i]
            i += 1
    return out[i]


cdef void returns(const void *rules, const void *state, double *win_share, double *score) noexcept nogil:
    cdef const State *s = <const State *> state
    cdef int seat
    for seat in range(2):
        score[seat] = s.points[seat] + ranks_of(s.hand[seat])  # PC-23
    win_share[0] = 1.0 if score[0] > score[1] else (0.5 if score[0] == score[1] else 0.0)  # PC-24
    win_share[1] = 1.0 - win_share[0]


cdef uint32_t observe(const void *rules, const void *state, uint32_t move, int seat) noexcept nogil:
    cdef uint32_t kind = move >> 24
    if (kind == DIVIDE or kind == TAKE) and (<const State *> state).turn != seat:
        return kind << 24 | UNSEEN
    return move


cdef void information_key(const void *rules, const void *state, int seat, uint64_t *out) noexcept nogil:
    cdef State s = (<const State *> state)[0]
    if seat >= 0:
        redact(rules, &s, seat)
    out[0] = out[1] = 0
    hash_bytes(rules, sizeof(Rules), out)
    hash_bytes(&s, sizeof(State), out)


cdef uint32_t random_move(const void *rules, const void *state, Rng *rng) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    cdef const State *s = <const State *> state
    cdef uint64_t numbers
    cdef uint32_t kind
    if s.phase == PLAY:
        return random_step(r, s, rng)
    kind = DIVIDE if s.phase == SPLIT else TAKE
    numbers = decisions(r, s)
    return kind << 24 | <uint32_t> nth_bit(numbers, rng_below(rng, popcount(numbers)))


cdef int playout(const void *rules, void *state, Rng *rng) noexcept nogil:
    cdef State *s = <State *> state
    cdef int steps = 0
    while s.phase < PLAY:
        apply(rules, s, sample_chance(rules, s, rng) if s.turn == CHANCE else random_move(rules, s, rng))
        steps += 1
    return steps + play_out(<const Rules *> rules, s, rng)


cdef enum:
    MAX_MOVES = 2 * DECK_SIZE

cdef GameOps _OPS
_OPS.name = "pepper_corn"
_OPS.rules_size = sizeof(Rules)
_OPS.state_size = sizeof(State)
_OPS.max_moves = MAX_MOVES
_OPS.players = two_players
_OPS.max_steps = max_steps
_OPS.is_open = is_open
_OPS.turn = turn
_OPS.is_secret = is_secret
_OPS.legal_moves = legal_moves
_OPS.search_moves = search_moves
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
register_ops(&_OPS)


cdef const GameOps *pepper_corn_ops() noexcept nogil:
    return &_OPS
