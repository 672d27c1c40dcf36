"""EngineService: what this server is and knows."""

from __future__ import annotations

from importlib import metadata
from typing import Any

import grpc
from mangetout.v1 import engine_pb2, engine_pb2_grpc
from mangetout_solver.games import registry

from mangetout_server.convert import game_message
from mangetout_server.settings import Settings


class EngineService(engine_pb2_grpc.EngineServiceServicer):
    """See engine.proto."""

    def __init__(self, settings: Settings) -> None:
        self._info = engine_pb2.GetServerInfoResponse(
            version=_version(),
            games=[game.name for game in registry.games()],
            search_threads=settings.search_threads,
            queue_size=settings.queue_size,
            max_time_seconds=settings.max_time,
            max_memory_bytes=settings.max_memory_bytes,
            max_message_bytes=settings.max_message_bytes,
        )
        self._games = engine_pb2.ListGamesResponse(games=[game_message(game) for game in registry.games()])

    async def GetServerInfo(
        self, request: engine_pb2.GetServerInfoRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> engine_pb2.GetServerInfoResponse:
        """See engine.proto."""
        return self._info

    async def ListGames(
        self, request: engine_pb2.ListGamesRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> engine_pb2.ListGamesResponse:
        """See engine.proto."""
        return self._games

    async def GetGame(
        self, request: engine_pb2.GetGameRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> engine_pb2.GetGameResponse:
        """See engine.proto."""
        game = registry.game(request.game, "game")
        return engine_pb2.GetGameResponse(game=game_message(game), how_to_play=game.how_to_play())


def _version() -> str:
    try:
        return metadata.version("mangetout")
    except metadata.PackageNotFoundError:
        # Run from a source tree that is not installed.
        return "unknown"
