"""Rate limits in sliding windows, kept in this process, or in Redis for several servers.

Of each action and subject the times of the last `limit` actions are kept. Another one passes if the
oldest of them is `seconds` ago: so there are never more than `limit` in any `seconds`.
"""

import math
from collections import deque
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from prometheus_client import Counter
from redis.asyncio import Redis
from redis.exceptions import RedisError

from app.core.clock import Clock
from app.core.errors import RateLimited, Unavailable
from app.core.outage import Outage

REFUSED = Counter("guildhall_rate_limited_total", "Actions over their rate limit", ["action"])
# Over all windows of this process, about 50 MB.
MOST_TIMES = 1_000_000
EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")
MILLISECOND = timedelta(milliseconds=1)

# A script runs alone: check and entry are atomic. The clocks of servers differ, so time never runs
# backwards within a window. If the last time is far ahead, a clock was wrong and has been set back.
TAKE = """
local now, limit, span = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local last = tonumber(redis.call('LINDEX', KEYS[1], -1) or 0)
if last > now + span then
  redis.call('DEL', KEYS[1])
else
  now = math.max(now, last)
end
local oldest = redis.call('LINDEX', KEYS[1], -limit)
if oldest and tonumber(oldest) > now - span then
  return tonumber(oldest) + span - now
end
redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
redis.call('LTRIM', KEYS[1], -limit, -1)
redis.call('PEXPIRE', KEYS[1], span)
return 0
"""


class RateWindows(Protocol):
    async def take(self, name: str, *, limit: int, span: int) -> int:
        """Enters one action, if fewer than `limit` were entered in the last `span` milliseconds.
        0 if it was entered, else how many milliseconds to wait. What is refused is not entered."""
        ...


@dataclass(slots=True)
class Window:
    times: deque[int]
    span: int

    @property
    def end(self) -> int:
        return self.times[-1] + self.span


class MemoryWindows:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._windows: dict[str, Window] = {}
        self._count = 0

    async def take(self, name: str, *, limit: int, span: int) -> int:
        window = self._windows.pop(name, None) or Window(deque(), span)
        # The last that was used stands last.
        self._windows[name] = window
        times = window.times
        now = _milliseconds(self._clock.now())
        if times and times[-1] > now + span:
            self._count -= len(times)
            times.clear()
        now = max(now, times[-1] if times else 0)
        if len(times) >= limit and times[-limit] > now - span:
            return times[-limit] + span - now
        times.append(now)
        self._count += 1
        while len(times) > limit:
            times.popleft()
            self._count -= 1
        if self._count > MOST_TIMES:
            self._evict(now)
        return 0

    def _evict(self, now: int) -> None:
        """Removes windows that are over, then those unused for longest, until half is free: a flood
        of names does not evict at every call."""
        live = {name: window for name, window in self._windows.items() if window.end > now}
        self._count = sum(len(window.times) for window in live.values())
        for name in list(live):
            if self._count <= MOST_TIMES // 2:
                break
            self._count -= len(live.pop(name).times)
        self._windows = live


class RedisWindows:
    def __init__(self, redis: Redis, clock: Clock, outage: Outage) -> None:
        self._clock = clock
        self._outage = outage
        self._script = redis.register_script(TAKE)

    async def take(self, name: str, *, limit: int, span: int) -> int:
        arguments = [_milliseconds(self._clock.now()), limit, span]
        try:
            wait = await self._script(keys=[f"guildhall:window:{name}"], args=arguments)
        except (RedisError, OSError) as error:
            self._outage.begin(error)
            raise Unavailable("The rate limit cannot be checked. Nothing was changed.") from None
        self._outage.end()
        return int(wait)


class Limiter:
    def __init__(self, windows: RateWindows, factor: float) -> None:
        self._windows = windows
        self._factor = factor

    async def count(self, action: str, subject: str, *, limit: int, seconds: int) -> None:
        most = math.ceil(limit * self._factor)
        wait = await self._windows.take(f"{action}:{subject}", limit=most, span=seconds * 1000)
        if wait:
            REFUSED.labels(action).inc()
            raise RateLimited(action, math.ceil(wait / 1000))


def _milliseconds(moment: datetime) -> int:
    return (moment - EPOCH) // MILLISECOND
