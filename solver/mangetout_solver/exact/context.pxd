"""What the exact engines of all games have in common: a table, threads, and questions answered by searching."""

from libc.stdint cimport int64_t
from libcpp.atomic cimport atomic

from mangetout_solver.exact.table cimport Table
from mangetout_solver.search.control cimport Control

cdef enum:
    MAX_THREADS = 64
    STOPPED = -2


# What makes a thread stop.
ctypedef struct Limits:
    int64_t nodes  # searched by the thread so far
    int64_t most_nodes
    int64_t next_poll


cdef class Context:
    cdef Table table
    cdef Limits limits[MAX_THREADS]
    cdef int threads
    cdef atomic[int] done

    cdef int search(self, int number, const void *question, Control control) noexcept nogil
    cdef int answer(self, const void *question, Control control, object max_nodes) except -3
    cdef int _run(self, int number, const void *question, Control control, int64_t most) except -3
    cdef int _run_all(self, const void *question, Control control, int64_t most) except -3


cdef inline bint is_stopped(Limits *limits, Control control, atomic[int] *done, int64_t poll_nodes) noexcept nogil:
    """Whether to search no further. Looks at the limits, the clock and the other threads once in `poll_nodes`."""
    return limits.nodes >= limits.next_poll and poll(limits, control, done, poll_nodes)


cdef bint poll(Limits *limits, Control control, atomic[int] *done, int64_t poll_nodes) noexcept nogil
