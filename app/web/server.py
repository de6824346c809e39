"""uvicorn with timeouts that it lacks: connections that send too slowly are closed."""

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.settings import Settings

HEADER_SECONDS = 15.0
BODY_SECONDS = 30.0
MAX_HEADER_BYTES = 80_000
MAX_CONNECTIONS = 5_000
MAX_FRAME_BYTES = 65_536


class TimeoutProtocol(HttpToolsProtocol):
    """Closes a connection whose headers or body come too slowly, or whose headers are too large.

    uvicorn has no time limit for a connection that is silent, that sends a byte now and then, or
    that still sends the body of a refused request.
    """

    _timer: asyncio.TimerHandle | None = None
    _header_bytes: int | None = None  # None while no headers are expected

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._expect_headers()

    def data_received(self, data: bytes) -> None:
        was_in_headers = self._header_bytes is not None
        super().data_received(data)
        if was_in_headers and self._header_bytes is not None:
            self._header_bytes += len(data)
            if self._header_bytes > MAX_HEADER_BYTES and not self.transport.is_closing():
                self.send_400_response("The headers are too large.")
        elif self._timer is None and self.cycle is not None and self.cycle.response_complete:
            self._expect_headers()

    def on_message_begin(self) -> None:
        self._expect_headers()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._header_bytes = None
        self._start_timer(BODY_SECONDS)
        if sum(len(name) + len(value) for name, value in self.headers) > MAX_HEADER_BYTES:
            raise ValueError("the headers are too large")
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._stop_timer()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._stop_timer()
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def _unsupported_upgrade_warning(self) -> None:
        # The parser reads nothing more from this connection, so it must not be reused.
        self.cycle.keep_alive = False

    def _expect_headers(self) -> None:
        self._header_bytes = 0
        self._start_timer(HEADER_SECONDS)

    def _start_timer(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self._close)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _close(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()


class ServerWithStartHook(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, on_started: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_started = on_started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_started()


def build_server(
    app: FastAPI, settings: Settings, *, on_started: Callable[[], None]
) -> uvicorn.Server:
    return ServerWithStartHook(
        uvicorn.Config(
            app,
            host=settings.host,
            port=settings.port,
            http=TimeoutProtocol,
            loop="uvloop",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=bool(settings.trusted_proxies),
            forwarded_allow_ips=settings.trusted_proxies or None,
            limit_concurrency=MAX_CONNECTIONS,
            ssl_certfile=settings.tls_certificate,
            ssl_keyfile=settings.tls_key,
            ws_max_size=MAX_FRAME_BYTES,
            ws_per_message_deflate=False,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=15,
        ),
        on_started,
    )
