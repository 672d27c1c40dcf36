"""What an operator can set."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from mangetout_solver.limits import MAX_MEMORY_BYTES, MAX_TIME_SECONDS, MIN_MEMORY_BYTES

DEFAULT_PORT = 50151


@dataclass(frozen=True)
class Settings:
    """Settings of a server. Raises ValueError for a value out of range.

    host, port: where to listen; port 0 takes a free one.
    search_threads: threads that search at the same time. queue_size: searches that may wait for them.
    default_time: seconds of search where a request sets no limit. max_time: the most a request may ask for.
    max_memory_bytes: the most memory a request may ask for.
    max_message_bytes: size of the largest message that is accepted.
    shutdown_grace: seconds within which running calls must end once the server stops.
    """

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    search_threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    queue_size: int = 32
    default_time: float = 1.0
    max_time: float = 3600.0
    max_memory_bytes: int = 1 << 30
    max_message_bytes: int = 1 << 20
    shutdown_grace: float = 5.0

    def __post_init__(self) -> None:
        for name, low, high in (
            ("port", 0, 65_535),
            ("search_threads", 1, 1024),
            ("queue_size", 0, 1_000_000),
            ("max_time", 0.001, MAX_TIME_SECONDS),
            ("default_time", 0.001, self.max_time),
            ("max_memory_bytes", MIN_MEMORY_BYTES, MAX_MEMORY_BYTES),
            ("max_message_bytes", 1 << 10, 1 << 30),
            ("shutdown_grace", 0, 3600),
        ):
            value = getattr(self, name)
            if not low <= value <= high:
                raise ValueError(f"{name}: found {value}, expected {low} to {high}")
