"""The world in which workers are killed: its people, and what was broken off in it."""

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
from tests.far_side import FarSide
from tests.jobs.gate import Watched
from tests.table.faults import Crash, FaultyClient, after

T = TypeVar("T")


@dataclass(frozen=True)
class World:
    api: Api
    resources: Resources
    far_side: FarSide

    @property
    def table(self) -> Gateway:
        return self.resources.table

    @property
    def now(self) -> AWSDateTime:
        return instant(self.resources.clock.now())

    async def people(self, count: int = 3) -> list[Person]:
        return [await self.api.sign_up() for _ in range(count)]

    async def broken_off(
        self, person: Person, work: Callable[[Services], Callable[[T], Awaitable[object]]], of: T
    ) -> None:
        """A request that dies right after its first transaction."""
        client = FaultyClient(self.table.client)
        client.meet("transact_write_items", after(Crash()))
        doomed = dataclasses.replace(self.resources, table=Gateway(client, self.table.table))
        with pytest.raises(Crash):
            await work(Services(doomed, acting_for(person.id)))(of)

    async def places(self, pk: str) -> list[str]:
        return [item["SK"]["S"] async for item in self.table.partition(pk)]


async def eventually(is_so: Callable[[], Awaitable[bool]]) -> None:
    for _ in range(400):
        if await is_so():
            return
        await asyncio.sleep(0.025)
    raise AssertionError("it did not happen within ten seconds")


class Case(ABC):
    """What there is to do for one job, and how it has to end."""

    watched: Watched

    @abstractmethod
    async def prepare(self, world: World) -> None:
        """Several records to work on, made a day ago."""

    async def until_in_the_middle(self, world: World) -> None:
        """What else must have come before the worker may die."""
        return

    async def wait_for_claims(self, world: World) -> None:
        """What the dead worker had claimed, as if the minutes that a claim lasts had passed."""
        return

    @abstractmethod
    async def check(self, world: World) -> None:
        """Everything was done, and once."""
