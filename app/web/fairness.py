"""Shares the server between callers: nobody's requests hold up those of others.

The event loop answers in order of arrival, so whoever sends the most is served the most. Here each
caller has a bounded number of requests under way; the others wait, and waiting callers are served
by turns. Heavy requests have a queue of their own, with one at a time for each caller.
"""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Awaitable, Callable
from ipaddress import IPv6Address, ip_address
from typing import TypeVar

from app.core.caller import Caller
from app.core.errors import RateLimited, Unavailable

T = TypeVar("T")
StartWork = Callable[[], Awaitable[T]]

# A cost of 1,000 takes about 20 ms. What costs more, waits for the caller's heavy request before.
HEAVY_COST = 1_000
MOST_WAITING = 100
# All subscriptions of a user may wait, on all of their sockets.
MOST_EVENTS_WAITING = 1_000
EVENT_SECONDS = 60.0
BUSY = "The server is busy. Nothing was changed; try again in a moment."


class FairQueue:
    """At most `at_once` pieces of work in all and `per_caller` of one caller. Who has waited for
    `seconds` is told to come again."""

    def __init__(
        self, *, at_once: int, per_caller: int, seconds: float, most_waiting: int = MOST_WAITING
    ) -> None:
        self._at_once = at_once
        self._per_caller = per_caller
        self._seconds = seconds
        self._most_waiting = most_waiting
        self._running: Counter[str] = Counter()
        self._total = 0
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def run(self, caller: str, work: StartWork[T]) -> T:
        if caller in self._waiting or not self._has_room(caller):
            await self._wait(caller)
        else:
            self._begin(caller)
        try:
            return await work()
        finally:
            self._end(caller)

    def _has_room(self, caller: str) -> bool:
        return self._total < self._at_once and self._running[caller] < self._per_caller

    def _begin(self, caller: str) -> None:
        self._running[caller] += 1
        self._total += 1

    def _end(self, caller: str) -> None:
        self._running[caller] -= 1
        self._total -= 1
        if not self._running[caller]:
            del self._running[caller]
        if caller in self._waiting:
            self._waiting.move_to_end(caller)
        self._wake_next()

    async def _wait(self, caller: str) -> None:
        queue = self._waiting.setdefault(caller, deque())
        if len(queue) >= self._most_waiting:
            raise RateLimited("requests at once", 1)
        granted = asyncio.get_running_loop().create_future()
        queue.append(granted)
        try:
            async with asyncio.timeout(self._seconds):
                await granted
                # What others have sent meanwhile is read before this goes on.
                await asyncio.sleep(0)
        except BaseException as problem:
            self._give_up(caller, granted)
            raise (Unavailable(BUSY) if isinstance(problem, TimeoutError) else problem) from None

    def _give_up(self, caller: str, granted: "asyncio.Future[None]") -> None:
        if granted.done() and not granted.cancelled():
            self._end(caller)
        elif granted in self._waiting.get(caller, ()):
            self._waiting[caller].remove(granted)
            self._drop_if_empty(caller)

    def _drop_if_empty(self, caller: str) -> None:
        if not self._waiting[caller]:
            del self._waiting[caller]

    def _wake_next(self) -> None:
        caller = next(filter(self._has_room, self._waiting), None)
        if caller is None:
            return
        granted = self._waiting[caller].popleft()
        self._waiting.move_to_end(caller)
        self._drop_if_empty(caller)
        if granted.cancelled():
            self._wake_next()
        else:
            self._begin(caller)
            granted.set_result(None)


class FairShare:
    """`seconds`: how long a request may wait."""

    def __init__(self, seconds: float) -> None:
        self._light = FairQueue(at_once=128, per_caller=16, seconds=seconds)
        self._heavy = FairQueue(at_once=4, per_caller=1, seconds=seconds)
        self._events = FairQueue(
            at_once=64, per_caller=8, seconds=EVENT_SECONDS, most_waiting=MOST_EVENTS_WAITING
        )

    async def run(self, caller: str, cost: int, work: StartWork[T]) -> T:
        if cost > HEAVY_COST:
            return await self.run_heavy(caller, work)
        return await self._light.run(caller, work)

    async def run_heavy(self, caller: str, work: StartWork[T]) -> T:
        await asyncio.sleep(0)
        return await self._heavy.run(caller, work)

    async def run_event(self, caller: str, work: StartWork[T]) -> T:
        """Answers one event of a subscription."""
        return await self._events.run(caller, work)


def share_key(caller: Caller) -> str:
    """Callers without an account share what their address has."""
    return f"user {caller.id}" if caller.id is not None else address_key(caller.address)


def address_key(address: str) -> str:
    """A network of 2^64 addresses is the least that a provider gives to one customer."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return f"address {address}"
    if isinstance(parsed, IPv6Address) and not parsed.ipv4_mapped:
        return f"network {int(parsed) >> 64:x}"
    return f"address {parsed.ipv4_mapped if isinstance(parsed, IPv6Address) else parsed}"
