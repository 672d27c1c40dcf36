"""Leduc poker: the game's table of functions, and building and reading positions from Python.

A card is 2 * rank + suit, 0 to 5; a move is 0 to fold, 1 to call or check, 2 to raise.
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
    CARDS = 6
    FOLD = 0
    CALL = 1
    RAISE = 2
    MAX_RAISES = 2
    MAX_LOSS = 13  # the ante of 1, two raises of 2, two of 4
    TURN_UP = 0x81000000  # kind 129: the card on the board


ctypedef struct State:
    int8_t hand[2]  # a card, UNDEALT or HIDDEN
    int8_t board  # a card, or UNDEALT in the first round of betting
    int8_t turn
    uint8_t chips[2]  # paid by each seat
    uint8_t raises  # in this round
    uint8_t moves  # in this round
    uint8_t history[2]  # the moves of each round, 1 added, two bits each
    uint8_t spare[2]


cdef uint32_t unseen(const State *s) noexcept nogil:
    return ((1 << CARDS) - 1) & ~(card_bit(s.hand[0]) | card_bit(s.hand[1]) | card_bit(s.board))


cdef int max_steps(const void *rules) noexcept nogil:
    return 3 + 2 * 4


cdef int32_t turn(const void *rules, const void *state) noexcept nogil:
    return (<const State *> state).turn


cdef int legal_moves(const void *rules, const void *state, uint32_t *out) noexcept nogil:
    cdef const State *s = <const State *> state
    cdef int n = 0
    if s.chips[0] != s.chips[1]:
        out[n] = FOLD
        n += 1
    out[n] = CALL
    n += 1
    if s.raises < MAX_RAISES:
        out[n] = RAISE
        n += 1
    return n


cdef void apply(const void *rules, void *state, uint32_t move) noexcept nogil:
    cdef State *s = <State *> state
    cdef int seat = s.turn
    cdef bint second_round = s.board != UNDEALT
    if seat == CHANCE and s.hand[1] == UNDEALT:
        s.hand[s.hand[0] != UNDEALT] = <int8_t> (HIDDEN if move == UNSEEN_DEAL else <int> (move ^ DEAL))
        s.turn = CHANCE if s.hand[1] == UNDEALT else 0
        return
    if seat == CHANCE:
        s.board = <int8_t> (move ^ TURN_UP)
        s.turn = s.raises = s.moves = 0
        return
    s.history[second_round] |= <uint8_t> ((move + 1) << (2 * s.moves))
    s.moves += 1
    s.turn = <int8_t> (1 - seat)
    if move == FOLD:
        s.turn = TERMINAL
    elif move == RAISE:
        s.chips[seat] = s.chips[1 - seat] + (4 if second_round else 2)
        s.raises += 1
    else:
        s.chips[seat] = s.chips[1 - seat]
        if s.moves > 1:
            s.turn = TERMINAL if second_round else CHANCE


cdef int chance_outcomes(const void *rules, const void *state, uint32_t *out, double *probability) noexcept nogil:
    cdef const State *s = <const State *> state
    return list_deals(unseen(s), DEAL if s.hand[1] == UNDEALT else TURN_UP, out, probability)


cdef uint32_t sample_chance(const void *rules, const void *state, Rng *rng) noexcept nogil:
    cdef uint32_t out[CARDS]
    cdef double probability[CARDS]
    cdef int n = chance_outcomes(rules, state, out, probability)
    return out[rng_below(rng, n)]


cdef int strength(const State *s, int seat) noexcept nogil:
    """Compares hands: a pair with the board beats any rank."""
    return s.hand[seat] // 2 + (CARDS if s.hand[seat] // 2 == s.board // 2 else 0)


cdef void returns(const void *rules, const void *state, double *win_share, double *score) noexcept nogil:
    """Who folded has paid less and loses that; after equal payments the stronger hand wins them."""
    cdef const State *s = <const State *> state
    cdef int lead = s.chips[0] - s.chips[1]
    if lead == 0:
        lead = strength(s, 0) - strength(s, 1)
    score[0] = min(s.chips[0], s.chips[1]) * ((lead > 0) - (lead < 0))
    score[1] = 0.0 - score[0]
    win_share[0] = 0.5 + score[0] / (2 * MAX_LOSS)
    win_share[1] = 0.5 + score[1] / (2 * MAX_LOSS)


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
    cdef uint32_t out[3]
    cdef int n = legal_moves(rules, state, out)
    return out[rng_below(rng, n)]


cdef int playout(const void *rules, void *state, Rng *rng) noexcept nogil:
    cdef State *s = <State *> state
    cdef int n = 0
    while s.turn != TERMINAL:
        apply(rules, s, sample_chance(rules, s, rng) if s.turn == CHANCE else random_move(rules, s, rng))
        n += 1
    return n


cdef GameOps _OPS
_OPS.name = "leduc_poker"
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


def view(Position position not None) -> tuple[tuple[int, int], int, tuple[tuple[int, ...], tuple[int, ...]]]:
    if position.ops != &_OPS:
        raise TypeError("not a position of Leduc poker")
    cdef const State *s = <const State *> position.state_ptr()
    first, second = [
        tuple([(moves >> shift & 3) - 1 for shift in range(0, 8, 2) if moves >> shift]) for moves in s.history[:2]
    ]
    return (s.hand[0], s.hand[1]), s.board, (first, second)


def build(hands, board: int, rounds) -> Position:
    cdef State s
    memset(&s, 0, sizeof(State))
    s.hand[0], s.hand[1] = hands
    s.board = UNDEALT
    s.chips[0] = s.chips[1] = 1
    s.turn = CHANCE if s.hand[1] == UNDEALT else 0
    if s.hand[0] == UNDEALT != s.hand[1]:
        raise PositionError("hands", "found a card for B before A's, expected A's first")
    known = [card for card in (*hands, board) if card >= 0]
    if len(set(known)) < len(known):
        raise PositionError("hands", "found one card twice")
    _play(&s, rounds[0])
    if board != UNDEALT:
        if s.turn != CHANCE or s.hand[1] == UNDEALT:
            raise PositionError("board", "found a card on the board before the first round of betting is over")
        apply(NULL, &s, <uint32_t> TURN_UP | <uint32_t> board)
        _play(&s, rounds[1])
    elif rounds[1]:
        raise PositionError("moves", "found a second round of betting without a card on the board")
    return new_position(&_OPS, NULL, &s)


cdef int _play(State *s, moves) except -1:
    cdef uint32_t legal[3]
    for move in moves:
        if s.turn < 0 or move not in [legal[i] for i in range(legal_moves(NULL, s, legal))]:
            raise PositionError("moves", f"found {'fcr'[move]!r} where the betting does not allow it")
        apply(NULL, s, move)
    return 0
