"""Queries and mutations of daily plans."""

from functools import partial

import strawberry

from app.core.scalars import AWSDate
from app.domains.plans.inputs import (
    ChangePlanInput,
    CommitPlanInput,
    CompleteActionInput,
    ReopenActionInput,
    RestorePlanInput,
    RolloverPlanInput,
)
from app.domains.plans.schema.arguments import (
    AsOfArgument,
    FirstDay,
    FromRevision,
    LastDay,
    RevisionArgument,
    WorkBegins,
    WorkEnds,
    checked_id,
    plain_day,
)
from app.domains.plans.types import (
    CompletedAction,
    DailyPlan,
    PlanDay,
    PlanDiff,
    PlanRevision,
    ReopenedAction,
    SuggestedBlocks,
)
from app.graph.context import Info
from app.graph.fields import mutation, query
from app.graph.paging import Limit, NextToken, Page, page


@strawberry.type
class DailyPlansQuery:
    @query(
        description="A day's plan at its head, at a revision or as of an instant; empty before "
        "the first commit of the day, null if there is no such revision."
    )
    async def daily_plan(
        self,
        info: Info,
        date: AWSDate,
        revision_id: RevisionArgument = None,
        as_of: AsOfArgument = None,
    ) -> DailyPlan | None:
        revision = checked_id("revisionId", revision_id)
        return await info.context.plans.plan(plain_day(date), revision, as_of)

    @query(description="The commits of a day's plan, newest first.")
    async def plan_history(
        self, info: Info, date: AWSDate, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[PlanRevision]:
        fetch = partial(info.context.plans.history, plain_day(date))
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(
        description="The differences between two revisions of a day; null if one does not exist."
    )
    async def plan_diff(
        self, info: Info, date: AWSDate, from_: FromRevision = None, to: RevisionArgument = None
    ) -> PlanDiff | None:
        old, new = checked_id("from", from_), checked_id("to", to)
        return await info.context.plans.diff(plain_day(date), old, new)

    @query(description="The days that have a plan, newest first.")
    async def planned_days(
        self,
        info: Info,
        from_: FirstDay = None,
        to: LastDay = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[PlanDay]:
        fetch = partial(info.context.plans.planned_days, from_, to)
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(
        description="Pomodoros of 25 minutes for the day's open todos, with breaks of 5 minutes, "
        "of 15 after every fourth, around every planned block but BUFFER. What is planned as a "
        "POMODORO is not suggested again. Nothing is stored."
    )
    async def suggest_blocks(
        self, info: Info, date: AWSDate, from_: WorkBegins = None, to: WorkEnds = None
    ) -> SuggestedBlocks:
        return await info.context.plans.suggest(plain_day(date), from_, to)


@strawberry.type
class DailyPlansMutation:
    @mutation(
        description="Commits a day's todos and blocks. If the head has moved: CONFLICT, or with "
        "merge a three-way merge, whose conflicts are part of the answer."
    )
    async def commit_plan(self, info: Info, input: CommitPlanInput) -> DailyPlan:
        return await info.context.plans.commit_plan(input)

    @mutation(
        description="Adds, changes, moves and removes todos and blocks of a day, as one commit, "
        "without sending the day. Left without expectedHead, it is applied to whatever the plan is "
        "by then, so two clients may change it at once."
    )
    async def change_plan(self, info: Info, input: ChangePlanInput) -> DailyPlan:
        return await info.context.plans.change_plan(input)

    @mutation(description="Restores an old revision of a day's plan as a new commit.")
    async def restore_plan(self, info: Info, input: RestorePlanInput) -> DailyPlan:
        return await info.context.plans.restore_plan(input)

    @mutation(
        description="Adds the open todos of the last planned day. Existing todos stay; a repeated "
        "rollover changes nothing."
    )
    async def rollover_plan(self, info: Info, input: RolloverPlanInput) -> DailyPlan:
        return await info.context.plans.rollover(input)

    @mutation(
        description="Completes an action in the values and in the day's plan, both or neither. "
        "If it was not planned for the day it is added there as done."
    )
    async def complete_action(self, info: Info, input: CompleteActionInput) -> CompletedAction:
        return await info.context.completion.complete_action(input)

    @mutation(
        description="Reopens an action in the values and in the plans of the days that show it as "
        "done, all or nothing. An action that is open already stays as it is."
    )
    async def reopen_action(self, info: Info, input: ReopenActionInput) -> ReopenedAction:
        return await info.context.completion.reopen_action(input)
