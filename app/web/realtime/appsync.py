"""AppSync's protocol: subprotocol graphql-ws, credentials for the socket and for each start."""

import asyncio
import time
from functools import partial
from typing import Any

from app.auth.sigv4 import IncomingRequest
from app.core.caller import Access, Caller
from app.core.errors import AppError, Unauthenticated
from app.web.body import MalformedBody, Params, decode_body, graphql_params
from app.web.execution import NotASubscription
from app.web.realtime.connection import INIT_SECONDS, MAX_OPERATIONS, SocketConnection
from app.web.realtime.credentials import handshake_credentials, lowercase_names
from app.web.realtime.hub import TooManySockets
from app.web.realtime.socket import MAX_FRAME_VALUES, BadFrame, TooManyFrames

NAME = "graphql-ws"
TIMEOUT_MS = 300_000
KEEP_ALIVE_SECONDS = 60.0
MAX_ID_LENGTH = 256
UNSUPPORTED = "unknown not supported through the realtime channel"


class AppSyncRefusal(Exception):
    """The connection or an operation is refused. The client gets a frame: it cannot read the HTTP
    response of a failed handshake."""

    def __init__(self, error_type: str, message: str, code: int) -> None:
        super().__init__(message)
        self.error = {"errorType": error_type, "message": message, "errorCode": code}


class AppSyncConnection(SocketConnection):
    only_subscriptions = True
    caller: Caller | None = None
    is_initialized = False
    kept_alive_at = 0.0

    async def serve(self) -> None:
        names = self.socket.scope["subprotocols"]
        await self.socket.accept(NAME if NAME in names else None)
        try:
            await self._serve(NAME in names)
        except AppSyncRefusal as refusal:
            payload = {"errors": [refusal.error]}
            await self.socket.send({"type": "connection_error", "payload": payload})
            await self.socket.close(1000, str(refusal)[:120])
        except TooManyFrames:
            await self.socket.close(1008, "Too many messages")
        finally:
            if self.caller is not None:
                self.hub.release_slot(self.caller)

    async def _serve(self, has_subprotocol: bool) -> None:
        if not has_subprotocol:
            raise AppSyncRefusal("NoProtocolError", "NoProtocolError", 400)
        try:
            async with asyncio.timeout(INIT_SECONDS):
                while not self.is_initialized:
                    await self._handle()
        except TimeoutError:
            await self.socket.close(1000, "connection_init did not arrive in time")
            return
        while True:
            await self._handle()

    async def _handle(self) -> None:
        try:
            frame = await self.socket.receive()
        except BadFrame:
            await self._send_connection_error("BadFrame", "A frame must be a JSON object.", 400)
            return
        match frame.get("type"):
            case "connection_init":
                await self._on_connection_init()
            case "start":
                self.is_initialized = True
                await self._start(frame)
            case "stop" if isinstance(frame.get("id"), str):
                await self.stop_operation(frame["id"])
                await self.send_complete(frame["id"])
            case _:
                await self._send_connection_error("UnsupportedOperation", UNSUPPORTED, 400)

    async def _on_connection_init(self) -> None:
        if self.caller is None:
            headers = handshake_credentials(self.socket.scope)
            connect = IncomingRequest(path="/graphql/connect", body=b"{}")
            caller = await self._identify(headers, connect)
            try:
                self.hub.reserve_slot(caller)
            except TooManySockets:
                # 400, for Amplify shows that to the application; 429 it would retry in silence.
                message = "Too many sockets of one user. Close some, or use one for all."
                raise AppSyncRefusal("LimitExceededError", message, 400) from None
            self.caller = self.callers[""] = caller
        self.is_initialized = True
        payload = {"connectionTimeoutMs": TIMEOUT_MS}
        await self.socket.send({"type": "connection_ack", "payload": payload})
        await self._keep_alive()

    async def _identify(self, headers: dict[str, str], incoming: IncomingRequest) -> Caller:
        try:
            caller = await self.hub.authenticator.identify(headers, self.socket.address, incoming)
        except Unauthenticated as problem:
            kind = getattr(problem, "error_type", "UnauthorizedException")
            raise AppSyncRefusal(kind, problem.message, 401) from None
        except AppError as problem:
            raise AppSyncRefusal("ServiceUnavailable", problem.message, 503) from None
        if caller.access is Access.ANONYMOUS:
            raise AppSyncRefusal("UnauthorizedException", "Missing authorization header", 401)
        return caller

    async def _start(self, frame: dict[str, Any]) -> None:
        operation_id = frame.get("id")
        if not isinstance(operation_id, str) or not 1 <= len(operation_id) <= MAX_ID_LENGTH:
            await self._send_connection_error(
                "UnsupportedOperation", "A start must have an id.", 400
            )
        elif operation_id in self.tasks:
            message = f"Duplicated operation with id {operation_id}"
            await self.send_errors(operation_id, [_error("DuplicatedOperationError", message)])
        elif len(self.tasks) >= MAX_OPERATIONS:
            message = f"Max number of {MAX_OPERATIONS} subscriptions reached"
            await self.send_errors(operation_id, [_error("MaxSubscriptionsReachedError", message)])
        else:
            self.start_task(
                operation_id,
                partial(self._authorize_and_execute, operation_id, frame.get("payload")),
            )

    async def _authorize_and_execute(self, operation_id: str, payload: object) -> None:
        fields = payload if isinstance(payload, dict) else {}
        try:
            data, params = _params(fields)
            caller = await self._operation_caller(fields, data, params)
            self.callers[operation_id] = caller
            await self.execute_operation(operation_id, params, caller)
        except (MalformedBody, NotASubscription):
            await self.send_errors(operation_id, [_error("UnsupportedOperation", UNSUPPORTED)])
        except AppSyncRefusal as refusal:
            await self.send_errors(operation_id, [refusal.error])

    async def _operation_caller(self, fields: dict[str, Any], data: str, params: Params) -> Caller:
        """Each start has its own credentials, possibly of another kind than the socket's."""
        extensions = fields.get("extensions")
        found = extensions.get("authorization") if isinstance(extensions, dict) else None
        headers = lowercase_names(found)
        if self.caller is not None and not {"authorization", "x-api-key"} & headers.keys():
            return self.caller
        incoming = IncomingRequest(
            body=data.encode(),
            query=params.query,
            operation_name=params.operation_name,
            variables=params.variables or {},
        )
        return await self._identify(headers, incoming)

    async def check(self, now: float) -> None:
        await super().check(now)
        if self.kept_alive_at and now - self.kept_alive_at >= KEEP_ALIVE_SECONDS:
            await self._ignore_disconnect(self._keep_alive)

    async def _keep_alive(self) -> None:
        self.kept_alive_at = time.monotonic()
        await self.socket.send({"type": "ka"})

    async def _send_connection_error(self, error_type: str, message: str, code: int) -> None:
        """An error of no operation. The frame has no id: clients fail on a null id."""
        error = _error(error_type, message) | {"errorCode": code}
        await self.socket.send({"type": "error", "payload": {"errors": [error]}})

    async def acknowledge(self, operation_id: str) -> None:
        await self.socket.send({"type": "start_ack", "id": operation_id})

    async def send_result(self, operation_id: str, payload: dict[str, Any]) -> None:
        await self.socket.send({"type": "data", "id": operation_id, "payload": payload})

    async def send_errors(self, operation_id: str, errors: list[dict[str, Any]]) -> None:
        payload = {"errors": errors}
        await self.socket.send({"type": "error", "id": operation_id, "payload": payload})

    async def send_complete(self, operation_id: str) -> None:
        await self.socket.send({"type": "complete", "id": operation_id})

    async def close_unauthorized(self, reason: str) -> None:
        await self._send_connection_error("UnauthorizedException", reason, 401)
        await self.socket.close(4401, reason)


def _params(fields: dict[str, Any]) -> tuple[str, Params]:
    data = fields.get("data")
    if not isinstance(data, str):
        raise MalformedBody(UNSUPPORTED)
    raw = data.encode()
    return data, graphql_params(decode_body(raw, MAX_FRAME_VALUES), len(raw))


def _error(error_type: str, message: str) -> dict[str, Any]:
    return {"errorType": error_type, "message": message}
