"""The real server on a real port, in a thread of this process, so that its clock can be moved."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, Self, TypeVar

import uvicorn

from app.main import create_app
from app.settings import Settings
from app.web.server import build_server

T = TypeVar("T")


class TestClock:
    __test__ = False

    def __init__(self) -> None:
        self._shift = timedelta()
        self._fixed: datetime | None = None

    def now(self) -> datetime:
        return self._fixed or datetime.now(UTC) + self._shift

    def move(self, **by: float) -> None:
        self._shift += timedelta(**by)

    def set(self, moment: datetime) -> None:
        self._shift = moment - datetime.now(UTC)

    def freeze(self, moment: datetime) -> None:
        self._fixed = moment

    def reset(self) -> None:
        self._shift, self._fixed = timedelta(), None


class RunningServer:
    def __init__(self, settings: Settings, clock: TestClock) -> None:
        self.settings = settings
        self.app = create_app(settings, clock)
        self._server: uvicorn.Server = build_server(self.app, settings, on_started=self._is_up)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._ready = threading.Event()

    @property
    def url(self) -> str:
        port = self._server.servers[0].sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}"

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(30), "the server did not start"
        assert self._server.started, "the server did not start"
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(30)

    def stop_now(self) -> None:
        """Ends the time that a stopping server waits for requests."""
        self._server.force_exit = True

    def call(self, function: Callable[[], object]) -> None:
        """Runs `function` in the server's event loop, without waiting for it."""
        self._loop.call_soon_threadsafe(function)

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Awaits `work` in the server's event loop, to which its resources belong."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def _is_up(self) -> None:
        self._ready.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        async with self.app.router.lifespan_context(self.app):
            await self._server.serve()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        finally:
            self._ready.set()
