"""Snapshots are written whole before anything names them; what lost, or a crash left, goes again.

A revision's id is new and random, so no snapshot can ever be written over another.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
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
from app.table.codec import Wire
from app.table.conditions import attr, present
from app.table.entity import ENTITIES, Key
from app.table.gateway import Gateway
from app.table.together import MOST_IN_A_TRANSACTION
from app.table.writes import Delete, Put, Update, Write, create

T = TypeVar("T")
Draft = ValuesDraft | PlanDraft
# A commit that takes longer was cut off: no request lives that long.
ABANDONED_AFTER = timedelta(hours=1)
LOOK_BACK_DAYS = 31

_UNDER_WAY: set[asyncio.Task[Any]] = set()
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
        taken = Conflict("There is such a snapshot already.")
        writes: list[Write] = [Put(draft), Put(today)]
        writes += [create(each, otherwise=taken) for each in records]
        self.begun.append(draft)
        await in_turn(self.table, writes)
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


async def in_turn(table: Gateway, writes: Sequence[Write]) -> None:
    """As many transactions as it takes, the first with what leads to the rest. Not BatchWriteItem:
    that knows no conditions, and the embedded engine syncs the disk for each of its items."""
    for start in range(0, len(writes), MOST_IN_A_TRANSACTION):
        await table.write(*writes[start : start + MOST_IN_A_TRANSACTION])


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
        """To its end, even if the client has gone or its time is over: whoever asks again with
        the same idempotencyKey waits for it and gets its answer."""
        work = asyncio.create_task(self._commit(request, kind, decide, revisions_of))
        _UNDER_WAY.add(work)
        work.add_done_callback(_UNDER_WAY.discard)
        return await asyncio.shield(work)

    async def _commit(
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
    items = [item async for item in table.partition(partition or "")]
    deletes: list[Write] = [Delete(_key_of_item(item)) for item in items]
    await in_turn(table, [*deletes, Delete(key_of(draft))])


def _key_of_item(item: Wire) -> Key[Any]:
    return Key(ENTITIES[item["entityType"]["S"]], item["PK"]["S"], item["SK"]["S"])


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
                await resources.table.write(Delete(keys.DRAFTS_OF_DAY.key_of(entry)))
    return removed


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
