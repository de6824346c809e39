"""Publish and subscribe: directly in this process, through a relay to the others."""

import asyncio
from collections import deque
from collections.abc import Iterable
from typing import Protocol, Self

from prometheus_client import Counter, Gauge

from app.core.errors import AppError, Unavailable
from app.events.event import Event

MOST_UNREAD = 256
PUBLISHED = Counter("guildhall_events_total", "Events published by this process")
SUBSCRIBERS = Gauge("guildhall_subscribers", "Open subscriptions", multiprocess_mode="livesum")
DROPPED = Counter("guildhall_subscribers_dropped_total", "Subscriptions ended early", ["code"])


class TooSlow(AppError):
    """Ends one subscription; the other subscribers and the publisher are not affected."""

    code = "SLOW_SUBSCRIBER"

    def __init__(self) -> None:
        super().__init__(
            f"{MOST_UNREAD} events were waiting to be read, so this subscription has ended. "
            "Subscribe again, then read what you missed: changes(since:) or the list itself."
        )


class EventsLost(AppError):
    code = "EVENTS_LOST"

    def __init__(self) -> None:
        super().__init__(
            "The connection between the servers was interrupted, so events may be missing and "
            "this subscription has ended. Subscribe again, then read what you missed."
        )


class Relay(Protocol):
    """Sends events to the other processes and receives theirs."""

    def send(self, event: Event) -> None: ...

    async def ready(self) -> bool: ...


class SubscriptionQueue:
    """The events that one subscriber has not read yet."""

    def __init__(self, bus: "Bus", channels: tuple[str, ...], limit: int) -> None:
        self._bus = bus
        self._channels = channels
        self._limit = limit
        self._unread: deque[Event] = deque()
        self._problem: AppError | None = None
        self._closed = False
        self._changed = asyncio.Event()

    def put(self, event: Event) -> None:
        if len(self._unread) >= self._limit:
            self.fail(TooSlow())
        elif self._problem is None:
            self._unread.append(event)
            self._changed.set()

    def fail(self, problem: TooSlow | EventsLost) -> None:
        if self._problem is None:
            DROPPED.labels(problem.code).inc()
            self._problem = problem
            self._unread.clear()
            self._changed.set()

    def take(self) -> Event | None:
        """The next event, or None if there is none yet."""
        if self._problem:
            raise self._problem
        return self._unread.popleft() if self._unread else None

    async def next(self) -> Event | None:
        """Waits for the next event; None: the queue was closed."""
        while not self._closed:
            event = self.take()
            if event is not None:
                return event
            self._changed.clear()
            await self._changed.wait()
        return None

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._changed.set()
            self._bus.unsubscribe(self, self._channels)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Wakeup(SubscriptionQueue):
    """Signals only that something happened, for a subscriber that then reads the table. It never
    fails: after lost events it signals, too."""

    def put(self, event: Event) -> None:
        if not self._unread:
            self._unread.append(event)
        self._changed.set()

    def fail(self, problem: TooSlow | EventsLost) -> None:
        self.put(NO_EVENT)


NO_EVENT = Event((), "", "", "")


class Bus:
    def __init__(self, relay: Relay | None = None) -> None:
        self.relay = relay
        self._subscribers: dict[str, set[SubscriptionQueue]] = {}

    async def subscribe(self, *channels: str) -> SubscriptionQueue:
        """Every event committed after this returns is delivered."""
        return await self._open(SubscriptionQueue(self, channels, MOST_UNREAD), channels)

    async def wakeup(self, *channels: str) -> SubscriptionQueue:
        return await self._open(Wakeup(self, channels, 1), channels)

    async def _open(self, queue: SubscriptionQueue, channels: tuple[str, ...]) -> SubscriptionQueue:
        for each in channels:
            self._subscribers.setdefault(each, set()).add(queue)
        SUBSCRIBERS.inc()
        try:
            connected = self.relay is None or await self.relay.ready()
        except BaseException:
            queue.close()
            raise
        if not connected:
            queue.close()
            raise Unavailable("Live updates are not available. Try again in a few seconds.")
        return queue

    def unsubscribe(self, queue: SubscriptionQueue, channels: Iterable[str]) -> None:
        SUBSCRIBERS.dec()
        for each in channels:
            self._subscribers[each].discard(queue)
            if not self._subscribers[each]:
                del self._subscribers[each]

    def publish(self, events: Iterable[Event]) -> None:
        for event in events:
            PUBLISHED.inc()
            self.deliver(event)
            if self.relay is not None:
                self.relay.send(event)

    def deliver(self, event: Event) -> None:
        for each in event.channels:
            for queue in self._subscribers.get(each, ()):
                queue.put(event)

    def on_interrupted(self) -> None:
        """Events of the other processes may have been lost: every subscription ends."""
        every = {queue for each in self._subscribers.values() for queue in each}
        for queue in every:
            queue.fail(EventsLost())

    @property
    def subscription_count(self) -> int:
        return len({queue for each in self._subscribers.values() for queue in each})
