"""What the services of this domain share."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import strawberry

from app.core.caller import Caller
from app.core.errors import AppError, NotFound, StaleVersion
from app.core.record import Node, Record
from app.core.scalars import AWSDateTime
from app.domains.goals import keys
from app.domains.goals.errors import IdTaken
from app.domains.goals.repository import GoalsRepository
from app.domains.goals.rules.days import Days
from app.domains.goals.types import Goal, Project, Task
from app.domains.people.service import Profiles
from app.domains.service import Service
from app.resources import Resources
from app.table.conditions import absent, version_is
from app.table.writes import Check, Put, Write

N = TypeVar("N", bound=Node)
R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class Stamp:
    """What every new record begins with."""

    now: AWSDateTime
    user_id: str

    def __call__(self) -> dict[str, str]:
        return {"created_at": self.now, "updated_at": self.now, "user_id": self.user_id}


class GoalsService(Service):
    # Fifty tasks of one goal may be completed at once: each moves the goal on.
    attempts = 60

    def __init__(self, resources: Resources, caller: Caller, profiles: Profiles) -> None:
        super().__init__(resources, caller)
        self.profiles = profiles
        self._reading: asyncio.Task[Any] | None = None

    async def read_once(self, read: Callable[[], Coroutine[Any, Any, list[N]]]) -> list[N]:
        """For all records of a list that ask at the same moment; a service has one such read."""
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(read())
        found: list[N] = await asyncio.shield(self._reading)
        return found

    @property
    def repository(self) -> GoalsRepository:
        return GoalsRepository(self.table, self.caller.user_id)

    @property
    def stamp(self) -> Stamp:
        return Stamp(self.now, self.caller.user_id)

    async def days(self) -> Days:
        me = await self.profiles.me()
        return Days(me.time_zone or "UTC", me.day_start_hour or 0)

    def new_id(self, wanted: object = None) -> strawberry.ID:
        return strawberry.ID(wanted) if isinstance(wanted, str) else self.resources.ids.new()

    def not_being_removed(self, kind: str, id: str, what: str) -> Write:
        """A chosen id is free again only when nothing is left of what had it before."""
        key = keys.removal(self.caller.user_id, kind, id)
        return Check(key, when=absent(), otherwise=IdTaken(what))

    async def own_goal(self, goal_id: str) -> Goal:
        return there(await self.repository.goal(goal_id), "goal")

    async def own_task(self, task_id: str) -> Task:
        return there(await self.repository.task(task_id), "task")

    async def own_project(self, project_id: str) -> Project:
        return there(await self.repository.project(project_id), "project")


def there(found: N | None, what: str) -> N:
    if found is None:
        raise NotFound(what)
    return found


async def all_there(
    load: Callable[[Sequence[str]], Awaitable[Sequence[N | None]]], ids: Sequence[str], what: str
) -> list[N]:
    return [there(each, what) for each in await load(ids)]


def present_only(found: Iterable[N | None]) -> list[N]:
    return [each for each in found if each is not None]


def swap(new: R, old: R, what: str) -> Put[R]:
    """As `replace`; if it was changed or deleted meanwhile, the service decides anew."""

    def late(now: Record | None) -> AppError:
        return StaleVersion(what, now.version if now else None)

    return Put(new, when=version_is(old.version), otherwise=late)
