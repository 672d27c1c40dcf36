"""Requests from plain Python values, shared by both clients.

A value that does not fit its field (a text for a number, a number out of the field's range) raises TypeError or
ValueError here, before anything is sent. What the server may or may not accept is the server's to say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from google.protobuf.duration_pb2 import Duration
from mangetout.v1 import analysis_pb2, common_pb2, game_pb2


class Question(TypedDict, total=False):
    """The arguments of a search, all optional; what is left out has the server's default.

    moves: played after those of the notation. game: name of the game, where the notation must be one of it.
    seat: whose knowledge is used, default the seat to move. perfect_information: search with all cards open instead.
    time (seconds), simulations, nodes, until_solved: when to stop. memory_bytes: for the search trees or the table.
    lines: root moves to report, 0 reports all. margin: prove the greatest margin, not the win alone.
    chosen_moves, avoided_moves: root moves to choose from, or not to.
    utility, seed, trees, threads: see SearchOptions of the contract.
    """

    moves: Sequence[str]
    game: str
    seat: int | None
    perfect_information: bool
    time: float | None
    simulations: int | None
    nodes: int | None
    until_solved: bool
    memory_bytes: int | None
    lines: int | None
    margin: bool
    chosen_moves: Sequence[str]
    avoided_moves: Sequence[str]
    utility: common_pb2.Utility.ValueType
    seed: int | None
    trees: int | None
    threads: int | None


def state(notation: str, moves: Sequence[str] = (), game: str = "") -> common_pb2.GameState:
    """A position or record, with further moves."""
    if isinstance(moves, str):
        # A text is a sequence of texts, too: its letters would be sent as moves.
        raise TypeError("moves: found a text, expected a sequence of texts")
    return common_pb2.GameState(game=game, notation=notation, moves=moves)


def analyze(notation: str, question: Question) -> analysis_pb2.AnalyzeRequest:
    """A search."""
    seconds = question.get("time")
    return analysis_pb2.AnalyzeRequest(
        state=state(notation, question.get("moves", ()), question.get("game", "")),
        seat=question.get("seat"),
        perfect_information=question.get("perfect_information", False),
        limits=analysis_pb2.SearchLimits(
            time=None if seconds is None else duration(seconds),
            simulations=question.get("simulations"),
            nodes=question.get("nodes"),
            until_solved=question.get("until_solved", False),
            memory_bytes=question.get("memory_bytes"),
        ),
        options=analysis_pb2.SearchOptions(
            lines=question.get("lines"),
            margin=question.get("margin", False),
            chosen_moves=question.get("chosen_moves", ()),
            avoided_moves=question.get("avoided_moves", ()),
            utility=question.get("utility", common_pb2.UTILITY_UNSPECIFIED),
            seed=question.get("seed"),
            trees=question.get("trees"),
            threads=question.get("threads"),
        ),
    )


def stream_analysis(
    notation: str, report_interval: float | None, question: Question
) -> analysis_pb2.StreamAnalysisRequest:
    """A search with partial answers."""
    return analysis_pb2.StreamAnalysisRequest(
        request=analyze(notation, question),
        report_interval=None if report_interval is None else duration(report_interval),
    )


def choose_move(notation: str, level: int, moves: Sequence[str], seed: int | None) -> analysis_pb2.ChooseMoveRequest:
    """A move of an artificial opponent."""
    return analysis_pb2.ChooseMoveRequest(state=state(notation, moves), level=level, seed=seed)


def deal(game: str, options: Mapping[str, str] | None, seed: int | None, seat: int | None) -> game_pb2.DealRequest:
    """A deal."""
    return game_pb2.DealRequest(game=game, options=options or {}, seed=seed, seat=seat)


def get_position(notation: str, moves: Sequence[str], seat: int | None) -> game_pb2.GetPositionRequest:
    """A position."""
    return game_pb2.GetPositionRequest(state=state(notation, moves), seat=seat)


def list_moves(notation: str, moves: Sequence[str]) -> game_pb2.ListMovesRequest:
    """The legal moves."""
    return game_pb2.ListMovesRequest(state=state(notation, moves))


def play_moves(
    notation: str, moves: Sequence[str], seat: int | None, chance_seed: int | None
) -> game_pb2.PlayMovesRequest:
    """Moves to play."""
    return game_pb2.PlayMovesRequest(state=state(notation, moves), seat=seat, chance_seed=chance_seed)


def count_moves(notation: str, depth: int, moves: Sequence[str], max_nodes: int) -> game_pb2.CountMovesRequest:
    """A count of move sequences."""
    return game_pb2.CountMovesRequest(state=state(notation, moves), depth=depth, max_nodes=max_nodes)


def duration(seconds: float) -> Duration:
    """A duration message. Raises ValueError or OverflowError for what is no number of seconds."""
    message = Duration()
    message.FromNanoseconds(round(seconds * 1e9))
    return message
