"""AnalysisService: best moves and evaluations."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import grpc
from mangetout.v1 import analysis_pb2, analysis_pb2_grpc
from mangetout_solver import engine, levels
from mangetout_solver.search.control import Control

from mangetout_server.convert import analysis_message, move_message
from mangetout_server.requests import (
    check_range,
    inside,
    read_question,
    read_record,
    read_report_interval,
    read_seed,
    solving_state,
)
from mangetout_server.settings import Settings
from mangetout_server.workers import Workers

_Context = grpc.aio.ServicerContext[Any, Any]

# Kept free before a caller's deadline to send the answer: a share of the time left, up to a limit.
_MARGIN_SHARE = 0.1
_MAX_MARGIN = 0.05


class AnalysisService(analysis_pb2_grpc.AnalysisServiceServicer):
    """See analysis.proto."""

    def __init__(self, workers: Workers, settings: Settings) -> None:
        self._workers = workers
        self._settings = settings

    async def Analyze(self, request: analysis_pb2.AnalyzeRequest, context: _Context) -> analysis_pb2.AnalyzeResponse:
        """See analysis.proto."""
        control = _control(context)
        question = await self._workers.check(lambda: read_question(request, self._settings))
        with solving_state():
            analysis = await self._workers.run(
                lambda: engine.analyze(
                    question.record,
                    seat=question.seat,
                    perfect_information=question.perfect_information,
                    limits=question.limits,
                    options=question.options,
                    control=control,
                ),
                control,
                question.options.threads,
            )
        return analysis_pb2.AnalyzeResponse(analysis=analysis_message(analysis, question.record.game))

    async def StreamAnalysis(
        self, request: analysis_pb2.StreamAnalysisRequest, context: _Context
    ) -> AsyncGenerator[analysis_pb2.StreamAnalysisResponse, None]:
        """See analysis.proto."""
        control = _control(context)
        report_interval = read_report_interval(request)
        with inside("request"), solving_state():
            question = await self._workers.check(lambda: read_question(request.request, self._settings))
            answers = self._workers.stream(
                lambda: engine.search(
                    question.record,
                    seat=question.seat,
                    perfect_information=question.perfect_information,
                    limits=question.limits,
                    options=question.options,
                    control=control,
                    report_interval=report_interval,
                ),
                control,
                question.options.threads,
            )
            async with aclosing(answers):
                async for analysis in answers:
                    message = analysis_message(analysis, question.record.game)
                    yield analysis_pb2.StreamAnalysisResponse(analysis=message)

    async def ChooseMove(
        self, request: analysis_pb2.ChooseMoveRequest, context: _Context
    ) -> analysis_pb2.ChooseMoveResponse:
        """See analysis.proto."""
        control = _control(context)
        check_range("level", request.level, levels.MIN_LEVEL, levels.MAX_LEVEL)
        record = await self._workers.check(lambda: read_record(request.state))
        seed = read_seed(request.HasField("seed"), request.seed)
        with solving_state():
            move = await self._workers.run(lambda: levels.choose_move(record, request.level, seed, control), control)
        position = record.current
        if position.seat_to_move is not None:
            position = position.redacted(position.seat_to_move)
        return analysis_pb2.ChooseMoveResponse(move=move_message(record.game, position, move), seed=seed)


def _control(context: _Context) -> Control:
    """A control whose deadline is the caller's, less the time that the answer needs to get there."""
    left = context.time_remaining()
    if left is None:
        return Control()
    return Control(time.monotonic() + left - min(_MARGIN_SHARE * left, _MAX_MARGIN))
