"""Small games for the tests of the search. See mangetout_toys.pyi for the rules."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from mangetout_solver.games.defaults cimport (
    already_complete,
    already_determined,
    always,
    never,
    nothing_to_redact,
    one_world,
    seen_by_all,
    two_players,
)
from mangetout_solver.games.interface cimport CHANCE, SAMPLE_ONLY, TERMINAL, GameOps, hash_bytes
from mangetout_solver.games.position cimport Position, new_position, register_ops
from mangetout_solver.games.rng cimport Rng, mix64, rng_below, rng_below_large

cdef extern from *:
    int popcount "__builtin_popcount"(unsigned int x) noexcept nogil
    int ctz "__builtin_ctz"(unsigned int x) noexcept nogil

# Kind 128, number 0xFFFFFF.
UNSEEN = 0x80FFFFFF
cdef enum:
    C_UNSEEN = 0x80FFFFFF
    SECRET_UNSEEN = 0x00FFFFFF
    TWIN = 32


cdef int write_set(uint32_t moves, uint32_t base, uint32_t *out) noexcept nogil:
    cdef int n = 0
    while moves:
        out[n] = base + <uint32_t> ctz(moves)
        moves &= moves - 1
        n += 1
    return n


cdef uint32_t draw_from_set(uint32_t moves, Rng *rng) noexcept nogil:
    cdef uint32_t n = rng_below(rng, popcount(moves))
    while n:
        moves &= moves - 1
        n -= 1
    return ctz(moves)


# -- random trees

ctypedef struct TreeRules:
    uint64_t seed
    int32_t players
    int32_t depth
    int32_t branching
    int32_t chance
    int32_t ties
    int32_t ends
    int32_t listed
    int32_t spare


ctypedef struct TreeState:
    uint64_t path
    int32_t depth
    int32_t turn


cdef uint64_t tree_hash(const void *rules, const void *state, uint64_t purpose) noexcept nogil:
    return mix64(mix64((<const TreeState *> state).path ^ (<const TreeRules *> rules).seed) + purpose)


cdef uint32_t tree_set(const void *rules, const void *state) noexcept nogil:
    """Three of four numbers below the branching, at least one."""
    cdef uint64_t h = tree_hash(rules, state, 1)
    cdef uint32_t n = (<const TreeRules *> rules).branching
    cdef uint32_t moves = <uint32_t> (h | h >> 32) & ((<uint32_t> 1 << n) - 1)
    return moves if moves else <uint32_t> 1 << <uint32_t> (h % n)


cdef uint32_t tree_weight(const void *rules, const void *state, int outcome) noexcept nogil:
    return <uint32_t> (1 + tree_hash(rules, state, 100 + outcome) % 4)


cdef void tree_enter(const TreeRules *r, TreeState *s) noexcept nogil:
    cdef uint64_t h = tree_hash(r, s, 2)
    if s.depth == r.depth or (s.depth and <int> (h % 100) < r.ends):
        s.turn = TERMINAL
    elif s.depth and <int> (h // 100 % 100) < r.chance:
        s.turn = CHANCE
    else:
        s.turn = <int32_t> (h // 10_000 % r.players)


cdef int tree_players(const void *rules) noexcept nogil:
    return (<const TreeRules *> rules).players


cdef int tree_max_steps(const void *rules) noexcept nogil:
    return (<const TreeRules *> rules).depth


cdef int32_t tree_turn(const void *rules, const void *state) noexcept nogil:
    return (<const TreeState *> state).turn


cdef int tree_moves(const void *rules, const void *state, uint32_t *out) noexcept nogil:
    return write_set(tree_set(rules, state), 0, out)


cdef int twin_moves(const void *rules, const void *state, uint32_t *out) noexcept nogil:
    cdef uint32_t moves = tree_set(rules, state)
    cdef int n = write_set(moves, 0, out)
    return n + write_set(moves, TWIN, out + n)


cdef void tree_apply(const void *rules, void *state, uint32_t move) noexcept nogil:
    cdef TreeState *s = <TreeState *> state
    s.path = mix64(s.path * 31 + 1 + (move % TWIN))
    s.depth += 1
    tree_enter(<const TreeRules *> rules, s)


cdef int tree_chance_outcomes(const void *rules, const void *state, uint32_t *out, double *probability) noexcept nogil:
    cdef int i, n
    cdef double total = 0.0
    if not (<const TreeRules *> rules).listed:
        return SAMPLE_ONLY
    n = write_set(tree_set(rules, state), 0, out)
    for i in range(n):
        total += tree_weight(rules, state, out[i])
    for i in range(n):
        probability[i] = tree_weight(rules, state, out[i]) / total
    return n


cdef uint32_t tree_sample_chance(const void *rules, const void *state, Rng *rng) noexcept nogil:
    cdef uint32_t outcomes = tree_set(rules, state)
    cdef uint32_t left = outcomes
    cdef uint32_t total = 0
    cdef uint32_t r, weight
    while left:
        total += tree_weight(rules, state, ctz(left))
        left &= left - 1
    r = rng_below(rng, total)
    while True:
        weight = tree_weight(rules, state, ctz(outcomes))
        if r < weight:
            return ctz(outcomes)
        r -= weight
        outcomes &= outcomes - 1


cdef void tree_returns(const void *rules, const void *state, double *win_share, double *score) noexcept nogil:
    cdef const TreeRules *r = <const TreeRules *> rules
    cdef uint64_t h = tree_hash(rules, state, 3)
    cdef uint32_t winners = <uint32_t> 1 << <uint32_t> (h // 10_000 % r.players)
    cdef int p
    if <int> (h % 100) < r.ties:
        if r.players == 2 or h // 100 % 4 == 0:
            winners = (<uint32_t> 1 << r.players) - 1
        else:
            winners ^= (<uint32_t> 1 << r.players) - 1
    for p in range(r.players):
        win_share[p] = 1.0 / popcount(winners) if winners >> p & 1 else 0.0
        score[p] = <double> (tree_hash(rules, state, 10 + p) % 21) - 10.0


cdef void tree_key(const void *rules, const void *state, int seat, uint64_t *out) noexcept nogil:
    out[0] = out[1] = 0
    hash_bytes(rules, sizeof(TreeRules), out)
    hash_bytes(state, sizeof(TreeState), out)


cdef uint32_t tree_random_move(const void *rules, const void *state, Rng *rng) noexcept nogil:
    return draw_from_set(tree_set(rules, state), rng)


cdef uint32_t twin_random_move(const void *rules, const void *state, Rng *rng) noexcept nogil:
    return draw_from_set(tree_set(rules, state), rng) + TWIN * rng_below(rng, 2)


cdef int tree_playout(const void *rules, void *state, Rng *rng) noexcept nogil:
    cdef TreeState *s = <TreeState *> state
    cdef int n = 0
    while s.turn != TERMINAL:
        if s.turn == CHANCE:
            tree_apply(rules, state, tree_sample_chance(rules, state, rng))
        else:
            tree_apply(rules, state, tree_random_move(rules, state, rng))
        n += 1
    return n


cdef GameOps _TREE
_TREE.name = "toy_tree"
_TREE.rules_size = sizeof(TreeRules)
_TREE.state_size = sizeof(TreeState)
_TREE.max_moves = 2 * TWIN
_TREE.players = tree_players
_TREE.max_steps = tree_max_steps
_TREE.is_open = always
_TREE.turn = tree_turn
_TREE.is_secret = never
_TREE.legal_moves = tree_moves
_TREE.search_moves = tree_moves
_TREE.apply = tree_apply
_TREE.chance_outcomes = tree_chance_outcomes
_TREE.sample_chance = tree_sample_chance
_TREE.returns = tree_returns
_TREE.observe = seen_by_all
_TREE.redact = nothing_to_redact
_TREE.count_worlds = one_world
_TREE.complete = already_complete
_TREE.determinize = already_determined
_TREE.information_key = tree_key
_TREE.random_move = tree_random_move
_TREE.playout = tree_playout
register_ops(&_TREE)

cdef GameOps _TWINS = _TREE
_TWINS.name = "toy_twins"
_TWINS.legal_moves = twin_moves
_TWINS.random_move = twin_random_move
register_ops(&_TWINS)


def random_tree(
    seed, *, players=2, depth=4, branching=3, chance=0, ties=20, ends=10, listed=True, twins=False
) -> Position:
    cdef TreeRules r
    cdef TreeState s
    memset(&r, 0, sizeof(TreeRules))
    memset(&s, 0, sizeof(TreeState))
    if not (2 <= players <= 6 and 1 <= branching <= 31 and depth >= 1):
        raise ValueError("no such tree")
    r.seed, r.players, r.depth, r.branching = seed, players, depth, branching
    r.chance, r.ties, r.ends, r.listed = chance, ties, ends, listed
    tree_enter(&r, &s)
    return new_position(&_TWINS if twins else &_TREE, &r, &s)


# -- two choices at the same time

cdef enum:
    MAX_CHOICES = 4
    MAX_TABLES = 4
    UNKNOWN = -1
    DEAL = 0x80000000  # kind 128: the table dealt to seat 1
    SHOW = 0x81000000  # kind 129: 4 * row + column
    COIN = 0x82000000  # kind 130: 0 or 1
    DECIDE = 0x01000000  # kind 1: what seat 0 decides at the end
    NOD = 0x02000000  # kind 2
    NO_TAIL = 0
    TAIL_SWAP = 1
    TAIL_GUESS = 2
    TAIL_COIN = 3
    TAIL_NOD = 4

# Where a game stands.
cdef enum:
    DEALING = 0
    CHOOSING = 1
    BETWEEN = 2
    DECIDING = 3
    OVER = 4


ctypedef struct MatrixRules:
    int8_t choices[2]
    int8_t steps
    int8_t tables
    int8_t cards  # whether the table is dealt
    int8_t tail
    int8_t spare[2]
    float share[MAX_TABLES][MAX_CHOICES][MAX_CHOICES]


ctypedef struct MatrixState:
    int8_t phase
    int8_t turn
    int8_t table  # or UNKNOWN
    int8_t decided
    int8_t done[2]  # steps of each choice
    int8_t choice[2]  # so far, or UNKNOWN


cdef int matrix_step_size(const MatrixRules *r, int seat) noexcept nogil:
    return r.choices[seat] if r.steps == 1 else 2


cdef void matrix_enter(const MatrixRules *r, MatrixState *s, int phase) noexcept nogil:
    if phase == BETWEEN and r.tail == NO_TAIL:
        phase = OVER
    elif phase == BETWEEN and r.tail == TAIL_GUESS:
        phase = DECIDING
    s.phase = <int8_t> phase
    if phase == OVER:
        s.turn = TERMINAL
    elif phase == DEALING or (phase == BETWEEN and r.tail != TAIL_NOD):
        s.turn = CHANCE
    else:
        s.turn = 1 if phase == BETWEEN else 0


cdef int matrix_max_steps(const void *rules) noexcept nogil:
    return 2 * (<const MatrixRules *> rules).steps + 3


cdef int32_t matrix_turn(const void *rules, const void *state) noexcept nogil:
    return (<const MatrixState *> state).turn


cdef int matrix_is_secret(const void *rules, const void *state) noexcept nogil:
    return (<const MatrixState *> state).phase == CHOOSING


cdef int matrix_moves(const void *rules, const void *state, uint32_t *out) noexcept nogil:
    cdef const MatrixRules *r = <const MatrixRules *> rules
    cdef const MatrixState *s = <const MatrixState *> state
    cdef int n
    if s.phase == CHOOSING:
        return write_set((<uint32_t> 1 << matrix_step_size(r, s.turn)) - 1, 0, out)
    if s.phase == BETWEEN:
        out[0] = NOD
        return 1
    n = 2 if r.tail == TAIL_SWAP else r.choices[1]
    return write_set((<uint32_t> 1 << n) - 1, DECIDE, out)


cdef void matrix_apply(const void *rules, void *state, uint32_t move) noexcept nogil:
    cdef const MatrixRules *r = <const MatrixRules *> rules
    cdef MatrixState *s = <MatrixState *> state
    cdef int seat = s.turn
    if s.phase == DEALING:
        s.table = <int8_t> (move - DEAL)
        matrix_enter(r, s, CHOOSING)
    elif s.phase == CHOOSING:
        s.choice[seat] = <int8_t> (s.choice[seat] * 2 + <int> move)
        s.done[seat] += 1
        if s.done[seat] == r.steps:
            s.turn = 1
            if seat == 1:
                matrix_enter(r, s, BETWEEN)
    elif s.phase == BETWEEN:
        if r.tail == TAIL_SWAP:  # what is shown becomes known
            s.choice[0] = <int8_t> ((move - SHOW) >> 2)
            s.choice[1] = <int8_t> ((move - SHOW) & 3)
        matrix_enter(r, s, DECIDING)
    else:
        s.decided = <int8_t> (move - DECIDE)
        matrix_enter(r, s, OVER)


cdef int matrix_chance_outcomes(
    const void *rules, const void *state, uint32_t *out, double *probability
) noexcept nogil:
    cdef const MatrixRules *r = <const MatrixRules *> rules
    cdef const MatrixState *s = <const MatrixState *> state
    cdef int i, n
    if s.phase == BETWEEN and r.tail == TAIL_SWAP:
        if s.choice[0] == UNKNOWN or s.choice[1] == UNKNOWN:
            return SAMPLE_ONLY
        out[0] = SHOW + 4 * <uint32_t> s.choice[0] + <uint32_t> s.choice[1]
        probability[0] = 1.0
        return 1
    n = r.tables if s.phase == DEALING else 2
    for i in range(n):
        out[i] = (<uint32_t> DEAL if s.phase == DEALING else <uint32_t> COIN) + i
        probability[i] = 1.0 / n
    return n


cdef uint32_t matrix_sample_chance(const void *rules, const void *state, Rng *rng) noexcept nogil:
    cdef uint32_t out[MAX_TABLES]
    cdef double probability[MAX_TABLES]
    cdef int n = matrix_chance_outcomes(rules, state, out, probability)
    return out[rng_below(rng, n)]


cdef void matrix_returns(const void *rules, const void *state, double *win_share, double *score) noexcept nogil:
    cdef const MatrixRules *r = <const MatrixRules *> rules
    cdef const MatrixState *s = <const MatrixState *> state
    if r.tail == NO_TAIL:
        win_share[0] = r.share[s.table][s.choice[0]][s.choice[1]]
    elif r.tail == TAIL_SWAP:
        win_share[0] = r.share[s.decided][s.choice[0]][s.choice[1]]
    else:
        win_share[0] = 1.0 if s.decided == s.choice[1] else 0.0
    win_share[1] = 1.0 - win_share[0]
    score[0] = 10.0 * win_share[0]
    score[1] = 10.0 * win_share[1]


cdef bint matrix_is_shown(const MatrixRules *r, const MatrixState *s) noexcept nogil:
    return r.tail == TAIL_SWAP and s.phase >= DECIDING


cdef uint32_t matrix_observe(const void *rules, const void *state, uint32_t move, int seat) noexcept nogil:
    cdef const MatrixState *s = <const MatrixState *> state
    if s.phase == CHOOSING and s.turn != seat:
        return SECRET_UNSEEN
    if s.phase == DEALING and seat != 1:
        return C_UNSEEN
    return move


cdef void matrix_redact(const void *rules, void *state, int seat) noexcept nogil:
    cdef const MatrixRules *r = <const MatrixRules *> rules
    cdef MatrixState *s = <MatrixState *> state
    if seat == 0 and r.cards and s.phase != DEALING:
        s.table = UNKNOWN
    if s.done[1 - seat] and not matrix_is_shown(r, s):
        s.choice[1 - seat] = UNKNOWN


cdef int64_t matrix_hidden(const MatrixRules *r, const MatrixState *s, int seat) noexcept nogil:
    """What the seat's unknown choice can be so far."""
    if s.choice[seat] != UNKNOWN:
        return 1
    return matrix_step_size(r, seat) * (2 if s.done[seat] == 2 else 1)


cdef int64_t matrix_count_worlds(const void *rules, const void *state) noexcept nogil:
    cdef const MatrixRules *r = <const MatrixRules *> rules
    cdef const MatrixState *s = <const MatrixState *> state
    return (r.tables if s.table == UNKNOWN else 1) * matrix_hidden(r, s, 0) * matrix_hidden(r, s, 1)


cdef void matrix_complete(const void *rules, void *state, int64_t index) noexcept nogil:
    cdef const MatrixRules *r = <const MatrixRules *> rules
    cdef MatrixState *s = <MatrixState *> state
    cdef int seat
    cdef int64_t n
    if s.table == UNKNOWN:
        s.table = <int8_t> (index % r.tables)
        index //= r.tables
    for seat in range(2):
        if s.choice[seat] == UNKNOWN:
            n = matrix_hidden(r, s, seat)
            s.choice[seat] = <int8_t> (index % n)
            index //= n


cdef void matrix_determinize(const void *rules, void *state, Rng *rng) noexcept nogil:
    cdef int64_t n = matrix_count_worlds(rules, state)
    matrix_complete(rules, state, <int64_t> rng_below_large(rng, n))


cdef void matrix_key(const void *rules, const void *state, int seat, uint64_t *out) noexcept nogil:
    cdef MatrixState s = (<const MatrixState *> state)[0]
    if seat >= 0:
        matrix_redact(rules, &s, seat)
    out[0] = out[1] = 0
    hash_bytes(rules, sizeof(MatrixRules), out)
    hash_bytes(&s, sizeof(MatrixState), out)


cdef uint32_t matrix_random_move(const void *rules, const void *state, Rng *rng) noexcept nogil:
    cdef uint32_t out[MAX_CHOICES]
    return out[rng_below(rng, matrix_moves(rules, state, out))]


cdef int matrix_playout(const void *rules, void *state, Rng *rng) noexcept nogil:
    cdef MatrixState *s = <MatrixState *> state
    cdef int n = 0
    while s.turn != TERMINAL:
        if s.turn == CHANCE:
            matrix_apply(rules, state, matrix_sample_chance(rules, state, rng))
        else:
            matrix_apply(rules, state, matrix_random_move(rules, state, rng))
        n += 1
    return n


cdef GameOps _MATRIX
_MATRIX.name = "toy_matrix"
_MATRIX.rules_size = sizeof(MatrixRules)
_MATRIX.state_size = sizeof(MatrixState)
_MATRIX.max_moves = MAX_CHOICES
_MATRIX.players = two_players
_MATRIX.max_steps = matrix_max_steps
_MATRIX.is_open = never
_MATRIX.turn = matrix_turn
_MATRIX.is_secret = matrix_is_secret
_MATRIX.legal_moves = matrix_moves
_MATRIX.search_moves = matrix_moves
_MATRIX.apply = matrix_apply
_MATRIX.chance_outcomes = matrix_chance_outcomes
_MATRIX.sample_chance = matrix_sample_chance
_MATRIX.returns = matrix_returns
_MATRIX.observe = matrix_observe
_MATRIX.redact = matrix_redact
_MATRIX.count_worlds = matrix_count_worlds
_MATRIX.complete = matrix_complete
_MATRIX.determinize = matrix_determinize
_MATRIX.information_key = matrix_key
_MATRIX.random_move = matrix_random_move
_MATRIX.playout = matrix_playout
register_ops(&_MATRIX)

cdef dict _TAILS = {
    "": NO_TAIL,
    "swap": TAIL_SWAP,
    "guess": TAIL_GUESS,
    "coin, guess": TAIL_COIN,
    "nod, guess": TAIL_NOD,
}


def matrix(shares, *, steps=1, tail="", cards=False) -> Position:
    cdef MatrixRules r
    cdef MatrixState s
    cdef int t, i, j
    memset(&r, 0, sizeof(MatrixRules))
    memset(&s, 0, sizeof(MatrixState))
    r.choices[0], r.choices[1] = len(shares[0]), len(shares[0][0])
    r.steps, r.tables, r.cards, r.tail = steps, len(shares), cards, _TAILS[tail]
    for t in range(r.tables):
        for i in range(r.choices[0]):
            for j in range(r.choices[1]):
                r.share[t][i][j] = shares[t][i][j]
    matrix_enter(&r, &s, DEALING if cards else CHOOSING)
    return new_position(&_MATRIX, &r, &s)


def matrix_stage_start(Position position not None) -> tuple[Position, tuple[int, ...]]:
    cdef MatrixState s = (<const MatrixState *> position.state_ptr())[0]
    moves = (s.choice[s.turn],) if s.done[s.turn] else ()
    s.done[0] = s.done[1] = s.choice[0] = s.choice[1] = s.turn = 0
    return new_position(&_MATRIX, position.rules_ptr(), &s), moves


# -- tricks with hidden hands

cdef enum:
    MAX_CARDS = 24
    NO_CARD = -1
    DRAW = 0x80000000  # kind 128

cdef uint64_t CHOOSE[MAX_CARDS + 1][MAX_CARDS + 1]
cdef int _n, _k
for _n in range(MAX_CARDS + 1):
    CHOOSE[_n][0] = 1
    for _k in range(1, MAX_CARDS + 1):
        CHOOSE[_n][_k] = 0 if _n == 0 else CHOOSE[_n - 1][_k - 1] + CHOOSE[_n - 1][_k]


ctypedef struct TrickRules:
    int32_t cards
    int32_t steps


ctypedef struct TrickState:
    uint32_t hand[2]  # known cards
    uint32_t pool
    int8_t unknown[2]
    int8_t tricks[2]
    int8_t led
    int8_t leader
    int8_t turn
    uint8_t draws  # left, of both seats; while it is even seat 0 draws next


cdef int trick_max_steps(const void *rules) noexcept nogil:
    return (<const TrickRules *> rules).steps


cdef int32_t trick_turn(const void *rules, const void *state) noexcept nogil:
    return (<const TrickState *> state).turn


cdef uint32_t trick_set(const TrickState *s) noexcept nogil:
    return s.hand[s.turn] | (s.pool if s.unknown[s.turn] else 0)


cdef int trick_moves(const void *rules, const void *state, uint32_t *out) noexcept nogil:
    return write_set(trick_set(<const TrickState *> state), 0, out)


cdef void trick_next(TrickState *s) noexcept nogil:
    s.turn = s.leader
    if not (s.hand[0] | s.hand[1]) and not s.unknown[0] and not s.unknown[1]:
        s.turn = TERMINAL


cdef void trick_apply(const void *rules, void *state, uint32_t move) noexcept nogil:
    cdef TrickState *s = <TrickState *> state
    cdef int seat = s.turn
    cdef int winner
    if seat == CHANCE:
        s.hand[s.draws & 1] |= <uint32_t> 1 << (move - DRAW)
        s.pool ^= <uint32_t> 1 << (move - DRAW)
        s.draws -= 1
        if not s.draws & 1:
            trick_next(s)
        return
    if s.hand[seat] >> move & 1:
        s.hand[seat] ^= <uint32_t> 1 << move
    else:
        s.pool ^= <uint32_t> 1 << move
        s.unknown[seat] -= 1
    if s.led == NO_CARD:
        s.led = <int8_t> move
        s.turn = <int8_t> (1 - seat)
        return
    winner = seat if <int> move > s.led else 1 - seat
    s.tricks[winner] += 1
    s.leader = <int8_t> winner
    s.led = NO_CARD
    if s.draws:
        s.turn = CHANCE
    else:
        trick_next(s)


cdef int trick_chance_outcomes(const void *rules, const void *state, uint32_t *out, double *probability) noexcept nogil:
    cdef const TrickState *s = <const TrickState *> state
    cdef int i, n
    if s.unknown[0] or s.unknown[1]:
        return SAMPLE_ONLY
    n = write_set(s.pool, DRAW, out)
    for i in range(n):
        probability[i] = 1.0 / n
    return n


cdef uint32_t trick_sample_chance(const void *rules, const void *state, Rng *rng) noexcept nogil:
    return <uint32_t> DRAW + draw_from_set((<const TrickState *> state).pool, rng)


cdef void trick_returns(const void *rules, const void *state, double *win_share, double *score) noexcept nogil:
    cdef const TrickState *s = <const TrickState *> state
    cdef int p
    for p in range(2):
        score[p] = s.tricks[p]
        win_share[p] = 1.0 if s.tricks[p] > s.tricks[1 - p] else 0.0
        if s.tricks[0] == s.tricks[1]:
            win_share[p] = 0.5


cdef uint32_t trick_observe(const void *rules, const void *state, uint32_t move, int seat) noexcept nogil:
    cdef const TrickState *s = <const TrickState *> state
    return C_UNSEEN if s.turn == CHANCE and s.draws & 1 != seat else move


cdef void trick_redact(const void *rules, void *state, int seat) noexcept nogil:
    cdef TrickState *s = <TrickState *> state
    cdef int other = 1 - seat
    s.unknown[other] += popcount(s.hand[other])
    s.pool |= s.hand[other]
    s.hand[other] = 0


cdef int64_t trick_count_worlds(const void *rules, const void *state) noexcept nogil:
    cdef const TrickState *s = <const TrickState *> state
    cdef int n = popcount(s.pool)
    return <int64_t> (CHOOSE[n][s.unknown[0]] * CHOOSE[n - s.unknown[0]][s.unknown[1]])


cdef void trick_take(TrickState *s, int seat, uint64_t index) noexcept nogil:
    """Fills a hand with the index-th set of cards of the pool."""
    cdef uint32_t cards = s.pool
    cdef uint32_t bit
    cdef int n = popcount(cards)
    while s.unknown[seat]:
        bit = cards & -cards
        cards ^= bit
        n -= 1
        if index < CHOOSE[n][s.unknown[seat] - 1]:
            s.hand[seat] |= bit
            s.pool ^= bit
            s.unknown[seat] -= 1
        else:
            index -= CHOOSE[n][s.unknown[seat] - 1]


cdef void trick_complete(const void *rules, void *state, int64_t index) noexcept nogil:
    cdef TrickState *s = <TrickState *> state
    cdef uint64_t n = CHOOSE[popcount(s.pool)][s.unknown[0]]
    trick_take(s, 0, <uint64_t> index % n)
    trick_take(s, 1, <uint64_t> index // n)


cdef void trick_determinize(const void *rules, void *state, Rng *rng) noexcept nogil:
    trick_complete(rules, state, <int64_t> rng_below_large(rng, trick_count_worlds(rules, state)))


cdef void trick_key(const void *rules, const void *state, int seat, uint64_t *out) noexcept nogil:
    cdef TrickState s = (<const TrickState *> state)[0]
    if seat >= 0:
        trick_redact(rules, &s, seat)
    out[0] = out[1] = 0
    hash_bytes(rules, sizeof(TrickRules), out)
    hash_bytes(&s, sizeof(TrickState), out)


cdef uint32_t trick_random_move(const void *rules, const void *state, Rng *rng) noexcept nogil:
    return draw_from_set(trick_set(<const TrickState *> state), rng)


cdef int trick_playout(const void *rules, void *state, Rng *rng) noexcept nogil:
    cdef TrickState *s = <TrickState *> state
    cdef int n = 0
    while s.turn != TERMINAL:
        if s.turn == CHANCE:
            trick_apply(rules, state, trick_sample_chance(rules, state, rng))
        else:
            trick_apply(rules, state, trick_random_move(rules, state, rng))
        n += 1
    return n


cdef GameOps _TRICKS
_TRICKS.name = "toy_tricks"
_TRICKS.rules_size = sizeof(TrickRules)
_TRICKS.state_size = sizeof(TrickState)
_TRICKS.max_moves = MAX_CARDS
_TRICKS.players = two_players
_TRICKS.max_steps = trick_max_steps
_TRICKS.is_open = never
_TRICKS.turn = trick_turn
_TRICKS.is_secret = never
_TRICKS.legal_moves = trick_moves
_TRICKS.search_moves = trick_moves
_TRICKS.apply = trick_apply
_TRICKS.chance_outcomes = trick_chance_outcomes
_TRICKS.sample_chance = trick_sample_chance
_TRICKS.returns = trick_returns
_TRICKS.observe = trick_observe
_TRICKS.redact = trick_redact
_TRICKS.count_worlds = trick_count_worlds
_TRICKS.complete = trick_complete
_TRICKS.determinize = trick_determinize
_TRICKS.information_key = trick_key
_TRICKS.random_move = trick_random_move
_TRICKS.playout = trick_playout
register_ops(&_TRICKS)


def tricks(hands, *, cards, draws=0, unknown=(0, 0)) -> Position:
    cdef TrickRules r
    cdef TrickState s
    cdef int seat
    memset(&r, 0, sizeof(TrickRules))
    memset(&s, 0, sizeof(TrickState))
    size = len(hands[0]) + unknown[0]
    if cards > MAX_CARDS or size != len(hands[1]) + unknown[1] or (draws and 2 * (size + draws) > cards):
        raise ValueError("no such game")
    s.pool = (<uint32_t> 1 << <uint32_t> cards) - 1
    for seat in range(2):
        for card in hands[seat]:
            s.hand[seat] |= <uint32_t> 1 << <uint32_t> card
        s.unknown[seat] = unknown[seat]
    s.pool &= ~(s.hand[0] | s.hand[1])
    r.cards, r.steps = cards, 2 * size + 4 * draws
    s.led, s.draws = NO_CARD, 2 * draws
    return new_position(&_TRICKS, &r, &s)
