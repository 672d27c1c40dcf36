"""Client library of Mangetout, for threads (`Client`) and for asyncio (`AsyncClient`).

Arguments are plain Python values; answers are the messages of `mangetout.v1`.
"""

from mangetout_client.aio import AsyncClient
from mangetout_client.errors import FieldViolation, MangetoutError
from mangetout_client.sync import Client

__all__ = ["AsyncClient", "Client", "FieldViolation", "MangetoutError"]
