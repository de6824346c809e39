"""Two servers as their own processes, with Redis between them."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from redis.asyncio import Redis

from app.core.caller import acting_for
from app.domains.goals.inputs import CreateTaskInput
from app.resources import open_resources
from app.services import Services
from app.settings import Settings
from tests.api import Api, Person
from tests.community.rooms import new_room, send
from tests.engines import unavailable
from tests.realtime.redis_process import RedisProcess
from tests.realtime.sockets import TransportClient
from tests.web.processes import ServerProcess

ON_MESSAGE = "subscription ($room: ID!) { onMessageSent(roomId: $room) { number text } }"
ON_TASK = "subscription { onTaskChanged { title } }"
ON_CHANGE = "subscription ($since: String) { onChange(since: $since) { cursor type id } }"
CREATE = "mutation ($t: String!) { createTask(input: {title: $t}) { id } }"


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    if not shutil.which("redis-server"):
        unavailable("there is no redis-server")
    running = RedisProcess(tmp_path_factory.mktemp("redis"))
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def servers(
    redis: RedisProcess, settings: Settings, server: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[ServerProcess]]:
    shared = {
        "ENDPOINT_URL": settings.endpoint_url or "",
        "REDIS_URL": redis.url,
        "SECRET_KEY": "a secret of both servers, long enough",
        "PUBLIC_URL": "http://guildhall.example",
        "RATE_FACTOR": "100000",
        "DEMO": "false",
    }
    folders = [tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("second")]
    with ServerProcess(folders[0], **shared) as one, ServerProcess(folders[1], **shared) as two:
        yield [one, two]


@asynccontextmanager
async def two_people(servers: list[ServerProcess]) -> AsyncIterator[tuple[Person, Person]]:
    async with Api(servers[0].url) as one, Api(servers[1].url) as two:
        yield await one.sign_up(), await two.sign_up()


async def test_a_message_sent_through_one_arrives_through_the_other(
    servers: list[ServerProcess],
) -> None:
    async with two_people(servers) as (ada, bob):
        room = await new_room(ada, bob)
        async with TransportClient.signed_in(servers[1].url, bob) as socket:
            await socket.subscribe(ON_MESSAGE, room=room)
            await socket.silent(0.3)
            await send(ada, room, "Across")
            assert (await socket.data())["onMessageSent"] == {"number": 1, "text": "Across"}


async def test_a_deletion_reaches_every_server_with_the_last_state(
    servers: list[ServerProcess],
) -> None:
    async with two_people(servers) as (ada, _):
        made = (await ada.gql(CREATE, t="Gone"))["createTask"]["id"]
        async with TransportClient.signed_in(servers[1].url, ada) as socket:
            await socket.subscribe("subscription { onDeleteTask { id title } }")
            await socket.subscribe("subscription { onCreateTask { id } }", id="created")
            await socket.silent(0.3)
            await ada.gql("mutation ($t: ID!) { deleteTask(input: {id: $t}) { id } }", t=made)
            assert (await socket.data())["onDeleteTask"] == {"id": made, "title": "Gone"}
            again = (await ada.gql(CREATE, t="New"))["createTask"]["id"]
            assert (await socket.data())["onCreateTask"] == {"id": again}


async def test_all_subscribers_of_all_servers_see_one_order(servers: list[ServerProcess]) -> None:
    async with two_people(servers) as (ada, bob):
        room = await new_room(ada, bob)
        async with (
            TransportClient.signed_in(servers[0].url, ada) as hers,
            TransportClient.signed_in(servers[1].url, bob) as his,
        ):
            for socket in (hers, his):
                await socket.subscribe(ON_MESSAGE, room=room)
            await hers.silent(0.3)
            who = [ada, bob] * 15
            await asyncio.gather(*(send(each, room, f"{n}") for n, each in enumerate(who)))
            received = [
                [(await socket.data())["onMessageSent"] for _ in who] for socket in (hers, his)
            ]
    assert received[0] == received[1]
    assert [each["number"] for each in received[0]] == list(range(1, 31))


async def test_changes_of_background_jobs_are_published(
    servers: list[ServerProcess], redis: RedisProcess, settings: Settings
) -> None:
    """A worker of its own, as `python -m app worker` opens its resources."""
    worker = Settings(_env_file=None, **(settings.model_dump() | {"redis_url": redis.url}))
    async with (
        two_people(servers) as (ada, _),
        open_resources(worker) as resources,
        TransportClient.signed_in(servers[0].url, ada) as socket,
    ):
        await socket.subscribe(ON_TASK)
        await socket.silent(0.3)
        tasks = Services(resources, acting_for(ada.id)).tasks
        await tasks.create(CreateTaskInput(title="By the worker").validate())
        assert (await socket.data())["onTaskChanged"]["title"] == "By the worker"


async def test_a_client_with_a_cursor_loses_nothing_when_a_server_is_killed(
    servers: list[ServerProcess],
) -> None:
    async with two_people(servers) as (_, bob):
        start = (await bob.gql("{ changes { cursor } }"))["changes"]["cursor"]
        made = []
        async with TransportClient.signed_in(servers[1].url, bob) as socket:
            await socket.subscribe(ON_CHANGE, since=start)
            for n in range(3):
                made.append((await bob.gql(CREATE, t=f"{n}"))["createTask"]["id"])
            received = [(await socket.data())["onChange"] for _ in made]
            servers[1].kill()
            await socket.closed()
        bob.api = Api(servers[0].url)
        for n in range(3):
            made.append((await bob.gql(CREATE, t=f"away {n}"))["createTask"]["id"])
        servers[1].__enter__()
        async with TransportClient.signed_in(servers[1].url, bob) as socket:
            await socket.subscribe(ON_CHANGE, since=received[-1]["cursor"])
            received += [(await socket.data())["onChange"] for _ in range(3)]
            made.append((await bob.gql(CREATE, t="live"))["createTask"]["id"])
            received.append((await socket.data())["onChange"])
        await bob.api.http.aclose()
    assert [each["id"] for each in received] == made


async def test_a_redis_outage_ends_subscriptions_and_recovers(
    servers: list[ServerProcess], redis: RedisProcess
) -> None:
    """Subscriptions end with a code; mutations go on; afterwards all is as before."""
    async with two_people(servers) as (ada, bob):
        async with TransportClient.signed_in(servers[0].url, ada) as socket:
            await socket.subscribe(ON_TASK)
            await socket.subscribe(ON_CHANGE, id="log")
            await socket.silent(0.3)
            redis.stop()
            error = await socket.expect("error")
            assert error["id"] == "1"
            assert error["payload"][0]["extensions"]["code"] == "EVENTS_LOST"
            # Several attempts to reach Redis fail meanwhile, which are told once.
            await asyncio.sleep(2)
            await ada.gql(CREATE, t="Meanwhile")
            frame = await socket.expect("next")
            assert frame["payload"]["data"]["onChange"]["type"] == "Task"
            redis.start()
        room = await new_room(ada, bob)
        async with TransportClient.signed_in(servers[1].url, bob) as socket:
            await socket.subscribe(ON_MESSAGE, room=room)
            await socket.silent(1.5)
            await send(ada, room, "Again")
            assert (await socket.data())["onMessageSent"]["text"] == "Again"
    assert outage_events(servers[0]) == ["service does not answer, retrying", "service is back"]


def outage_events(server: ServerProcess) -> list[str]:
    return [each["event"] for each in server.events() if each.get("service") == "Redis"]


async def test_a_short_loss_of_redis_is_reported_too(
    servers: list[ServerProcess], redis: RedisProcess
) -> None:
    """Nobody knows what was published until the next one: so it is not made good in silence."""
    async with (
        two_people(servers) as (ada, _),
        Redis.from_url(redis.url) as operator,
        TransportClient.signed_in(servers[0].url, ada) as socket,
    ):
        await socket.subscribe(ON_TASK)
        await socket.silent(0.3)
        assert await operator.client_kill_filter(_type="pubsub") == 2
        error = await socket.expect("error")
        assert error["payload"][0]["extensions"]["code"] == "EVENTS_LOST"
        await socket.subscribe(ON_TASK, id="again")
        await socket.silent(1)
        await ada.gql(CREATE, t="Heard again")
        assert (await socket.data())["onTaskChanged"]["title"] == "Heard again"


async def test_a_malformed_event_is_reported_as_lost(
    servers: list[ServerProcess], redis: RedisProcess
) -> None:
    async with (
        two_people(servers) as (ada, _),
        Redis.from_url(redis.url) as operator,
        TransportClient.signed_in(servers[0].url, ada) as socket,
    ):
        (topic,) = await operator.pubsub_channels("guildhall:*")
        for number, nonsense in enumerate([b"", b"x" * 32 + b"{", b"x" * 32 + b"[]", b"\xff" * 99]):
            await socket.subscribe(ON_TASK, id=str(number))
            await socket.silent(0.3)
            assert await operator.publish(topic, nonsense) == 2
            error = await socket.expect("error")
            assert error["payload"][0]["extensions"]["code"] == "EVENTS_LOST"
        await socket.subscribe(ON_TASK, id="again")
        await socket.silent(0.3)
        await ada.gql(CREATE, t="Heard again")
        assert (await socket.data())["onTaskChanged"]["title"] == "Heard again"


class ProxyToRedis:
    """To Redis, and back. When it is `cut`, connections look alive until something is sent."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._age = 0

    def cut(self) -> None:
        self._age += 1

    @asynccontextmanager
    async def open(self) -> AsyncIterator[str]:
        async with await asyncio.start_server(self._travel, "127.0.0.1", 0) as door:
            yield f"redis://127.0.0.1:{door.sockets[0].getsockname()[1]}/0"

    async def _travel(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
        age = self._age

        async def go() -> None:
            while (data := await reader.read(65_536)) and age == self._age:
                far_writer.write(data)
            far_writer.close()

        async def come_back() -> None:
            while data := await far_reader.read(65_536):
                writer.write(data)
            writer.transport.abort()

        await asyncio.gather(go(), come_back())
        writer.close()


async def test_a_connection_that_redis_dropped_fails_no_request(
    redis: RedisProcess, settings: Settings
) -> None:
    proxy = ProxyToRedis(redis.port)
    async with proxy.open() as url:
        changed = Settings(_env_file=None, **(settings.model_dump() | {"redis_url": url}))
        async with open_resources(changed) as resources, Redis.from_url(redis.url) as operator:
            count = partial(resources.limiter.count, "test", uuid4().hex, limit=1_000, seconds=3600)
            await asyncio.gather(*(count() for _ in range(8)))
            proxy.cut()
            for _ in range(8):
                await count()
            (name,) = [each async for each in operator.scan_iter("guildhall:window:test:*")]
            assert await operator.llen(name) == 16


async def test_rates_are_counted_again_after_a_restart(
    servers: list[ServerProcess], redis: RedisProcess
) -> None:
    async with two_people(servers) as (ada, bob):
        room = await new_room(ada, bob)
        await asyncio.gather(*(send(ada, room, f"before {n}") for n in range(5)))
        redis.stop()
        redis.start()
        sent = [(await send(ada, room, f"after {n}"))["number"] for n in range(5)]
        assert sent == [6, 7, 8, 9, 10]
