"""What the services of this domain share."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, TypeVar

from app.core.errors import AppError, IdTaken, StaleVersion
from app.core.record import Node, Record
from app.domains.goals import keys
from app.domains.goals.repository import GoalsRepository
from app.domains.goals.rules.calendar import UserCalendar
from app.domains.goals.types import Goal, Project, Task
from app.domains.people.service import Profiles
from app.domains.service import Service, required, uses
from app.table.conditions import absent, version_is
from app.table.entity import Key, RangeQuery
from app.table.writes import Check, Delete, Put, Write, delete_if_unchanged

N = TypeVar("N", bound=Node)
R = TypeVar("R", bound=Record)
KeyOfUser = Callable[[str, str], Key[N]]


@dataclass(eq=False)
class GoalsService(Service):
    # Fifty tasks of one goal may be completed concurrently, and each of them writes the goal.
    attempts = 60

    profiles = uses(Profiles)
    _reading: asyncio.Task[Any] | None = field(default=None, init=False, repr=False)

    @property
    def repository(self) -> GoalsRepository:
        return GoalsRepository(self.table, self.caller.user_id)

    async def calendar(self) -> UserCalendar:
        me = await self.profiles.me()
        return UserCalendar(me.time_zone or "UTC", me.day_start_hour or 0)

    async def today(self) -> date:
        return (await self.calendar()).day_of(self.resources.clock.now())

    # Records of the caller.

    async def own_goal(self, goal_id: str) -> Goal:
        return required(await self.table.load(keys.goal(self.caller.user_id, goal_id)), "goal")

    async def own_task(self, task_id: str) -> Task:
        return required(await self.table.load(keys.task(self.caller.user_id, task_id)), "task")

    async def own_project(self, project_id: str) -> Project:
        key = keys.project(self.caller.user_id, project_id)
        return required(await self.table.load(key), "project")

    async def load_each(self, key: KeyOfUser[N], ids: Iterable[str]) -> list[N | None]:
        """One result per id, null if there is no such record: `load_each(keys.task, ids)`."""
        return await self.table.load_many(key(self.caller.user_id, id) for id in ids)

    async def load_existing(self, key: KeyOfUser[N], ids: Iterable[str]) -> list[N]:
        return [each for each in await self.load_each(key, ids) if each is not None]

    async def read_all(self, query: RangeQuery[R]) -> list[R]:
        return [each async for each in self.table.query_all(query)]

    async def share_read(self, read: Callable[[], Coroutine[Any, Any, list[N]]]) -> list[N]:
        """Concurrent calls share one read. A service has one such read at most."""
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(read())
        found: list[N] = await asyncio.shield(self._reading)
        return found

    def check_id_is_free(self, kind: str, id: str, what: str) -> Write:
        """An id that the client chose cannot be used while its former record is being removed."""
        key = keys.removal(self.caller.user_id, kind, id)
        return Check(key, when=absent(), otherwise=IdTaken(what))


def put_or_retry(new: R, old: R, what: str) -> Put[R]:
    """Like `put_if_unchanged`, but a record that was deleted meanwhile counts as changed: the
    service decides again, on what there is now."""
    return Put(new, when=version_is(old.version), otherwise=_stale_or_gone(what))


def delete_or_retry(record: R, what: str) -> Delete[R]:
    """Like `delete_if_unchanged`, in the same way."""
    return replace(delete_if_unchanged(record, what), otherwise=_stale_or_gone(what))


def _stale_or_gone(what: str) -> Callable[[Record | None], AppError]:
    return lambda now: StaleVersion(what, now.version if now else None)
