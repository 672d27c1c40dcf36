from libc.stdint cimport int64_t
from libcpp.atomic cimport atomic
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

cdef enum:
    # A search looks at its Control after about this many moves.
    POLL_MOVES = 1024


cdef inline int64_t now_ns() noexcept nogil:
    """The clock of time.monotonic_ns()."""
    cdef timespec t
    clock_gettime(CLOCK_MONOTONIC, &t)
    return <int64_t> t.tv_sec * 1_000_000_000 + t.tv_nsec


cdef class Control:
    cdef atomic[int] reason  # 0, or 1 + index into StopReason
    cdef readonly int64_t deadline_ns  # 0: none
    cdef int deadline_reason
    cdef Control parent

    cdef void _stop(self, int reason) noexcept nogil
    cdef bint poll(self, int64_t now) noexcept nogil
