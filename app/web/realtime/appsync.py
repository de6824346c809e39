"""AppSync's protocol: subprotocol graphql-ws, credentials for the socket and for each start."""

import asyncio
import time
from functools import partial
from typing import Any

from app.auth.sigv4 import Incoming
from app.core.caller import Access, Caller
from app.core.errors import AppError, Unauthenticated
from app.web.body import MalformedBody, Params, decode_body, graphql_params
from app.web.execution import NoSubscription
from app.web.realtime.connection import MOST_OPERATIONS, SECONDS_TO_BEGIN, Connection
from app.web.realtime.credentials import from_handshake, lowered
from app.web.realtime.edge import TooManySockets
from app.web.realtime.socket import BadFrame, TooManyFrames

NAME = "graphql-ws"
TIMEOUT_MS = 300_000
KEEP_ALIVE_SECONDS = 60.0
LONGEST_ID = 256
UNSUPPORTED = "unknown not supported through the realtime channel"


class Refusal(Exception):
    """Of the whole connection: told by a frame, since a client learns nothing from HTTP."""

    def __init__(self, error_type: str, message: str, code: int) -> None:
        super().__init__(message)
        self.error = {"errorType": error_type, "message": message, "errorCode": code}


class AppSyncConnection(Connection):
    only_subscriptions = True
    caller: Caller | None = None
    has_begun = False
    alive_at = 0.0

    async def converse(self) -> None:
        names = self.socket.scope["subprotocols"]
        await self.socket.accept(NAME if NAME in names else None)
        try:
            await self._converse(NAME in names)
        except Refusal as refusal:
            payload = {"errors": [refusal.error]}
            await self.socket.send({"type": "connection_error", "payload": payload})
            await self.socket.close(1000, str(refusal)[:120])
        except TooManyFrames:
            await self.socket.close(1008, "Too many messages")
        finally:
            if self.caller is not None:
                self.edge.unseat(self.caller)

    async def _converse(self, is_named: bool) -> None:
        if not is_named:
            raise Refusal("NoProtocolError", "NoProtocolError", 400)
        try:
            async with asyncio.timeout(SECONDS_TO_BEGIN):
                while not self.has_begun:
                    await self._take()
        except TimeoutError:
            await self.socket.close(1000, "No connection_init came")
            return
        while True:
            await self._take()

    async def _take(self) -> None:
        try:
            frame = await self.socket.frame()
        except BadFrame:
            await self._tell_error("BadFrame", "A frame must be a JSON object.", 400)
            return
        match frame.get("type"):
            case "connection_init":
                await self._let_in()
            case "start":
                self.has_begun = True
                await self._start(frame)
            case "stop" if isinstance(frame.get("id"), str):
                await self.stop(frame["id"])
                await self.end(frame["id"])
            case _:
                await self._tell_error("UnsupportedOperation", UNSUPPORTED, 400)

    async def _let_in(self) -> None:
        if self.caller is None:
            headers = from_handshake(self.socket.scope)
            connect = Incoming(path="/graphql/connect", body=b"{}")
            caller = await self._identified(headers, connect)
            try:
                self.edge.seat(caller)
            except TooManySockets:
                raise Refusal("LimitExceededError", "Too many connections.", 429) from None
            self.caller = self.callers[""] = caller
        self.has_begun = True
        payload = {"connectionTimeoutMs": TIMEOUT_MS}
        await self.socket.send({"type": "connection_ack", "payload": payload})
        await self._keep_alive()

    async def _identified(self, headers: dict[str, str], incoming: Incoming) -> Caller:
        try:
            caller = await self.edge.authenticator.identify(headers, self.socket.address, incoming)
        except Unauthenticated as problem:
            kind = getattr(problem, "error_type", "UnauthorizedException")
            raise Refusal(kind, problem.message, 401) from None
        except AppError as problem:
            raise Refusal("ServiceUnavailable", problem.message, 503) from None
        if caller.access is Access.ANONYMOUS:
            raise Refusal("UnauthorizedException", "Missing authorization header", 401)
        return caller

    async def _start(self, frame: dict[str, Any]) -> None:
        operation_id = frame.get("id")
        if not isinstance(operation_id, str) or not 1 <= len(operation_id) <= LONGEST_ID:
            await self._tell_error("UnsupportedOperation", "A start must have an id.", 400)
        elif operation_id in self.tasks:
            message = f"Duplicated operation with id {operation_id}"
            await self.fail(operation_id, [_error("DuplicatedOperationError", message)])
        elif len(self.tasks) >= MOST_OPERATIONS:
            message = f"Max number of {MOST_OPERATIONS} subscriptions reached"
            await self.fail(operation_id, [_error("MaxSubscriptionsReachedError", message)])
        else:
            self.begin(operation_id, partial(self._started, operation_id, frame.get("payload")))

    async def _started(self, operation_id: str, payload: object) -> None:
        fields = payload if isinstance(payload, dict) else {}
        try:
            data, params = _params(fields)
            caller = await self._caller_of(fields, data, params)
            self.callers[operation_id] = caller
            await self._operate(operation_id, params, caller)
        except (MalformedBody, NoSubscription):
            await self.fail(operation_id, [_error("UnsupportedOperation", UNSUPPORTED)])
        except Refusal as refusal:
            await self.fail(operation_id, [refusal.error])

    async def _caller_of(self, fields: dict[str, Any], data: str, params: Params) -> Caller:
        """Each start brings its own credentials, perhaps of another kind than the socket's."""
        extensions = fields.get("extensions")
        found = extensions.get("authorization") if isinstance(extensions, dict) else None
        headers = lowered(found)
        if self.caller is not None and not {"authorization", "x-api-key"} & headers.keys():
            return self.caller
        incoming = Incoming(
            body=data.encode(),
            query=params.query,
            operation_name=params.operation_name,
            variables=params.variables or {},
        )
        return await self._identified(headers, incoming)

    async def look_after(self, now: float) -> None:
        await super().look_after(now)
        if self.alive_at and now - self.alive_at >= KEEP_ALIVE_SECONDS:
            await self._until_gone(self._keep_alive)

    async def _keep_alive(self) -> None:
        self.alive_at = time.monotonic()
        await self.socket.send({"type": "ka"})

    async def _tell_error(self, error_type: str, message: str, code: int) -> None:
        """About no subscription: then there is no id at all, as clients fail over a null."""
        error = _error(error_type, message) | {"errorCode": code}
        await self.socket.send({"type": "error", "payload": {"errors": [error]}})

    async def acknowledge(self, operation_id: str) -> None:
        await self.socket.send({"type": "start_ack", "id": operation_id})

    async def tell(self, operation_id: str, payload: dict[str, Any]) -> None:
        await self.socket.send({"type": "data", "id": operation_id, "payload": payload})

    async def fail(self, operation_id: str, errors: list[dict[str, Any]]) -> None:
        payload = {"errors": errors}
        await self.socket.send({"type": "error", "id": operation_id, "payload": payload})

    async def end(self, operation_id: str) -> None:
        await self.socket.send({"type": "complete", "id": operation_id})

    async def turn_out(self, why: str) -> None:
        await self._tell_error("UnauthorizedException", why, 401)
        await self.socket.close(4401, why)


def _params(fields: dict[str, Any]) -> tuple[str, Params]:
    data = fields.get("data")
    if not isinstance(data, str):
        raise MalformedBody(UNSUPPORTED)
    return data, graphql_params(decode_body(data.encode()))


def _error(error_type: str, message: str) -> dict[str, Any]:
    return {"errorType": error_type, "message": message}
