"""Commits of daily plans: the snapshot first, then the writes that make it the head."""

from dataclasses import dataclass, replace

from app.core.scalars import AWSDate, AWSDateTime
from app.domains.plans import keys
from app.domains.plans.errors import HeadMoved
from app.domains.plans.repository import PlansRepository
from app.domains.plans.rules.plan_commits import (
    Rollover,
    new_plan_revision,
    next_plan_head,
    with_day_versions,
    with_rollover,
)
from app.domains.plans.rules.snapshots import plan_records
from app.domains.plans.service.snapshots import SnapshotService
from app.domains.plans.types import (
    DailyPlan,
    DayPlan,
    PlanDay,
    PlanDraft,
    PlanHead,
    PlanReason,
    PlanRevision,
)
from app.domains.service import Decision
from app.table.conditions import absent, attr
from app.table.writes import Put, Write, item_of, put_if_absent


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanChange:
    """What a day's plan becomes. `head` is None before the first commit of the day. `merged`: the
    revision whose changes are merged into the head."""

    date: AWSDate
    head: PlanHead | None
    before: DayPlan
    after: DayPlan
    reason: PlanReason
    rollover: Rollover | None = None
    merged: str | None = None


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """A plan whose snapshot is written, and that is not the head yet. `final`: the write that makes
    the snapshot final."""

    change: PlanChange
    revision: PlanRevision
    final: Write


class PlanCommits(SnapshotService):
    @property
    def repository(self) -> PlansRepository:
        return PlansRepository(self.table, self.caller.user_id)

    async def head(self, date: str) -> PlanHead | None:
        return await self.table.get(keys.plan_head(self.caller.user_id, date))

    async def plan_at(self, date: AWSDate, revision: PlanRevision | None) -> DailyPlan:
        """None: before the first commit of the day the plan is empty."""
        if revision is None:
            return DailyPlan(date=date, revision=None, todos=[], blocks=[])
        return await self.repository.snapshot(revision)

    async def add_commit(self, change: PlanChange) -> Decision[PlanRevision]:
        """Stores the snapshot; the writes that make it the head are left for the transaction."""
        return self.to_head(await self.store(change))

    async def store(self, change: PlanChange) -> StoredPlan:
        revision = new_plan_revision(
            self.caller.user_id,
            change.date,
            change.head,
            change.reason,
            now=self.resources.clock.now(),
            ids=self.resources.ids,
        )
        plan = plan_records(with_day_versions(change.before, change.after), revision)
        draft = PlanDraft(**self.stamp(), date=change.date, rev_id=revision.rev_id)
        records = [*plan.todos, *plan.blocks]
        final = await self.write_snapshot(draft, [item_of(each) for each in records])
        return StoredPlan(change, revision, final)

    def to_head(self, stored: StoredPlan) -> Decision[PlanRevision]:
        """To be called right before the transaction: `asOf` counts from now on."""
        change, head = stored.change, stored.change.head
        moved_at = AWSDateTime(max(self.now, stored.revision.rev_ts))
        revision = replace(stored.revision, moved_at=moved_at, merged_rev_id=change.merged)
        next_head = next_plan_head(head, revision, moved_at)
        if change.rollover:
            next_head = with_rollover(next_head, change.rollover)
        unmoved = attr("headRevId").equals(head.head_rev_id) if head else absent()
        writes: list[Write] = [
            put_if_absent(revision, otherwise=HeadMoved(revision.parent_rev_id)),
            Put(next_head, when=unmoved, otherwise=_head_moved),
            *([] if head else [Put(PlanDay(**self.stamp(), date=change.date))]),
            stored.final,
        ]
        return Decision(revision, writes)


def _head_moved(now: PlanHead | None) -> HeadMoved:
    return HeadMoved(now.head_rev_id if now else None)
