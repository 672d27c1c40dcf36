"""What a call raises when the server does not answer it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import grpc
from google.protobuf import any_pb2
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2  # type: ignore[import-untyped]
from grpc_status import rpc_status


@dataclass(frozen=True)
class FieldViolation:
    """A field of the request that cannot be used, such as ``state.moves[3]``, and what is wrong with it."""

    field: str
    description: str


class MangetoutError(Exception):
    """A call that failed.

    code: the gRPC status: INVALID_ARGUMENT, NOT_FOUND and FAILED_PRECONDITION for input that cannot be used,
    RESOURCE_EXHAUSTED for a busy server, UNAVAILABLE where none answers, DEADLINE_EXCEEDED, CANCELLED, INTERNAL.
    violations: the fields at fault, empty unless the input is. retry_after: seconds, when the server names a time.
    """

    def __init__(
        self,
        code: grpc.StatusCode,
        message: str,
        violations: tuple[FieldViolation, ...] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(code, message, violations, retry_after)
        self.code = code
        self.message = message
        self.violations = violations
        self.retry_after = retry_after

    def __str__(self) -> str:
        return f"{self.code.name}: {self.message}"


def from_rpc_error(error: grpc.RpcError) -> MangetoutError:
    """The library's error for one of grpc's, from a sync or an aio call: both carry the status and its details."""
    assert isinstance(error, grpc.Call | grpc.aio.AioRpcError)
    violations: list[FieldViolation] = []
    retry_after: float | None = None
    for detail in _details(error):
        violation_list, retry = error_details_pb2.BadRequest(), error_details_pb2.RetryInfo()
        if detail.Unpack(violation_list):
            violations += [FieldViolation(v.field, v.description) for v in violation_list.field_violations]
        elif detail.Unpack(retry):
            retry_after = retry.retry_delay.ToNanoseconds() / 1e9
    return MangetoutError(error.code(), error.details() or "", tuple(violations), retry_after)


def _details(error: grpc.Call | grpc.aio.AioRpcError) -> list[any_pb2.Any]:
    try:
        # Reads nothing but code, details and trailing metadata, which both kinds of error have.
        status = rpc_status.from_call(cast(grpc.Call, error))
    except (ValueError, DecodeError):
        # Details that contradict the status come from something between client and server; the status is what counts.
        return []
    return list(status.details) if status is not None else []
