"""What the parent does for its server processes: relays events, limits rates, hears who is up."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from app.auth.limiter import RateWindows
from app.events.frames import read_frame, to_frame

# A process that does not read so many bytes is disconnected; it then knows that it lost events.
MOST_UNREAD_BYTES = 64 * 1024 * 1024


class Hub:
    def __init__(self, windows: RateWindows, *, on_started: Callable[[int], None]) -> None:
        self._windows = windows
        self._on_started = on_started
        self._clients: set[asyncio.StreamWriter] = set()

    @asynccontextmanager
    async def serving(self, path: str) -> AsyncIterator[None]:
        server = await asyncio.start_unix_server(self._serve, path)
        try:
            yield
        finally:
            server.close()
            for client in list(self._clients):
                client.close()
                with suppress(ConnectionError):
                    await client.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while frame := await read_frame(reader):
                await self._receive(writer, *frame)
        finally:
            self._clients.discard(writer)
            writer.close()

    async def _receive(self, sender: asyncio.StreamWriter, kind: str, *content: Any) -> None:
        if kind == "event":
            self._broadcast(sender, to_frame("event", content[0]))
        elif kind == "take":
            number, name, limit, span = content
            wait = await self._windows.take(name, limit=limit, span=span)
            sender.write(to_frame("taken", number, wait))
        elif kind == "join":
            self._clients.add(sender)
            sender.write(to_frame("joined"))
        elif kind == "started":
            self._on_started(content[0])

    def _broadcast(self, sender: asyncio.StreamWriter, frame: bytes) -> None:
        for client in list(self._clients - {sender}):
            client.write(frame)
            if client.transport.get_write_buffer_size() > MOST_UNREAD_BYTES:
                client.transport.abort()
                self._clients.discard(client)
