"""What all connections of a process share: the executor, slots per user, a check every second."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol
from uuid import uuid4

from prometheus_client import Gauge

from app.auth.authenticator import Authenticator
from app.core.caller import Caller
from app.graph.context import Context
from app.graph.tokens import PageTokens
from app.resources import Resources
from app.web.execution import Executor

CHECK_SECONDS = 1.0
SOCKETS = Gauge("guildhall_sockets", "Open WebSockets", multiprocess_mode="livesum")


class TooManySockets(Exception):
    """A user has as many connections as the settings allow."""


class OpenConnection(Protocol):
    async def check(self, now: float) -> None:
        """Called every CHECK_SECONDS, with the monotonic time."""


class RealtimeHub:
    def __init__(
        self,
        resources: Resources,
        authenticator: Authenticator,
        executor: Executor,
        page_tokens: PageTokens,
    ) -> None:
        self.resources = resources
        self.settings = resources.settings
        self.authenticator = authenticator
        self.executor = executor
        self._page_tokens = page_tokens
        self._connections: set[OpenConnection] = set()
        self._slots_of_user: Counter[str] = Counter()

    def new_context(self, caller: Caller) -> Context:
        return Context(
            self.resources, caller, page_tokens=self._page_tokens, request_id=uuid4().hex
        )

    def add(self, connection: OpenConnection) -> None:
        self._connections.add(connection)
        SOCKETS.inc()

    def remove(self, connection: OpenConnection) -> None:
        self._connections.discard(connection)
        SOCKETS.dec()

    def reserve_slot(self, caller: Caller) -> None:
        settings = self.settings
        most = settings.max_shared_sockets if caller.is_shared else settings.max_sockets
        if caller.id is not None:
            if self._slots_of_user[caller.id] >= most:
                raise TooManySockets
            self._slots_of_user[caller.id] += 1

    def release_slot(self, caller: Caller) -> None:
        if caller.id is not None:
            self._slots_of_user[caller.id] -= 1
            if not self._slots_of_user[caller.id]:
                del self._slots_of_user[caller.id]

    @property
    def count(self) -> int:
        return len(self._connections)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        checks = asyncio.create_task(self._check_connections())
        try:
            yield
        finally:
            checks.cancel()
            await asyncio.gather(checks, return_exceptions=True)

    async def _check_connections(self) -> None:
        running: set[asyncio.Task[None]] = set()
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            now = time.monotonic()
            for connection in list(self._connections):
                # In a task of its own: a client that does not read must not delay the others.
                task = asyncio.create_task(connection.check(now))
                running.add(task)
                task.add_done_callback(running.discard)
