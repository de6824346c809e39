"""Tokens of a Cognito user pool and of an OIDC provider over sockets."""

import base64
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest

from app.core.clock import epoch_seconds
from app.settings import Settings
from tests.api import Api
from tests.auth.provider import CLIENT, KEYS, Provider, rsa_key
from tests.auth.test_cognito import ACCESS, ID, POOL
from tests.realtime.sockets import AppSyncClient, Frames, TransportClient, coded, opened
from tests.servers import RunningServer, TestClock

PATH = "/graphql/realtime"
ON_TASK = "subscription { onTaskChanged { title } }"
CREATE = "mutation ($t: String!) { createTask(input: {title: $t}) { id } }"
UNAUTHORIZED = "You are not authorized to make this call."


@dataclass
class Visitor:
    """Someone with an account elsewhere, and the server that trusts that place."""

    url: str
    provider: Provider
    clock: TestClock
    claims: dict[str, Any]

    def token(self, *, expires_in: int = 3600, **changes: Any) -> str:
        now = self.clock.now()
        said = self.claims | {"exp": epoch_seconds(now) + expires_in} | changes
        return self.provider.token(now, **said)

    def forged(self) -> str:
        """With a key that says it is the provider's."""
        now, stranger = self.clock.now(), rsa_key("stranger")
        header = {"kid": self.provider.keys[0].id}
        return self.provider.token_with(header, now, key=stranger, **self.claims)

    async def create(self, title: str) -> None:
        async with Api(self.url) as api:
            await api.gql(CREATE, headers={"authorization": self.token()}, t=title)


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with Provider() as running:
        yield running


@pytest.fixture(scope="module")
def urls(settings: Settings, clock: TestClock, provider: Provider) -> Iterator[dict[str, str]]:
    """The pool has the address that AWS gives it; only its keys come from loopback."""
    usual = {"embedded_identity": None, "oidc_client_ids": [CLIENT]}
    pool = {"oidc_issuer": POOL, "oidc_jwks_url": f"{provider.url}{KEYS}"}
    changed = [
        Settings(_env_file=None, **(settings.model_dump() | usual | more))
        for more in ({**pool, "oidc_plain_subjects": True}, {"oidc_issuer": provider.url})
    ]
    with RunningServer(changed[0], clock) as one, RunningServer(changed[1], clock) as two:
        yield {"pool": one.url, "oidc": two.url}


@pytest.fixture(params=["access", "id", "oidc"])
def visitor(
    request: pytest.FixtureRequest, urls: dict[str, str], provider: Provider, clock: TestClock
) -> Visitor:
    sub = str(uuid4())
    if request.param == "oidc":
        return Visitor(urls["oidc"], provider, clock, {"sub": sub})
    # An address belongs to one account, and these are many.
    email = {"email": f"{sub}@example.com"} if request.param == "id" else {}
    claims = (ID if request.param == "id" else ACCESS) | email
    return Visitor(urls["pool"], provider, clock, claims | {"iss": POOL, "sub": sub})


def wrong_tokens(visitor: Visitor) -> dict[str, str]:
    """By why each is refused: the claim that names the client depends on the kind of token."""
    client = "client_id" if "client_id" in visitor.claims else "aud"
    other: dict[str, Any] = {client: "other-client"}
    return {
        "expired": visitor.token(expires_in=-60),
        "another issuer": visitor.token(iss="https://elsewhere.example"),
        "another client": visitor.token(**other),
        "forged": visitor.forged(),
    }


WRONG = ("expired", "another issuer", "another client", "forged")


def message_of(why: str) -> str:
    return "Token has expired." if why == "expired" else UNAUTHORIZED


@asynccontextmanager
async def connected(visitor: Visitor, place: str, token: str) -> AsyncIterator[Frames]:
    """A socket of AppSync's clients, with the token in one of three places."""
    header = {"host": "localhost", "Authorization": token}
    address = f"?header={base64.b64encode(json.dumps(header).encode()).decode()}&payload=e30="
    names = ["graphql-ws", coded(header)] if place == "subprotocol" else ["graphql-ws"]
    async with opened(
        visitor.url,
        *names,
        path=PATH,
        query=address if place == "address" else "",
        headers={"authorization": token} if place == "headers" else None,
    ) as frames:
        await frames.send(type="connection_init")
        yield frames


@asynccontextmanager
async def welcomed(visitor: Visitor, place: str, token: str) -> AsyncIterator[AppSyncClient]:
    async with connected(visitor, place, token) as frames:
        await frames.expect("connection_ack")
        client = AppSyncClient(frames.socket)
        client.authorization = {"host": "localhost", "Authorization": token}
        yield client


PLACES = pytest.mark.parametrize("place", ["subprotocol", "address", "headers"])


@PLACES
async def test_appsync_accepts_tokens_in_every_place(visitor: Visitor, place: str) -> None:
    async with welcomed(visitor, place, visitor.token()) as socket:
        await socket.started(ON_TASK)
        await visitor.create("Heard")
        assert (await socket.expect("data"))["payload"]["data"] == {
            "onTaskChanged": {"title": "Heard"}
        }


@PLACES
@pytest.mark.parametrize("why", WRONG)
async def test_appsync_refuses_wrong_tokens(visitor: Visitor, place: str, why: str) -> None:
    async with connected(visitor, place, wrong_tokens(visitor)[why]) as frames:
        answer = await frames.next()
        assert answer["type"] == "connection_error"
        assert answer["payload"]["errors"] == [
            {
                "errorType": "UnauthorizedException",
                "message": message_of(why),
                "errorCode": 401,
            }
        ]
        assert (await frames.closed())[0] == 1000


@pytest.mark.parametrize("why", WRONG)
async def test_a_start_with_a_wrong_token_fails_alone(visitor: Visitor, why: str) -> None:
    async with welcomed(visitor, "subprotocol", visitor.token()) as socket:
        await socket.started(ON_TASK, id="good")
        socket.authorization = {"host": "localhost", "Authorization": wrong_tokens(visitor)[why]}
        await socket.start(ON_TASK, id="bad")
        answer = await socket.expect("error")
        assert answer["id"] == "bad"
        assert answer["payload"]["errors"][0]["message"] == message_of(why)
        await visitor.create("Still heard")
        assert (await socket.expect("data"))["id"] == "good"


@pytest.mark.parametrize("prefix", ["", "Bearer "])
async def test_graphql_ws_accepts_tokens(visitor: Visitor, prefix: str) -> None:
    async with opened(visitor.url, "graphql-transport-ws") as frames:
        payload = {"Authorization": prefix + visitor.token()}
        await frames.send(type="connection_init", payload=payload)
        socket = TransportClient(frames.socket)
        await socket.expect("connection_ack")
        await socket.subscribe(ON_TASK)
        await socket.silent(0.2)
        await visitor.create("Heard")
        assert await socket.data() == {"onTaskChanged": {"title": "Heard"}}


@pytest.mark.parametrize("why", WRONG)
async def test_graphql_ws_refuses_wrong_tokens(visitor: Visitor, why: str) -> None:
    async with opened(visitor.url, "graphql-transport-ws") as frames:
        payload = {"Authorization": wrong_tokens(visitor)[why]}
        await frames.send(type="connection_init", payload=payload)
        assert await frames.closed() == (4403, message_of(why))


async def test_closed_when_the_token_expires(visitor: Visitor, clock: TestClock) -> None:
    short = visitor.token(expires_in=600)
    async with (
        welcomed(visitor, "subprotocol", short) as appsync,
        opened(visitor.url, "graphql-transport-ws") as frames,
    ):
        await appsync.started(ON_TASK)
        await frames.send(type="connection_init", payload={"Authorization": short})
        await frames.expect("connection_ack")
        clock.move(minutes=11)
        error = (await appsync.expect("error"))["payload"]["errors"][0]
        assert (error["errorType"], error["message"]) == (
            "UnauthorizedException",
            "Token has expired.",
        )
        assert await appsync.closed() == (4401, "Token has expired.")
        assert await frames.closed() == (4403, "Token has expired.")


async def test_closed_when_the_token_of_a_start_expires(visitor: Visitor, clock: TestClock) -> None:
    async with welcomed(visitor, "subprotocol", visitor.token()) as socket:
        short = visitor.token(expires_in=600)
        socket.authorization = {"host": "localhost", "Authorization": short}
        await socket.started(ON_TASK)
        clock.move(minutes=11)
        assert await socket.closed() == (4401, "Token has expired.")
