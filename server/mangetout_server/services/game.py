"""GameService: the rules, for clients that have none."""

from __future__ import annotations

from typing import Any

import grpc
from mangetout.v1 import common_pb2, game_pb2, game_pb2_grpc
from mangetout_solver.errors import InputError
from mangetout_solver.games import registry
from mangetout_solver.games.game import Record
from mangetout_solver.games.position import Position
from mangetout_solver.search.control import Control

from mangetout_server.convert import move_message, position_message
from mangetout_server.requests import check_range, read_record, read_seat, read_seed, solving_state
from mangetout_server.workers import StoppedError, Workers

MAX_DEPTH = 12
MAX_NODES = 50_000_000
MAX_TURNS = 500
# Counted without a look whether the call still has to answer: a second's work where moves are dear.
_NODES_AT_A_STRETCH = 50_000

_Context = grpc.aio.ServicerContext[Any, Any]


class GameService(game_pb2_grpc.GameServiceServicer):
    """See game.proto."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def Deal(self, request: game_pb2.DealRequest, context: _Context) -> game_pb2.DealResponse:
        """See game.proto."""
        return await self._workers.check(lambda: _deal(request))

    async def GetPosition(
        self, request: game_pb2.GetPositionRequest, context: _Context
    ) -> game_pb2.GetPositionResponse:
        """See game.proto."""
        position = await self._workers.check(lambda: _position(request.state, request.HasField("seat"), request.seat))
        return game_pb2.GetPositionResponse(position=position)

    async def ListMoves(self, request: game_pb2.ListMovesRequest, context: _Context) -> game_pb2.ListMovesResponse:
        """See game.proto."""
        return await self._workers.check(lambda: _list_moves(read_record(request.state)))

    async def PlayMoves(self, request: game_pb2.PlayMovesRequest, context: _Context) -> game_pb2.PlayMovesResponse:
        """See game.proto."""
        return await self._workers.check(lambda: _play_moves(request))

    async def CountMoves(self, request: game_pb2.CountMovesRequest, context: _Context) -> game_pb2.CountMovesResponse:
        """See game.proto."""
        check_range("depth", request.depth, 0, MAX_DEPTH)
        check_range("max_nodes", request.max_nodes, 0, MAX_NODES)
        record = await self._workers.check(lambda: read_record(request.state))
        control = Control()
        return await self._workers.run(
            lambda: _count_moves(record, request.depth, request.max_nodes or MAX_NODES, control), control
        )


def _deal(request: game_pb2.DealRequest) -> game_pb2.DealResponse:
    game = registry.game(request.game, "game")
    seed = read_seed(request.HasField("seed"), request.seed)
    position = game.deal(seed, dict(request.options))
    if request.HasField("seat"):
        game.check_seat(position, request.seat)
        position = position.redacted(request.seat)
    return game_pb2.DealResponse(position=position_message(game, position), seed=seed)


def _position(state: common_pb2.GameState, has_seat: bool, seat: int) -> game_pb2.Position:
    record = read_record(state)
    viewer = read_seat(has_seat, seat, record)
    position = record.current if viewer is None else record.current.redacted(viewer)
    return position_message(record.game, position)


def _play_moves(request: game_pb2.PlayMovesRequest) -> game_pb2.PlayMovesResponse:
    record = read_record(request.state)
    viewer = read_seat(request.HasField("seat"), request.seat, record)
    response = game_pb2.PlayMovesResponse()
    played = len(record.moves)
    if request.HasField("chance_seed"):
        with solving_state():
            record = record.draw_chance(request.chance_seed)
    if viewer is not None:
        record = record.redacted(viewer)
    for position, move in zip(record.positions[played:], record.moves[played:], strict=False):
        response.drawn.append(move_message(record.game, position, move))
    response.position.CopyFrom(position_message(record.game, record.current))
    response.record = record.format()
    return response


def _list_moves(record: Record) -> game_pb2.ListMovesResponse:
    position = record.current
    return game_pb2.ListMovesResponse(
        moves=[move_message(record.game, position, move) for move in position.legal_moves()],
        seat_to_move=position.seat_to_move,
        outcomes=[
            game_pb2.ChanceOutcome(move=move_message(record.game, position, outcome), probability=probability)
            for outcome, probability in position.chance_outcomes()
        ],
        turns=[
            game_pb2.Turn(words=turn.words(), description=record.game.describe_turn(turn))
            for turn in record.game.turns(position, MAX_TURNS) or ()
        ],
    )


def _count_moves(record: Record, depth: int, max_nodes: int, control: Control) -> game_pb2.CountMovesResponse:
    position = record.current
    if depth == 0 or position.is_terminal:
        return game_pb2.CountMovesResponse(count=1)
    response = game_pb2.CountMovesResponse()
    for move in _moves_or_outcomes(position):
        below = _count_below(position.play(move), depth - 1, max_nodes, control)
        response.count += max(below, 0)
        # Each sequence ends in a node of its own.
        if below < 0 or response.count > max_nodes:
            raise InputError("depth", f"found more than {max_nodes} nodes to visit, expected a smaller depth")
        response.divided.add(move=record.game.format_move(position, move), count=below)
    return response


def _count_below(position: Position, depth: int, max_nodes: int, control: Control) -> int:
    """As `Position.count_sequences`, but stops with StoppedError soon after `control` does."""
    if control.stop_reason is not None:
        raise StoppedError
    count = position.count_sequences(depth, min(max_nodes, _NODES_AT_A_STRETCH))
    if count >= 0 or max_nodes <= _NODES_AT_A_STRETCH:
        return count
    total = 0
    for move in _moves_or_outcomes(position):
        below = _count_below(position.play(move), depth - 1, max_nodes - total, control)
        if below < 0:
            return below
        total += below
    return total


def _moves_or_outcomes(position: Position) -> list[int]:
    return [move for move, _ in position.chance_outcomes()] or position.legal_moves()
