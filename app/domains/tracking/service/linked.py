"""What metrics and habits share: links to goals, and the deletion of a record with its logs.

`link_goal` and `unlink_goal` return writes for the transaction of the goals domain; a StaleVersion
means that it has to decide again.
"""

import asyncio
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import strawberry

from app.core.errors import LimitExceeded
from app.core.inputs import IdempotentInput, VersionedInput
from app.domains.service import Decision, expect_version, required, uses
from app.domains.tracking.service.base import LOCKS, TrackingService
from app.domains.tracking.service.ports import LinkedGoals
from app.domains.tracking.types import Habit, Metric
from app.table.entity import entity_of
from app.table.writes import Write, delete_if_unchanged, put_if_unchanged

MOST_GOALS = 50

T = TypeVar("T", bound=Metric | Habit)


class DeleteInput(VersionedInput, IdempotentInput, Protocol):
    id: strawberry.ID


@dataclass
class Deletion(Generic[T]):
    """`following`: the goals whose criteria followed the record; they are refreshed afterwards."""

    record: T
    following: list[str]


@dataclass
class MetricDeletion(Deletion[Metric]):
    record: Metric


@dataclass
class HabitDeletion(Deletion[Habit]):
    record: Habit


class LinkedRecords(TrackingService, Generic[T]):
    linked_goals = uses(LinkedGoals)
    what: ClassVar[str]
    deletion_type: type[Deletion[T]]

    @abstractmethod
    async def find(self, record_id: str) -> T | None: ...

    @abstractmethod
    def goal_links(self, record: T, following: Sequence[str]) -> list[Write]:
        """Deletes the goals' link items."""

    async def require(self, record_id: str) -> T:
        return required(await self.find(record_id), self.what)

    async def following_goals(self, record_id: str) -> list[str]:
        """Goals that a log may move although they are not linked to the record."""
        return []

    async def refresh_goals(self, record_id: str) -> None:
        record, following = await asyncio.gather(
            self.find(record_id), self.following_goals(record_id)
        )
        linked = record.goal_ids if record else []
        if linked or following:
            await self.linked_goals.refresh(list(dict.fromkeys([*linked, *following])))

    async def link_goal(self, record_id: str, goal_id: str) -> list[Write]:
        """Nothing to write if it is linked already."""
        old = await self.require(record_id)
        if goal_id in old.goal_ids:
            return []
        if len(old.goal_ids) >= MOST_GOALS:
            raise LimitExceeded(f"A {self.what} can be linked to at most {MOST_GOALS} goals.")
        return [self._with_goals(old, [*old.goal_ids, strawberry.ID(goal_id)])]

    async def unlink_goal(self, record_id: str, goal_id: str) -> list[Write]:
        """Nothing to write if the record is deleted or not linked."""
        old = await self.find(record_id)
        if old is None or goal_id not in old.goal_ids:
            return []
        return [self._with_goals(old, [each for each in old.goal_ids if each != goal_id])]

    def _with_goals(self, old: T, goal_ids: list[strawberry.ID]) -> Write:
        return put_if_unchanged(old.evolve(self.now, goal_ids=goal_ids), old, self.what)

    async def delete(self, request: DeleteInput) -> T:
        """The logs first, the record last: an interrupted deletion can be repeated. A stale
        expectedVersion is refused before anything is deleted."""
        async with LOCKS.hold(request.id):
            deletion = await self.once(request, self.deletion_type, partial(self._delete, request))
            await self.after_deletion(deletion.record)
        goal_ids = [*deletion.record.goal_ids, *deletion.following]
        await self.linked_goals.refresh(list(dict.fromkeys(goal_ids)))
        return deletion.record

    async def _delete(self, request: DeleteInput) -> Decision[Deletion[T]]:
        record = await self.require(request.id)
        expect_version(request, record, self.what)
        following = await self.following_goals(record.id)
        await self._delete_partition(record)
        await self.before_deletion(record)
        writes = [delete_if_unchanged(record, self.what), *self.goal_links(record, following)]
        return Decision(self.deletion_type(record, following), writes)

    async def _delete_partition(self, record: Any) -> None:
        """Everything that is stored under the record: logs, milestones, alerts, insights."""
        partition = entity_of(record).owned_partition(record) or ""
        found = [
            (item["PK"]["S"], item["SK"]["S"]) async for item in self.table.partition(partition)
        ]
        await self.table.delete_many(key for key in found if key[1] != "OWNER")

    async def before_deletion(self, record: T) -> None:
        """May be called again if the deletion is repeated."""

    async def after_deletion(self, record: T) -> None: ...
