"""gql from PyPI with its AppSync transports: tokens, API key, signatures."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from botocore.credentials import Credentials
from gql import Client, GraphQLRequest, gql
from gql.client import AsyncClientSession
from gql.transport.aiohttp import AIOHTTPTransport
from gql.transport.appsync_auth import (
    AppSyncApiKeyAuthentication,
    AppSyncAuthentication,
    AppSyncIAMAuthentication,
    AppSyncJWTAuthentication,
)
from gql.transport.appsync_websockets import AppSyncWebsocketsTransport
from gql.transport.exceptions import TransportError, TransportQueryError

from tests.api import PASSWORD, Api, Person
from tests.clients.servers import IAM_KEY, ClientServer

SIGN_IN = gql("mutation ($input: SignInInput!) { signIn(input: $input) { accessToken } }")
ME = gql("{ me { id } }")
CREATE = gql("mutation ($t: String!) { createTask(input: {title: $t}) { id } }")
ON_TASK = gql("subscription { onTaskChanged { id title urgency } }")
ON_MESSAGE = gql('subscription { onMessageSent(roomId: "no-such-room") { text } }')
SECONDS = 120


@pytest.fixture
async def person(plain_server: ClientServer) -> AsyncIterator[Person]:
    async with Api(plain_server.url) as api:
        yield await api.sign_up()


def host(server: ClientServer) -> str:
    return server.url.removeprefix("http://")


def by_key(server: ClientServer, key: str = "da2-guildhall-development") -> AppSyncAuthentication:
    return AppSyncApiKeyAuthentication(host=host(server), api_key=key)


@asynccontextmanager
async def over_http(
    server: ClientServer, auth: AppSyncAuthentication
) -> AsyncIterator[AsyncClientSession]:
    transport = AIOHTTPTransport(url=f"{server.url}/graphql", auth=auth, ssl=False)
    async with Client(transport=transport) as session:
        yield session


@asynccontextmanager
async def over_socket(
    server: ClientServer, auth: AppSyncAuthentication
) -> AsyncIterator[AsyncClientSession]:
    url = server.url.replace("http", "ws") + "/graphql/realtime"
    transport = AppSyncWebsocketsTransport(
        url=url, auth=auth, connect_timeout=SECONDS, ack_timeout=SECONDS
    )
    async with Client(transport=transport) as session:
        yield session


async def token_of(server: ClientServer, person: Person) -> AppSyncAuthentication:
    credentials = {"email": person.email, "password": PASSWORD}
    async with over_http(server, by_key(server)) as session:
        request = GraphQLRequest(SIGN_IN, variable_values={"input": credentials})
        answer = await session.execute(request)
    return AppSyncJWTAuthentication(host=host(server), jwt=answer["signIn"]["accessToken"])


async def create(server: ClientServer, auth: AppSyncAuthentication, title: str) -> str:
    async with over_http(server, auth) as session:
        answer = await session.execute(GraphQLRequest(CREATE, variable_values={"t": title}))
    return str(answer["createTask"]["id"])


async def heard(server: ClientServer, auth: AppSyncAuthentication, title: str) -> dict[str, Any]:
    """What a subscriber is told of a task of that title, which is made meanwhile."""
    async with asyncio.timeout(SECONDS), over_socket(server, auth) as session:
        return await received_on(session, server, auth, title)


async def received_on(
    session: AsyncClientSession, server: ClientServer, auth: AppSyncAuthentication, title: str
) -> dict[str, Any]:
    """gql does not say when the server listens: so tasks are made until one is heard of."""
    events = session.subscribe(ON_TASK)
    coming = asyncio.ensure_future(anext(events))
    made: list[str] = []
    while not coming.done():
        made.append(await create(server, auth, title))
        await asyncio.wait([coming], timeout=0.5)
    received: dict[str, Any] = coming.result()["onTaskChanged"]
    assert received["id"] in made
    await events.aclose()
    return received


async def test_signs_in_queries_and_subscribes(plain_server: ClientServer, person: Person) -> None:
    auth = await token_of(plain_server, person)
    async with over_http(plain_server, auth) as session:
        assert await session.execute(ME) == {"me": {"id": person.id}}
    assert (await heard(plain_server, auth, "From gql"))["title"] == "From gql"


async def test_a_refused_subscription_leaves_the_socket_open(
    plain_server: ClientServer, person: Person
) -> None:
    auth = await token_of(plain_server, person)
    async with asyncio.timeout(SECONDS), over_socket(plain_server, auth) as session:
        with pytest.raises(TransportQueryError, match="no such room"):
            await anext(session.subscribe(ON_MESSAGE))
        # The socket stays good for others.
        received = await received_on(session, plain_server, auth, "Still here")
        assert received["title"] == "Still here"


async def test_wrong_credentials(plain_server: ClientServer) -> None:
    wrong = by_key(plain_server, "da2-wrong")
    with pytest.raises(TransportError, match="You are not authorized"):
        async with over_http(plain_server, wrong) as session:
            await session.execute(ME)
    with pytest.raises(TransportError, match="You are not authorized"):
        async with asyncio.timeout(SECONDS), over_socket(plain_server, wrong) as session:
            await anext(session.subscribe(ON_TASK))


async def test_signs_its_requests(plain_server: ClientServer) -> None:
    key, secret = IAM_KEY.split(":")
    auth = AppSyncIAMAuthentication(
        host=host(plain_server),
        credentials=Credentials(key, secret),
        region_name="us-east-1",
    )
    async with over_http(plain_server, auth) as session:
        assert await session.execute(ME) == {"me": {"id": f"iam-{key}"}}
    assert (await heard(plain_server, auth, "By IAM"))["title"] == "By IAM"


async def test_a_signing_key_may_have_more_sockets_than_a_user(plain_server: ClientServer) -> None:
    key, secret = IAM_KEY.split(":")
    auth = AppSyncIAMAuthentication(
        host=host(plain_server), credentials=Credentials(key, secret), region_name="us-east-1"
    )
    async with asyncio.timeout(SECONDS), AsyncExitStack() as sockets:
        for _ in range(12):
            await sockets.enter_async_context(over_socket(plain_server, auth))
        assert (await heard(plain_server, auth, "One of many"))["title"] == "One of many"


async def test_a_wrong_signature_is_refused(plain_server: ClientServer) -> None:
    auth = AppSyncIAMAuthentication(
        host=host(plain_server),
        credentials=Credentials(IAM_KEY.partition(":")[0], "not-the-secret"),
        region_name="us-east-1",
    )
    with pytest.raises(TransportError, match="InvalidSignatureException"):
        async with over_http(plain_server, auth) as session:
            await session.execute(ME)
    with pytest.raises(TransportError, match="InvalidSignatureException"):
        async with asyncio.timeout(SECONDS), over_socket(plain_server, auth) as session:
            await anext(session.subscribe(ON_TASK))


async def test_after_a_restart(plain_server: ClientServer, person: Person) -> None:
    auth = await token_of(plain_server, person)
    async with asyncio.timeout(SECONDS * 3):
        async with over_socket(plain_server, auth) as session:
            await received_on(session, plain_server, auth, "Before the restart")
            coming = asyncio.ensure_future(anext(session.subscribe(ON_TASK)))
            await asyncio.to_thread(plain_server.restart)
            with pytest.raises(TransportError):
                await coming
        received = await heard(plain_server, auth, "After the restart")
        assert received["title"] == "After the restart"
