"""Where a client looks for the server, and how its channel behaves."""

from __future__ import annotations

DEFAULT_TARGET = "127.0.0.1:50151"
# The server refuses clients that ping more often than its own limit, which lies well below this.
KEEPALIVE_TIME_MS = 30_000
KEEPALIVE_TIMEOUT_MS = 10_000
# All lines of the largest position stay far below.
MAX_RECEIVE_BYTES = 16 << 20

CHANNEL_OPTIONS: list[tuple[str, int]] = [
    ("grpc.keepalive_time_ms", KEEPALIVE_TIME_MS),
    ("grpc.keepalive_timeout_ms", KEEPALIVE_TIMEOUT_MS),
    ("grpc.max_receive_message_length", MAX_RECEIVE_BYTES),
]
# Between two looks at a server that answers but is not serving yet.
HEALTH_POLL_SECONDS = 0.05
