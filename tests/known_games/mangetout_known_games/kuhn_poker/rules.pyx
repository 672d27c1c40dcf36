"""Kuhn poker: the game's table of functions, and building and reading positions from Python.

A card is its rank, 0 to 2, and a move is 0 to pass or 1 to bet. A state after the deal is two cards and the moves.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from mangetout_known_games.cards cimport (
    DEAL,
    HIDDEN,
    UNDEALT,
    UNSEEN_DEAL,
    card_bit,
    complete_hands,
    count_hands,
    hide_from,
    list_deals,
)
from mangetout_solver.errors import PositionError
from mangetout_solver.games.defaults cimport never, two_players
from mangetout_solver.games.interface cimport CHANCE, TERMINAL, GameOps, hash_bytes
from mangetout_solver.games.position cimport Position, new_position, register_ops
from mangetout_solver.games.rng cimport Rng, rng_below, rng_below_large

cdef enum:
    CARDS = 3
    PASS_BET = 0b10  # a pass and then a bet, as bits


ctypedef struct State:
    int8_t hand[2]  # a card, UNDEALT or HIDDEN
    uint8_t moves  # number of moves made
    uint8_t bets  # bit k: move k was a bet


cdef uint32_t unseen(const State *s) noexcept nogil:
    return ((1 << CARDS) - 1) & ~(card_bit(s.hand[0]) | card_bit(s.hand[1]))


cdef int max_steps(const void *rules) noexcept nogil:
    return 2 + 3


cdef int32_t turn(const void *rules, const void *state) noexcept nogil:
    cdef const State *s = <const State *> state
    if s.hand[1] == UNDEALT:
        return CHANCE
    if s.moves == 3 or (s.moves == 2 and s.bets != PASS_BET):
        return TERMINAL
    return s.moves & 1


cdef int legal_moves(const void *rules, const void *state, uint32_t *out) noexcept nogil:
    out[0], out[1] = 0, 1
    return 2


cdef void apply(const void *rules, void *state, uint32_t move) noexcept nogil:
    cdef State *s = <State *> state
    if s.hand[1] == UNDEALT:
        s.hand[s.hand[0] != UNDEALT] = <int8_t> (HIDDEN if move == UNSEEN_DEAL else <int> (move ^ DEAL))
    else:
        s.bets |= <uint8_t> (move << s.moves)
        s.moves += 1


cdef int chance_outcomes(const void *rules, const void *state, uint32_t *out, double *probability) noexcept nogil:
    return list_deals(unseen(<const State *> state), DEAL, out, probability)


cdef uint32_t sample_chance(const void *rules, const void *state, Rng *rng) noexcept nogil:
    cdef uint32_t out[CARDS]
    cdef double probability[CARDS]
    cdef int n = chance_outcomes(rules, state, out, probability)
    return out[rng_below(rng, n)]


cdef void returns(const void *rules, const void *state, double *win_share, double *score) noexcept nogil:
    """The seat with the larger stake wins, after equal stakes the higher card; it gains the smaller stake."""
    cdef const State *s = <const State *> state
    cdef int a = 1 + (s.bets & 1) + (s.bets >> 2 & 1)
    cdef int b = 1 + (s.bets >> 1 & 1)
    cdef bint a_wins = a > b if a != b else s.hand[0] > s.hand[1]
    score[0] = min(a, b) if a_wins else -min(a, b)
    score[1] = -score[0]
    win_share[0] = 0.5 + score[0] / 4
    win_share[1] = 0.5 + score[1] / 4


cdef uint32_t observe(const void *rules, const void *state, uint32_t move, int seat) noexcept nogil:
    cdef const State *s = <const State *> state
    return UNSEEN_DEAL if s.hand[1] == UNDEALT and seat != (s.hand[0] != UNDEALT) else move


cdef void redact(const void *rules, void *state, int seat) noexcept nogil:
    hide_from((<State *> state).hand, seat)


cdef int64_t count_worlds(const void *rules, const void *state) noexcept nogil:
    return count_hands(unseen(<const State *> state), (<const State *> state).hand)


cdef void complete(const void *rules, void *state, int64_t index) noexcept nogil:
    complete_hands(unseen(<const State *> state), (<State *> state).hand, index)


cdef void determinize(const void *rules, void *state, Rng *rng) noexcept nogil:
    complete(rules, state, <int64_t> rng_below_large(rng, count_worlds(rules, state)))


cdef void information_key(const void *rules, const void *state, int seat, uint64_t *out) noexcept nogil:
    cdef State s = (<const State *> state)[0]
    if seat >= 0:
        redact(rules, &s, seat)
    out[0] = out[1] = 0
    hash_bytes(&s, sizeof(State), out)


cdef uint32_t random_move(const void *rules, const void *state, Rng *rng) noexcept nogil:
    return rng_below(rng, 2)


cdef int playout(const void *rules, void *state, Rng *rng) noexcept nogil:
    cdef int n = 0
    while turn(rules, state) != TERMINAL:
        apply(rules, state, sample_chance(rules, state, rng) if turn(rules, state) == CHANCE else rng_below(rng, 2))
        n += 1
    return n


cdef GameOps _OPS
_OPS.name = "kuhn_poker"
_OPS.rules_size = 0
_OPS.state_size = sizeof(State)
_OPS.max_moves = CARDS
_OPS.players = two_players
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
register_ops(&_OPS)


def view(Position position not None) -> tuple[tuple[int, int], tuple[int, ...]]:
    if position.ops != &_OPS:
        raise TypeError("not a position of Kuhn poker")
    cdef const State *s = <const State *> position.state_ptr()
    return (s.hand[0], s.hand[1]), tuple([s.bets >> k & 1 for k in range(s.moves)])


def build(hands, moves) -> Position:
    cdef State s
    memset(&s, 0, sizeof(State))
    s.hand[0], s.hand[1] = hands
    if s.hand[0] == UNDEALT != s.hand[1]:
        raise PositionError("hands", "found a card for B before A's, expected A's first")
    if s.hand[0] >= 0 and s.hand[0] == s.hand[1]:
        raise PositionError("hands", "found one card twice")
    for move in moves:
        if turn(NULL, &s) < 0:
            raise PositionError("moves", "found a move before the deal or after the end")
        apply(NULL, &s, move)
    return new_position(&_OPS, NULL, &s)
