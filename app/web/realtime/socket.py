"""One WebSocket: JSON in, JSON out, within limits."""

import asyncio
import time
from typing import Any

import orjson
from starlette.types import Message, Receive, Scope, Send

from app.core.scalars import read_json

DEEPEST_FRAME = 200
SECONDS_TO_SEND = 20.0
FRAMES_A_SECOND = 50.0
FRAMES_AT_ONCE = 400.0


class Gone(Exception):
    """Nobody is at the other end."""


class BadFrame(Exception):
    """Not JSON, or not an object."""


class TooManyFrames(Exception):
    """More than a program that means well would send."""


class Socket:
    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope = scope
        self.address: str = scope["client"][0] if scope.get("client") else ""
        self._receive = receive
        self._send = send
        self._sending = asyncio.Lock()
        self._closed = False
        self._allowance = FRAMES_AT_ONCE
        self._last_frame = time.monotonic()

    async def accept(self, subprotocol: str | None) -> None:
        message = await self._receive()
        if message["type"] != "websocket.connect":
            raise Gone
        await self._deliver({"type": "websocket.accept", "subprotocol": subprotocol})

    async def refuse(self) -> None:
        """Before it is accepted: the client sees HTTP 403."""
        await self._receive()
        await self._deliver({"type": "websocket.close", "code": 1008})

    async def frame(self) -> dict[str, Any]:
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            self._closed = True
            raise Gone
        self._count()
        text = message.get("text")
        try:
            found = read_json(text.encode(), deepest=DEEPEST_FRAME) if text else None
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise BadFrame
        return found

    def _count(self) -> None:
        now = time.monotonic()
        earned = (now - self._last_frame) * FRAMES_A_SECOND
        self._allowance = min(FRAMES_AT_ONCE, self._allowance + earned) - 1
        self._last_frame = now
        if self._allowance < 0:
            raise TooManyFrames

    async def send(self, frame: dict[str, Any]) -> None:
        async with self._sending:
            if self._closed:
                raise Gone
            await self._deliver({"type": "websocket.send", "text": orjson.dumps(frame).decode()})

    async def close(self, code: int, reason: str = "") -> None:
        if not self._closed:
            self._closed = True
            await self._deliver({"type": "websocket.close", "code": code, "reason": reason})

    async def _deliver(self, message: Message) -> None:
        """Who does not read for so long is not waited for."""
        try:
            async with asyncio.timeout(SECONDS_TO_SEND):
                await self._send(message)
        except (TimeoutError, OSError, RuntimeError):
            self._closed = True
            raise Gone from None
