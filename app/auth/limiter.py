"""Rate limits, counted in this process, or in Redis for several servers."""

import math
from typing import Protocol

from redis.asyncio import Redis
from redis.exceptions import RedisError

from app.core.clock import Clock, epoch_seconds
from app.core.errors import RateLimited, Unavailable
from app.core.outage import Outage

MOST_COUNTERS = 100_000


class Counters(Protocol):
    async def add(self, name: str, seconds: int) -> int:
        """Adds one to the counter `name` and returns its value. It ends after `seconds`."""
        ...


class MemoryCounters:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._counts: dict[str, tuple[int, int]] = {}

    async def add(self, name: str, seconds: int) -> int:
        now = epoch_seconds(self._clock.now())
        if len(self._counts) >= MOST_COUNTERS:
            self._evict(now)
        count, until = self._counts.get(name, (0, 0))
        if until <= now:
            count, until = 0, now + seconds
        self._counts[name] = (count + 1, until)
        return count + 1

    def _evict(self, now: int) -> None:
        """Removes at least half, so that a flood of names does not evict at every call."""
        current = [(name, count) for name, count in self._counts.items() if count[1] > now]
        self._counts = dict(current[-MOST_COUNTERS // 2 :])


class RedisCounters:
    def __init__(self, redis: Redis, outage: Outage) -> None:
        self._redis = redis
        self._outage = outage

    async def add(self, name: str, seconds: int) -> int:
        try:
            async with self._redis.pipeline(transaction=True) as pipeline:
                pipeline.incr(f"guildhall:rate:{name}")
                pipeline.expire(f"guildhall:rate:{name}", seconds, nx=True)
                counts = await pipeline.execute()
        except (RedisError, OSError) as error:
            self._outage.begin(error)
            raise Unavailable("The rate limit cannot be checked. Nothing was changed.") from None
        self._outage.end()
        return int(counts[0])


class Limiter:
    """Fixed windows: at worst twice the rate passes around the border between two windows."""

    def __init__(self, counters: Counters, clock: Clock, factor: float) -> None:
        self._counters = counters
        self._clock = clock
        self._factor = factor

    async def count(self, action: str, subject: str, *, limit: int, seconds: int) -> None:
        now = epoch_seconds(self._clock.now())
        window = now // seconds
        count = await self._counters.add(f"{action}:{subject}:{window}", seconds)
        if count > math.ceil(limit * self._factor):
            raise RateLimited(action, (window + 1) * seconds - now)
