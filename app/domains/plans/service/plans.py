"""Daily plans: one repository per day, with the same kind of commits as the values."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import date as Date
from datetime import timedelta
from functools import partial

import strawberry

from app.core.clock import day as date_text
from app.core.errors import NotFound, StaleVersion
from app.core.scalars import AWSDate, AWSDateTime
from app.domains.plans import keys
from app.domains.plans.errors import ActionNotLive, HeadMoved
from app.domains.plans.inputs import (
    BlockInput,
    CommitPlanInput,
    RestorePlanInput,
    RolloverPlanInput,
    TodoInput,
)
from app.domains.plans.repository import plan_of
from app.domains.plans.rules.day import (
    Block,
    Day,
    Todo,
    carried,
    check_day,
)
from app.domains.plans.rules.revisions import instant_at, next_millisecond
from app.domains.plans.service.days import ReadingPlans
from app.domains.plans.service.snapshots import Snapshots
from app.domains.plans.types import (
    DailyPlan,
    PlanDay,
    PlanDraft,
    PlanHead,
    PlanReason,
    PlanRevision,
    Rolled,
)
from app.domains.service import Decision
from app.table.conditions import absent, attr
from app.table.writes import Check, Put, Write, create

Make = Callable[[Day], Awaitable[Day]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanProposal:
    date: AWSDate
    make: Make
    reason: PlanReason | None = None
    expected: object = strawberry.UNSET


class Plans(ReadingPlans):
    async def commit_plan(self, request: CommitPlanInput) -> DailyPlan:
        async def make(base: Day) -> Day:
            return self._wished(base, request)

        reason = None if request.reason is strawberry.UNSET else request.reason
        proposal = PlanProposal(
            date=request.date, make=make, reason=reason, expected=request.expected_head
        )
        revision = await self.commit_once(
            request, PlanRevision, partial(self._decide, proposal), _id_of
        )
        return await self.shown(request.date, revision)

    def _wished(self, base: Day, request: CommitPlanInput) -> Day:
        """A list that was not sent stays; what was completed stays completed."""
        done = {each.action_id: each.completed_at for each in base.todos}
        day = base
        if isinstance(request.todos, list):
            day = replace(day, todos=tuple(_todo(each, done) for each in request.todos))
        if isinstance(request.blocks, list):
            blocks = tuple(_block(each, self.resources.ids.new) for each in request.blocks)
            day = replace(day, blocks=blocks)
        return day

    async def restore_plan(self, request: RestorePlanInput) -> DailyPlan:
        async def make(base: Day) -> Day:
            wanted = await self.plan(request.date, request.revision_id, None)
            if wanted is None:
                raise NotFound("revision")
            return wanted.content()

        proposal = PlanProposal(
            date=request.date,
            make=make,
            reason=PlanReason.midday_replan,
            expected=request.expected_head,
        )
        decide = partial(self._decide, proposal, as_it_was=True)
        revision = await self.commit_once(request, PlanRevision, decide, _id_of)
        return await self.shown(request.date, revision)

    async def _decide(
        self, proposal: PlanProposal, snapshots: Snapshots, *, as_it_was: bool = False
    ) -> Decision[PlanRevision]:
        """`as_it_was`: an old plan comes back whole, whatever became of its actions since."""
        head = await self.repository.head(proposal.date)
        head_id = head.head_rev_id if head else None
        if proposal.expected is not strawberry.UNSET and proposal.expected != head_id:
            raise HeadMoved(head_id)
        base = await self.shown(proposal.date, head.revision if head else None)
        day = await proposal.make(base.content())
        checks: list[Write] = []
        if not as_it_was:
            check_day(day, Date.fromisoformat(proposal.date))
            checks = await self._live_actions(day)
        usual = PlanReason.midday_replan if head else PlanReason.morning_plan
        revision = self.new_revision(proposal.date, head, proposal.reason or usual)
        writes = await self.written(head, revision, day, snapshots)
        return Decision(revision, [*writes, *checks])

    async def _live_actions(self, day: Day) -> list[Write]:
        """What is still to do must be live in the values, at the moment of the commit."""
        waiting = [each.action_id for each in day.todos if each.completed_at is None]
        if not waiting:
            return []
        actions = await self.actions(waiting)
        for index, todo in enumerate(day.todos):
            if todo.completed_at is None and todo.action_id not in actions.live:
                raise ActionNotLive(todo.action_id, f"input.todos.{index}.actionId")
        return [self.values_unmoved(actions.head)]

    def values_unmoved(self, head: str | None) -> Write:
        return Check(
            keys.values_head(self.caller.user_id),
            when=attr("headRevId").equals(head),
            otherwise=StaleVersion("values tree", None),
        )

    def new_revision(
        self, date: AWSDate, head: PlanHead | None, reason: PlanReason
    ) -> PlanRevision:
        parent = head.head_rev_id if head else None
        at = next_millisecond(self.resources.clock.now(), parent)
        rev_ts = AWSDateTime(instant_at(at))
        return PlanRevision(
            created_at=rev_ts,
            updated_at=rev_ts,
            user_id=self.caller.user_id,
            date=date,
            rev_id=self.resources.ids.at(at),
            rev_ts=rev_ts,
            parent_rev_id=parent,
            reason=reason,
        )

    async def written(
        self,
        head: PlanHead | None,
        revision: PlanRevision,
        day: Day,
        snapshots: Snapshots,
        rolled: PlanHead | None = None,
    ) -> list[Write]:
        """The snapshot is stored; what makes it the head is left for the last transaction."""
        draft = PlanDraft(
            created_at=self.now,
            updated_at=self.now,
            user_id=revision.user_id,
            date=revision.date,
            rev_id=revision.rev_id,
        )
        plan = plan_of(day, revision)
        final = await snapshots.write(draft, [*plan.todos, *plan.blocks])
        unmoved = attr("headRevId").equals(head.head_rev_id) if head else absent()
        return [
            create(revision, otherwise=HeadMoved(revision.parent_rev_id)),
            Put(self._next_head(head, revision, rolled), when=unmoved, otherwise=_moved),
            *([] if head else [Put(self._planned(revision))]),
            final,
        ]

    def _planned(self, revision: PlanRevision) -> PlanDay:
        return PlanDay(
            created_at=self.now,
            updated_at=self.now,
            user_id=revision.user_id,
            date=revision.date,
        )

    def _next_head(
        self, head: PlanHead | None, revision: PlanRevision, rolled: PlanHead | None
    ) -> PlanHead:
        return PlanHead(
            created_at=head.created_at if head else self.now,
            updated_at=self.now,
            version=head.version + 1 if head else 1,
            user_id=revision.user_id,
            date=revision.date,
            head_rev_id=revision.rev_id,
            head_rev_ts=revision.rev_ts,
            parent_rev_id=revision.parent_rev_id,
            reason=revision.reason,
            rolled_date=rolled.date if rolled else head.rolled_date if head else None,
            rolled_rev_id=rolled.head_rev_id if rolled else head.rolled_rev_id if head else None,
        )

    async def rollover(self, request: RolloverPlanInput) -> DailyPlan:
        rolled = await self.commit_once(
            request, Rolled, partial(self._decide_rollover, request.to), _ids_of_rolled
        )
        plan = await self.plan(request.to, rolled.rev_id, None)
        return plan or await self.shown(request.to, None)

    async def _decide_rollover(self, to: AWSDate, snapshots: Snapshots) -> Decision[Rolled]:
        head = await self.repository.head(to)
        unchanged = Decision(Rolled(to, head.head_rev_id if head else None))
        source = await self._last_head_before(to)
        if source is None or (head and head.rolled_rev_id == source.head_rev_id):
            return unchanged
        left = (await self.shown(AWSDate(source.date), source.revision)).content()
        target = (await self.shown(to, head.revision if head else None)).content()
        actions = await self.actions([each.action_id for each in left.todos])
        skip = await self._taken_before(head, source)
        day = carried(left, target, actions.open, skip)
        if day is target:
            return unchanged
        revision = self.new_revision(to, head, PlanReason.rollover)
        writes = await self.written(head, revision, day, snapshots, source)
        unmoved = self.values_unmoved(actions.head)
        return Decision(Rolled(to, revision.rev_id), [*writes, unmoved])

    async def _last_head_before(self, to: AWSDate) -> PlanHead | None:
        before = date_text(Date.fromisoformat(to) - timedelta(days=1))
        rows = await self.repository.planned_days(since="0", until=before, limit=1)
        return await self.repository.head(rows.items[0].date) if rows.items else None

    async def _taken_before(self, head: PlanHead | None, source: PlanHead) -> set[str]:
        """What an earlier rollover brought and was struck out since must not come back."""
        if head is None or head.rolled_date != source.date or head.rolled_rev_id is None:
            return set()
        earlier = await self.plan(AWSDate(source.date), head.rolled_rev_id, None)
        return {todo.action_id for todo in earlier.todos} if earlier else set()


def _id_of(revision: PlanRevision) -> list[str]:
    return [revision.rev_id]


def _ids_of_rolled(rolled: Rolled) -> list[str]:
    return [rolled.rev_id] if rolled.rev_id else []


def _moved(now: PlanHead | None) -> HeadMoved:
    return HeadMoved(now.head_rev_id if now else None)


def _todo(request: TodoInput, done: dict[str, str | None]) -> Todo:
    given = {name: value for name, value in request.given().items() if value is not None}
    if classification := given.pop("classification", None):
        given["classification"] = classification.value
    return Todo(**given, completed_at=done.get(request.action_id))


def _block(request: BlockInput, new_id: Callable[[], str]) -> Block:
    given = {name: value for name, value in request.given().items() if value is not None}
    return Block(
        id=given.get("id") or new_id(),
        block_type=request.block_type.value,
        start=request.start_time_iso,
        end=request.end_time_iso,
        title=given.get("title"),
        action_id=given.get("action_id"),
        pomodoro_index=given.get("pomodoro_index"),
    )
