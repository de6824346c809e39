"""uvicorn with what it lacks: timeouts for slow connections, and a stop that cuts no request."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.core.errors import OperatorError
from app.settings import Settings
from app.web.worker_thread import favour_event_loop

HEADER_SECONDS = 15.0
BODY_SECONDS = 30.0
MAX_HEADER_BYTES = 80_000
MAX_CONNECTIONS = 5_000
MAX_FRAME_BYTES = 65_536
# For a request that is on its way on a kept connection when the server stops.
IDLE_SECONDS = 0.25
# For the next request on each kept connection; its response closes the connection.
REPLACED_SECONDS = 3.0


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


class CannotListen(OperatorError):
    def __init__(self, host: str, port: int, problem: OSError) -> None:
        super().__init__(
            f"Cannot listen on {host}:{port} ({problem.strerror}). "
            "If the port is in use, stop the other program or set another PORT."
        )


def bind(host: str, port: int) -> list[socket.socket]:
    """One socket for each address of the host; they do not listen yet."""
    sockets: list[socket.socket] = []
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, _, _, _, address in dict.fromkeys(found):
            sockets.append(one := socket.socket(family, socket.SOCK_STREAM))
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            one.bind(address)
    except OSError as problem:
        for each in sockets:
            each.close()
        raise CannotListen(host, port, problem) from None
    return sockets


class GracefulServer(uvicorn.Server):
    """Stops without cutting a request off.

    It first answers on as usual, but /ready with 503, so that a proxy sends the next requests to
    another server, and every response closes its connection. Connections that wait to be accepted
    when it closes its sockets are served, too; uvicorn would reset them.
    """

    def __init__(
        self, config: uvicorn.Config, *, drain_seconds: float, on_started: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._drain_seconds = drain_seconds
        self._on_started = on_started
        self._listeners: list[socket.socket] = []
        self._replaced = False

    def stop_replaced(self) -> None:
        """Stops because another process takes this one's place, with the same sockets: so no proxy
        must notice."""
        self._replaced = self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        config = self.config
        self._listeners = sockets or bind(config.host, config.port)
        try:
            await super().startup(self._listeners)
        except OSError as problem:
            raise CannotListen(config.host, config.port, problem) from None
        if self.started:
            self._on_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.server_state.default_headers.append((b"connection", b"close"))
        if not self._replaced:
            application: Any = self.config.app
            application.state.stopping = True
            await self._wait(self._drain_seconds)
        self._stop_listening()
        seconds = REPLACED_SECONDS if self._replaced else IDLE_SECONDS
        await self._wait(seconds, while_connected=True)
        await super().shutdown(sockets)

    async def _wait(self, seconds: float, *, while_connected: bool = False) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while loop.time() < until and not self.force_exit:
            if while_connected and not self.server_state.connections:
                return
            await asyncio.sleep(min(0.02, seconds))

    def _stop_listening(self) -> None:
        for server, listener in zip(self.servers, self._listeners, strict=True):
            queue = listener.dup()
            server.close()
            listener.close()
            with closing(queue):
                self._accept_all(queue)

    def _accept_all(self, queue: socket.socket) -> None:
        queue.setblocking(False)
        with suppress(BlockingIOError):
            while True:
                connection, _ = queue.accept()
                task = asyncio.create_task(self._serve_connection(connection))
                self.server_state.tasks.add(task)
                task.add_done_callback(self.server_state.tasks.discard)

    async def _serve_connection(self, connection: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        await loop.connect_accepted_socket(
            lambda: TimeoutProtocol(self.config, self.server_state, self.lifespan.state, loop),
            connection,
            ssl=self.config.ssl,
        )


def build_server(
    app: FastAPI, settings: Settings, *, on_started: Callable[[], None]
) -> GracefulServer:
    favour_event_loop()
    return GracefulServer(
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
        drain_seconds=settings.drain_seconds or 0,
        on_started=on_started,
    )
