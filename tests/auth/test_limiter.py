"""How often something may be tried: the same rules in memory and in Redis."""

import asyncio
import contextlib
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from redis.asyncio import Redis

from app.auth import limiter as limiter_module
from app.auth.limiter import Limiter, MemoryWindows, RateWindows, RedisWindows
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
def windows(request: pytest.FixtureRequest, clock: TestClock) -> RateWindows:
    if request.param == "memory":
        return MemoryWindows(clock)
    return RedisWindows(request.getfixturevalue("redis"), clock, Outage("Redis", "here"))


async def allowed(limiter: Limiter, who: str, times: int, *, what: str = "tries") -> int:
    """How many of so many tries pass."""
    passed = 0
    for _ in range(times):
        with contextlib.suppress(RateLimited):
            await limiter.count(what, who, limit=3, seconds=60)
            passed += 1
    return passed


async def test_so_many_pass_and_no_more(windows: RateWindows, clock: TestClock) -> None:
    clock.freeze(NOON)
    assert await allowed(Limiter(windows, 1), uuid4().hex, 10) == 3


async def test_never_more_than_so_many_in_any_window(
    windows: RateWindows, clock: TestClock
) -> None:
    """Around the border of a minute, too, where a fixed window lets twice as many pass."""
    limiter, who = Limiter(windows, 1), uuid4().hex
    for second, tries, passing in (
        *((58, 2, 2), (59, 5, 1), (60, 5, 0), (61, 5, 0), (117.999, 5, 0)),
        *((118, 5, 2), (118.999, 5, 0), (119, 5, 1), (177, 5, 0), (178, 1, 1), (179, 5, 2)),
    ):
        clock.freeze(NOON + timedelta(seconds=second))
        assert await allowed(limiter, who, tries) == passing, second


@given(gaps=st.lists(st.integers(0, 30_000), max_size=60))
@settings(max_examples=50, deadline=None)
def test_whatever_the_times_no_window_holds_more(gaps: list[int]) -> None:
    clock = TestClock()
    windows = MemoryWindows(clock)
    now = NOON
    entered: list[datetime] = []
    for gap in gaps:
        now += timedelta(milliseconds=gap)
        clock.freeze(now)
        recent = [each for each in entered if now - each < timedelta(seconds=60)]
        wait = asyncio.run(windows.take("x", limit=3, span=60_000))
        assert (wait == 0) is (len(recent) < 3), "as a list of all times decides"
        if wait:
            assert now + timedelta(milliseconds=wait) == recent[-3] + timedelta(seconds=60)
        else:
            entered.append(now)


async def test_what_is_refused_does_not_extend_the_wait(
    windows: RateWindows, clock: TestClock
) -> None:
    clock.freeze(NOON)
    limiter, who = Limiter(windows, 1), uuid4().hex
    assert await allowed(limiter, who, 50) == 3
    clock.freeze(NOON + timedelta(seconds=59))
    assert await allowed(limiter, who, 50) == 0
    clock.freeze(NOON + timedelta(seconds=60))
    assert await allowed(limiter, who, 50) == 3


async def test_a_clock_that_lags_makes_no_room(windows: RateWindows, clock: TestClock) -> None:
    """The clocks of two servers differ."""
    limiter, who = Limiter(windows, 1), uuid4().hex
    for second in (10, 0, 20):
        clock.freeze(NOON + timedelta(seconds=second))
        assert await allowed(limiter, who, 1) == 1
    for second, passing in ((5, 0), (69, 0), (70, 2), (71, 0), (80, 1)):
        clock.freeze(NOON + timedelta(seconds=second))
        assert await allowed(limiter, who, 3) == passing, second


async def test_a_clock_that_was_set_back_locks_nobody_out(
    windows: RateWindows, clock: TestClock
) -> None:
    limiter, who = Limiter(windows, 1), uuid4().hex
    clock.freeze(NOON + timedelta(days=1))
    assert await allowed(limiter, who, 3) == 3
    clock.freeze(NOON)
    assert await allowed(limiter, who, 5) == 3


async def test_the_refusal_says_how_long_to_wait(windows: RateWindows, clock: TestClock) -> None:
    clock.freeze(NOON)
    limiter, who = Limiter(windows, 1), uuid4().hex
    await allowed(limiter, who, 3)
    clock.freeze(NOON + timedelta(seconds=18))
    with pytest.raises(RateLimited) as refusal:
        await limiter.count("tries", who, limit=3, seconds=60)
    assert refusal.value.info == {"retryAfter": 42}
    assert refusal.value.message == "Too many tries. Try again in 42 seconds."


async def test_everyone_and_everything_is_counted_apart(
    windows: RateWindows, clock: TestClock
) -> None:
    clock.freeze(NOON)
    limiter, who = Limiter(windows, 1), uuid4().hex
    assert await allowed(limiter, who, 5) == 3
    assert await allowed(limiter, uuid4().hex, 5) == 3
    assert await allowed(limiter, who, 5, what="others") == 3


async def test_parallel_tries_are_all_counted(windows: RateWindows, clock: TestClock) -> None:
    clock.freeze(NOON)
    limiter, who = Limiter(windows, 1), uuid4().hex
    assert sum(await asyncio.gather(*(allowed(limiter, who, 1) for _ in range(50)))) == 3


@pytest.mark.parametrize(("factor", "passing"), [(2, 6), (0.5, 2), (0.001, 1), (100, 12)])
async def test_the_factor_stretches_every_limit(
    windows: RateWindows, clock: TestClock, factor: float, passing: int
) -> None:
    clock.freeze(NOON)
    assert await allowed(Limiter(windows, factor), uuid4().hex, 12) == passing


async def test_memory_is_bounded_however_many_names_come(
    clock: TestClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limiter_module, "MOST_TIMES", 100)
    windows = MemoryWindows(clock)
    for number in range(1_000):
        assert await windows.take(f"name-{number}", limit=3, span=3_600_000) == 0
        await windows.take("watched", limit=3, span=3_600_000)
        assert sum(len(each.times) for each in windows._windows.values()) == windows._count <= 101
    assert await windows.take("watched", limit=3, span=3_600_000) > 0, "it was used all the time"


async def test_one_window_keeps_no_more_times_than_its_limit(clock: TestClock) -> None:
    windows = MemoryWindows(clock)
    for minute in range(50):
        clock.freeze(NOON + timedelta(minutes=minute))
        await windows.take("x", limit=3, span=60_000)
    assert (len(windows._windows["x"].times), windows._count) == (3, 3)


async def test_windows_that_are_over_are_the_first_to_go(
    clock: TestClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limiter_module, "MOST_TIMES", 100)
    clock.freeze(NOON)
    windows = MemoryWindows(clock)
    await windows.take("watched", limit=1, span=3_600_000)
    for number in range(99):
        await windows.take(f"name-{number}", limit=1, span=10_000)
    clock.freeze(NOON + timedelta(minutes=1))
    await windows.take("one more", limit=1, span=10_000)
    assert windows._windows.keys() == {"watched", "one more"}
    assert await windows.take("watched", limit=1, span=3_600_000) == 59 * 60_000


async def test_redis_keeps_so_many_times_and_forgets_by_itself(
    redis: Redis, clock: TestClock
) -> None:
    name = uuid4().hex
    windows = RedisWindows(redis, clock, Outage("Redis", "here"))
    for second in range(5):
        clock.freeze(NOON + timedelta(seconds=second * 61))
        await windows.take(name, limit=3, span=60_000)
    assert await redis.llen(f"guildhall:window:{name}") == 3
    assert 0 < await redis.pttl(f"guildhall:window:{name}") <= 60_000


async def test_a_redis_that_is_gone_is_told_as_such(clock: TestClock) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    async with Redis.from_url(f"redis://127.0.0.1:{port}") as nobody:
        windows = RedisWindows(nobody, clock, Outage("Redis", "here"))
        with pytest.raises(Unavailable):
            await windows.take("x", limit=3, span=60_000)


async def test_two_servers_with_one_redis_count_together(
    start_server: Callable[..., RunningServer], redis_url: str, clock: TestClock
) -> None:
    clock.freeze(datetime.now(UTC))
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
