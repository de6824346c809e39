"""What the two socket protocols have in common: operations, each in a task of its own."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import orjson
from graphql import GraphQLError

from app.auth.claims import LEEWAY
from app.core.caller import Caller
from app.core.clock import epoch_seconds
from app.core.errors import AppError, Unauthenticated
from app.web.body import Params
from app.web.errors import format_errors
from app.web.execution import NotASubscription, ResponseStream
from app.web.http import ClientDisconnected
from app.web.realtime.hub import RealtimeHub
from app.web.realtime.socket import Socket
from app.web.results import OperationResult

MAX_OPERATIONS = 100
INIT_SECONDS = 10.0
EXPIRED = "Token has expired."
CONFIRM_SECONDS = 30.0
Work = Callable[[], Awaitable[None]]


class SocketConnection(ABC):
    """Subclasses know the frames of their protocol."""

    only_subscriptions = False

    def __init__(self, hub: RealtimeHub, socket: Socket) -> None:
        self.hub = hub
        self.socket = socket
        self._confirmed_at = time.monotonic()
        self.callers: dict[str, Caller] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    @abstractmethod
    async def acknowledge(self, operation_id: str) -> None:
        """Confirms that a subscription has started."""

    @abstractmethod
    async def send_result(self, operation_id: str, payload: dict[str, Any]) -> None:
        """Sends the result of an operation, or one event of a subscription."""

    @abstractmethod
    async def send_errors(self, operation_id: str, errors: list[dict[str, Any]]) -> None:
        """The operation did not begin, or ended early."""

    @abstractmethod
    async def send_complete(self, operation_id: str) -> None:
        """The operation has ended; no more results follow."""

    @abstractmethod
    async def close_unauthorized(self, reason: str) -> None:
        """Closes the socket because its credentials are no longer valid."""

    @abstractmethod
    async def serve(self) -> None:
        """Handles frames from the handshake until the socket closes."""

    async def run(self) -> None:
        self.hub.add(self)
        try:
            await self.serve()
        except ClientDisconnected:
            pass
        finally:
            self.hub.remove(self)
            await self._stop_all()

    async def _stop_all(self) -> None:
        tasks = list(self.tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def check(self, now: float) -> None:
        """Closes the socket when credentials have expired or were revoked."""
        try:
            moment = epoch_seconds(self.hub.resources.clock.now())
            callers = list(self.callers.values())
            if any(c.expires_at and moment >= c.expires_at + LEEWAY for c in callers):
                await self.close_unauthorized(EXPIRED)
            elif now - self._confirmed_at > CONFIRM_SECONDS:
                self._confirmed_at = now
                await self._confirm(callers)
        except ClientDisconnected:
            return

    async def _confirm(self, callers: list[Caller]) -> None:
        try:
            for caller in callers:
                await self.hub.authenticator.confirm(caller)
        except Unauthenticated as problem:
            await self.close_unauthorized(problem.message)
        except AppError:
            return

    def start_operation(self, operation_id: str, params: Params, caller: Caller) -> None:
        self.start_task(operation_id, partial(self.execute_operation, operation_id, params, caller))

    def start_task(self, operation_id: str, work: Work) -> None:
        task = asyncio.create_task(self._ignore_disconnect(work))
        self.tasks[operation_id] = task
        task.add_done_callback(lambda done: self._forget(operation_id, done))

    def _forget(self, operation_id: str, task: "asyncio.Task[None]") -> None:
        # The client may have reused the id meanwhile.
        if self.tasks.get(operation_id) is task:
            del self.tasks[operation_id]
            self.callers.pop(operation_id, None)

    async def _ignore_disconnect(self, work: Work) -> None:
        try:
            await work()
        except ClientDisconnected:
            return

    async def stop_operation(self, operation_id: str) -> None:
        task = self.tasks.pop(operation_id, None)
        self.callers.pop(operation_id, None)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def execute_operation(self, operation_id: str, params: Params, caller: Caller) -> None:
        context = self.hub.new_context(caller)
        try:
            started = await self.hub.executor.start(
                params,
                context,
                only_subscriptions=self.only_subscriptions,
                before_each=lambda: self.hub.authenticator.confirm(caller),
            )
            if isinstance(started, ResponseStream):
                await self._send_stream(operation_id, started, context.request_id)
            elif started.is_request_error:
                await self.send_errors(
                    operation_id, format_errors(started.errors or [], context.request_id)
                )
            else:
                await self.send_result(operation_id, to_payload(started, context.request_id))
                await self.send_complete(operation_id)
        except Unauthenticated as problem:
            await self.close_unauthorized(problem.message)
        except (ClientDisconnected, NotASubscription, asyncio.CancelledError):
            raise
        except Exception as problem:
            error = GraphQLError("", original_error=problem)
            await self.send_errors(operation_id, format_errors([error], context.request_id))

    async def _send_stream(
        self, operation_id: str, stream: ResponseStream, request_id: str
    ) -> None:
        try:
            await self.acknowledge(operation_id)
            async for result in stream:
                await self.send_result(operation_id, to_payload(result, request_id))
            await self.send_complete(operation_id)
        finally:
            await stream.aclose()


def to_payload(result: OperationResult, request_id: str) -> dict[str, Any]:
    payload: dict[str, Any] = {
        "data": result.data if result.json is None else orjson.Fragment(result.json)
    }
    if result.errors:
        payload["errors"] = format_errors(result.errors, request_id)
    return payload
