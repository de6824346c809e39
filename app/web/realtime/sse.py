"""Server-sent events, as graphql-sse has them in distinct connections mode: one operation per
request, at /graphql for a client that accepts nothing else, and at /graphql/stream."""

import asyncio
from uuid import uuid4

import orjson
from starlette.types import ASGIApp, Receive, Scope, Send

from app.auth.sigv4 import IncomingRequest
from app.core.caller import Caller
from app.core.errors import AppError, LimitExceeded, Unauthenticated
from app.web.body import MalformedBody, TooManyValues
from app.web.errors import to_http_error
from app.web.execution import ResponseStream
from app.web.http import (
    ClientDisconnected,
    HttpError,
    client_address,
    error_response,
    read_body,
    read_headers,
)
from app.web.large_body import read_params
from app.web.negotiation import accepts_only_events
from app.web.realtime.connection import to_payload
from app.web.realtime.hub import RealtimeHub, TooManySockets
from app.web.realtime.socket import SECONDS_TO_SEND
from app.web.results import OperationResult

HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),
]
HEARTBEAT_SECONDS = 15.0


class AnswerOrStream:
    """One address for both. `answer` is GraphQL over HTTP."""

    def __init__(self, answer: ASGIApp, stream: ASGIApp) -> None:
        self._answer = answer
        self._stream = stream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        accept = next((value for name, value in scope["headers"] if name == b"accept"), b"")
        streams = scope["method"] == "POST" and accepts_only_events(accept.decode("latin-1"))
        await (self._stream if streams else self._answer)(scope, receive, send)


class StreamEndpoint:
    def __init__(self, hub: RealtimeHub) -> None:
        self._hub = hub

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id = uuid4().hex
        try:
            caller, started = await self._start(scope, receive)
        except ClientDisconnected:
            return
        except Exception as problem:
            await error_response(to_http_error(problem, request_id)).send(send)
            return
        try:
            await _EventStream(self._hub, caller, started, request_id).run(receive, send)
        finally:
            self._hub.release_slot(caller)

    async def _start(
        self, scope: Scope, receive: Receive
    ) -> tuple[Caller, OperationResult | ResponseStream]:
        headers = read_headers(scope)
        if scope["method"] != "POST":
            raise HttpError(405, "Use POST.", headers={"allow": "POST"})
        if not headers.get("content-type", "").lower().startswith("application/json"):
            raise HttpError(415, "Send the request as application/json.")
        settings = self._hub.settings
        seconds, max_bytes = settings.request_seconds, settings.max_body_bytes
        address = client_address(scope)
        body = await read_body(receive, headers, max_bytes=max_bytes, seconds=seconds)
        try:
            params = await read_params(body, settings.max_values, self._hub.executor.share, address)
        except TooManyValues as problem:
            raise HttpError(413, problem.message, code=LimitExceeded.code) from None
        except MalformedBody as problem:
            raise HttpError(400, problem.message) from None
        incoming = IncomingRequest(path=scope["path"], body=body, query=params.query)
        caller = await self._hub.authenticator.identify(headers, address, incoming)
        try:
            self._hub.reserve_slot(caller)
        except TooManySockets:
            raise HttpError(429, "Too many streams of one user.", code=LimitExceeded.code) from None
        confirm = self._hub.authenticator.confirm
        try:
            started = await self._hub.executor.start(
                params, self._hub.new_context(caller), before_each=lambda: confirm(caller)
            )
        except BaseException:
            self._hub.release_slot(caller)
            raise
        return caller, started


class _EventStream:
    """Sends the results of one operation until it ends or the client disconnects."""

    def __init__(
        self,
        hub: RealtimeHub,
        caller: Caller,
        started: OperationResult | ResponseStream,
        request_id: str,
    ) -> None:
        self._hub = hub
        self._caller = caller
        self._started = started
        self._request_id = request_id

    async def run(self, receive: Receive, send: Send) -> None:
        headers = [*HEADERS, (b"x-amzn-requestid", self._request_id.encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        sending = asyncio.create_task(self._send_results(send))
        disconnected = asyncio.create_task(_wait_for_disconnect(receive))
        try:
            await asyncio.wait([sending, disconnected], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, disconnected):
                task.cancel()
            await asyncio.gather(sending, disconnected, return_exceptions=True)
            # Also if the client disconnected before the first event was sent.
            if isinstance(self._started, ResponseStream):
                await self._started.aclose()

    async def _send_results(self, send: Send) -> None:
        if isinstance(self._started, OperationResult):
            await _send_event(send, "next", to_payload(self._started, self._request_id))
        else:
            await self._send_stream(self._started, send)
        await _send_event(send, "complete", None)
        await send({"type": "http.response.body", "body": b""})

    async def _send_stream(self, stream: ResponseStream, send: Send) -> None:
        pending: asyncio.Task[OperationResult] | None = None
        try:
            while True:
                pending = pending or asyncio.create_task(anext(stream))
                done, _ = await asyncio.wait([pending], timeout=HEARTBEAT_SECONDS)
                if not done:
                    await self._hub.authenticator.confirm(self._caller)
                    await _send_chunk(send, b":\n\n")
                    continue
                result, pending = pending.result(), None
                await _send_event(send, "next", to_payload(result, self._request_id))
        except (StopAsyncIteration, Unauthenticated):
            return
        except AppError as problem:
            error = {"message": problem.message, "extensions": {"code": problem.code}}
            await _send_event(send, "next", {"data": None, "errors": [error]})
        finally:
            if pending is not None:
                pending.cancel()
                await asyncio.gather(pending, return_exceptions=True)


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send_event(send: Send, event: str, payload: object) -> None:
    data = b"" if payload is None else orjson.dumps(payload)
    await _send_chunk(send, b"event: " + event.encode() + b"\ndata: " + data + b"\n\n")


async def _send_chunk(send: Send, body: bytes) -> None:
    async with asyncio.timeout(SECONDS_TO_SEND):
        await send({"type": "http.response.body", "body": body, "more_body": True})
