"""Snapshots are written whole before a revision names them. Those of refused commits are removed at
once, those of interrupted ones by a sweep.

A revision's id is new and random, so no snapshot can ever be written over another.
"""

from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from app.core.attempt import current_attempt
from app.core.clock import instant, to_day
from app.core.errors import AppError, Conflict, StaleVersion
from app.core.inputs import IdempotentInput
from app.core.locks import KeyedLock
from app.core.shield import run_to_end
from app.domains.plans import keys
from app.domains.plans.rules.snapshots import is_abandoned
from app.domains.plans.types import DraftsOfDay, PlanDraft, ValuesDraft
from app.domains.service import Decision, Service
from app.resources import Resources
from app.table.codec import Wire
from app.table.conditions import attr, present
from app.table.entity import Key
from app.table.gateway import Gateway
from app.table.writes import Delete, Update, Write, item_of

T = TypeVar("T")
Draft = ValuesDraft | PlanDraft
LOOK_BACK_DAYS = 31

# One user's commits in this process wait for each other, so that no snapshot is written in vain. It
# only saves work: correctness rests on the condition on the head.
COMMITS = KeyedLock()


class SnapshotService(Service):
    """A service whose commits write a snapshot ahead of their transaction."""

    attempts = 20

    async def commit_once(
        self, request: IdempotentInput, kind: type[T], decide: Callable[[], Awaitable[Decision[T]]]
    ) -> T:
        """Runs to its end even if the client disconnects or its time is over. A request with the
        same idempotencyKey waits for it and gets its answer."""
        return await run_to_end(self._commit(request, kind, decide))

    async def _commit(
        self, request: IdempotentInput, kind: type[T], decide: Callable[[], Awaitable[Decision[T]]]
    ) -> T:
        async with COMMITS.hold(self.caller.user_id):
            return await self.once(request, kind, decide)

    async def join_commit(self) -> None:
        """For a decision within another service's commit: keeps the user's other commits out until
        that transaction has ended."""
        if attempt := current_attempt():
            await attempt.hold(COMMITS.hold(self.caller.user_id))

    async def write_snapshot(self, draft: Draft, items: Iterable[Wire]) -> Write:
        """Writes it after the draft that leads to it, and gives the write that makes the draft
        final, for the transaction of the commit. If that is refused, the snapshot is removed."""
        today = DraftsOfDay(
            created_at=self.now, updated_at=self.now, day=self.now[:10], user_id=draft.user_id
        )
        if attempt := current_attempt():
            attempt.on_refused(partial(self._discard, draft))
        await self.table.items.put([item_of(draft), item_of(today), *items])
        return Delete(
            key_of(draft),
            when=present() & attr("doomed").absent(),
            otherwise=StaleVersion("draft", None),
        )

    async def _discard(self, draft: Draft) -> None:
        """If it fails, the sweep will do it."""
        with suppress(AppError):
            await remove(self.table, draft)


def key_of(draft: Draft) -> Key[Any]:
    if isinstance(draft, ValuesDraft):
        return keys.values_draft(draft.user_id, draft.rev_id)
    return keys.plan_draft(draft.user_id, draft.date, draft.rev_id)


async def remove(table: Gateway, draft: Draft) -> None:
    """The snapshot, then the draft that leads to it."""
    partition = key_of(draft).entity.owned_partition(draft)
    await table.items.delete([item async for item in table.partition(partition or "")])
    await table.write(Delete(key_of(draft)))


async def users_with_drafts(resources: Resources) -> list[DraftsOfDay]:
    """Who has begun a commit, on each of the last days."""
    now = resources.clock.now()
    days = [to_day((now - timedelta(days=back)).date()) for back in range(LOOK_BACK_DAYS)]
    queries = [keys.users_with_drafts(day) for day in days]
    return [each for query in queries async for each in resources.table.query_all(query)]


async def sweep_drafts(resources: Resources, entry: DraftsOfDay) -> int:
    """Removes the snapshots of a user's interrupted commits; returns their number. The entry of a
    day before stays while a commit may still be in progress."""
    now, table = resources.clock.now(), resources.table
    drafts = [each async for each in table.query_all(keys.drafts_of_user(entry.user_id))]
    abandoned = [each for each in drafts if is_abandoned(each, now)]
    removed = sum([await _remove_abandoned(table, each, now) for each in abandoned])
    if len(abandoned) == len(drafts) and entry.day < to_day(now.date()):
        await table.write(Delete(keys.DRAFTS_OF_DAY.key_of(entry)))
    return removed


async def _remove_abandoned(table: Gateway, draft: Draft, now: datetime) -> bool:
    """Marked first: a commit that goes on after all must fail, not name half a snapshot."""
    mark = Update(
        key_of(draft),
        put={"doomed": True, "updatedAt": instant(now)},
        when=present(),
        otherwise=Conflict("The draft was committed."),
    )
    try:
        await table.write(mark)
    except Conflict:
        return False
    await remove(table, draft)
    return True
