"""One WebSocket that carries JSON objects, with limits on frames and on the time to send."""

import asyncio
import time
from typing import Any

import orjson
from starlette.types import Message, Receive, Scope, Send

from app.core.scalars import holds_more_values, read_json
from app.web.http import ClientDisconnected

MAX_FRAME_DEPTH = 200
MAX_FRAME_VALUES = 5_000
SECONDS_TO_SEND = 20.0
FRAMES_PER_SECOND = 50.0
FRAME_BURST = 400.0
# A longer frame counts as several.
BYTES_PER_FRAME = 4_096


class BadFrame(Exception):
    """A frame is not a JSON object, or holds more than MAX_FRAME_VALUES."""


class TooManyFrames(Exception):
    """The client exceeded FRAMES_PER_SECOND for longer than FRAME_BURST allows."""


class Socket:
    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope = scope
        self.address: str = scope["client"][0] if scope.get("client") else ""
        self._receive = receive
        self._send = send
        self._sending = asyncio.Lock()
        self._closed = False
        self.frame_size = 0  # of the last frame, in bytes
        self._frames_left = FRAME_BURST
        self._last_frame = time.monotonic()

    async def accept(self, subprotocol: str | None) -> None:
        message = await self._receive()
        if message["type"] != "websocket.connect":
            raise ClientDisconnected
        await self._send_message({"type": "websocket.accept", "subprotocol": subprotocol})

    async def refuse(self) -> None:
        """Closes the socket before it is accepted: the client sees HTTP 403."""
        await self._receive()
        await self._send_message({"type": "websocket.close", "code": 1008})

    async def receive(self) -> dict[str, Any]:
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            self._closed = True
            raise ClientDisconnected
        raw = (message.get("text") or "").encode()
        self.frame_size = len(raw)
        self._count_frame()
        # The next frame may be there already: without this, a flood of frames is one long step.
        await asyncio.sleep(0)
        return _read_frame(raw)

    def _count_frame(self) -> None:
        now = time.monotonic()
        refill = (now - self._last_frame) * FRAMES_PER_SECOND
        spent = 1 + self.frame_size // BYTES_PER_FRAME
        self._frames_left = min(FRAME_BURST, self._frames_left + refill) - spent
        self._last_frame = now
        if self._frames_left < 0:
            raise TooManyFrames

    async def send(self, frame: dict[str, Any]) -> None:
        async with self._sending:
            if self._closed:
                raise ClientDisconnected
            await self._send_message(
                {"type": "websocket.send", "text": orjson.dumps(frame).decode()}
            )

    async def close(self, code: int, reason: str = "") -> None:
        if not self._closed:
            self._closed = True
            await self._send_message({"type": "websocket.close", "code": code, "reason": reason})

    async def _send_message(self, message: Message) -> None:
        """Gives up on a client that has not read for SECONDS_TO_SEND."""
        try:
            async with asyncio.timeout(SECONDS_TO_SEND):
                await self._send(message)
        except (TimeoutError, OSError, RuntimeError):
            self._closed = True
            raise ClientDisconnected from None


def _read_frame(raw: bytes) -> dict[str, Any]:
    try:
        if raw and not holds_more_values(raw, MAX_FRAME_VALUES):
            found = read_json(raw, deepest=MAX_FRAME_DEPTH)
            if isinstance(found, dict):
                return found
    except ValueError:
        pass
    raise BadFrame
