"""See evaluator.pxd."""


cdef class Evaluator:
    @property
    def memory_bytes(self) -> int:
        return 0

    cdef bint covers(self, const void *state) noexcept nogil:
        """Whether `evaluate` may be asked; the same for all later states of the same round."""
        return False

    cdef bint evaluate(self, const void *rules, const void *state, double *share) noexcept nogil:
        """Writes each player's share of the win, or of the round where the game is one of rounds; False where it cannot
        tell."""
        return False
