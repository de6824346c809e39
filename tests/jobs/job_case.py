"""What a killed worker leaves behind: the base of one case per job."""

import asyncio
import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import pytest

from app.core.caller import acting_for
from app.core.clock import instant
from app.core.scalars import AWSDateTime
from app.resources import Resources
from app.services import Services
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.jobs.blocking_proxy import BlockedWrites
from tests.remote_servers import RemoteServer
from tests.table.faults import Crash, FaultyClient, after

T = TypeVar("T")


@dataclass(frozen=True)
class CaseContext:
    api: Api
    resources: Resources
    remote_server: RemoteServer

    @property
    def table(self) -> Gateway:
        return self.resources.table

    @property
    def now(self) -> AWSDateTime:
        return instant(self.resources.clock.now())

    async def people(self, count: int = 3) -> list[Person]:
        return [await self.api.sign_up() for _ in range(count)]

    async def interrupt(
        self, person: Person, work: Callable[[Services], Callable[[T], Awaitable[object]]], of: T
    ) -> None:
        """A request that dies right after its first transaction."""
        client = FaultyClient(self.table.client)
        client.meet("transact_write_items", after(Crash()))
        # As on the local engine, where snapshots are written by transactions, too.
        table = Gateway(client, self.table.table, loses_tokens=True)
        doomed = dataclasses.replace(self.resources, table=table)
        with pytest.raises(Crash):
            await work(Services(doomed, acting_for(person.id)))(of)

    async def sort_keys(self, pk: str) -> list[str]:
        return [item["SK"]["S"] async for item in self.table.partition(pk)]


async def eventually(is_so: Callable[[], Awaitable[bool]]) -> None:
    for _ in range(400):
        if await is_so():
            return
        await asyncio.sleep(0.025)
    raise AssertionError("it did not happen within ten seconds")


class JobCase(ABC):
    """The work of one job, and its expected result."""

    blocked_writes: BlockedWrites

    @abstractmethod
    async def prepare(self, context: CaseContext) -> None:
        """Creates several records to process, a day ago."""

    async def wait_until_blocked(self, context: CaseContext) -> None:
        """Waits for what else must have happened before the worker is killed."""
        return

    async def wait_for_claims(self, context: CaseContext) -> None:
        """Lets the claims of the dead worker expire."""
        return

    @abstractmethod
    async def check(self, context: CaseContext) -> None:
        """Everything was done exactly once."""
