"""Several processes of one machine share events and rate limits through their parent's hub."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from app.auth.limiter import Limiter, MemoryWindows
from app.core.errors import RateLimited, Unavailable
from app.events import hub_client
from app.events.bus import Bus, EventsLost
from app.events.event import Event, channel
from app.events.hub_client import HubClient
from app.processes.hub import Hub
from tests.servers import TestClock

HERE = channel("Task", user_id="ada")


@dataclass
class Connected:
    """What one of the processes has."""

    bus: Bus
    client: HubClient
    lost: asyncio.Event


@dataclass
class Parent:
    path: str
    hub: Hub
    started: list[int]

    @asynccontextmanager
    async def process(self) -> AsyncIterator[Connected]:
        lost = asyncio.Event()
        client = HubClient(self.path, on_lost=lost.set)
        bus = Bus(client)
        async with client.running(bus):
            yield Connected(bus, client, lost)


@pytest.fixture
async def parent(clock: TestClock) -> AsyncIterator[Parent]:
    started: list[int] = []
    # Not tmp_path: the path of a socket must be short.
    with TemporaryDirectory() as folder:
        hub = Hub(MemoryWindows(clock), on_started=started.append)
        async with hub.serving(f"{folder}/hub"):
            yield Parent(f"{folder}/hub", hub, started)


async def until_connected(client: HubClient) -> None:
    for _ in range(1_000):
        if await client.ready():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("not connected again")


def event(number: int) -> Event:
    item = {"PK": {"S": "USER#ada"}, "title": {"S": f"task {number} ünï"}}
    return Event((HERE,), "Task", "USER#ada", f"TASK#{number}", item, created=True)


async def test_each_other_process_gets_every_event_once_and_in_order(parent: Parent) -> None:
    async with parent.process() as one, parent.process() as two, parent.process() as three:
        queues = [await each.bus.subscribe(HERE) for each in (one, two, three)]
        one.bus.publish(event(n) for n in range(100))
        for queue in queues:
            assert [await queue.next() for _ in range(100)] == [event(n) for n in range(100)]
        three.bus.publish([event(100)])
        for queue in queues:
            assert await queue.next() == event(100)
            assert queue.take() is None


async def test_limits_do_not_multiply_with_the_processes(parent: Parent, clock: TestClock) -> None:
    async with AsyncExitStack() as stack:
        processes = [await stack.enter_async_context(parent.process()) for _ in range(3)]
        limiters = [Limiter(each.client, 1) for each in processes]
        attempts = [limiters[n % 3].count("test", "ada", limit=10, seconds=60) for n in range(24)]
        results = await asyncio.gather(*attempts, return_exceptions=True)
    assert results.count(None) == 10
    assert sum(isinstance(each, RateLimited) for each in results) == 14


async def test_the_parent_hears_who_has_started(parent: Parent) -> None:
    async with parent.process() as one:
        one.client.report_started()
        await one.client.take("x", limit=1, span=1)
    assert parent.started == [os.getpid()]


async def test_a_process_that_was_disconnected_tells_its_subscribers_and_returns(
    parent: Parent,
) -> None:
    async with parent.process() as one, parent.process() as two:
        queues = [await each.bus.subscribe(HERE) for each in (one, two)]
        for client in list(parent.hub._clients):
            client.close()
        for process, queue in zip((one, two), queues, strict=True):
            with pytest.raises(EventsLost):
                await queue.next()
            await until_connected(process.client)
        queue = await two.bus.subscribe(HERE)
        one.bus.publish([event(1)])
        assert await queue.next() == event(1)
        assert not two.lost.is_set()


async def test_a_process_whose_parent_has_ended_ends_too(
    clock: TestClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_client, "PAUSE", 0.01)
    with TemporaryDirectory() as folder:
        path = str(Path(folder) / "hub")
        hub = Hub(MemoryWindows(clock), on_started=lambda pid: None)
        lost = asyncio.Event()
        client = HubClient(path, on_lost=lost.set)
        bus = Bus(client)
        async with AsyncExitStack() as stack:
            async with hub.serving(path):
                await stack.enter_async_context(client.running(bus))
            await lost.wait()
            with pytest.raises(Unavailable):
                await client.take("x", limit=1, span=1)
            with pytest.raises(Unavailable):
                await bus.subscribe(HERE)
