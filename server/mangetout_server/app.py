"""The server: wiring, start and graceful stop."""

from __future__ import annotations

import asyncio
import logging
import os
import signal

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from mangetout.v1 import (
    analysis_pb2,
    analysis_pb2_grpc,
    engine_pb2,
    engine_pb2_grpc,
    game_pb2,
    game_pb2_grpc,
)
from mangetout_solver.analysis import StopReason

from mangetout_server.interceptor import ErrorInterceptor
from mangetout_server.services.analysis import AnalysisService
from mangetout_server.services.engine import EngineService
from mangetout_server.services.game import GameService
from mangetout_server.settings import Settings
from mangetout_server.workers import Workers

# Clients that ping more often are cut off. The client library pings every 30 s.
MIN_PING_INTERVAL_MS = 10_000
# A backstop only: it counts health checks, too. Searches are held to the queue.
MAX_CONCURRENT_CALLS = 1_000

_PACKAGE = "mangetout.v1"
_SERVICES = tuple(
    service.full_name
    for module in (analysis_pb2, engine_pb2, game_pb2)
    for service in module.DESCRIPTOR.services_by_name.values()
)

_log = logging.getLogger(__name__)


class Server:
    """A server on the running event loop: `start`, then `stop` once. `wait` returns when it has stopped."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._workers = Workers(settings.search_threads, settings.queue_size)
        self._health = health.aio.HealthServicer()
        self._server: grpc.aio.Server | None = None

    @property
    def workers(self) -> Workers:
        """The threads of this server and the queue before them."""
        return self._workers

    async def start(self) -> int:
        """Begins to serve and returns the port. Raises OSError where the address cannot be had."""
        settings = self._settings
        server = grpc.aio.server(
            interceptors=[ErrorInterceptor(_PACKAGE)],
            maximum_concurrent_rpcs=MAX_CONCURRENT_CALLS,
            options=[
                # Otherwise a second server would share the port without a word.
                ("grpc.so_reuseport", 0),
                ("grpc.max_receive_message_length", settings.max_message_bytes),
                ("grpc.http2.min_ping_interval_without_data_ms", MIN_PING_INTERVAL_MS),
                ("grpc.http2.min_recv_ping_interval_without_data_ms", MIN_PING_INTERVAL_MS),
                ("grpc.keepalive_time_ms", 60_000),
                ("grpc.keepalive_timeout_ms", 20_000),
            ],
        )
        analysis_pb2_grpc.add_AnalysisServiceServicer_to_server(AnalysisService(self._workers, settings), server)
        engine_pb2_grpc.add_EngineServiceServicer_to_server(EngineService(settings), server)
        game_pb2_grpc.add_GameServiceServicer_to_server(GameService(self._workers), server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        reflection.enable_server_reflection((*_SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME), server)
        address = f"{settings.host}:{settings.port}"
        try:
            port = server.add_insecure_port(address)
        except RuntimeError:
            raise OSError(f"cannot listen on {address}") from None
        for name in ("", *_SERVICES):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        await server.start()
        self._server = server
        _log.info("serving on %s:%d", settings.host, port)
        return port

    async def wait(self) -> None:
        """Returns when the server has stopped."""
        assert self._server is not None, "start comes first"
        await self._server.wait_for_termination()

    async def stop(self) -> None:
        """Takes no more calls and ends the running ones: each search answers the best it has, at once.

        Calls that have not ended after the grace of the settings are cut off.
        """
        if self._server is None:
            return
        await self._health.enter_graceful_shutdown()
        stopping = asyncio.create_task(self._server.stop(self._settings.shutdown_grace))
        self._workers.stop_searches(StopReason.SHUTDOWN)
        await stopping
        self._workers.close()
        _log.info("stopped")


async def serve(settings: Settings) -> None:
    """Serves until SIGTERM or SIGINT, then stops gracefully; a second signal ends the process at once."""
    loop = asyncio.get_running_loop()
    asked_to_stop = asyncio.Event()

    def on_signal(number: signal.Signals) -> None:
        if asked_to_stop.is_set():
            # Whatever has not ended by now may not end at all.
            os._exit(128 + number)
        asked_to_stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, on_signal, number)
    server = Server(settings)
    await server.start()
    await asked_to_stop.wait()
    await server.stop()
