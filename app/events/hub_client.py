"""The connection of one server process to its parent (app/processes), which relays events between
the processes of one machine and limits rates for all of them."""

import asyncio
import itertools
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import structlog

from app.core.errors import Unavailable
from app.events.bus import Bus
from app.events.event import Event
from app.events.frames import read_frame, to_frame

CONNECT_ATTEMPTS = 10
PAUSE = 0.2
log = structlog.get_logger()


class HubClient:
    """A Relay of events, and RateWindows. `on_lost` is called if the parent has ended."""

    def __init__(self, path: str, *, on_lost: Callable[[], None]) -> None:
        self._path = path
        self._on_lost = on_lost
        self._writer: asyncio.StreamWriter | None = None
        self._calls: dict[int, asyncio.Future[int]] = {}
        self._numbers = itertools.count()

    def send(self, event: Event) -> None:
        self._write("event", event.to_bytes().decode())

    async def ready(self) -> bool:
        return self._writer is not None

    def report_started(self) -> None:
        self._write("started", os.getpid())

    async def take(self, name: str, *, limit: int, span: int) -> int:
        """As in app/auth/limiter.py, in the parent's windows."""
        if self._writer is None:
            raise Unavailable
        number = next(self._numbers)
        result: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._calls[number] = result
        self._write("take", number, name, limit, span)
        try:
            return await result
        finally:
            del self._calls[number]

    @asynccontextmanager
    async def running(self, bus: Bus) -> AsyncIterator[None]:
        reader = await self._connect()
        listening = asyncio.create_task(self._listen_on(bus, reader))
        try:
            yield
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
            self._disconnect()

    async def _connect(self) -> asyncio.StreamReader:
        """Afterwards the parent sends every event of the other processes."""
        reader, writer = await asyncio.open_unix_connection(self._path)
        writer.write(to_frame("join"))
        if await read_frame(reader) is None:
            raise ConnectionResetError
        self._writer = writer
        return reader

    def _disconnect(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    async def _listen_on(self, bus: Bus, reader: asyncio.StreamReader) -> None:
        while True:
            while frame := await read_frame(reader):
                self._receive(frame, bus)
            self._disconnect()
            for call in self._calls.values():
                call.set_exception(Unavailable())
            bus.on_interrupted()
            again = await self._reconnect()
            if again is None:
                log.warning("the parent process has ended")
                self._on_lost()
                return
            reader = again

    async def _reconnect(self) -> asyncio.StreamReader | None:
        """The parent closes a connection that does not read; otherwise it has ended."""
        for _ in range(CONNECT_ATTEMPTS):
            try:
                return await self._connect()
            except OSError:
                await asyncio.sleep(PAUSE)
        return None

    def _receive(self, frame: list[Any], bus: Bus) -> None:
        kind, *content = frame
        if kind == "event":
            bus.deliver(Event.from_bytes(content[0]))
        elif kind == "taken" and content[0] in self._calls:
            self._calls[content[0]].set_result(content[1])

    def _write(self, *parts: object) -> None:
        if self._writer is not None:
            self._writer.write(to_frame(*parts))
