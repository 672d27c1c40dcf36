"""What went wrong, as the status that a caller gets."""

from __future__ import annotations

import logging
import secrets
import traceback
from collections.abc import Sequence

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]
from mangetout_solver.errors import (
    IllegalMoveError,
    InputError,
    NotationError,
    PositionError,
    PreconditionError,
    UnknownNameError,
)

from mangetout_server.admission import QueueFullError
from mangetout_server.workers import StoppedError

DOMAIN = "mangetout"
# A status travels in the trailing metadata, which grpc refuses beyond 8 KiB, while input may be far longer.
_MAX_TEXT = 500

_log = logging.getLogger(__name__)

_REASONS: tuple[tuple[type[InputError], str], ...] = (
    (NotationError, "NOTATION"),
    (PositionError, "POSITION"),
    (IllegalMoveError, "ILLEGAL_MOVE"),
    (UnknownNameError, "UNKNOWN_NAME"),
    (PreconditionError, "PRECONDITION"),
)


def status_of(error: Exception, method: str) -> status_pb2.Status:
    """The status for an exception; one that is not foreseen is logged, and its text never goes to the caller."""
    match error:
        case InputError():
            return _input_status(error)
        case QueueFullError():
            retry = error_details_pb2.RetryInfo()
            retry.retry_delay.FromNanoseconds(round(error.retry_after * 1e9))
            return _status(grpc.StatusCode.RESOURCE_EXHAUSTED, str(error), retry)
        case StoppedError():
            return _status(grpc.StatusCode.UNAVAILABLE, "the server is shutting down")
        case DecodeError():
            return _status(grpc.StatusCode.INVALID_ARGUMENT, "the request is no message of this method")
        case MemoryError():
            return _status(grpc.StatusCode.RESOURCE_EXHAUSTED, "the server has not enough memory for this request")
        case _:
            return _unexpected_status(error, method)


def _input_status(error: InputError) -> status_pb2.Status:
    field, reason = _shortened(error.field), _shortened(error.reason)
    info = error_details_pb2.ErrorInfo(reason="INVALID_INPUT", domain=DOMAIN)
    info.reason = next((name for kind, name in _REASONS if isinstance(error, kind)), info.reason)
    if isinstance(error, NotationError):
        info.metadata["column"] = str(error.column)
        info.metadata["found"] = _shortened(error.found)
        info.metadata["expected"] = _shortened(error.expected)
    violation = error_details_pb2.BadRequest.FieldViolation(field=field, description=reason)
    bad_request = error_details_pb2.BadRequest(field_violations=[violation])
    return _status(_input_code(error), f"{field}: {reason}", bad_request, info)


def _input_code(error: InputError) -> grpc.StatusCode:
    if isinstance(error, PreconditionError):
        return grpc.StatusCode.FAILED_PRECONDITION
    if isinstance(error, UnknownNameError) and error.field.rpartition(".")[2] == "game":
        return grpc.StatusCode.NOT_FOUND
    return grpc.StatusCode.INVALID_ARGUMENT


def _unexpected_status(error: Exception, method: str) -> status_pb2.Status:
    error_id = secrets.token_hex(8)
    # Frames and type only: the text of an exception may hold cards, and may even fail to print.
    frames = "".join(traceback.format_tb(error.__traceback__))
    _log.error("error %s in %s: %s\n%s", error_id, method, type(error).__qualname__, frames)
    return _status(grpc.StatusCode.INTERNAL, f"internal error {error_id}")


def _status(code: grpc.StatusCode, message: str, *details: Message) -> status_pb2.Status:
    status = status_pb2.Status(code=code.value[0], message=message)
    for detail in details:
        status.details.add().Pack(detail)
    return status


def retry_metadata(error: Exception) -> Sequence[tuple[str, str]]:
    """Trailing metadata that tells grpc's own retries when to try again."""
    if isinstance(error, QueueFullError):
        return (("grpc-retry-pushback-ms", str(round(error.retry_after * 1e3))),)
    return ()


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_TEXT else text[: _MAX_TEXT - 3] + "..."
