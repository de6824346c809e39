"""A server on a table of its own, as those who make dumps and those who test them need it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.api import PASSWORD, Api, Person
from tests.servers import RunningServer, TestClock
from tests.upgrade.internals import Gateway, Resources, Settings, run_due

# Years ahead: the engine removes by its own clock what has expired.
MADE_AT = datetime(2035, 3, 5, 9, tzinfo=UTC)
TODAY = "2035-03-05"
# Nobody listens there.
MAIL_GATEWAY = "mailto://127.0.0.1:9?from=hall@example.com&to={to}"
HISCORES = "http://127.0.0.1:9/hiscores"
SIGN_IN = """
mutation ($input: SignInInput!) {
  signIn(input: $input) { accessToken refreshToken expiresAt user { id nickname email } }
}
"""


@dataclass(frozen=True)
class World:
    server: RunningServer
    clock: TestClock
    api: Api
    table: Gateway

    @property
    def resources(self) -> Resources:
        """Of the server: to be used in its loop."""
        resources: Resources = self.server.app.state.resources
        return resources

    async def sign_in(self, email: str, password: str = PASSWORD) -> Person:
        answer = await self.api.gql(SIGN_IN, input={"email": email, "password": password})
        return Person(self.api, answer["signIn"])

    async def run_jobs(self) -> None:
        await self.server.run(run_due(self.resources, "upgrade"))


async def do(person: Person, name: str, fields: str = "id", /, **wanted: object) -> Any:
    kind = f"{name[0].upper()}{name[1:]}Input!"
    query = f"mutation ($input: {kind}) {{ {name}(input: $input) {{ {fields} }} }}"
    return (await person.gql(query, input=wanted))[name]


def settings_for(endpoint: str, folder: Path, **more: Any) -> Settings:
    usual: dict[str, Any] = {
        "endpoint_url": endpoint,
        "port": 0,
        "data_dir": folder,
        "password_memory_kib": 1024,
        "rate_factor": 100_000,
        "worker": False,
        "hiscores_url": HISCORES,
        "mail_gateway": MAIL_GATEWAY,
    }
    return Settings(_env_file=None, **(usual | more))


@asynccontextmanager
async def running_world(settings: Settings, now: datetime) -> AsyncIterator[World]:
    clock = TestClock()
    clock.set(now)
    with RunningServer(settings, clock) as server:
        async with Api(server.url) as api, open_table(settings) as table:
            yield World(server, clock, api, table)


@asynccontextmanager
async def open_table(settings: Settings) -> AsyncIterator[Gateway]:
    async with Gateway.open(
        table=settings.table_name, region=settings.aws_region, endpoint=settings.endpoint_url
    ) as table:
        yield table
