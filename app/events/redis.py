"""The relay between processes: one Redis channel that all of them publish to and listen on.

Redis does not keep messages for a process that is not connected. A client that must not miss a
change reads the change list in the table; the relay only makes it fast.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from uuid import uuid4

import structlog
from prometheus_client import Counter
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from app.core.outage import Outage
from app.events.bus import Bus
from app.events.event import Event

MOST_UNSENT = 10_000
PAUSE = 0.5
SECONDS_TO_CONNECT = 5.0
SECONDS_TO_FLUSH = 5.0
HEARTBEAT = 15.0
UNSENT = Counter("guildhall_events_unsent_total", "Events that Redis did not take")
log = structlog.get_logger()


class RedisRelay:
    def __init__(self, redis: Redis, listener: Redis, *, topic: str, outage: Outage) -> None:
        """`listener`: a client without retries, so that every lost connection raises."""
        self._redis = redis
        self._listener = listener
        self._outage = outage
        self._topic = f"guildhall:{topic}:events"
        self._origin = uuid4().hex.encode()
        self._unsent: asyncio.Queue[Event] = asyncio.Queue(MOST_UNSENT)
        self._listening = asyncio.Event()

    def send(self, event: Event) -> None:
        """Returns at once: no mutation waits for Redis."""
        try:
            self._unsent.put_nowait(event)
        except asyncio.QueueFull:
            UNSENT.inc()

    async def ready(self) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(SECONDS_TO_CONNECT):
                await self._listening.wait()
        return self._listening.is_set()

    @asynccontextmanager
    async def running(self, bus: Bus) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(self._send_all()), asyncio.create_task(self._listen_on(bus))]
        try:
            yield
        finally:
            with suppress(TimeoutError):
                async with asyncio.timeout(SECONDS_TO_FLUSH):
                    await self._unsent.join()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _send_all(self) -> None:
        """In the order of the commits. An event that Redis does not take is lost for the other
        processes; their own lost connection ends their subscriptions."""
        while True:
            event = await self._unsent.get()
            try:
                await self._redis.publish(self._topic, self._origin + event.to_bytes())
            except (RedisError, OSError) as error:
                UNSENT.inc()
                self._outage.begin(error)
                await asyncio.sleep(PAUSE)
            finally:
                self._unsent.task_done()

    async def _listen_on(self, bus: Bus) -> None:
        while True:
            try:
                async with self._listener.pubsub(ignore_subscribe_messages=True) as inbox:
                    await self._listen(inbox, bus)
            except (RedisError, OSError) as error:
                self._outage.begin(error)
            if self._listening.is_set():
                self._listening.clear()
                bus.on_interrupted()
            await asyncio.sleep(PAUSE)

    async def _listen(self, inbox: PubSub, bus: Bus) -> None:
        await inbox.subscribe(self._topic)
        # The first message confirms the subscription.
        await inbox.get_message(timeout=SECONDS_TO_CONNECT)
        self._outage.end()
        self._listening.set()
        while True:
            message = await inbox.get_message(timeout=HEARTBEAT)
            if message is None:
                await inbox.ping()
            elif message["type"] == "message":
                self._receive(message["data"], bus)

    def _receive(self, data: bytes, bus: Bus) -> None:
        origin, payload = data[: len(self._origin)], data[len(self._origin) :]
        if origin == self._origin:
            return
        try:
            event = Event.from_bytes(payload)
        except (ValueError, TypeError) as error:
            # It may come from a server of another version; its channels are unknown.
            log.warning("event from another server is not readable", error=repr(error)[:200])
            bus.on_interrupted()
        else:
            bus.deliver(event)
