"""PEAS, one round: the game's table of functions, and building and reading positions from Python."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from dataclasses import dataclass

from mangetout_solver.errors import InputError, PositionError
from mangetout_solver.games.defaults cimport never, no_chance, no_outcomes, seen_by_all, two_players
from mangetout_solver.games.interface cimport TERMINAL, GameOps, hash_bytes
from mangetout_solver.games.position cimport Position, new_position, register_ops
from mangetout_solver.games.rng cimport Rng, rng_below_large

COLOUR_LETTERS = "BRVY"

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
    s.pool &= ~(s.hand[0] | s.hand[1])
    s.unknown[0] = s.unknown[1] = 0


cdef void determinize(const void *rules, void *state, Rng *rng) noexcept nogil:
    cdef uint64_t n = <uint64_t> count_worlds(rules, state)
    if n:
        complete(rules, state, <int64_t> rng_below_large(rng, n))


cdef void redact(const void *rules, void *state, int seat) noexcept nogil:
    cdef State *s = <State *> state
    cdef int other = 1 - seat
    s.unknown[other] += popcount(s.hand[other])
    s.pool |= s.hand[other]
    s.hand[other] = 0


cdef int max_steps(const void *rules) noexcept nogil:
    return 2 * (<const Rules *> rules).pods


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


cdef void apply(const void *rules, void *state, uint32_t move) noexcept nogil:
    cdef State *s = <State *> state
    play_card(s, s.turn, move >> 5, move & 31)


cdef void returns(const void *rules, const void *state, double *win_share, double *score) noexcept nogil:
    cdef const Rules *r = <const Rules *> rules
    cdef int points_a
    cdef int pod
    cdef int total = 0
    cdef int winner = judge(r, <const State *> state, &points_a, NULL)
    for pod in range(r.pods):
        total += r.value[pod]
    win_share[winner] = 1.0
    win_share[1 - winner] = 0.0
    score[0] = points_a
    score[1] = total - points_a


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
    return play_out(<State *> state, rng)


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
_OPS.chance_outcomes = no_outcomes
_OPS.sample_chance = no_chance
_OPS.returns = returns
_OPS.observe = seen_by_all
_OPS.redact = redact
_OPS.count_worlds = count_worlds
_OPS.complete = complete
_OPS.determinize = determinize
_OPS.information_key = information_key
_OPS.random_move = random_move
_OPS.playout = playout
register_ops(&_OPS)


cdef const GameOps *peas_ops() noexcept nogil:
    return &_OPS


@dataclass(frozen=True)
class PodView:
    value: int
    plays: tuple[tuple[int, str], ...]
    winner: int | None


@dataclass(frozen=True)
class HandView:
    cards: tuple[str, ...]
    unknown: int
    voids: tuple[str, ...]


@dataclass(frozen=True)
class RoundView:
    pods: tuple[PodView, ...]
    hands: tuple[HandView, ...]
    pea: int
    colours: int
    ranks: int


def card_text(card: int) -> str:
    return f"{COLOUR_LETTERS[card >> 3]}{(card & 7) + 1}"


cdef tuple _texts(uint32_t cards):
    return tuple([card_text(card) for card in range(32) if cards >> card & 1])


cdef const State *_state(Position position) except NULL:
    if position.ops != &_OPS:
        raise TypeError("not a PEAS position")
    return <const State *> position.state_ptr()


def view(Position position not None) -> RoundView:
    cdef const State *s = _state(position)
    cdef const Rules *r = <const Rules *> position.rules_ptr()
    cdef int8_t winners[MAX_PODS]
    cdef int points_a
    over = s.turn == TERMINAL
    if over:
        judge(r, s, &points_a, winners)
    pods = []
    for pod in range(r.pods):
        seats = (0, 1) if s.led[0] >> pod & 1 else (1, 0)
        plays = tuple([(seat, card_text(s.card[seat][pod])) for seat in seats if s.card[seat][pod] != NO_CARD])
        pods.append(PodView(r.value[pod], plays, winners[pod] if over else None))
    hands = []
    for seat in range(2):
        voids = tuple([COLOUR_LETTERS[c] for c in range(r.colours) if s.excluded[seat] >> (8 * c) & 1])
        hands.append(HandView(_texts(s.hand[seat]), s.unknown[seat], voids))
    return RoundView(tuple(pods), tuple(hands), r.pea, r.colours, r.ranks)


def why_illegal(Position position not None, move: int) -> str:
    cdef const State *s = _state(position)
    cdef const Rules *r = <const Rules *> position.rules_ptr()
    cdef int pod = move >> 5
    cdef int card = move & 31
    cdef int seat = s.turn
    player = "AB"[seat]
    if pod >= r.pods:
        return f"found pod {pod}, expected 0 to {r.pods - 1}"
    if not r.deck >> card & 1:
        return f"{card_text(card)} is not in this deck"
    if not s.open[seat] >> pod & 1:
        return f"{player} has already played on pod {pod}"
    lead = s.card[1 - seat][pod]
    if lead != NO_CARD and s.hand[seat] & colour_of(lead) and (lead ^ card) & 24:
        return f"{player} holds {COLOUR_LETTERS[lead >> 3]} and must match {card_text(lead)} on pod {pod}"
    return f"{player} cannot hold {card_text(card)}"


def build(pods, plays, hands, unknown, pea: int, colours: int, ranks: int) -> Position:
    cdef Rules r
    cdef State s
    cdef int pod, seat, card
    cdef uint32_t seen = 0
    cdef uint32_t bit
    memset(&r, 0, sizeof(Rules))
    memset(&s, 0, sizeof(State))
    memset(s.card, NO_CARD, sizeof(s.card))
    if not 1 <= colours <= MAX_COLOURS:
        raise InputError("options.colours", f"found {colours}, expected 1 to {MAX_COLOURS}")
    if not 1 <= ranks <= MAX_RANKS:
        raise InputError("options.ranks", f"found {ranks}, expected 1 to {MAX_RANKS}")
    if not 1 <= len(pods) <= MAX_PODS:
        raise PositionError("pods", f"found {len(pods)} pods, expected 1 to {MAX_PODS}")
    if 2 * len(pods) > colours * ranks:
        raise PositionError("pods", f"found {len(pods)} pods, expected at most {colours * ranks // 2}: two cards each")
    r.pods, r.colours, r.ranks, r.pea = len(pods), colours, ranks, pea
    for pod in range(r.pods):
        if not -9 <= pods[pod] <= 9:
            raise PositionError(f"pods[{pod}]", f"found {pods[pod]}, expected -9 to 9")
        r.value[pod] = pods[pod]
    for card in range(8 * colours):
        if (card & 7) < ranks:
            r.deck |= <uint32_t> 1 << card
    s.open[0] = s.open[1] = (1 << r.pods) - 1

    for pod in range(r.pods):
        for seat, card in plays[pod]:
            bit = _take(&r, &seen, card, f"pods[{pod}]")
            if not s.open[seat] >> pod & 1:
                raise PositionError(f"pods[{pod}]", f"found two cards of {'AB'[seat]}, expected at most one")
            s.hand[seat] |= bit  # play_card takes it from there
            play_card(&s, seat, pod, card)
    for seat in range(2):
        for card in hands[seat]:
            s.hand[seat] |= _take(&r, &seen, card, f"hands.{'AB'[seat]}")
        found, expected = len(hands[seat]) + unknown[seat], popcount(s.open[seat])
        if found != expected:
            reason = f"found {found} cards, expected {expected}: one for each open pod"
            raise PositionError(f"hands.{'AB'[seat]}", reason)
        s.unknown[seat] = unknown[seat]
        for card in hands[seat]:
            if s.excluded[seat] >> card & 1:
                reason = f"found {card_text(card)}, expected none of a colour that {'AB'[seat]} has shown not to hold"
                raise PositionError(f"hands.{'AB'[seat]}", reason)
    s.pool = r.deck & ~seen

    played = [r.pods - popcount(s.open[seat]) for seat in range(2)]
    if played[pea] - played[1 - pea] not in (0, 1):
        raise PositionError(
            "pods", f"found {played[0]} cards of A and {played[1]} of B, expected turns that alternate from {'AB'[pea]}"
        )
    s.turn = pea if played[0] == played[1] else 1 - pea
    if not s.open[0] | s.open[1]:
        s.turn = TERMINAL
    if count_worlds(&r, &s) == 0:
        raise PositionError("hands", "the unseen cards are too few or of colours shown not to be held")
    if not _reachable(&r, &s):
        raise PositionError("pods", "no order of play leads here: a colour not held cannot be played later on")
    return new_position(&_OPS, &r, &s)


cdef uint32_t _take(const Rules *r, uint32_t *seen, int card, field) except? 0:
    """Marks a card as seen and returns its bit; raises PositionError for a second one or one not in the deck."""
    cdef uint32_t bit = <uint32_t> 1 << card
    if not r.deck & bit:
        raise PositionError(field, f"{card_text(card)} is not in this deck")
    if seen[0] & bit:
        raise PositionError(field, f"{card_text(card)} stands twice")
    seen[0] |= bit
    return bit


cdef bint _reachable(const Rules *r, const State *s) except -1:
    """Whether some order of the plays is legal: depth first over sets of plays already made.

    A play is named by its bit pod + 12 * seat. It needs the first card of its pod, and an answer in another colour
    needs every play of the colour led by the same player before it.
    """
    cdef uint32_t need[2 * MAX_PODS]
    cdef uint32_t all_plays = 0
    cdef uint32_t done, options, bit
    cdef int seat, pod, other, lead, depth = 0
    cdef uint32_t stack[2 * MAX_PODS + 1]
    cdef uint32_t left[2 * MAX_PODS + 1]
    cdef size_t size = <size_t> 1 << (2 * MAX_PODS - 3)
    cdef unsigned char *seen
    for seat in range(2):
        for pod in range(r.pods):
            if s.card[seat][pod] == NO_CARD:
                continue
            bit = <uint32_t> 1 << (pod + MAX_PODS * seat)
            all_plays |= bit
            need[pod + MAX_PODS * seat] = 0
            if s.led[seat] >> pod & 1:
                continue
            lead = s.card[1 - seat][pod]
            need[pod + MAX_PODS * seat] = <uint32_t> 1 << (pod + MAX_PODS * (1 - seat))
            if (lead ^ s.card[seat][pod]) & 24:
                for other in range(r.pods):
                    if s.card[seat][other] != NO_CARD and not (s.card[seat][other] ^ lead) & 24:
                        need[pod + MAX_PODS * seat] |= <uint32_t> 1 << (other + MAX_PODS * seat)
    seen = <unsigned char *> calloc(size, 1)
    if seen == NULL:
        raise MemoryError
    try:
        stack[0] = 0
        left[0] = all_plays & (<uint32_t> 0xFFF << (MAX_PODS * r.pea))
        while depth >= 0:
            done = stack[depth]
            if done == all_plays:
                return True
            options = left[depth]
            if not options:
                depth -= 1
                continue
            bit = options & -options
            left[depth] = options ^ bit
            if need[ctz(bit)] & ~done or seen[(done | bit) >> 3] >> ((done | bit) & 7) & 1:
                continue
            done |= bit
            seen[done >> 3] |= <unsigned char> (1 << (done & 7))
            depth += 1
            stack[depth] = done
            seat = 1 if depth & 1 == (1 - r.pea) else 0
            left[depth] = all_plays & ~done & (<uint32_t> 0xFFF << (MAX_PODS * seat))
        return False
    finally:
        free(seen)
