"""Reading a day's plan: at its head, at a revision, as of an instant; what could fill the day."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date as Date
from datetime import time

import strawberry

from app.core.caller import Caller
from app.core.errors import BadInput
from app.core.scalars import AWSDate, AWSDateTime, AWSTime
from app.domains.people.service import Profiles
from app.domains.plans.repository import PlansRepository, block_of
from app.domains.plans.rules.day import (
    Bounds,
    Day,
    bounds,
    diff_days,
    local_moment,
    suggest,
    warnings,
)
from app.domains.plans.service.snapshots import Committing
from app.domains.plans.service.values import Values
from app.domains.plans.types import (
    BlockChange,
    DailyPlan,
    NodeType,
    PlanDay,
    PlanDiff,
    PlanRevision,
    SuggestedBlocks,
    TodoChange,
)
from app.resources import Resources
from app.table.gateway import Position, Rows

WORK_BEGINS, WORK_ENDS = AWSTime("09:00:00"), AWSTime("18:00:00")
MINUTES = len("09:00")


@dataclass(frozen=True, slots=True)
class Actions:
    """What the values say about the actions of a plan, and at which head."""

    head: str | None
    live: frozenset[str]
    done: frozenset[str]

    @property
    def open(self) -> frozenset[str]:
        return self.live - self.done


class ReadingPlans(Committing):
    def __init__(
        self, resources: Resources, caller: Caller, profiles: Profiles, values: Values
    ) -> None:
        super().__init__(resources, caller)
        self.profiles = profiles
        self.values = values

    @property
    def repository(self) -> PlansRepository:
        return PlansRepository(self.table, self.caller.user_id)

    async def plan(
        self, date: AWSDate, revision_id: str | None, as_of: AWSDateTime | None
    ) -> DailyPlan | None:
        if revision_id and as_of:
            raise BadInput("Send revisionId or asOf, not both.", field="asOf")
        if revision_id:
            revision = await self.repository.revision(date, revision_id)
            return await self.repository.snapshot(revision) if revision else None
        if as_of:
            rows = await self.repository.history(date, until=as_of, limit=1)
            return await self.shown(date, rows.items[0] if rows.items else None)
        head = await self.repository.head(date)
        return await self.shown(date, head.revision if head else None)

    async def shown(self, date: AWSDate, revision: PlanRevision | None) -> DailyPlan:
        if revision is None:
            return DailyPlan(date=date, revision=None, todos=[], blocks=[])
        return await self.repository.snapshot(revision)

    async def history(
        self, date: AWSDate, *, limit: int, start: Position | None
    ) -> Rows[PlanRevision]:
        return await self.repository.history(date, limit=limit, start=start)

    async def planned_days(
        self, since: AWSDate | None, until: AWSDate | None, *, limit: int, start: Position | None
    ) -> Rows[PlanDay]:
        return await self.repository.planned_days(
            since=since or "0", until=until or "9", limit=limit, start=start
        )

    async def diff(self, date: AWSDate, from_: str | None, to: str | None) -> PlanDiff | None:
        old = await self.plan(date, from_, None) if from_ else await self.shown(date, None)
        new = await self.plan(date, to, None)
        return _shown_diff(old, new) if old and new else None

    async def warnings(self, plan: DailyPlan) -> list[str]:
        actions = await self.actions([todo.action_id for todo in plan.todos])
        return warnings(plan.content(), await self._bounds(plan.date), actions.live, actions.done)

    async def _bounds(self, date: AWSDate) -> Bounds:
        me = await self.profiles.me()
        return bounds(Date.fromisoformat(date), me.time_zone or "UTC", me.day_start_hour or 0)

    async def actions(self, ids: Sequence[str]) -> Actions:
        head = await self.values.repository.head()
        rev_id = head.head_rev_id if head else None
        found = await self.values.repository.nodes(rev_id, ids) if rev_id else []
        nodes = [each for each in found if each and each.node_type == NodeType.ACTION.value]
        return Actions(
            rev_id,
            live=frozenset(each.id for each in nodes if not each.archived),
            done=frozenset(each.id for each in nodes if each.completed_at),
        )

    async def suggest(
        self, date: AWSDate, from_: AWSTime | None, to: AWSTime | None
    ) -> SuggestedBlocks:
        plan = await self.plan(date, None, None)
        day = plan.content() if plan else Day()
        actions = await self.actions([each.action_id for each in day.todos])
        zone = (await self.profiles.me()).time_zone or "UTC"
        begin, end = (
            local_moment(Date.fromisoformat(date), time.fromisoformat(each[:MINUTES]), zone)
            for each in (from_ or WORK_BEGINS, to or WORK_ENDS)
        )
        if begin >= end:
            raise BadInput("The working day must end after it begins.", field="to")
        found = suggest(day, actions.done, begin, end)
        where = {
            "user_id": self.caller.user_id,
            "date": date,
            "rev_id": "",
            "created_at": self.now,
            "updated_at": self.now,
        }
        blocks = [block_of(each, where) for each in found.blocks]
        return SuggestedBlocks(date=date, blocks=blocks, warnings=found.warnings)


def _shown_diff(old: DailyPlan, new: DailyPlan) -> PlanDiff:
    found = diff_days(old.content(), new.content())
    return PlanDiff(
        from_=old.revision,
        to=new.revision,
        todos=[_todo_change(old, new, strawberry.ID(each)) for each in found.todos],
        blocks=[_block_change(old, new, strawberry.ID(each)) for each in found.blocks],
        reordered=found.reordered,
    )


def _todo_change(old: DailyPlan, new: DailyPlan, action_id: strawberry.ID) -> TodoChange:
    before, after = (
        next((each for each in plan.todos if each.action_id == action_id), None)
        for plan in (old, new)
    )
    return TodoChange(action_id=action_id, before=before, after=after)


def _block_change(old: DailyPlan, new: DailyPlan, block_id: strawberry.ID) -> BlockChange:
    before, after = (
        next((each for each in plan.blocks if each.id == block_id), None) for plan in (old, new)
    )
    return BlockChange(block_id=block_id, before=before, after=after)
