"""Three servers and two workers on DynamoDB Local, with Redis between them, behind HAProxy."""

import asyncio
import json
import shutil
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from uuid import uuid4

import httpx
import jwt
import pytest
from websockets.exceptions import ConnectionClosed

from tests.api import Api, Failed, Person
from tests.engines import ENGINES, unavailable
from tests.operations.programs import Program, command, haproxy
from tests.realtime.redis_process import RedisProcess
from tests.realtime.sockets import TransportClient
from tests.web.processes import ServerProcess

PUBLIC_URL = "https://api.guildhall.example"
CREATE = "mutation ($t: String!) { createTask(input: {title: $t}) { id } }"
TASKS = "query ($n: String) { tasks(limit: 100, nextToken: $n) { items { title } nextToken } }"
ON_CHANGE = "subscription ($since: String) { onChange(since: $since) { cursor type id } }"
ME = "{ me { id } }"


@dataclass
class Deployment:
    proxy: str
    servers: list[ServerProcess]
    workers: list[Program]
    redis: RedisProcess
    settings: dict[str, str]


@pytest.fixture(scope="module")
async def database(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    async with ENGINES["local"](tmp_path_factory.mktemp("local")) as url:
        yield url


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    if not shutil.which("redis-server"):
        unavailable("there is no redis-server")
    running = RedisProcess(tmp_path_factory.mktemp("redis"))
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def deployment(
    database: str, redis: RedisProcess, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Deployment]:
    settings = {
        "STAGE": "production",
        "ENDPOINT_URL": database,
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local",
        "REDIS_URL": redis.url,
        "SECRET_KEY": "a secret of all servers, long enough",
        "PUBLIC_URL": PUBLIC_URL,
        "TRUSTED_PROXIES": "127.0.0.1",
        "RATE_FACTOR": "100000",
        "DRAIN_SECONDS": "1",
    }
    made = command("create-table", **settings)
    assert made.returncode == 0, made.stderr
    servers = [ServerProcess(tmp_path_factory.mktemp("server"), **settings) for _ in range(3)]
    proxy, url = haproxy(tmp_path_factory.mktemp("proxy"), [each.url for each in servers])
    work = [sys.executable, "-m", "app", "worker"]
    workers = [
        Program(work, tmp_path_factory.mktemp("worker"), servers[0].environment) for _ in range(2)
    ]
    with ExitStack() as stack:
        for server in servers:
            stack.enter_context(server)
        for program in (*workers, proxy):
            stack.enter_context(program)
        yield Deployment(url, servers, workers, redis, settings)


@asynccontextmanager
async def person(url: str) -> AsyncIterator[Person]:
    async with Api(url) as api:
        yield await api.sign_up()


async def test_a_token_of_one_server_is_valid_at_all_and_names_the_public_address(
    deployment: Deployment,
) -> None:
    async with person(deployment.servers[0].url) as ada:
        for server in deployment.servers:
            async with Api(server.url) as api:
                assert await api.gql(ME, headers=ada.headers) == {"me": {"id": ada.id}}
                about = (await api.http.get("/.well-known/openid-configuration")).json()
                keys = (await api.http.get("/.well-known/jwks.json")).json()
            token = ada.session["accessToken"]
            key = jwt.PyJWKSet.from_dict(keys)[jwt.get_unverified_header(token)["kid"]]
            claims = jwt.decode(token, key, algorithms=["ES256"], issuer=about["issuer"])
            assert claims["sub"] == ada.id
            assert about["issuer"] == PUBLIC_URL
            assert about["jwks_uri"] == f"{PUBLIC_URL}/.well-known/jwks.json"


async def test_reads_writes_and_subscriptions_go_through_any_server(
    deployment: Deployment,
) -> None:
    first, second, third = deployment.servers
    async with person(first.url) as ada, Api(second.url) as other:
        async with TransportClient.signed_in(third.url, ada) as socket:
            await socket.subscribe("subscription { onTaskChanged { title } }")
            await socket.silent(0.3)
            await other.gql(CREATE, headers=ada.headers, t="Across")
            assert (await socket.data())["onTaskChanged"] == {"title": "Across"}
        async with Api(deployment.proxy) as proxied:
            for _ in range(6):
                found = await proxied.gql(TASKS, headers=ada.headers)
                assert found["tasks"]["items"] == [{"title": "Across"}]


async def test_workers_run_the_jobs_and_the_proxy_serves_sockets(deployment: Deployment) -> None:
    async with (
        person(deployment.proxy) as ada,
        TransportClient.signed_in(deployment.proxy, ada) as socket,
    ):
        await socket.subscribe("subscription { onTaskChanged { title } }")
        await socket.silent(0.3)
        await ada.gql(CREATE, t="Seen")
        assert (await socket.data())["onTaskChanged"] == {"title": "Seen"}
    assert [each.process.poll() for each in deployment.workers] == [None, None]


@dataclass
class Traffic:
    """One person who reads and writes through the proxy without a pause."""

    person: Person
    stop: asyncio.Event
    written: list[str]
    failed: list[object]
    read: int = 0

    async def run(self) -> None:
        while not self.stop.is_set():
            title = uuid4().hex
            try:
                await self.person.gql(CREATE, t=title)
                self.written.append(title)
                await self.person.gql(ME)
                self.read += 1
            except (httpx.HTTPError, Failed, ValueError) as problem:
                self.failed.append(problem)


async def all_titles(ada: Person) -> list[str]:
    titles, token = [], None
    while True:
        page = (await ada.gql(TASKS, n=token))["tasks"]
        titles += [each["title"] for each in page["items"]]
        token = page["nextToken"]
        if token is None:
            return titles


async def restart_in_turn(deployment: Deployment) -> None:
    for server in deployment.servers:
        await asyncio.to_thread(server.stop)
        await asyncio.to_thread(server.__enter__)
        async with Api(server.url) as api:
            assert (await api.http.get("/ready")).status_code == 200


async def test_servers_are_restarted_in_turn_and_no_request_fails(deployment: Deployment) -> None:
    async with Api(deployment.proxy) as api:
        stop = asyncio.Event()
        traffic = [Traffic(await api.sign_up(), stop, [], []) for _ in range(4)]
        async with asyncio.TaskGroup() as group:
            for each in traffic:
                group.create_task(each.run())
            await restart_in_turn(deployment)
            stop.set()
        for each in traffic:
            assert each.failed == []
            assert each.read == len(each.written) > 10
            assert sorted(await all_titles(each.person)) == sorted(each.written)


async def test_a_subscription_with_a_cursor_misses_nothing_in_a_rolling_restart(
    deployment: Deployment,
) -> None:
    async with person(deployment.proxy) as ada:
        cursor = (await ada.gql("{ changes { cursor } }"))["changes"]["cursor"]
        made: list[str] = []
        seen: list[str] = []

        async def follow() -> None:
            nonlocal cursor
            while len(seen) < 30:
                async with TransportClient.signed_in(deployment.proxy, ada) as socket:
                    await socket.subscribe(ON_CHANGE, since=cursor)
                    async for frame in frames(socket):
                        cursor = frame["cursor"]
                        seen.append(frame["id"])
                        if len(seen) == 30:
                            return

        async def write() -> None:
            for n in range(30):
                made.append((await ada.gql(CREATE, t=f"{n}"))["createTask"]["id"])
                await asyncio.sleep(0.2)

        async with asyncio.TaskGroup() as group:
            group.create_task(follow())
            group.create_task(write())
            await restart_in_turn(deployment)
        assert seen == made


async def frames(socket: TransportClient) -> AsyncIterator[dict[str, str]]:
    """The changes, until the server closes the socket because it stops."""
    while True:
        try:
            frame = json.loads(await socket.socket.recv())
        except ConnectionClosed:
            return
        if frame["type"] == "next":
            yield frame["payload"]["data"]["onChange"]
        elif frame["type"] in ("error", "complete"):
            return
