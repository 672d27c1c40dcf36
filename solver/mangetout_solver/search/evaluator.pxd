"""What a search may know of late states by other means than playouts."""


cdef class Evaluator:
    """For one game; asked by one thread at a time, about complete states at which a seat is to move."""

    cdef bint covers(self, const void *state) noexcept nogil
    cdef bint evaluate(self, const void *rules, const void *state, double *share) noexcept nogil
