"""How often something may be tried: the same rules in memory and in Redis."""

import asyncio
import contextlib
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest
from redis.asyncio import Redis

from app.auth import limiter as limiter_module
from app.auth.limiter import Counters, Limiter, MemoryCounters, RedisCounters
from app.core.errors import RateLimited, Unavailable
from app.core.outage import Outage
from tests.api import Api, Failed
from tests.engines import dying_with_me, unavailable
from tests.servers import RunningServer, TestClock

NOON = datetime(2026, 1, 10, 12, tzinfo=UTC)
CHECK = "query ($n: String!) { nicknameAvailable(nickname: $n) }"


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Redis of our own, which keeps nothing."""
    program = shutil.which("redis-server")
    if program is None:
        unavailable("redis-server is not installed")
    folder: Path = tmp_path_factory.mktemp("redis")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [
            *dying_with_me(program, "--port", str(port), "--bind", "127.0.0.1"),
            *("--save", "", "--appendonly", "no", "--dir", str(folder)),
        ],
        stdout=subprocess.DEVNULL,
    )
    try:
        _wait_for(port, process)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.terminate()
        process.wait(10)


def _wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(200):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1) as door:
            door.sendall(b"PING\r\n")
            if door.recv(16).startswith(b"+PONG"):
                return
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.05)
    raise AssertionError("Redis did not start")


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    async with Redis.from_url(redis_url) as client:
        yield client


@pytest.fixture(params=["memory", "redis"])
def counters(request: pytest.FixtureRequest, clock: TestClock) -> Counters:
    if request.param == "memory":
        return MemoryCounters(clock)
    return RedisCounters(request.getfixturevalue("redis"), Outage("Redis", "here"))


def limited(counters: Counters, clock: TestClock, factor: float = 1.0) -> Limiter:
    return Limiter(counters, clock, factor)


async def allowed(limiter: Limiter, who: str, times: int, *, what: str = "tries") -> int:
    """How many of so many tries pass."""
    passed = 0
    for _ in range(times):
        with contextlib.suppress(RateLimited):
            await limiter.count(what, who, limit=3, seconds=60)
            passed += 1
    return passed


async def test_so_many_pass_and_no_more(counters: Counters, clock: TestClock) -> None:
    clock.freeze(NOON)
    assert await allowed(limited(counters, clock), uuid4().hex, 10) == 3


async def test_the_next_window_begins_anew(counters: Counters, clock: TestClock) -> None:
    clock.freeze(NOON)
    limiter, who = limited(counters, clock), uuid4().hex
    assert await allowed(limiter, who, 5) == 3
    clock.freeze(NOON.replace(second=59))
    assert await allowed(limiter, who, 5) == 0
    clock.freeze(NOON.replace(minute=1))
    assert await allowed(limiter, who, 5) == 3


async def test_the_refusal_says_how_long_to_wait(counters: Counters, clock: TestClock) -> None:
    clock.freeze(NOON.replace(second=18))
    limiter, who = limited(counters, clock), uuid4().hex
    await allowed(limiter, who, 3)
    with pytest.raises(RateLimited) as refusal:
        await limiter.count("tries", who, limit=3, seconds=60)
    assert refusal.value.info == {"retryAfter": 42}
    assert refusal.value.message == "Too many tries. Try again in 42 seconds."


async def test_everyone_and_everything_is_counted_apart(
    counters: Counters, clock: TestClock
) -> None:
    clock.freeze(NOON)
    limiter, who = limited(counters, clock), uuid4().hex
    assert await allowed(limiter, who, 5) == 3
    assert await allowed(limiter, uuid4().hex, 5) == 3
    assert await allowed(limiter, who, 5, what="others") == 3


async def test_parallel_tries_are_all_counted(counters: Counters, clock: TestClock) -> None:
    clock.freeze(NOON)
    limiter, who = limited(counters, clock), uuid4().hex
    assert sum(await asyncio.gather(*(allowed(limiter, who, 1) for _ in range(50)))) == 3


@pytest.mark.parametrize(("factor", "passing"), [(2, 6), (0.5, 2), (0.001, 1), (100, 12)])
async def test_the_factor_stretches_every_limit(
    counters: Counters, clock: TestClock, factor: float, passing: int
) -> None:
    clock.freeze(NOON)
    assert await allowed(limited(counters, clock, factor), uuid4().hex, 12) == passing


async def test_a_counter_ends_after_its_seconds(clock: TestClock) -> None:
    clock.freeze(NOON)
    counters = MemoryCounters(clock)
    assert [await counters.add("x", 60) for _ in range(3)] == [1, 2, 3]
    clock.freeze(NOON.replace(second=59))
    assert await counters.add("x", 60) == 4
    clock.freeze(NOON.replace(minute=1))
    assert await counters.add("x", 60) == 1


async def test_memory_is_bounded_however_many_names_come(
    clock: TestClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limiter_module, "MOST_COUNTERS", 100)
    counters = MemoryCounters(clock)
    for number in range(1_000):
        await counters.add(f"name-{number}", 3600)
        assert await counters.add("watched", 3600) > 0
        assert len(counters._counts) <= 101


async def test_ended_counters_are_the_first_to_go(
    clock: TestClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limiter_module, "MOST_COUNTERS", 100)
    clock.freeze(NOON)
    counters = MemoryCounters(clock)
    await counters.add("watched", 3600)
    for number in range(99):
        await counters.add(f"name-{number}", 10)
    clock.freeze(NOON.replace(minute=1))
    await counters.add("one more", 10)
    assert await counters.add("watched", 3600) == 2


async def test_redis_forgets_by_itself(redis: Redis) -> None:
    name = uuid4().hex
    counters = RedisCounters(redis, Outage("Redis", "here"))
    assert await counters.add(name, 60) == 1
    await redis.expire(f"guildhall:rate:{name}", 30)
    assert await counters.add(name, 60) == 2
    assert 0 < await redis.ttl(f"guildhall:rate:{name}") <= 30


async def test_a_redis_that_is_gone_is_told_as_such() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    async with Redis.from_url(f"redis://127.0.0.1:{port}") as nobody:
        with pytest.raises(Unavailable):
            await RedisCounters(nobody, Outage("Redis", "here")).add("x", 60)


async def test_two_servers_with_one_redis_count_together(
    start_server: Callable[..., RunningServer], redis_url: str, clock: TestClock
) -> None:
    clock.freeze(datetime.now(UTC).replace(second=5))
    servers = [start_server(redis_url=redis_url, rate_factor=1) for _ in range(2)]
    outcomes = []
    for server in servers * 20:
        async with Api(server.url) as api:
            try:
                await api.gql(CHECK, n=f"n{uuid4().hex[:10]}")
                outcomes.append("ok")
            except Failed as failed:
                outcomes.append(failed.code)
    assert outcomes == ["ok"] * 30 + ["RATE_LIMITED"] * 10
