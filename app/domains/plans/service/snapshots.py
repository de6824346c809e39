"""Snapshots are written whole before anything names them; what lost, or a crash left, goes again.

A revision's id is new and random, so no snapshot can ever be written over another.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from app.core.clock import day, instant, moment_of
from app.core.errors import AppError, Conflict, OutcomeUnknown, StaleVersion
from app.core.record import Record
from app.core.scalars import AWSDateTime
from app.domains.plans import keys
from app.domains.plans.repository import DraftsRepository
from app.domains.plans.types import DraftsOfDay, PlanDraft, ValuesDraft
from app.domains.service import Decision, Repeatable, Service
from app.resources import Resources
from app.table.conditions import attr, present
from app.table.entity import Key
from app.table.gateway import Gateway
from app.table.writes import Delete, Update, Write

T = TypeVar("T")
Draft = ValuesDraft | PlanDraft
# A commit that takes longer was cut off: no request lives that long.
ABANDONED_AFTER = timedelta(hours=1)
LOOK_BACK_DAYS = 31
BATCH = 100

_TURNS: WeakValueDictionary[tuple[int, str], asyncio.Lock] = WeakValueDictionary()


@asynccontextmanager
async def turn_of(user_id: str) -> AsyncIterator[None]:
    """One user's commits in this process wait for each other instead of spoiling each other's
    snapshots. Only to save work: the condition on the head is what keeps them apart."""
    name = (id(asyncio.get_running_loop()), user_id)
    lock = _TURNS.get(name)
    if lock is None:
        lock = _TURNS[name] = asyncio.Lock()
    async with lock:
        yield


class Snapshots:
    """The snapshots of one commit, and of its further attempts if somebody else was faster."""

    def __init__(self, table: Gateway, now: AWSDateTime) -> None:
        self.table = table
        self.now = now
        self.begun: list[Draft] = []

    async def write(self, draft: Draft, records: Iterable[Record]) -> Write:
        """Writes it, and gives the write that makes the draft final, for the last transaction."""
        today = DraftsOfDay(
            created_at=self.now, updated_at=self.now, day=self.now[:10], user_id=draft.user_id
        )
        await self.table.put_many([draft, today])
        self.begun.append(draft)
        await self.table.put_many(records)
        return Delete(
            key_of(draft),
            when=present() & attr("doomed").absent(),
            otherwise=StaleVersion("draft", None),
        )

    async def take_back(self, kept: Iterable[str]) -> None:
        """Those that were not committed. If it fails, the sweep will do it."""
        names = set(kept)
        try:
            for draft in self.begun:
                if draft.rev_id not in names:
                    await remove(self.table, draft)
        except AppError:
            return


class Committing(Service):
    """A service whose commits write snapshots first."""

    attempts = 20

    async def commit_once(
        self,
        request: Repeatable,
        kind: type[T],
        decide: Callable[[Snapshots], Awaitable[Decision[T]]],
        revisions_of: Callable[[T], Iterable[str]],
    ) -> T:
        snapshots = Snapshots(self.table, self.now)
        async with turn_of(self.caller.user_id):
            try:
                answer = await self.once(request, kind, lambda: decide(snapshots))
            except OutcomeUnknown:
                raise
            except AppError:
                await snapshots.take_back([])
                raise
            await snapshots.take_back(revisions_of(answer))
            return answer


def key_of(draft: Draft) -> Key[Any]:
    if isinstance(draft, ValuesDraft):
        return keys.values_draft(draft.user_id, draft.rev_id)
    return keys.plan_draft(draft.user_id, draft.date, draft.rev_id)


async def remove(table: Gateway, draft: Draft) -> None:
    """The snapshot, then the draft that leads to it."""
    partition = key_of(draft).entity.owned_partition(draft)
    doomed: list[tuple[str, str]] = []
    async for item in table.partition(partition or ""):
        doomed.append((item["PK"]["S"], item["SK"]["S"]))
    await table.delete_many(doomed)
    await table.write(Delete(key_of(draft)))


async def sweep_orphans(resources: Resources) -> int:
    """Removes snapshots of commits that never ended. How many there were."""
    now = resources.clock.now()
    repository = DraftsRepository(resources.table)
    removed = 0
    for back in range(LOOK_BACK_DAYS):
        date = day((now - timedelta(days=back)).date())
        for entry in await repository.users_with_drafts(date):
            removed += await _sweep_user(resources.table, entry.user_id, now)
            if back > 0:
                await resources.table.delete_many([_place(entry)])
    return removed


def _place(entry: DraftsOfDay) -> tuple[str, str]:
    key = keys.DRAFTS_OF_DAY.key_of(entry)
    return key.pk, key.sk


async def _sweep_user(table: Gateway, user_id: str, now: datetime) -> int:
    found = await DraftsRepository(table).drafts_of_user(user_id)
    old = [each for each in found if moment_of(each.created_at) <= now - ABANDONED_AFTER]
    removed = 0
    for draft in old:
        removed += await _doom(table, draft, now)
    return removed


async def _doom(table: Gateway, draft: Draft, now: datetime) -> bool:
    """Marked first: a commit that comes to life again must fail, not name half a snapshot."""
    mark = Update(
        key_of(draft),
        put={"doomed": True, "updatedAt": instant(now)},
        when=present(),
        otherwise=Conflict("It was committed."),
    )
    try:
        await table.write(mark)
    except Conflict:
        return False
    await remove(table, draft)
    return True
