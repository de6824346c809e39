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
MOST_AT_ONCE = 5_000


class ImpatientProtocol(HttpToolsProtocol):
    """Closes a connection whose request line and headers are not complete in time."""

    _headers_due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._expect_headers()

    def on_message_begin(self) -> None:
        self._expect_headers()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._stop_expecting()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_expecting()
        super().connection_lost(exc)

    def _expect_headers(self) -> None:
        self._stop_expecting()
        self._headers_due = self.loop.call_later(SECONDS_FOR_HEADERS, self._give_up)

    def _stop_expecting(self) -> None:
        if self._headers_due is not None:
            self._headers_due.cancel()
            self._headers_due = None

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
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=bool(settings.trusted_proxies),
            forwarded_allow_ips=settings.trusted_proxies or None,
            limit_concurrency=MOST_AT_ONCE,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=15,
        ),
        when_started,
    )
