"""The protocol of npm's graphql-ws: subprotocol graphql-transport-ws."""

import asyncio
from typing import Any

from app.core.caller import Caller
from app.core.errors import AppError, LimitExceeded, Unauthenticated
from app.web.body import MalformedBody, graphql_params
from app.web.realtime.connection import INIT_SECONDS, MAX_OPERATIONS, SocketConnection
from app.web.realtime.credentials import handshake_credentials, lowercase_names
from app.web.realtime.hub import TooManySockets
from app.web.realtime.socket import BadFrame, TooManyFrames

NAME = "graphql-transport-ws"


class TransportRefusal(Exception):
    """Closes the socket with this code and reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class TransportConnection(SocketConnection):
    caller: Caller | None = None

    async def serve(self) -> None:
        await self.socket.accept(NAME)
        try:
            await self._serve()
        except TransportRefusal as refusal:
            await self.socket.close(refusal.code, refusal.reason)
        except BadFrame:
            await self.socket.close(4400, "Invalid message received")
        except TooManyFrames:
            await self.socket.close(4429, "Too many messages")
        finally:
            if self.caller is not None:
                self.hub.release_slot(self.caller)

    async def _serve(self) -> None:
        try:
            async with asyncio.timeout(INIT_SECONDS):
                while self.caller is None:
                    await self._handle(await self.socket.receive())
        except TimeoutError:
            raise TransportRefusal(4408, "Connection initialisation timeout") from None
        while True:
            await self._handle(await self.socket.receive())

    async def _handle(self, frame: dict[str, Any]) -> None:
        match frame.get("type"):
            case "connection_init":
                await self._on_connection_init(frame.get("payload"))
            case "subscribe":
                await self._subscribe(frame)
            case "complete":
                await self.stop_operation(_operation_id(frame))
            case "ping":
                await self.socket.send({"type": "pong"} | _with_payload(frame))
            case "pong":
                return
            case _:
                raise BadFrame

    async def _on_connection_init(self, payload: object) -> None:
        if self.caller is not None:
            raise TransportRefusal(4429, "Too many initialisation requests")
        if payload is not None and not isinstance(payload, dict):
            raise BadFrame
        headers = handshake_credentials(self.socket.scope) | lowercase_names(payload)
        headers |= lowercase_names((payload or {}).get("headers"))
        try:
            caller = await self.hub.authenticator.identify(headers, self.socket.address)
            self.hub.reserve_slot(caller)
        except Unauthenticated as problem:
            raise TransportRefusal(4403, problem.message) from None
        except TooManySockets:
            raise TransportRefusal(4429, "Too many sockets of one user") from None
        except AppError:
            raise TransportRefusal(4503, "Try again later") from None
        self.caller = self.callers[""] = caller
        await self.socket.send({"type": "connection_ack"})

    async def _subscribe(self, frame: dict[str, Any]) -> None:
        operation_id, caller = _operation_id(frame), self.caller
        if caller is None:
            raise TransportRefusal(4401, "Unauthorized")
        if operation_id in self.tasks:
            raise TransportRefusal(4409, f"Subscriber for {operation_id} already exists")
        if len(self.tasks) >= MAX_OPERATIONS:
            problem = LimitExceeded(f"At most {MAX_OPERATIONS} operations run on one socket.")
            await self.send_errors(operation_id, [_error(problem)])
            return
        try:
            params = graphql_params(frame.get("payload"), self.socket.frame_size)
        except MalformedBody as problem:
            raise TransportRefusal(4400, problem.message[:120]) from None
        self.start_operation(operation_id, params, caller)

    async def acknowledge(self, operation_id: str) -> None:
        """This protocol has no frame for it."""

    async def send_result(self, operation_id: str, payload: dict[str, Any]) -> None:
        await self.socket.send({"id": operation_id, "type": "next", "payload": payload})

    async def send_errors(self, operation_id: str, errors: list[dict[str, Any]]) -> None:
        await self.socket.send({"id": operation_id, "type": "error", "payload": errors})

    async def send_complete(self, operation_id: str) -> None:
        await self.socket.send({"id": operation_id, "type": "complete"})

    async def close_unauthorized(self, reason: str) -> None:
        # After this code graphql-ws connects again, with new credentials.
        await self.socket.close(4403, reason)


def _operation_id(frame: dict[str, Any]) -> str:
    found = frame.get("id")
    if not isinstance(found, str) or not 1 <= len(found) <= 128:
        raise BadFrame
    return found


def _with_payload(frame: dict[str, Any]) -> dict[str, Any]:
    return {"payload": frame["payload"]} if isinstance(frame.get("payload"), dict) else {}


def _error(problem: AppError) -> dict[str, Any]:
    return {"message": problem.message, "extensions": {"code": problem.code}}
