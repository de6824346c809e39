"""uvicorn, with the patience limits it lacks: a client that sends nothing is not kept for ever."""

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.settings import Settings

SECONDS_FOR_HEADERS = 15.0
SECONDS_FOR_BODY = 30.0
MOST_HEADER_BYTES = 80_000
MOST_AT_ONCE = 5_000
MOST_FRAME_BYTES = 65_536


class ImpatientProtocol(HttpToolsProtocol):
    """Closes a connection that does not go on in time, or whose headers never end.

    uvicorn alone keeps, without any limit: a silent connection, one that sends a byte now and
    then, and one whose refused body still arrives.
    """

    _due: asyncio.TimerHandle | None = None
    _head_bytes: int | None = None  # None: no request line or headers are awaited

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._expect_head()

    def data_received(self, data: bytes) -> None:
        was_in_head = self._head_bytes is not None
        super().data_received(data)
        if was_in_head and self._head_bytes is not None:
            self._head_bytes += len(data)
            if self._head_bytes > MOST_HEADER_BYTES and not self.transport.is_closing():
                self.send_400_response("The headers are too large.")
        elif self._due is None and self.cycle is not None and self.cycle.response_complete:
            self._expect_head()

    def on_message_begin(self) -> None:
        self._expect_head()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._head_bytes = None
        self._expect(SECONDS_FOR_BODY)
        if sum(len(name) + len(value) for name, value in self.headers) > MOST_HEADER_BYTES:
            raise ValueError("the headers are too large")
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._stop_expecting()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._stop_expecting()
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_expecting()
        super().connection_lost(exc)

    def _unsupported_upgrade_warning(self) -> None:
        # The parser takes nothing more from this connection, so it must not be kept.
        self.cycle.keep_alive = False

    def _expect_head(self) -> None:
        self._head_bytes = 0
        self._expect(SECONDS_FOR_HEADERS)

    def _expect(self, seconds: float) -> None:
        self._stop_expecting()
        self._due = self.loop.call_later(seconds, self._give_up)

    def _stop_expecting(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()


class AnnouncedServer(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, when_started: Callable[[], None]) -> None:
        super().__init__(config)
        self._when_started = when_started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._when_started()


def server(app: FastAPI, settings: Settings, *, when_started: Callable[[], None]) -> uvicorn.Server:
    return AnnouncedServer(
        uvicorn.Config(
            app,
            host=settings.host,
            port=settings.port,
            http=ImpatientProtocol,
            loop="uvloop",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=bool(settings.trusted_proxies),
            forwarded_allow_ips=settings.trusted_proxies or None,
            limit_concurrency=MOST_AT_ONCE,
            ssl_certfile=settings.tls_certificate,
            ssl_keyfile=settings.tls_key,
            ws_max_size=MOST_FRAME_BYTES,
            ws_per_message_deflate=False,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=15,
        ),
        when_started,
    )
