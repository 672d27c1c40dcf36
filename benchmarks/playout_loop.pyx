"""Many random games of any game in one call. See playout_loop.pyi."""

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy

from mangetout_solver.games.interface cimport MAX_PLAYERS, STATE_WORDS, GameOps
from mangetout_solver.games.position cimport Position
from mangetout_solver.games.rng cimport Rng, rng_seed


def random_playouts(Position position not None, seed, int64_t count) -> float:
    cdef const GameOps *ops = position.ops
    cdef const void *rules = position.rules_ptr()
    cdef uint64_t start[STATE_WORDS]
    cdef uint64_t state[STATE_WORDS]
    cdef double share[MAX_PLAYERS]
    cdef double score[MAX_PLAYERS]
    cdef Rng rng
    cdef int64_t _i
    cdef double total = 0.0
    if position.count_worlds() != 1:
        raise ValueError("some cards are not known")
    memcpy(start, position.state_ptr(), ops.state_size)
    ops.complete(rules, start, 0)
    rng_seed(&rng, seed, 0)
    with nogil:
        for _i in range(count):
            memcpy(state, start, ops.state_size)
            ops.playout(rules, state, &rng)
            ops.returns(rules, state, share, score)
            total += share[0]
    return total


def state_size(Position position not None) -> int:
    return position.ops.state_size
