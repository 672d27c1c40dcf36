"""Where a player's chance comes from: a hash of what stays the same when a deal is played again."""

from __future__ import annotations

from hashlib import blake2b


def search_seed(deal_seed: int, rotation: int, seat: int, ply: int) -> int:
    """The seed of one decision, 64 bits. ply: steps of the game before it.

    It is the big-endian BLAKE2b digest of 8 bytes of the ASCII text "search DEAL_SEED ROTATION SEAT PLY". The text is
    part of the protocol: to change it is to change every recorded result.
    """
    text = f"search {deal_seed} {rotation} {seat} {ply}"
    return int.from_bytes(blake2b(text.encode("ascii"), digest_size=8).digest(), "big")
