"""How often something may be tried: counted in this process, or in Redis for several servers."""

import math
from typing import Protocol

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from app.core.clock import Clock, epoch
from app.core.errors import RateLimited, Unavailable

MOST_COUNTERS = 100_000

log = structlog.get_logger()


class Counters(Protocol):
    async def add(self, name: str, seconds: int) -> int:
        """Counts one more under `name`, which is forgotten after `seconds`."""
        ...


class MemoryCounters:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._counts: dict[str, tuple[int, int]] = {}

    async def add(self, name: str, seconds: int) -> int:
        now = epoch(self._clock.now())
        if len(self._counts) >= MOST_COUNTERS:
            self._make_room(now)
        count, until = self._counts.get(name, (0, 0))
        if until <= now:
            count, until = 0, now + seconds
        self._counts[name] = (count + 1, until)
        return count + 1

    def _make_room(self, now: int) -> None:
        """Half of it at least, so that a flood of names does not make each one costly."""
        going_on = [(name, count) for name, count in self._counts.items() if count[1] > now]
        self._counts = dict(going_on[-MOST_COUNTERS // 2 :])


class RedisCounters:
    def __init__(self, redis: "Redis") -> None:
        self._redis = redis

    async def add(self, name: str, seconds: int) -> int:
        try:
            async with self._redis.pipeline(transaction=True) as pipeline:
                pipeline.incr(f"guildhall:rate:{name}")
                pipeline.expire(f"guildhall:rate:{name}", seconds, nx=True)
                counts = await pipeline.execute()
        except (RedisError, OSError) as error:
            log.warning("redis unavailable", error=repr(error))
            raise Unavailable("Rates cannot be counted just now. Nothing was changed.") from None
        return int(counts[0])


class Limiter:
    """Fixed windows: simple, and at worst twice the rate across a border."""

    def __init__(self, counters: Counters, clock: Clock, factor: float) -> None:
        self._counters = counters
        self._clock = clock
        self._factor = factor

    async def count(self, what: str, who: str, *, limit: int, seconds: int) -> None:
        now = epoch(self._clock.now())
        window = now // seconds
        count = await self._counters.add(f"{what}:{who}:{window}", seconds)
        if count > math.ceil(limit * self._factor):
            raise RateLimited(what, (window + 1) * seconds - now)
