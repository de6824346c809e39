"""Many sockets at once: 1,000 idle ones, and 100 subscribers of a busy room."""

import asyncio
import resource
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from app.settings import Settings
from tests.api import Api, Person
from tests.clients.servers import ClientServer
from tests.community.rooms import INVITE, new_room, send
from tests.engines import unavailable
from tests.realtime.sockets import AppSyncClient, TransportClient, coded, opened
from tests.servers import RunningServer

IDLE = 1_000
PEOPLE, SOCKETS_EACH = 10, 10
KEY = {"host": "localhost", "x-api-key": "da2-guildhall-development"}
ON_MESSAGE = "subscription ($room: ID!) { onMessageSent(roomId: $room) { number text } }"


@pytest.fixture
def busy_server(
    settings: Settings, server: RunningServer, tmp_path: Path
) -> Iterator[ClientServer]:
    with ClientServer(tmp_path, settings) as running:
        yield running


@pytest.fixture
async def many_files() -> AsyncIterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 3 * IDLE:
        unavailable(f"1,000 sockets need more open files than {hard}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 3 * IDLE), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def idle_socket(stack: AsyncExitStack, server: ClientServer) -> AppSyncClient:
    door = opened(server.url, "graphql-ws", coded(KEY), path="/graphql/realtime")
    socket = AppSyncClient((await stack.enter_async_context(door)).socket)
    socket.authorization = KEY
    await socket.send(type="connection_init")
    await socket.expect("connection_ack")
    return socket


async def test_idle_sockets_cost_little(busy_server: ClientServer, many_files: None) -> None:
    async with AsyncExitStack() as stack:
        for _ in range(50):
            await idle_socket(stack, busy_server)
        before = busy_server.memory()
        for _ in range(0, IDLE - 50, 50):
            await asyncio.gather(*(idle_socket(stack, busy_server) for _ in range(50)))
        full = busy_server.memory()
        await asyncio.sleep(3)
        async with Api(busy_server.url) as api:
            await api.sign_up()
        assert busy_server.memory() < full * 1.1
        assert (full - before) / (IDLE - 50) < 120_000, "bytes for each idle socket"


async def members(api: Api, owner: Person, room: str) -> list[Person]:
    people = [await api.sign_up() for _ in range(PEOPLE - 1)]
    for person in people:
        await owner.gql(INVITE, id=room, user=person.id)
    return [owner, *people]


async def test_a_hundred_subscribers_of_a_busy_room(busy_server: ClientServer) -> None:
    async with Api(busy_server.url) as api, AsyncExitStack() as stack:
        owner = await api.sign_up()
        room = await new_room(owner)
        sockets = []
        for person in await members(api, owner, room):
            for _ in range(SOCKETS_EACH):
                door = TransportClient.signed_in(busy_server.url, person)
                sockets.append(await stack.enter_async_context(door))
        for socket in sockets:
            await socket.subscribe(ON_MESSAGE, room=room)
        await sockets[-1].silent(0.5)

        async def talk(first: int, last: int) -> None:
            for n in range(first, last):
                await send(owner, room, f"{n}")
            for socket in sockets:
                numbers = [
                    (await socket.data())["onMessageSent"]["number"] for _ in range(first, last)
                ]
                assert numbers == list(range(first, last))

        await talk(1, 41)
        warm = busy_server.memory()
        await talk(41, 121)
        assert busy_server.memory() < warm * 1.1 + 5_000_000
