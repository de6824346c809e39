"""Fixtures: a server that calls RemoteServer and MailServer; its resources for jobs in tests."""

import dataclasses
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

from app.domains.characters import keys
from app.resources import Resources
from app.settings import Settings
from app.table.gateway import Gateway
from tests.api import PASSWORD, Api, Person
from tests.remote_servers import MailServer, RemoteServer
from tests.servers import RunningServer, TestClock

# For `from tests.remote_fixtures import *` in a conftest.
__all__ = [
    "ada",
    "api",
    "bob",
    "mail_server",
    "remote_server",
    "remote_settings",
    "resources",
    "rest",
    "server",
    "table",
]


@pytest.fixture(scope="package")
def remote_server() -> Iterator[RemoteServer]:
    with RemoteServer() as running:
        yield running


@pytest.fixture(scope="package")
def mail_server() -> Iterator[MailServer]:
    with MailServer() as running:
        yield running


@pytest.fixture(scope="package")
def remote_settings(
    settings: Settings, remote_server: RemoteServer, mail_server: MailServer
) -> Settings:
    changes = {
        "hiscores_url": f"{remote_server.url}/hiscores",
        "discord_url": f"{remote_server.url}/discord",
        "sms_gateway": f"json://127.0.0.1:{remote_server.port}/sms/{{to}}",
        "mail_gateway": f"mailto://127.0.0.1:{mail_server.port}?from=hall@example.com&to={{to}}",
        "webhook_hosts": [f"127.0.0.1:{remote_server.port}/hooks/", "hooks.example.com/in"],
        "insecure_webhooks": True,
    }
    return Settings(_env_file=None, **(settings.model_dump() | changes))


@pytest.fixture(scope="package")
def server(remote_settings: Settings, clock: TestClock) -> Iterator[RunningServer]:
    with RunningServer(remote_settings, clock) as running:
        yield running


@pytest.fixture(scope="package")
async def table(settings: Settings, server: RunningServer) -> AsyncIterator[Gateway]:
    async with Gateway.open(
        table=settings.table_name, region="us-east-1", endpoint=settings.endpoint_url
    ) as table:
        yield table


@pytest.fixture(scope="package")
async def api(server: RunningServer) -> AsyncIterator[Api]:
    async with Api(server.url) as api:
        yield api


@pytest.fixture(scope="package")
async def resources(server: RunningServer, table: Gateway) -> AsyncIterator[Resources]:
    """The server's, for this event loop."""
    async with httpx.AsyncClient(trust_env=False) as http:
        yield dataclasses.replace(server.app.state.resources, table=table, http=http)


@pytest.fixture(autouse=True)
async def rest(api: Api, table: Gateway, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """Stops polling and messages for the goals of this test, so that later jobs skip them."""
    people: list[str] = []
    sign_up = api.sign_up

    async def noted(**fields: object) -> Person:
        person = await sign_up(**fields)
        people.append(person.id)
        return person

    monkeypatch.setattr(api, "sign_up", noted)
    yield
    for user_id in people:
        places = [each async for each in table.query_all(keys.goal_pointers_of_user(user_id))]
        goals = await table.get_many(
            [keys.goal(user_id, each.character_key, each.goal_id) for each in places]
        )
        await table.put_many(
            dataclasses.replace(goal, poll_at=None, send_at=None) for goal in goals if goal
        )


@pytest.fixture
async def ada(api: Api) -> Person:
    return await api.sign_up()


@pytest.fixture
async def bob(api: Api) -> Person:
    return await api.sign_up()


SIGN_IN = """
mutation ($input: SignInInput!) {
  signIn(input: $input) { accessToken refreshToken expiresAt user { id nickname email } }
}
"""


async def later(person: Person) -> Person:
    """The same person with a new token: the old one has ended when the clock has moved far."""
    wanted = {"email": person.email, "password": PASSWORD}
    return Person(person.api, (await person.api.gql(SIGN_IN, input=wanted))["signIn"])
