"""Pepper. Corn!, base game: the game's table of functions, and building and reading positions from Python."""

from libc.stdint cimport INT64_MAX, int8_t, int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memset

from dataclasses import dataclass

from mangetout_solver.errors import PositionError
from mangetout_solver.games.decktet import CARDS
from mangetout_solver.games.defaults cimport two_players
from mangetout_solver.games.interface cimport CHANCE, TERMINAL, GameOps, hash_bytes
from mangetout_solver.games.position cimport Position, new_position, register_ops
from mangetout_solver.games.rng cimport Rng, rng_below, rng_below_large, rng_unit

PHASES = ("split", "show", "choose", "reveal", "lot", "play", "end")
HIDDEN = HIDDEN_CHOICE

cdef uint64_t ALL_CARDS = (<uint64_t> 1 << DECK_SIZE) - 1
cdef int _card, _other, _bit
for _card in range(DECK_SIZE):
    RANK[_card] = CARDS[_card].points
    for _bit in range(4):
        if RANK[_card] >> _bit & 1:
            RANK_BIT[_bit] |= <uint64_t> 1 << _card
    for _other in range(DECK_SIZE):
        if CARDS[_other].is_ace or set(CARDS[_other].suits) & set(CARDS[_card].suits):
            FIT[_card] |= <uint64_t> 1 << _other

cdef uint64_t CHOOSE_TABLE[DECK_SIZE + 1][DECK_SIZE + 1]
cdef int _n, _k
for _n in range(DECK_SIZE + 1):
    CHOOSE_TABLE[_n][0] = 1
    for _k in range(1, DECK_SIZE + 1):
        CHOOSE_TABLE[_n][_k] = 0 if _n == 0 else CHOOSE_TABLE[_n - 1][_k - 1] + CHOOSE_TABLE[_n - 1][_k]


# Worlds are a product of independent parts: the cards of A and of B that are not known, the decisions of each division
# that are not known, and the choices that are not known.

cdef enum:
    PARTS = 6


cdef inline uint64_t on_tableau(const Rules *r, const State *s) noexcept nogil:
    cdef uint64_t cards = 0
    cdef int i
    for i in range(r.rows * r.columns):
        if s.cell[i] != NO_CARD:
            cards |= <uint64_t> 1 << s.cell[i]
    return cards


cdef inline uint64_t candidates(const Rules *r, const State *s, int seat) noexcept nogil:
    """What a player's unknown cards can be. Dealt cards are shown in ascending order, so those to come are higher."""
    cdef uint64_t unseen = ALL_CARDS & ~(on_tableau(r, s) | s.hand[0] | s.hand[1])
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


cdef inline bint must_fill_pile(const Rules *r, const State *s, int seat) noexcept nogil:
    """Whether the decisions not known cannot all be for pile 0 (PC-03)."""
    return not (r.empty_piles or s.pile[seat]) and decided(s, seat) == n_decisions(s, seat)


cdef void count_parts(const Rules *r, const State *s, uint64_t *count) noexcept nogil:
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


cdef void complete_parts(const Rules *r, State *s, const uint64_t *index) noexcept nogil:
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


cdef double world_weight(const Rules *r, const State *s) noexcept nogil:
    """Number of worlds, as a floating point number that does not saturate."""
    cdef uint64_t count[PARTS]
    cdef double total = 1.0
    cdef int i
    count_parts(r, s, count)
    for i in range(PARTS):
        total *= <double> count[i]
    return total


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
    cdef int cells = (<const Rules *> rules).rows * (<const Rules *> rules).columns
    # Divide and show each card off the tableau, two choices, their reveal, the lot; then each card of the tableau is
    # named, taken and followed by a pass, each card of the deck laid down once, and two passes end the game.
    return 2 * (DECK_SIZE - cells) + 4 + 3 * cells + DECK_SIZE + 2


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


cdef uint64_t targets(const Rules *r, const State *s) noexcept nogil:
    """The cells a turn may begin with."""
    cdef uint64_t area = walkable(r, s.occupied, s.turn, 0)
    return strong_enough(s, within_reach(r, s.occupied, area, s.turn), s.hand[s.turn])


cdef int list_moves(const Rules *r, const State *s, bint minimal, uint32_t *out) noexcept nogil:
    cdef uint64_t done = <uint64_t> 1 << DONE
    cdef uint64_t cards
    if s.phase != PLAY:
        return write(DIVIDE if s.phase == SPLIT else TAKE, decisions(r, s), out)
    if s.target == NO_CELL:
        return write(TARGET, targets(r, s) | <uint64_t> 1 << PASS, out)  # PC-20, PC-22
    if ranks_of(s.laid) >= RANK[s.cell[s.target]]:
        return write(LAY, done if minimal else layable(s) | done, out)
    cards = minimal_layable(s) if minimal else layable(s)
    return write(LAY, cards if cards else layable(s), out)


cdef int legal_moves(const void *rules, const void *state, uint32_t *out) noexcept nogil:
    return list_moves(<const Rules *> rules, <const State *> state, False, out)


cdef int search_moves(const void *rules, const void *state, uint32_t *out) noexcept nogil:
    """Leaves out captures with a card to spare. A larger hand is never worse: play on as with the smaller one, as the
    other player's moves do not depend on it. Where cards to spare lie there already: all that the rules allow."""
    return list_moves(<const Rules *> rules, <const State *> state, True, out)


cdef void apply(const void *rules, void *state, uint32_t move) noexcept nogil:
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
            finish_capture(s)
        else:
            s.laid |= <uint64_t> 1 << number
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
        make_up_hands(s, number & 1, number >> 1)
    else:
        begin_play(s, number)


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
    cdef int seat, card, pile, a, b
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


@dataclass(frozen=True)
class HandView:
    cards: tuple[str, ...]
    unknown: int
    deduced: tuple[str, ...]
    piles: tuple[tuple[str, ...], tuple[str, ...]] | None


@dataclass(frozen=True)
class GameView:
    tableau: tuple[tuple[str | None, ...], ...]
    hands: tuple[HandView, HandView]
    points: tuple[int, int]
    phase: str
    seat: int | None
    steps: int
    choices: tuple[int | None, int | None]
    passed: bool
    target: str | None
    laid: tuple[str, ...]
    access: str
    empty_piles: bool
    dealt_hands_known: bool


cdef tuple _texts(uint64_t cards):
    return tuple([CARDS[card].id for card in range(DECK_SIZE) if cards >> card & 1])


cdef const State *_state(Position position) except NULL:
    if position.ops != &_OPS:
        raise TypeError("not a Pepper. Corn! position")
    return <const State *> position.state_ptr()


cdef _hand_view(const Rules *r, const State *s, int seat):
    cdef uint64_t divided
    cdef uint64_t others
    piles = None
    deduced = ()
    if s.unknown[seat] and not s.unknown[1 - seat]:
        others = candidates(r, s, seat)
        if popcount(others) == s.unknown[seat]:
            deduced = _texts(others)
    if s.phase < DRAW_LOT:
        # The lowest card lies in pile 0 from the start, which says nothing yet.
        divided = lowest(s.hand[seat], decided(s, seat) + 1 if s.division_known[seat] else shown(s, seat))
        if popcount(divided) > 1:
            piles = (_texts(divided & ~s.pile[seat]), _texts(divided & s.pile[seat]))
    return HandView(_texts(s.hand[seat]), s.unknown[seat], deduced, piles)


def view(Position position not None) -> GameView:
    cdef const State *s = _state(position)
    cdef const Rules *r = <const Rules *> position.rules_ptr()
    rows = []
    for row in range(r.rows):
        cells = [s.cell[row * r.columns + column] for column in range(r.columns)]
        rows.append(tuple([None if card == NO_CARD else CARDS[card].id for card in cells]))
    return GameView(
        tableau=tuple(rows),
        hands=(_hand_view(r, s, 0), _hand_view(r, s, 1)),
        points=(s.points[0], s.points[1]),
        phase=PHASES[s.phase],
        seat=s.turn if s.turn >= 0 else None,
        steps=s.steps,
        choices=tuple([None if s.choice[seat] == NO_CHOICE else s.choice[seat] for seat in range(2)]),
        passed=s.passes == 1,
        target=None if s.target == NO_CELL else CARDS[s.cell[s.target]].id,
        laid=_texts(s.laid),
        access="restricted" if r.restricted else "open",
        empty_piles=bool(r.empty_piles),
        dealt_hands_known=bool(r.hands_known),
    )


def next_card(Position position not None) -> int | None:
    cdef const State *s = _state(position)
    cdef int seat
    if s.phase == SPLIT:
        seat = s.turn
        if s.unknown[seat]:
            return None
        return ctz(lowest(s.hand[seat], s.steps + 2) ^ lowest(s.hand[seat], s.steps + 1))
    return None


def knows_own_cards(Position position not None, seat: int) -> bool:
    cdef const State *s = _state(position)
    cdef int own = seat
    return not s.unknown[own] and s.division_known[own] and s.choice[own] != HIDDEN_CHOICE


def stage_start(Position position not None) -> tuple[Position, tuple[int, ...]]:
    cdef const State *s = _state(position)
    cdef State start = s[0]
    cdef int seat = s.turn
    cdef int i
    moves = []
    if s.phase == SPLIT:
        for i in range(s.steps):
            card = ctz(lowest(s.hand[seat], i + 2) ^ lowest(s.hand[seat], i + 1))
            moves.append(DIVIDE << 24 | (1 if s.pile[seat] >> <int> card & 1 else 0))
        start.pile[0] = start.pile[1] = 0
        start.division_known[0] = start.division_known[1] = 1
        start.turn = start.steps = 0
        next_division(&start)
    elif s.phase == CHOOSE:
        start.choice[0] = NO_CHOICE
        start.turn = 0
    return new_position(&_OPS, position.rules_ptr(), &start), tuple(moves)


def card_at(Position position not None, cell: int) -> int | None:
    cdef const State *s = _state(position)
    if not 0 <= cell < 40 or s.cell[cell] == NO_CARD:
        return None
    return s.cell[cell]


def why_illegal(Position position not None, move: int) -> str:
    cdef const State *s = _state(position)
    cdef const Rules *r = <const Rules *> position.rules_ptr()
    cdef uint32_t kind = move >> 24
    cdef int number = move & 0xFFFFFF
    cdef int seat = s.turn
    cdef int card
    if seat == CHANCE:
        return "chance decides here, and not so"
    player = "AB"[seat]
    if number == UNSEEN:
        return "what is known here must be named"
    if kind == TARGET and s.phase == PLAY and s.target == NO_CELL:
        if number >= MAX_CELLS or s.cell[number] == NO_CARD:
            return f"no card lies on cell {number}"
        card = s.cell[number]
        if not within_reach(r, s.occupied, walkable(r, s.occupied, seat, 0), seat) >> number & 1:
            return f"{player} has no access to {CARDS[card].id}"
        strength = ranks_of(s.hand[seat] & FIT[card])
        return f"{player}'s cards that fit {CARDS[card].id} reach {strength}, less than its rank {RANK[card]}"
    if kind == LAY and s.phase == PLAY and s.target != NO_CELL:
        taken = CARDS[s.cell[s.target]].id
        if number == DONE:
            return f"the cards laid down reach {ranks_of(s.laid)}, less than the rank of {taken}"
        if not s.hand[seat] >> number & 1:
            return f"{player} does not hold {CARDS[number].id}"
        if not FIT[s.cell[s.target]] >> number & 1:
            return f"{CARDS[number].id} shares no suit with {taken}"
        if s.laid and number <= 63 - clz(s.laid):
            return "cards are laid down in ascending order"
        return f"with {CARDS[number].id} next, the rank of {taken} is out of reach"
    if kind == DIVIDE and s.phase == SPLIT:
        return "the last card must go to pile 1, which would be empty"
    expected = {SPLIT: "a card for a pile", CHOOSE: "take0 or take1"}.get(s.phase, "a capture or a pass")
    if s.target != NO_CELL:
        expected = f"cards to take {CARDS[s.cell[s.target]].id} with"
    return f"expected {expected} of {player}"


def build(
    tableau, hands, *, unknown=(0, 0), piles=(None, None), points=(0, 0), phase="play", seat=None, steps=0,
    choices=(None, None), passed=False, target=None, laid=(), restricted=False, empty_piles=False, hands_known=False,
) -> Position:
    cdef Rules r
    cdef State s
    cdef uint64_t seen = 0
    cdef int cell, card
    memset(&r, 0, sizeof(Rules))
    memset(&s, 0, sizeof(State))
    memset(s.cell, NO_CARD, sizeof(s.cell))
    _set_board(&r, tableau)
    r.restricted, r.empty_piles, r.hands_known = restricted, empty_piles, hands_known
    for cell in range(r.rows * r.columns):
        card = tableau[cell // r.columns][cell % r.columns]
        if card != NO_CARD:
            _take(&seen, card, f"tableau[{cell // r.columns}][{cell % r.columns}]")
            s.cell[cell] = <int8_t> card
            s.occupied |= <uint64_t> 1 << cell
    for player in range(2):
        for number in hands[player]:
            _take(&seen, number, f"hands.{'AB'[player]}")
            s.hand[player] |= <uint64_t> 1 << <int> number
        s.division_known[player] = 1
    if hands_known and sum(unknown):
        raise PositionError("hands", "found cards that are not known, expected open hands with dealt_hands_known")
    if sum(unknown) > DECK_SIZE - popcount(seen):
        raise PositionError("hands", f"found {sum(unknown)} unknown cards, but {DECK_SIZE - popcount(seen)} are left")
    s.unknown[0], s.unknown[1] = unknown
    s.phase = PHASES.index(phase)
    s.turn = CHANCE if seat is None else seat
    s.steps = min(steps, 2 * DECK_SIZE)  # too many by far, but a number that fits
    s.choice[0] = s.choice[1] = NO_CHOICE
    s.target = NO_CELL
    if s.phase < DRAW_LOT:
        _set_split(&r, &s, steps, piles, choices)
    elif sum(unknown):
        raise PositionError("hands", "found cards that are not known, expected open hands from the lot on")
    if count_worlds(&r, &s) == 0:
        raise PositionError("hands", "no cards that are left can be those not known: the cards shown come in order")
    if s.phase < PLAY and points != (0, 0):
        raise PositionError("points", f"found {points[0]}-{points[1]}, expected 0-0 before play")
    _set_points(&s, points, seen)
    if s.phase == DRAW_LOT:
        _check_lot(&s)
    elif s.phase == PLAY:
        _set_play(&r, &s, passed, target, laid)
    elif s.phase == OVER:
        s.turn = TERMINAL
    return new_position(&_OPS, &r, &s)


cdef int _set_board(Rules *r, tableau) except -1:
    cdef int cell
    rows, columns = len(tableau), len(tableau[0])
    if any(len(row) != columns for row in tableau):
        raise PositionError("tableau", "found rows of different lengths, expected one length")
    if not (1 <= rows <= MAX_ROWS and 1 <= columns <= MAX_COLUMNS and rows * columns <= MAX_CELLS):
        raise PositionError(
            "tableau",
            f"found {rows} rows of {columns}, expected 1 to {MAX_ROWS} rows, 1 to {MAX_COLUMNS} columns and at most "
            f"{MAX_CELLS} cells",
        )
    r.rows, r.columns = rows, columns
    for cell in range(rows * columns):
        r.board |= <uint64_t> 1 << cell
        if cell % columns == 0:
            r.first_column |= <uint64_t> 1 << cell
        if cell % columns == columns - 1:
            r.last_column |= <uint64_t> 1 << cell
        if cell < columns:
            r.front[0] |= <uint64_t> 1 << cell
        if cell >= columns * (rows - 1):
            r.front[1] |= <uint64_t> 1 << cell
    return 0


cdef int _take(uint64_t *seen, int card, field) except -1:
    """Marks a card as seen; raises PositionError for a second one."""
    if seen[0] >> card & 1:
        raise PositionError(field, f"{CARDS[card].id} stands twice")
    seen[0] |= <uint64_t> 1 << card
    return 0


cdef int _set_points(State *s, points, uint64_t seen) except -1:
    """Checks that cards not in view can have brought the points: some for A, others for B."""
    cdef int card
    if points == (0, 0):
        return 0
    # For each sum of A, the sums that B can have at the same time, as bits.
    sums = [1] + [0] * points[0]
    limit = (1 << (points[1] + 1)) - 1
    for card in range(DECK_SIZE):
        if not seen >> card & 1:
            rank = int(RANK[card])
            sums = [
                (of_b | of_b << rank | (sums[of_a - rank] if of_a >= rank else 0)) & limit
                for of_a, of_b in enumerate(sums)
            ]
    if not sums[points[0]] >> points[1] & 1:
        raise PositionError("points", f"found {points[0]}-{points[1]}, which the cards not in view cannot make up")
    s.points[0], s.points[1] = points
    return 0


cdef int _set_split(const Rules *r, State *s, steps, piles, choices) except -1:
    """Everything before the hands are made up."""
    cdef int seat, n
    cdef uint64_t pile[2]
    cdef uint64_t expected
    least = 1 if r.empty_piles else 2
    for seat in range(2):
        if dealt(s, seat) < least:
            reason = f"found {dealt(s, seat)} cards to divide, expected {least} or more"
            raise PositionError(f"hands.{'AB'[seat]}", reason)
    if s.phase == SPLIT and not 0 <= s.steps < n_decisions(s, s.turn):
        raise PositionError("stage", f"found {steps} decisions, expected 0 to {n_decisions(s, s.turn) - 1}")
    if s.phase == SHOW and not 0 <= s.steps < dealt(s, 0) + dealt(s, 1):
        raise PositionError("stage", f"found {steps} cards shown, expected 0 to {dealt(s, 0) + dealt(s, 1) - 1}")
    for seat in range(2):
        field = f"hands.{'AB'[seat]}"
        if s.unknown[seat] and popcount(s.hand[seat]) != shown(s, seat):
            reason = f"found {popcount(s.hand[seat])} known cards, expected all or the {shown(s, seat)} shown"
            raise PositionError(field, reason)
        n = decided(s, seat) + 1
        pile[0] = pile[1] = 0
        for number in range(2):
            for card in () if piles[seat] is None else piles[seat][number]:
                pile[number] |= <uint64_t> 1 << <int> card
        if piles[seat] is None:
            # All decisions are known only where there are none; else what has been shown must be given.
            s.division_known[seat] = n == 1 or (shown(s, seat) == 1 and dealt(s, seat) == 1)
            if shown(s, seat) > 1:
                raise PositionError(field, f"found no piles, expected those of the {shown(s, seat)} cards shown")
            continue
        s.division_known[seat] = popcount(pile[0] | pile[1]) == n and not s.unknown[seat]
        expected = lowest(s.hand[seat], n if s.division_known[seat] else shown(s, seat))
        if pile[0] | pile[1] != expected or not pile[0] & lowest(s.hand[seat], 1) or popcount(expected) < 2:
            raise PositionError(field, "the piles are not those of the lowest cards, as many as the stage tells")
        if s.division_known[seat] and n == dealt(s, seat) and not pile[1] and not r.empty_piles:
            raise PositionError(field, "found an empty pile, expected a card in each")
        s.pile[seat] = pile[1]
    for seat in range(2):
        made = s.phase == REVEAL or (s.phase == CHOOSE and s.turn == 1 and seat == 0)
        if (choices[seat] is not None) != made:
            raise PositionError("stage", "the choices are not those of the seats before the one to move")
        if made:
            s.choice[seat] = choices[seat]
    return 0


cdef int _check_lot(const State *s) except -1:
    if not s.occupied:
        raise PositionError("stage", "found a lot with an empty tableau, expected the end")
    if ranks_of(s.hand[0]) != ranks_of(s.hand[1]) or popcount(s.hand[0]) != popcount(s.hand[1]):
        raise PositionError("stage", "found a lot, expected hands with equal points and numbers of cards")
    return 0


cdef int _set_play(const Rules *r, State *s, passed, target, laid) except -1:
    cdef int cell, card
    if not s.occupied:
        raise PositionError("stage", "found play on an empty tableau, expected the end")
    s.passes = 1 if passed else 0
    if target is None:
        return 0
    for cell in range(r.rows * r.columns):
        if s.cell[cell] == target and targets(r, s) >> cell & 1:
            s.target = cell
    if s.target == NO_CELL:
        raise PositionError("stage", f"{CARDS[target].id} cannot be taken here")
    for card in laid:
        if not layable(s) >> card & 1:
            raise PositionError("stage", f"{CARDS[card].id} cannot be laid down there")
        s.laid |= <uint64_t> 1 << card
    return 0
