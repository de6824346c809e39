"""What the two protocols have in common: operations under way, each in a task of its own."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from graphql import GraphQLError

from app.auth.claims import LEEWAY
from app.core.caller import Caller
from app.core.clock import epoch
from app.core.errors import AppError, Unauthenticated
from app.web.body import Params
from app.web.errors import formatted
from app.web.execution import NoSubscription, Outcome, Stream
from app.web.realtime.edge import Edge
from app.web.realtime.socket import Gone, Socket

MOST_OPERATIONS = 100
SECONDS_TO_BEGIN = 10.0
EXPIRED = "Token has expired."
CONFIRM_EVERY = 30.0
Work = Callable[[], Awaitable[None]]


class Connection(ABC):
    """Subclasses say how things are put: acknowledged, told, failed, ended, expired."""

    only_subscriptions = False

    def __init__(self, edge: Edge, socket: Socket) -> None:
        self.edge = edge
        self.socket = socket
        self.began = time.monotonic()
        self._confirmed = self.began
        self.callers: dict[str, Caller] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    @abstractmethod
    async def acknowledge(self, operation_id: str) -> None:
        """A subscription has begun."""

    @abstractmethod
    async def tell(self, operation_id: str, payload: dict[str, Any]) -> None:
        """What an operation answers, or one event of a subscription."""

    @abstractmethod
    async def fail(self, operation_id: str, errors: list[dict[str, Any]]) -> None:
        """It did not begin, or ended before its time."""

    @abstractmethod
    async def end(self, operation_id: str) -> None:
        """Nothing more comes."""

    @abstractmethod
    async def turn_out(self, why: str) -> None:
        """The credentials are no longer good."""

    @abstractmethod
    async def converse(self) -> None:
        """From the handshake until the socket closes."""

    async def run(self) -> None:
        self.edge.enter(self)
        try:
            await self.converse()
        except Gone:
            pass
        finally:
            self.edge.leave(self)
            await self._stop_all()

    async def _stop_all(self) -> None:
        tasks = list(self.tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def look_after(self, now: float) -> None:
        """Turns out who has no right to be here any more."""
        try:
            moment = epoch(self.edge.resources.clock.now())
            known = list(self.callers.values())
            if any(c.expires_at and moment >= c.expires_at + LEEWAY for c in known):
                await self.turn_out(EXPIRED)
            elif now - self._confirmed > CONFIRM_EVERY:
                self._confirmed = now
                await self._confirm(known)
        except Gone:
            return

    async def _confirm(self, callers: list[Caller]) -> None:
        try:
            for caller in callers:
                await self.edge.authenticator.confirm(caller)
        except Unauthenticated as problem:
            await self.turn_out(problem.message)
        except AppError:
            return

    def start(self, operation_id: str, params: Params, caller: Caller) -> None:
        self.begin(operation_id, partial(self._operate, operation_id, params, caller))

    def begin(self, operation_id: str, work: Work) -> None:
        task = asyncio.create_task(self._until_gone(work))
        self.tasks[operation_id] = task
        task.add_done_callback(lambda done: self._forget(operation_id, done))

    def _forget(self, operation_id: str, task: "asyncio.Task[None]") -> None:
        # The client may have used the id again meanwhile.
        if self.tasks.get(operation_id) is task:
            del self.tasks[operation_id]
            self.callers.pop(operation_id, None)

    async def _until_gone(self, work: Work) -> None:
        try:
            await work()
        except Gone:
            return

    async def stop(self, operation_id: str) -> None:
        task = self.tasks.pop(operation_id, None)
        self.callers.pop(operation_id, None)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _operate(self, operation_id: str, params: Params, caller: Caller) -> None:
        context = self.edge.context(caller)
        try:
            begun = await self.edge.executor.start(
                params,
                context,
                only_subscriptions=self.only_subscriptions,
                before_each=lambda: self.edge.authenticator.confirm(caller),
            )
            if isinstance(begun, Stream):
                await self._follow(operation_id, begun, context.request_id)
            elif begun.refused:
                await self.fail(operation_id, formatted(begun.errors or [], context.request_id))
            else:
                await self.tell(operation_id, payload_of(begun, context.request_id))
                await self.end(operation_id)
        except Unauthenticated as problem:
            await self.turn_out(problem.message)
        except (Gone, NoSubscription, asyncio.CancelledError):
            raise
        except Exception as problem:
            error = GraphQLError("", original_error=problem)
            await self.fail(operation_id, formatted([error], context.request_id))

    async def _follow(self, operation_id: str, stream: Stream, request_id: str) -> None:
        try:
            await self.acknowledge(operation_id)
            async for outcome in stream:
                await self.tell(operation_id, payload_of(outcome, request_id))
            await self.end(operation_id)
        finally:
            await stream.aclose()


def payload_of(outcome: Outcome, request_id: str) -> dict[str, Any]:
    payload: dict[str, Any] = {"data": outcome.data}
    if outcome.errors:
        payload["errors"] = formatted(outcome.errors, request_id)
    return payload
