"""Requests, checked and turned into what the solver takes. All raise the InputError family, naming the field."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from google.protobuf.duration_pb2 import Duration
from mangetout.v1 import analysis_pb2, common_pb2
from mangetout_solver.errors import InputError
from mangetout_solver.games import registry
from mangetout_solver.games.game import Record
from mangetout_solver.limits import DEFAULT_MEMORY_BYTES, MAX_SEED, MIN_MEMORY_BYTES, Limits, SearchOptions, Utility

from mangetout_server.settings import Settings

MAX_MOVES = 2_000
MAX_MOVE_LENGTH = 100
MIN_TIME = 0.001
DEFAULT_REPORT_INTERVAL = 0.5
MIN_REPORT_INTERVAL = 0.01
MAX_REPORT_INTERVAL = 3600.0

_UTILITIES = {
    common_pb2.UTILITY_UNSPECIFIED: None,
    common_pb2.UTILITY_ROUND: Utility.ROUND,
    common_pb2.UTILITY_MATCH: Utility.MATCH,
}


@dataclass(frozen=True)
class Question:
    """What a search is asked."""

    record: Record
    seat: int | None
    perfect_information: bool
    limits: Limits
    options: SearchOptions


@contextmanager
def inside(parent: str) -> Iterator[None]:
    """Puts `parent` before the field of input errors, for a message that holds another."""
    try:
        yield
    except InputError as error:
        error.under(parent)
        raise


@contextmanager
def solving_state() -> Iterator[None]:
    """Puts the solver's name for what it searches, ``notation``, in its place in a request."""
    try:
        yield
    except InputError as error:
        if error.field == "notation":
            error.under("state")
        raise


def read_record(state: common_pb2.GameState) -> Record:
    """The record that a state stands for, with its further moves played."""
    if state.game:
        registry.game(state.game, "state.game")
    if len(state.moves) > MAX_MOVES:
        raise InputError("state.moves", f"found {len(state.moves)} moves, expected at most {MAX_MOVES}")
    record = registry.parse_record(state.notation, state.game, "state.notation")
    for index, text in enumerate(state.moves):
        field = f"state.moves[{index}]"
        check_move_length(text, field)
        record = record.play(text, field)
    return record


def read_seat(has_seat: bool, seat: int, record: Record) -> int | None:
    """The seat of a request, None where it names none."""
    if not has_seat:
        return None
    record.game.check_seat(record.current, seat, "seat")
    return seat


def read_seed(has_seed: bool, seed: int) -> int:
    """The seed of a request; where it has none, one that nobody can guess."""
    return seed if has_seed else secrets.randbits(MAX_SEED.bit_length())


def read_question(request: analysis_pb2.AnalyzeRequest, settings: Settings) -> Question:
    """What an analysis is asked."""
    record = read_record(request.state)
    if request.perfect_information and request.HasField("seat"):
        raise InputError("seat", f"found {request.seat} beside perfect_information, expected only one of them")
    return Question(
        record=record,
        seat=read_seat(request.HasField("seat"), request.seat, record),
        perfect_information=request.perfect_information,
        limits=_read_limits(request.limits, settings),
        options=_read_options(request.options),
    )


def read_report_interval(request: analysis_pb2.StreamAnalysisRequest) -> float:
    """Seconds between partial answers."""
    if not request.HasField("report_interval"):
        return DEFAULT_REPORT_INTERVAL
    seconds = _read_duration(request.report_interval, "report_interval")
    check_range("report_interval", seconds, MIN_REPORT_INTERVAL, MAX_REPORT_INTERVAL)
    return seconds


def check_range(field: str, value: float, low: float, high: float) -> None:
    """Raises InputError unless low <= value <= high."""
    if not low <= value <= high:
        raise InputError(field, f"found {value}, expected {low} to {high}")


def check_move_length(text: str, field: str) -> None:
    """Raises InputError for what is too long to be a move of any game."""
    if len(text) > MAX_MOVE_LENGTH:
        raise InputError(field, f"found {len(text)} characters, expected at most {MAX_MOVE_LENGTH}")


def _read_limits(limits: analysis_pb2.SearchLimits, settings: Settings) -> Limits:
    simulations = limits.simulations if limits.HasField("simulations") else None
    nodes = limits.nodes if limits.HasField("nodes") else None
    if limits.HasField("time"):
        time = _read_duration(limits.time, "limits.time")
        check_range("limits.time", time, MIN_TIME, settings.max_time)
    elif simulations is not None or nodes is not None or limits.until_solved:
        # The other limit is meant to end the search, and the server's longest time holds all the same.
        time = settings.max_time
    else:
        time = settings.default_time
    memory_bytes = min(DEFAULT_MEMORY_BYTES, settings.max_memory_bytes)
    if limits.HasField("memory_bytes"):
        memory_bytes = limits.memory_bytes
        check_range("limits.memory_bytes", memory_bytes, MIN_MEMORY_BYTES, settings.max_memory_bytes)
    return Limits(
        time=time,
        simulations=simulations,
        nodes=nodes,
        until_solved=limits.until_solved,
        memory_bytes=memory_bytes,
    )


def _read_options(options: analysis_pb2.SearchOptions) -> SearchOptions:
    if options.utility not in _UTILITIES:
        known = ", ".join(str(int(number)) for number in _UTILITIES)
        raise InputError("options.utility", f"found {options.utility}, expected one of {known}")
    for name, moves in (("chosen_moves", options.chosen_moves), ("avoided_moves", options.avoided_moves)):
        if len(moves) > MAX_MOVES:
            raise InputError(f"options.{name}", f"found {len(moves)} moves, expected at most {MAX_MOVES}")
        for index, text in enumerate(moves):
            check_move_length(text, f"options.{name}[{index}]")
    return SearchOptions(
        utility=_UTILITIES[options.utility],
        lines=options.lines if options.HasField("lines") else 1,
        margin=options.margin,
        chosen_moves=tuple(options.chosen_moves),
        avoided_moves=tuple(options.avoided_moves),
        seed=read_seed(options.HasField("seed"), options.seed),
        trees=options.trees if options.HasField("trees") else 1,
        threads=options.threads if options.HasField("threads") else 1,
    )


def _read_duration(duration: Duration, field: str) -> float:
    """Seconds. A duration's two parts may be anything on the wire; only some pairs are durations."""
    if abs(duration.nanos) > 999_999_999 or duration.seconds * duration.nanos < 0:
        raise InputError(
            field,
            f"found {duration.seconds} s and {duration.nanos} ns, expected at most 999999999 ns of the same sign",
        )
    return duration.seconds + duration.nanos / 1e9
