"""Pepper. Corn!: random play over the moves to search. See rules.pxd."""

from libc.stdint cimport int8_t, uint32_t, uint64_t

from mangetout_solver.games.pepper_corn.captures cimport (
    finish_capture,
    lay,
    layable,
    minimal_layable,
    pass_turn,
    reached,
    strong_enough,
    targets,
    walkable,
    within_reach,
)
from mangetout_solver.games.pepper_corn.rules cimport (
    CONVERT,
    DONE,
    LAY,
    NO_CELL,
    OVER,
    PASS,
    Rules,
    State,
    minimal_converters,
    nth_bit,
    popcount,
    turn_up,
)
from mangetout_solver.games.rng cimport Rng, rng_below


cdef inline uint32_t random_card(const Rules *r, const State *s, Rng *rng) noexcept nogil:
    """A uniformly random search move of a capture whose rank is not reached."""
    cdef uint64_t choices = minimal_layable(r, s)
    cdef uint64_t converting
    cdef uint32_t n
    if r.extended and not s.laid:
        converting = minimal_converters(r, s)
        n = rng_below(rng, popcount(converting) + popcount(choices))
        if n < <uint32_t> popcount(converting):
            return <uint32_t> CONVERT << 24 | <uint32_t> nth_bit(converting, n)
        return <uint32_t> LAY << 24 | <uint32_t> nth_bit(choices, n - popcount(converting))
    if not choices:
        choices = layable(r, s)
    return <uint32_t> LAY << 24 | <uint32_t> nth_bit(choices, rng_below(rng, popcount(choices)))


cdef inline uint32_t random_step(const Rules *r, const State *s, Rng *rng) noexcept nogil:
    """A uniformly random search move of a decision in play."""
    cdef uint64_t choices
    cdef uint32_t n
    if s.target != NO_CELL:
        return <uint32_t> LAY << 24 | DONE if reached(s) else random_card(r, s, rng)
    choices = targets(r, s)
    n = rng_below(rng, popcount(choices) + 1)
    return PASS if n == <uint32_t> popcount(choices) else <uint32_t> nth_bit(choices, n)


cdef inline int play_out(const Rules *r, State *s, Rng *rng) noexcept nogil:
    """Uniformly random search moves, and cards turned up, from play to the end; returns their number."""
    cdef uint64_t area[2]
    cdef uint64_t choices
    cdef uint32_t choice
    cdef int seat
    cdef int steps = 0
    area[0] = area[1] = 0
    while s.phase != OVER:
        if s.target != NO_CELL:
            steps += 1
            if reached(s):
                finish_capture(r, s)
            else:
                lay(s, random_card(r, s, rng))
            continue
        seat = s.turn
        if seat < 0:
            turn_up(r, s, nth_bit(s.unseen, rng_below(rng, popcount(s.unseen))))
            steps += 1
            continue
        area[seat] = walkable(r, s.occupied, seat, area[seat])
        choices = strong_enough(r, s, within_reach(r, s.occupied, area[seat], seat), s.hand[seat])
        choice = rng_below(rng, popcount(choices) + 1)
        steps += 1
        if choice == <uint32_t> popcount(choices):
            pass_turn(s)
        else:
            s.target = <int8_t> nth_bit(choices, choice)
            s.passes = 0
    return steps
