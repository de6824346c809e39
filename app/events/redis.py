"""The relay between processes: one Redis channel that all of them publish to and listen on.

Redis keeps nothing for who is away. Who needs everything reads the list of changes in the table;
this only makes it fast.
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
    def __init__(self, redis: Redis, ears: Redis, topic: str) -> None:
        """`ears`: a client that tells of every lost connection, however short."""
        self._redis = redis
        self._ears = ears
        self._topic = f"guildhall:{topic}:events"
        self._me = uuid4().hex.encode()
        self._unsent: asyncio.Queue[Event] = asyncio.Queue(MOST_UNSENT)
        self._listening = asyncio.Event()

    def send(self, event: Event) -> None:
        """At once: nobody's mutation waits for Redis."""
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
        """In the order of the commits. What Redis does not take is lost to the others: they are
        told of the gap by their own connection."""
        while True:
            event = await self._unsent.get()
            try:
                await self._redis.publish(self._topic, self._me + event.packed())
            except (RedisError, OSError) as error:
                UNSENT.inc()
                log.warning("event not relayed", error=repr(error)[:200])
                await asyncio.sleep(PAUSE)
            finally:
                self._unsent.task_done()

    async def _listen_on(self, bus: Bus) -> None:
        while True:
            try:
                async with self._ears.pubsub(ignore_subscribe_messages=True) as inbox:
                    await self._listen(inbox, bus)
            except (RedisError, OSError) as error:
                log.warning("the relay of events waits for Redis", error=repr(error)[:200])
            if self._listening.is_set():
                self._listening.clear()
                bus.interrupted()
            await asyncio.sleep(PAUSE)

    async def _listen(self, inbox: PubSub, bus: Bus) -> None:
        await inbox.subscribe(self._topic)
        # The first answer is that of the subscription itself.
        await inbox.get_message(timeout=SECONDS_TO_CONNECT)
        self._listening.set()
        while True:
            message = await inbox.get_message(timeout=HEARTBEAT)
            if message is None:
                await inbox.ping()
            elif message["type"] == "message":
                self._receive(message["data"], bus)

    def _receive(self, data: bytes, bus: Bus) -> None:
        origin, packed = data[: len(self._me)], data[len(self._me) :]
        if origin == self._me:
            return
        try:
            event = Event.unpacked(packed)
        except (ValueError, TypeError) as error:
            # Of a server of another version, say: whom it concerns cannot be known.
            log.warning("an event could not be read", error=repr(error)[:200])
            bus.interrupted()
        else:
            bus.deliver(event)
