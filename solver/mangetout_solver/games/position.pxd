from libc.stdint cimport uint32_t

from mangetout_solver.games.interface cimport GameOps


cdef class Position:
    cdef const GameOps *ops
    cdef readonly bytes rules
    cdef readonly bytes state

    cdef const void *rules_ptr(self) noexcept
    cdef const void *state_ptr(self) noexcept
    cdef list _list(self, int (*moves)(const void *, const void *, uint32_t *) noexcept nogil)
    cdef tuple _returns(self)
    cdef int _complete(self, void *state) except -1


cdef void register_ops(const GameOps *ops)
cdef Position new_position(const GameOps *ops, const void *rules, const void *state)
