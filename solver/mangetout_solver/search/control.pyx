"""The stop flag and the deadline that a running search polls. See control.pyi for the contract."""

from libc.stdint cimport int64_t

from math import inf

from mangetout_solver.analysis import StopReason

cdef list _REASONS = list(StopReason)


cdef class Control:
    def __init__(self, deadline: float | None = None) -> None:
        self.reason.store(0)
        self.deadline_ns = 0 if deadline is None else max(1, <int64_t> (deadline * 1e9))
        self.deadline_reason = 1 + _REASONS.index(StopReason.DEADLINE)

    def limited(self, finish: float) -> Control:
        control = Control(None if finish == inf else finish)
        control.deadline_reason = 1 + _REASONS.index(StopReason.LIMIT)
        control.parent = self
        return control

    def stop(self, reason: StopReason = StopReason.STOPPED) -> None:
        self._stop(1 + _REASONS.index(reason))

    cdef void _stop(self, int reason) noexcept nogil:
        cdef int expected = 0
        self.reason.compare_exchange_strong(expected, reason)

    cdef bint poll(self, int64_t now) noexcept nogil:
        """True when the search must end."""
        if self.parent is not None and self.parent.poll(now):
            self._stop(self.parent.reason.load())
        if self.deadline_ns and now >= self.deadline_ns:
            self._stop(self.deadline_reason)
        return self.reason.load() != 0

    def must_end(self) -> bool:
        return self.poll(now_ns())

    @property
    def stop_reason(self) -> StopReason | None:
        cdef int reason = self.reason.load()
        return _REASONS[reason - 1] if reason else None
