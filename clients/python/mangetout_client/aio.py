"""The client for asyncio."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from mangetout.v1 import (
    analysis_pb2,
    analysis_pb2_grpc,
    engine_pb2,
    engine_pb2_grpc,
    game_pb2,
    game_pb2_grpc,
)

from mangetout_client import requests
from mangetout_client.constants import CHANNEL_OPTIONS, DEFAULT_TARGET, HEALTH_POLL_SECONDS
from mangetout_client.errors import from_rpc_error
from mangetout_client.requests import Question

_Request = TypeVar("_Request")
_Response = TypeVar("_Response")


class AsyncClient:
    """As Client, for one event loop: a connection to a server, made when it is first needed.

    Every method raises MangetoutError when the server does not answer as asked, and takes `timeout`, in seconds: after
    it the call fails with DEADLINE_EXCEEDED, but a search answers its best so far shortly before.

    >>> async with AsyncClient() as client:
    ...     answer = await client.analyze("peas +1/-2 B1B2 R1R2 A", time=0.5)
    """

    def __init__(self, target: str = DEFAULT_TARGET) -> None:
        self._channel = grpc.aio.insecure_channel(target, options=CHANNEL_OPTIONS)
        self._engine = engine_pb2_grpc.EngineServiceStub(self._channel)
        self._game = game_pb2_grpc.GameServiceStub(self._channel)
        self._analysis = analysis_pb2_grpc.AnalysisServiceStub(self._channel)
        # The stub's type declares no methods.
        self._health: Any = health_pb2_grpc.HealthStub(self._channel)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connection; calls that are running fail with CANCELLED."""
        await self._channel.close()

    async def analyze(
        self, notation: str, *, timeout: float | None = None, **question: Unpack[Question]
    ) -> analysis_pb2.AnalyzeResponse:
        """Searches a position; `Question` lists the arguments."""
        return await _call(self._analysis.Analyze, requests.analyze(notation, question), timeout)

    async def stream_analysis(
        self,
        notation: str,
        *,
        report_interval: float | None = None,
        timeout: float | None = None,
        **question: Unpack[Question],
    ) -> AsyncGenerator[analysis_pb2.StreamAnalysisResponse, None]:
        """As analyze, with partial answers every report_interval seconds and the final one last.

        The search begins when the first answer is asked for; closing the iterator (`aclosing` does), ends it.
        """
        call = self._analysis.StreamAnalysis(
            requests.stream_analysis(notation, report_interval, question), timeout=timeout
        )
        try:
            async for answer in call:
                yield answer
        except grpc.RpcError as error:
            raise from_rpc_error(error) from None
        finally:
            call.cancel()

    async def hint(
        self, notation: str, *, timeout: float | None = None, **question: Unpack[Question]
    ) -> analysis_pb2.Analysis:
        """The best move, what it is worth, and the whole turn that begins with it: `analyze` without its wrapper."""
        answer = await self.analyze(notation, timeout=timeout, **question)
        return answer.analysis

    async def choose_move(
        self,
        notation: str,
        level: int,
        *,
        moves: Sequence[str] = (),
        seed: int | None = None,
        timeout: float | None = None,
    ) -> analysis_pb2.ChooseMoveResponse:
        """A move of an artificial opponent, from level 1 to 10."""
        return await _call(self._analysis.ChooseMove, requests.choose_move(notation, level, moves, seed), timeout)

    async def deal(
        self,
        game: str,
        *,
        options: Mapping[str, str] | None = None,
        seed: int | None = None,
        seat: int | None = None,
        timeout: float | None = None,
    ) -> game_pb2.DealResponse:
        """A start position; options by name, and seat to see only what that seat may know."""
        return await _call(self._game.Deal, requests.deal(game, options, seed, seat), timeout)

    async def get_position(
        self, notation: str, *, moves: Sequence[str] = (), seat: int | None = None, timeout: float | None = None
    ) -> game_pb2.GetPositionResponse:
        """Checks a position or record and shows it, whole or as a seat sees it."""
        return await _call(self._game.GetPosition, requests.get_position(notation, moves, seat), timeout)

    async def list_moves(
        self, notation: str, *, moves: Sequence[str] = (), timeout: float | None = None
    ) -> game_pb2.ListMovesResponse:
        """The legal moves."""
        return await _call(self._game.ListMoves, requests.list_moves(notation, moves), timeout)

    async def play_moves(
        self,
        notation: str,
        moves: Sequence[str] = (),
        *,
        seat: int | None = None,
        chance_seed: int | None = None,
        timeout: float | None = None,
    ) -> game_pb2.PlayMovesResponse:
        """The position and record after some moves, whole or as a seat sees them; chance_seed draws what chance decides
        next."""
        return await _call(self._game.PlayMoves, requests.play_moves(notation, moves, seat, chance_seed), timeout)

    async def count_moves(
        self,
        notation: str,
        depth: int,
        *,
        moves: Sequence[str] = (),
        max_nodes: int = 0,
        timeout: float | None = None,
    ) -> game_pb2.CountMovesResponse:
        """Counts the ways to play on to a depth; max_nodes 0 stands for the server's own limit."""
        return await _call(self._game.CountMoves, requests.count_moves(notation, depth, moves, max_nodes), timeout)

    async def server_info(self, *, timeout: float | None = None) -> engine_pb2.GetServerInfoResponse:
        """Version and limits of the server."""
        return await _call(self._engine.GetServerInfo, engine_pb2.GetServerInfoRequest(), timeout)

    async def list_games(self, *, timeout: float | None = None) -> engine_pb2.ListGamesResponse:
        """The games that the server knows."""
        return await _call(self._engine.ListGames, engine_pb2.ListGamesRequest(), timeout)

    async def get_game(self, game: str, *, timeout: float | None = None) -> engine_pb2.GetGameResponse:
        """What the server knows of one game, and how it is played."""
        return await _call(self._engine.GetGame, engine_pb2.GetGameRequest(game=game), timeout)

    async def wait_until_healthy(self, timeout: float = 10.0) -> None:
        """Waits until the server serves. Raises MangetoutError when it does not within `timeout` seconds."""
        end = time.monotonic() + timeout
        while True:
            left = max(0.0, end - time.monotonic())
            answer = await _call(self._health.Check, health_pb2.HealthCheckRequest(), left, wait_for_ready=True)
            if answer.status == health_pb2.HealthCheckResponse.SERVING:
                return
            await asyncio.sleep(HEALTH_POLL_SECONDS)


async def _call(
    method: grpc.aio.UnaryUnaryMultiCallable[_Request, _Response],
    request: _Request,
    timeout: float | None,
    *,
    wait_for_ready: bool | None = None,
) -> _Response:
    try:
        return await method(request, timeout=timeout, wait_for_ready=wait_for_ready)
    except grpc.RpcError as error:
        raise from_rpc_error(error) from None
