"""The stop flag, the clock and the progress counters that a running search polls."""

from mangetout_solver.analysis import StopReason

class Control:
    """Shared by the threads of one search and whoever may stop it. Safe to call from any thread, at any time."""

    def __init__(self, deadline: float | None = None) -> None:
        """deadline: a `time.monotonic()` instant at which the search ends with StopReason.DEADLINE."""
    def limited(self, finish: float) -> Control:
        """A control of one search: ends with this one, and at the `time.monotonic()` instant `finish` with LIMIT."""
    def stop(self, reason: StopReason = ...) -> None:
        """Asks the search to end; the first reason given stays. Works before the search has begun, too."""
    def must_end(self) -> bool:
        """Whether the search must end, by a look at the clock: `stop_reason` then says why."""
    @property
    def stop_reason(self) -> StopReason | None:
        """The reason given to `stop`, or DEADLINE once a search has seen the deadline pass."""
