"""POST /graphql/stream: graphql-sse in its mode of distinct connections, one operation for each."""

import asyncio
from uuid import uuid4

import orjson
from starlette.types import Receive, Scope, Send

from app.auth.sigv4 import Incoming
from app.core.caller import Caller
from app.core.errors import AppError, LimitExceeded, Unauthenticated
from app.web.body import MalformedBody, decode_body, graphql_params
from app.web.errors import refused
from app.web.execution import Outcome, Stream
from app.web.http import ClientGone, Refused, headers_of, read_body, refusal
from app.web.realtime.connection import payload_of
from app.web.realtime.edge import Edge, TooManySockets
from app.web.realtime.socket import SECONDS_TO_SEND

HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),
]
HEARTBEAT = 15.0


class StreamEndpoint:
    def __init__(self, edge: Edge) -> None:
        self._edge = edge

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id = uuid4().hex
        try:
            caller, begun = await self._begin(scope, receive)
        except ClientGone:
            return
        except Exception as problem:
            await refusal(refused(problem, request_id)).send(send)
            return
        try:
            await _Telling(self._edge, caller, begun, request_id).run(receive, send)
        finally:
            self._edge.unseat(caller)

    async def _begin(self, scope: Scope, receive: Receive) -> tuple[Caller, Outcome | Stream]:
        headers = headers_of(scope)
        if scope["method"] != "POST":
            raise Refused(405, "Use POST.", headers={"allow": "POST"})
        if not headers.get("content-type", "").lower().startswith("application/json"):
            raise Refused(415, "Send the request as application/json.")
        settings = self._edge.settings
        seconds, most = settings.request_seconds, settings.max_body_bytes
        body = await read_body(receive, headers, most=most, seconds=seconds)
        try:
            params = graphql_params(decode_body(body))
        except MalformedBody as problem:
            raise Refused(400, problem.message) from None
        incoming = Incoming(path=scope["path"], body=body, query=params.query)
        address = scope["client"][0] if scope.get("client") else ""
        caller = await self._edge.authenticator.identify(headers, address, incoming)
        try:
            self._edge.seat(caller)
        except TooManySockets:
            raise Refused(429, "Too many streams of one user.", code=LimitExceeded.code) from None
        confirm = self._edge.authenticator.confirm
        try:
            begun = await self._edge.executor.start(
                params, self._edge.context(caller), before_each=lambda: confirm(caller)
            )
        except BaseException:
            self._edge.unseat(caller)
            raise
        return caller, begun


class _Telling:
    """One answer, told event by event until the client has gone."""

    def __init__(
        self, edge: Edge, caller: Caller, begun: Outcome | Stream, request_id: str
    ) -> None:
        self._edge = edge
        self._caller = caller
        self._begun = begun
        self._request_id = request_id

    async def run(self, receive: Receive, send: Send) -> None:
        headers = [*HEADERS, (b"x-amzn-requestid", self._request_id.encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        telling = asyncio.create_task(self._tell(send))
        leaving = asyncio.create_task(_until_gone(receive))
        try:
            await asyncio.wait([telling, leaving], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (telling, leaving):
                task.cancel()
            await asyncio.gather(telling, leaving, return_exceptions=True)
            # Also if the client left before the telling began.
            if isinstance(self._begun, Stream):
                await self._begun.aclose()

    async def _tell(self, send: Send) -> None:
        if isinstance(self._begun, Outcome):
            await _write(send, "next", payload_of(self._begun, self._request_id))
        else:
            await self._follow(self._begun, send)
        await _write(send, "complete", None)
        await send({"type": "http.response.body", "body": b""})

    async def _follow(self, stream: Stream, send: Send) -> None:
        coming: asyncio.Task[Outcome] | None = None
        try:
            while True:
                coming = coming or asyncio.create_task(anext(stream))
                done, _ = await asyncio.wait([coming], timeout=HEARTBEAT)
                if not done:
                    await self._edge.authenticator.confirm(self._caller)
                    await _send(send, b":\n\n")
                    continue
                outcome, coming = coming.result(), None
                await _write(send, "next", payload_of(outcome, self._request_id))
        except (StopAsyncIteration, Unauthenticated):
            return
        except AppError as problem:
            ended = {"message": problem.message, "extensions": {"code": problem.code}}
            await _write(send, "next", {"data": None, "errors": [ended]})
        finally:
            if coming is not None:
                coming.cancel()
                await asyncio.gather(coming, return_exceptions=True)


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _write(send: Send, event: str, payload: object) -> None:
    data = b"" if payload is None else orjson.dumps(payload)
    await _send(send, b"event: " + event.encode() + b"\ndata: " + data + b"\n\n")


async def _send(send: Send, body: bytes) -> None:
    async with asyncio.timeout(SECONDS_TO_SEND):
        await send({"type": "http.response.body", "body": body, "more_body": True})
