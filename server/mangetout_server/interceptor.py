"""One place where every call's exceptions become statuses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any, NoReturn

import grpc
from grpc_status import rpc_status

from mangetout_server.errors import retry_metadata, status_of

_Context = grpc.aio.ServicerContext[Any, Any]
# The stubs describe handlers of sync servers only.
_Handler = Any


class ErrorInterceptor(grpc.aio.ServerInterceptor):
    """Answers the calls of a package's services with the status that belongs to what they raise."""

    def __init__(self, package: str) -> None:
        self._prefix = f"/{package}."

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[_Handler]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> _Handler:
        """See grpc.aio.ServerInterceptor."""
        handler = await continuation(handler_call_details)
        method = handler_call_details.method
        if handler is None or not method.startswith(self._prefix):
            return handler
        # Requests are read in here and not by grpc, which answers INTERNAL to bytes that are no message.
        if handler.response_streaming:
            return grpc.unary_stream_rpc_method_handler(_streaming(handler, method), None, handler.response_serializer)
        return grpc.unary_unary_rpc_method_handler(_unary(handler, method), None, handler.response_serializer)


def _unary(handler: _Handler, method: str) -> Any:
    async def call(request: bytes, context: _Context) -> Any:
        try:
            return await handler.unary_unary(handler.request_deserializer(request), context)
        except Exception as error:
            await _abort(context, error, method)

    return call


def _streaming(handler: _Handler, method: str) -> Any:
    # Written with `write` and not as a generator, so that the service's own generator is closed, and its search ended,
    # at whatever moment the call is cancelled.
    async def call(request: bytes, context: _Context) -> None:
        try:
            async with aclosing(handler.unary_stream(handler.request_deserializer(request), context)) as answers:
                async for answer in answers:
                    await context.write(answer)
        except Exception as error:
            await _abort(context, error, method)

    return call


async def _abort(context: _Context, error: Exception, method: str) -> NoReturn:
    if isinstance(error, grpc.aio.AbortError):
        raise error
    status = rpc_status.to_status(status_of(error, method))
    await context.abort(status.code, status.details, (*status.trailing_metadata, *retry_metadata(error)))
    raise AssertionError("abort always raises")
