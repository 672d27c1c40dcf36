"""What a search may know of late states by other means than playouts."""

class Evaluator:
    """Gives the shares of the win at late states of one game, all cards known. Used by one search at a time."""

    @property
    def memory_bytes(self) -> int:
        """That it has come to use."""
