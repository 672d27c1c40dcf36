"""What the exact engines of all games have in common."""

from collections.abc import Collection

class Context:
    """A context: transposition table and counters, for one test at a time."""

    def __init__(self, memory_bytes: int = ..., *, threads: int = 1, without: Collection[str] = ()) -> None:
        """memory_bytes: of the table, that is used by and by; what else there is takes less than a megabyte a thread.
        threads: 1 to 64, which share the table. The answers are the same with any number; the nodes are with one, in a
        new context. without: names of the engine's TECHNIQUES to do without, for tests and comparisons.

        Raises MemoryError; ValueError for an unknown technique or a number of threads out of range.
        """
    @property
    def nodes(self) -> int:
        """Positions searched by all tests so far."""
    @property
    def table_bytes(self) -> int:
        """Memory that the table has come to use."""
