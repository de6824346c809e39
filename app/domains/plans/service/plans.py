"""Daily plans: each day has commits of its own, like those of the values."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date as Date
from datetime import timedelta
from functools import partial

import strawberry

from app.core.clock import to_day
from app.core.errors import AppError, BadInput, StaleVersion
from app.core.scalars import AWSDate
from app.domains.plans import keys
from app.domains.plans.errors import ActionNotLive, HeadMoved, MergeStopped
from app.domains.plans.inputs import (
    ChangePlanInput,
    CommitPlanInput,
    ResolvePlanInput,
    RestorePlanInput,
    RolloverPlanInput,
)
from app.domains.plans.rules.day import check_day, with_unfinished
from app.domains.plans.rules.plan_commits import Rollover, requested_day
from app.domains.plans.rules.plan_merge import BLOCK, TODO, WHOLE_DAY, merge_days, plan_conflict
from app.domains.plans.rules.plan_operations import (
    apply_plan_operations,
    name_operation,
    with_block_ids,
)
from app.domains.plans.rules.three_way import Choices
from app.domains.plans.service.plan_commits import PlanChange
from app.domains.plans.service.plan_reader import PlanReader
from app.domains.plans.types import (
    DailyPlan,
    DayPlan,
    PlanHead,
    PlanReason,
    PlanRevision,
    Rolled,
)
from app.domains.service import Decision, required
from app.table.conditions import attr
from app.table.writes import Check, Write

BuildDay = Callable[[DayPlan], Awaitable[DayPlan]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanProposal:
    """A commit that is asked for: `build` makes the new day of the one at the head. With
    `check=False` an old plan is restored whole, whatever became of its actions since. `locate`
    names the place in the request that an error of the new day is about."""

    date: AWSDate
    build: BuildDay
    reason: PlanReason | None = None
    expected: object = strawberry.UNSET
    merge: bool = False
    choices: Choices = field(default_factory=dict)
    check: bool = True
    locate: Callable[[AppError, DayPlan], AppError] = lambda error, day: error


class DailyPlans(PlanReader):
    async def commit_plan(self, request: CommitPlanInput) -> DailyPlan:
        async def build(base: DayPlan) -> DayPlan:
            return requested_day(base, request, self.resources.ids.new)

        reason = None if request.reason is strawberry.UNSET else request.reason
        return await self._propose(
            request,
            PlanProposal(
                date=request.date,
                build=build,
                reason=reason,
                expected=request.expected_head,
                merge=request.merge is True,
                choices=_choices(request.resolve),
            ),
        )

    async def change_plan(self, request: ChangePlanInput) -> DailyPlan:
        if not request.operations:
            raise BadInput("A change needs an operation.", field="input.operations")

        operations = with_block_ids(request.operations, self.resources.ids.new)

        async def build(base: DayPlan) -> DayPlan:
            return apply_plan_operations(base, operations)

        def locate(error: AppError, day: DayPlan) -> AppError:
            return name_operation(error, day, operations)

        reason = None if request.reason is strawberry.UNSET else request.reason
        return await self._propose(
            request,
            PlanProposal(
                date=request.date,
                build=build,
                reason=reason,
                expected=request.expected_head,
                locate=locate,
            ),
        )

    async def restore_plan(self, request: RestorePlanInput) -> DailyPlan:
        async def build(base: DayPlan) -> DayPlan:
            found = await self.plan(request.date, request.revision_id, None)
            return required(found, "revision").to_day()

        return await self._propose(
            request,
            PlanProposal(
                date=request.date,
                build=build,
                reason=PlanReason.midday_replan,
                expected=request.expected_head,
                check=False,
            ),
        )

    async def _propose(
        self, request: CommitPlanInput | ChangePlanInput | RestorePlanInput, proposal: PlanProposal
    ) -> DailyPlan:
        try:
            revision = await self.commit_once(
                request, PlanRevision, partial(self._decide, proposal)
            )
        except MergeStopped as stopped:
            return await self._stopped(request.date, stopped)
        return await self.plan_at(request.date, revision)

    async def _stopped(self, date: AWSDate, stopped: MergeStopped) -> DailyPlan:
        """Nothing was committed: the plan at the head, with the conflicts."""
        current = await self.plan(date, stopped.head, None) if stopped.head else None
        conflicts = [plan_conflict(each) for each in stopped.conflicts]
        return replace(current or await self.plan_at(date, None), conflicts=conflicts)

    async def _decide(self, proposal: PlanProposal) -> Decision[PlanRevision]:
        head = await self.head(proposal.date)
        head_id = head.head_rev_id if head else None
        late = proposal.expected not in (strawberry.UNSET, head_id)
        if late and not proposal.merge:
            raise HeadMoved(head_id)
        base = (await self.plan_at(proposal.date, head.revision if head else None)).to_day()
        day = await (self._merge(proposal, head_id, base) if late else proposal.build(base))
        checks: list[Write] = []
        if proposal.check:
            checks = await self._checked(proposal, base, day)
        usual = PlanReason.midday_replan if head else PlanReason.morning_plan
        decision = await self.add_commit(
            PlanChange(
                date=proposal.date,
                head=head,
                before=base,
                after=day,
                reason=proposal.reason or usual,
                merged=_revision_or_none(proposal.expected) if late else None,
            )
        )
        return Decision(decision.answer, [*decision.writes, *checks])

    async def _merge(self, proposal: PlanProposal, head_id: str | None, theirs: DayPlan) -> DayPlan:
        seen_id, seen = _revision_or_none(proposal.expected), DayPlan()
        if seen_id:
            seen = required(await self.plan(proposal.date, seen_id, None), "revision").to_day()
        ours = await proposal.build(seen)
        day, clashes = merge_days(seen, ours, theirs, proposal.choices)
        if clashes:
            raise MergeStopped(head_id, clashes)
        return day

    async def _checked(self, proposal: PlanProposal, base: DayPlan, day: DayPlan) -> list[Write]:
        try:
            check_day(day, Date.fromisoformat(proposal.date), base)
            return await self._new_actions_are_live(base, day)
        except AppError as error:
            raise proposal.locate(error, day) from None

    async def _new_actions_are_live(self, base: DayPlan, day: DayPlan) -> list[Write]:
        """Every new todo must be a live action when the commit happens. One that stays may have
        been archived since: a warning says so."""
        new = [todo.action_id for todo in day.todos if base.todo(todo.action_id) is None]
        if not new:
            return []
        actions = await self.actions(new)
        for index, todo in enumerate(day.todos):
            if todo.action_id in new and todo.action_id not in actions.live:
                raise ActionNotLive(todo.action_id, f"input.todos.{index}.actionId")
        return [self.values_unmoved(actions.head)]

    def values_unmoved(self, head: str | None) -> Write:
        return Check(
            keys.values_head(self.caller.user_id),
            when=attr("headRevId").equals(head),
            otherwise=StaleVersion("values tree", None),
        )

    async def rollover(self, request: RolloverPlanInput) -> DailyPlan:
        rolled = await self.commit_once(request, Rolled, partial(self._decide_rollover, request.to))
        plan = await self.plan(request.to, rolled.rev_id, None)
        return plan or await self.plan_at(request.to, None)

    async def _decide_rollover(self, to: AWSDate) -> Decision[Rolled]:
        head = await self.head(to)
        unchanged = Decision(Rolled(to, head.head_rev_id if head else None))
        source = await self._last_head_before(to)
        if source is None:
            return unchanged
        left = (await self.plan_at(AWSDate(source.date), source.revision)).to_day()
        target = (await self.plan_at(to, head.revision if head else None)).to_day()
        actions = await self.actions([each.action_id for each in left.todos])
        skip = await self._taken_before(head, source)
        day = with_unfinished(left, target, actions.open, skip)
        if day is target:
            return unchanged
        carried = [each.action_id for each in day.todos[len(target.todos) :]]
        decision = await self.add_commit(
            PlanChange(
                date=to,
                head=head,
                before=target,
                after=day,
                reason=PlanReason.rollover,
                rollover=Rollover(source, carried),
            )
        )
        unmoved = self.values_unmoved(actions.head)
        return Decision(Rolled(to, decision.answer.rev_id), [*decision.writes, unmoved])

    async def _last_head_before(self, to: AWSDate) -> PlanHead | None:
        day = Date.fromisoformat(to)
        if day == Date.min:
            return None
        before = to_day(day - timedelta(days=1))
        rows = await self.planned_days(None, before, limit=1, start=None)
        return await self.head(rows.items[0].date) if rows.items else None

    async def _taken_before(self, head: PlanHead | None, source: PlanHead) -> set[str]:
        """Todos that an earlier rollover brought. If they were removed since, they must not come
        back."""
        if head is None or head.rolled_date != source.date or head.rolled_rev_id is None:
            return set()
        if head.rolled_action_ids is not None:
            return {*head.rolled_action_ids}
        # Stored before it was known which todos were taken.
        earlier = await self.plan(AWSDate(source.date), head.rolled_rev_id, None)
        todos = earlier.todos if earlier else []
        return {each.action_id for each in todos if each.completed_at is None}


def _revision_or_none(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _choices(resolutions: Sequence[ResolvePlanInput] | None) -> Choices:
    given = resolutions if isinstance(resolutions, list) else []
    return {(_thing(each), each.field): each.take for each in given}


def _thing(choice: ResolvePlanInput) -> str:
    if isinstance(choice.action_id, str):
        return TODO + choice.action_id
    return BLOCK + choice.block_id if isinstance(choice.block_id, str) else WHOLE_DAY
