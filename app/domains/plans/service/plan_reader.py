"""Reading a day's plan: at its head, at a revision, as of an instant; what could fill the day."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date as Date
from datetime import time

from app.core.errors import BadInput
from app.core.scalars import AWSDate, AWSDateTime, AWSTime
from app.domains.people.service import Profiles
from app.domains.plans import keys
from app.domains.plans.rules.day import DayBounds, day_bounds, local_instant, warnings
from app.domains.plans.rules.plan_diff import plan_diff
from app.domains.plans.rules.snapshots import block_record
from app.domains.plans.rules.suggestion import suggest
from app.domains.plans.service.plan_commits import PlanCommits
from app.domains.plans.service.values import Values
from app.domains.plans.types import (
    DailyPlan,
    DayPlan,
    NodeType,
    PlanDay,
    PlanDiff,
    PlanRevision,
    SuggestedBlocks,
)
from app.domains.service import uses
from app.table.gateway import Position, Rows

WORK_BEGINS, WORK_ENDS = AWSTime("09:00:00"), AWSTime("18:00:00")
MINUTES = len("09:00")


@dataclass(frozen=True, slots=True)
class PlannedActions:
    """What the values say about the actions of a plan, and at which head."""

    head: str | None
    live: frozenset[str]
    done: frozenset[str]

    @property
    def open(self) -> frozenset[str]:
        return self.live - self.done


class PlanReader(PlanCommits):
    profiles = uses(Profiles)
    values = uses(Values)

    async def plan(
        self, date: AWSDate, revision_id: str | None, as_of: AWSDateTime | None
    ) -> DailyPlan | None:
        if revision_id and as_of:
            raise BadInput("Send revisionId or asOf, not both.", field="asOf")
        if revision_id:
            revision = await self.repository.revision(date, revision_id)
            return await self.repository.snapshot(revision) if revision else None
        if as_of:
            return await self.plan_at(date, await self.repository.head_at(date, as_of))
        head = await self.head(date)
        return await self.plan_at(date, head.revision if head else None)

    async def history(
        self, date: AWSDate, *, limit: int, start: Position | None
    ) -> Rows[PlanRevision]:
        run = keys.plan_history(self.caller.user_id, date)
        return await self.table.query(run, limit=limit, start=start)

    async def planned_days(
        self, since: AWSDate | None, until: AWSDate | None, *, limit: int, start: Position | None
    ) -> Rows[PlanDay]:
        run = keys.planned_days(self.caller.user_id, since or "0", until or "9")
        return await self.table.query(run, limit=limit, start=start)

    async def diff(self, date: AWSDate, from_: str | None, to: str | None) -> PlanDiff | None:
        old = await self.plan(date, from_, None) if from_ else await self.plan_at(date, None)
        new = await self.plan(date, to, None)
        return plan_diff(old, new) if old and new else None

    async def warnings(self, plan: DailyPlan) -> list[str]:
        actions = await self.actions([todo.action_id for todo in plan.todos])
        return warnings(plan.to_day(), await self._bounds(plan.date), actions.live, actions.done)

    async def _bounds(self, date: AWSDate) -> DayBounds:
        me = await self.profiles.me()
        return day_bounds(Date.fromisoformat(date), me.time_zone or "UTC", me.day_start_hour or 0)

    async def actions(self, ids: Sequence[str]) -> PlannedActions:
        head = await self.values.head()
        rev_id = head.head_rev_id if head else None
        found = await self.values.repository.nodes(rev_id, ids) if rev_id else []
        nodes = [each for each in found if each and each.node_type == NodeType.ACTION.value]
        return PlannedActions(
            rev_id,
            live=frozenset(each.id for each in nodes if not each.archived),
            done=frozenset(each.id for each in nodes if each.completed_at),
        )

    async def suggest(
        self, date: AWSDate, from_: AWSTime | None, to: AWSTime | None
    ) -> SuggestedBlocks:
        plan = await self.plan(date, None, None)
        day = plan.to_day() if plan else DayPlan()
        planned = [each.action_id for each in day.todos]
        closed = {*planned} - (await self.actions(planned)).open
        zone = (await self.profiles.me()).time_zone or "UTC"
        begin, end = (
            local_instant(Date.fromisoformat(date), time.fromisoformat(each[:MINUTES]), zone)
            for each in (from_ or WORK_BEGINS, to or WORK_ENDS)
        )
        if begin >= end:
            raise BadInput("The working day must end after it begins.", field="to")
        found = suggest(day, closed, begin, end)
        owner = {**self.stamp(), "date": date, "rev_id": ""}
        blocks = [block_record(each, owner) for each in found.blocks]
        return SuggestedBlocks(date=date, blocks=blocks, warnings=found.warnings)
