"""What all sockets of a process share, and the rounds that are made among them."""

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

MOST_SOCKETS = 10
ROUND = 1.0
SOCKETS = Gauge("guildhall_sockets", "Open WebSockets")


class TooManySockets(Exception):
    """Of one user."""


class Connection(Protocol):
    async def look_after(self, now: float) -> None:
        """Once a second."""


class Edge:
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
        self._connections: set[Connection] = set()
        self._of_user: Counter[str] = Counter()

    def context(self, caller: Caller) -> Context:
        return Context(
            self.resources, caller, page_tokens=self._page_tokens, request_id=uuid4().hex
        )

    def enter(self, connection: Connection) -> None:
        self._connections.add(connection)
        SOCKETS.inc()

    def leave(self, connection: Connection) -> None:
        self._connections.discard(connection)
        SOCKETS.dec()

    def seat(self, caller: Caller) -> None:
        if caller.id is not None:
            if self._of_user[caller.id] >= MOST_SOCKETS:
                raise TooManySockets
            self._of_user[caller.id] += 1

    def unseat(self, caller: Caller) -> None:
        if caller.id is not None:
            self._of_user[caller.id] -= 1
            if not self._of_user[caller.id]:
                del self._of_user[caller.id]

    @property
    def count(self) -> int:
        return len(self._connections)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        rounds = asyncio.create_task(self._make_rounds())
        try:
            yield
        finally:
            rounds.cancel()
            await asyncio.gather(rounds, return_exceptions=True)

    async def _make_rounds(self) -> None:
        busy: set[asyncio.Task[None]] = set()
        while True:
            await asyncio.sleep(ROUND)
            now = time.monotonic()
            for connection in list(self._connections):
                # One that does not read must not hold up the others.
                task = asyncio.create_task(connection.look_after(now))
                busy.add(task)
                task.add_done_callback(busy.discard)
