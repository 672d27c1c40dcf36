"""Entries of a game's table that many games share: two seats, no secret decisions, no chance, nothing hidden.

Inline, so that a module compiles those it names into its own table.
"""

from libc.stdint cimport int64_t, uint32_t

from mangetout_solver.games.rng cimport Rng


cdef inline int two_players(const void *rules) noexcept nogil:
    return 2


cdef inline int never(const void *rules, const void *state) noexcept nogil:
    return 0


cdef inline int always(const void *rules, const void *state) noexcept nogil:
    return 1


cdef inline int no_outcomes(const void *rules, const void *state, uint32_t *out, double *probability) noexcept nogil:
    return 0


cdef inline uint32_t no_chance(const void *rules, const void *state, Rng *rng) noexcept nogil:
    return 0


cdef inline uint32_t seen_by_all(const void *rules, const void *state, uint32_t move, int seat) noexcept nogil:
    return move


cdef inline void nothing_to_redact(const void *rules, void *state, int seat) noexcept nogil:
    pass


cdef inline int64_t one_world(const void *rules, const void *state) noexcept nogil:
    return 1


cdef inline void already_complete(const void *rules, void *state, int64_t index) noexcept nogil:
    pass


cdef inline void already_determined(const void *rules, void *state, Rng *rng) noexcept nogil:
    pass
