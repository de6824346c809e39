"""The protocol of npm's graphql-ws: subprotocol graphql-transport-ws."""

import asyncio
from typing import Any

from app.core.caller import Caller
from app.core.errors import AppError, LimitExceeded, Unauthenticated
from app.web.body import MalformedBody, graphql_params
from app.web.realtime.connection import MOST_OPERATIONS, SECONDS_TO_BEGIN, Connection
from app.web.realtime.credentials import from_handshake, lowered
from app.web.realtime.edge import TooManySockets
from app.web.realtime.socket import BadFrame, TooManyFrames

NAME = "graphql-transport-ws"


class Refusal(Exception):
    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class TransportConnection(Connection):
    caller: Caller | None = None

    async def converse(self) -> None:
        await self.socket.accept(NAME)
        try:
            await self._converse()
        except Refusal as refusal:
            await self.socket.close(refusal.code, refusal.reason)
        except BadFrame:
            await self.socket.close(4400, "Invalid message received")
        except TooManyFrames:
            await self.socket.close(4429, "Too many messages")
        finally:
            if self.caller is not None:
                self.edge.unseat(self.caller)

    async def _converse(self) -> None:
        try:
            async with asyncio.timeout(SECONDS_TO_BEGIN):
                while self.caller is None:
                    await self._take(await self.socket.frame())
        except TimeoutError:
            raise Refusal(4408, "Connection initialisation timeout") from None
        while True:
            await self._take(await self.socket.frame())

    async def _take(self, frame: dict[str, Any]) -> None:
        match frame.get("type"):
            case "connection_init":
                await self._let_in(frame.get("payload"))
            case "subscribe":
                await self._subscribe(frame)
            case "complete":
                await self.stop(_id(frame))
            case "ping":
                await self.socket.send({"type": "pong"} | _with_payload(frame))
            case "pong":
                return
            case _:
                raise BadFrame

    async def _let_in(self, payload: object) -> None:
        if self.caller is not None:
            raise Refusal(4429, "Too many initialisation requests")
        if payload is not None and not isinstance(payload, dict):
            raise BadFrame
        headers = from_handshake(self.socket.scope) | lowered(payload)
        headers |= lowered((payload or {}).get("headers"))
        try:
            caller = await self.edge.authenticator.identify(headers, self.socket.address)
            self.edge.seat(caller)
        except Unauthenticated as problem:
            raise Refusal(4403, problem.message) from None
        except TooManySockets:
            raise Refusal(4429, "Too many sockets of one user") from None
        except AppError:
            raise Refusal(4503, "Try again later") from None
        self.caller = self.callers[""] = caller
        await self.socket.send({"type": "connection_ack"})

    async def _subscribe(self, frame: dict[str, Any]) -> None:
        operation_id, caller = _id(frame), self.caller
        if caller is None:
            raise Refusal(4401, "Unauthorized")
        if operation_id in self.tasks:
            raise Refusal(4409, f"Subscriber for {operation_id} already exists")
        if len(self.tasks) >= MOST_OPERATIONS:
            many = LimitExceeded(f"At most {MOST_OPERATIONS} operations run on one socket.")
            await self.fail(operation_id, [_error(many)])
            return
        try:
            params = graphql_params(frame.get("payload"))
        except MalformedBody as problem:
            raise Refusal(4400, problem.message[:120]) from None
        self.start(operation_id, params, caller)

    async def acknowledge(self, operation_id: str) -> None:
        """This protocol has no word for it."""

    async def tell(self, operation_id: str, payload: dict[str, Any]) -> None:
        await self.socket.send({"id": operation_id, "type": "next", "payload": payload})

    async def fail(self, operation_id: str, errors: list[dict[str, Any]]) -> None:
        await self.socket.send({"id": operation_id, "type": "error", "payload": errors})

    async def end(self, operation_id: str) -> None:
        await self.socket.send({"id": operation_id, "type": "complete"})

    async def turn_out(self, why: str) -> None:
        # Of all refusals, graphql-ws tries again after this one, with new credentials.
        await self.socket.close(4403, why)


def _id(frame: dict[str, Any]) -> str:
    found = frame.get("id")
    if not isinstance(found, str) or not 1 <= len(found) <= 128:
        raise BadFrame
    return found


def _with_payload(frame: dict[str, Any]) -> dict[str, Any]:
    return {"payload": frame["payload"]} if isinstance(frame.get("payload"), dict) else {}


def _error(problem: AppError) -> dict[str, Any]:
    return {"message": problem.message, "extensions": {"code": problem.code}}
