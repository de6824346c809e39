"""Publish and subscribe: in this process at once, to the others through a relay."""

import asyncio
from collections import deque
from collections.abc import Iterable
from typing import Protocol, Self

from prometheus_client import Counter, Gauge

from app.core.errors import AppError, Unavailable
from app.events.event import Event

MOST_WAITING = 256
PUBLISHED = Counter("guildhall_events_total", "Events published by this process")
SUBSCRIBERS = Gauge("guildhall_subscribers", "Open subscriptions")
DROPPED = Counter("guildhall_subscribers_dropped_total", "Subscriptions ended early", ["code"])


class TooSlow(AppError):
    """For one subscriber alone: the others and the publisher do not wait for it."""

    code = "SLOW_SUBSCRIBER"

    def __init__(self) -> None:
        super().__init__(
            "More happened than you have read, so this subscription has ended. Subscribe again, "
            "then read what you missed: changes(since:) or the list itself."
        )


class EventsLost(AppError):
    code = "EVENTS_LOST"

    def __init__(self) -> None:
        super().__init__(
            "The servers have lost sight of each other for a moment, so this subscription has "
            "ended. Subscribe again, then read what you missed."
        )


class Relay(Protocol):
    """Carries events to the other processes and brings theirs."""

    def send(self, event: Event) -> None: ...

    async def ready(self) -> bool: ...


class Mailbox:
    """What one subscriber has not read yet."""

    def __init__(self, bus: "Bus", channels: tuple[str, ...], most: int) -> None:
        self._bus = bus
        self._channels = channels
        self._most = most
        self._waiting: deque[Event] = deque()
        self._problem: AppError | None = None
        self._closed = False
        self._woken = asyncio.Event()

    def put(self, event: Event) -> None:
        if len(self._waiting) >= self._most:
            self.fail(TooSlow())
        elif self._problem is None:
            self._waiting.append(event)
            self._woken.set()

    def fail(self, problem: TooSlow | EventsLost) -> None:
        if self._problem is None:
            DROPPED.labels(problem.code).inc()
            self._problem = problem
            self._waiting.clear()
            self._woken.set()

    def take(self) -> Event | None:
        """The next one, if it is there already."""
        if self._problem:
            raise self._problem
        return self._waiting.popleft() if self._waiting else None

    async def next(self) -> Event | None:
        """Waits for one; None: the mailbox was closed."""
        while not self._closed:
            event = self.take()
            if event is not None:
                return event
            self._woken.clear()
            await self._woken.wait()
        return None

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._woken.set()
            self._bus.leave(self, self._channels)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Bell(Mailbox):
    """Tells only that there is something: for a reader of what is stored, who can miss nothing."""

    def put(self, event: Event) -> None:
        if not self._waiting:
            self._waiting.append(event)
        self._woken.set()

    def fail(self, problem: TooSlow | EventsLost) -> None:
        self.put(NOTHING)


NOTHING = Event((), "", "", "")


class Bus:
    def __init__(self, relay: Relay | None = None) -> None:
        self.relay = relay
        self._subscribers: dict[str, set[Mailbox]] = {}

    async def subscribe(self, *channels: str) -> Mailbox:
        """From the moment this answers, nothing that is committed is missed."""
        return await self._open(Mailbox(self, channels, MOST_WAITING), channels)

    async def bell(self, *channels: str) -> Mailbox:
        return await self._open(Bell(self, channels, 1), channels)

    async def _open(self, mailbox: Mailbox, channels: tuple[str, ...]) -> Mailbox:
        for each in channels:
            self._subscribers.setdefault(each, set()).add(mailbox)
        SUBSCRIBERS.inc()
        try:
            connected = self.relay is None or await self.relay.ready()
        except BaseException:
            mailbox.close()
            raise
        if not connected:
            mailbox.close()
            raise Unavailable("Live updates do not work just now.")
        return mailbox

    def leave(self, mailbox: Mailbox, channels: Iterable[str]) -> None:
        SUBSCRIBERS.dec()
        for each in channels:
            self._subscribers[each].discard(mailbox)
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
            for mailbox in self._subscribers.get(each, ()):
                mailbox.put(event)

    def interrupted(self) -> None:
        """What the others published meanwhile never came."""
        every = {mailbox for each in self._subscribers.values() for mailbox in each}
        for mailbox in every:
            mailbox.fail(EventsLost())

    @property
    def count(self) -> int:
        return len({mailbox for each in self._subscribers.values() for mailbox in each})
