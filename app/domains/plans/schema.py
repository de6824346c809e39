"""Values and plans in the graph."""

from functools import partial
from typing import Annotated

import strawberry

from app.core.scalars import AWSDate, AWSDateTime, AWSTime
from app.domains.plans.inputs import (
    CommitPlanInput,
    CommitValuesInput,
    CompleteActionInput,
    CreateValuesBranchInput,
    DropValuesBranchInput,
    FinishWeeklyReviewInput,
    MergeValuesBranchInput,
    RestorePlanInput,
    RestoreValuesInput,
    RolloverPlanInput,
    UndoValuesInput,
)
from app.domains.plans.types import (
    CompletedAction,
    DailyPlan,
    PlanDay,
    PlanDiff,
    PlanRevision,
    SuggestedBlocks,
    TreeNode,
    ValuesBranch,
    ValuesCommit,
    ValuesDiff,
    ValuesRevision,
    ValuesSource,
    ValuesTree,
    WeeklyReview,
)
from app.graph.context import Info
from app.graph.fields import mutation, query
from app.graph.paging import Limit, NextToken, Page, page


def _argument(description: str, name: str | None = None) -> object:
    return strawberry.argument(description=description, name=name)


AsOf = Annotated[AWSDateTime | None, _argument("What was the head at this instant.")]
Branch = Annotated[str | None, _argument("The name of a branch; null: main.")]
At = Annotated[strawberry.ID | None, _argument("A revision; null: the head.")]
Source = Annotated[ValuesSource | None, _argument("Only commits with this source.", "source")]
Since = Annotated[AWSDateTime | None, _argument("Only commits from this instant on.")]
Until = Annotated[AWSDateTime | None, _argument("Only commits up to this instant.")]
From = Annotated[strawberry.ID | None, _argument("A revision; null: before the first.", "from")]
FirstDay = Annotated[AWSDate | None, _argument("Only from this day on.", "from")]
LastDay = Annotated[AWSDate | None, _argument("Only up to this day.")]
WorkBegins = Annotated[AWSTime | None, _argument("Local; null: 09:00.", "from")]
WorkEnds = Annotated[AWSTime | None, _argument("Local; null: 18:00.")]


def _day(date: AWSDate) -> AWSDate:
    """A date may carry an offset; the day is what it names."""
    return AWSDate(date[:10])


@strawberry.type
class PlansQuery:
    @query(
        description="The values at the head, at a revision or as of an instant; empty before the "
        "first commit, null if there is no such revision or branch."
    )
    async def values_tree(
        self,
        info: Info,
        revision_id: At = None,
        as_of: AsOf = None,
        branch: Branch = None,
    ) -> ValuesTree | None:
        return await info.context.values.tree(revision_id, as_of, branch)

    @query(description="The commits of a branch, newest first.")
    async def values_history(
        self,
        info: Info,
        branch: Branch = None,
        source_: Source = None,
        since: Since = None,
        until: Until = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[ValuesRevision]:
        fetch = partial(info.context.values.history, branch, source_, since, until)
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="What a node holds, in order, tombstones too, without reading the tree.")
    async def values_children(
        self,
        info: Info,
        node_id: strawberry.ID,
        revision_id: At = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[TreeNode]:
        fetch = partial(info.context.values.children, revision_id, node_id)
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="From one revision to another; null if one of them is not there.")
    async def values_diff(self, info: Info, from_: From = None, to: At = None) -> ValuesDiff | None:
        return await info.context.values.diff(from_, to)

    @query(description="Your branches, by name.")
    async def values_branches(self, info: Info) -> list[ValuesBranch]:
        return await info.context.values.branches()

    @query(description="What was completed, added, archived and moved since the last review.")
    async def weekly_review(self, info: Info) -> WeeklyReview:
        return await info.context.values.review()

    @query(
        description="A day's plan at its head, at a revision or as of an instant; empty before "
        "the first commit of the day, null if there is no such revision."
    )
    async def daily_plan(
        self, info: Info, date: AWSDate, revision_id: At = None, as_of: AsOf = None
    ) -> DailyPlan | None:
        return await info.context.plans.plan(_day(date), revision_id, as_of)

    @query(description="The commits of a day's plan, newest first.")
    async def plan_history(
        self, info: Info, date: AWSDate, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[PlanRevision]:
        fetch = partial(info.context.plans.history, _day(date))
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="From one revision of a day to another; null if one is not there.")
    async def plan_diff(
        self, info: Info, date: AWSDate, from_: From = None, to: At = None
    ) -> PlanDiff | None:
        return await info.context.plans.diff(_day(date), from_, to)

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
        "of 15 after every fourth, around its MEETING blocks. Nothing is stored."
    )
    async def suggest_blocks(
        self, info: Info, date: AWSDate, from_: WorkBegins = None, to: WorkEnds = None
    ) -> SuggestedBlocks:
        return await info.context.plans.suggest(_day(date), from_, to)


@strawberry.type
class PlansMutation:
    @mutation(
        description="Commits operations on the values. If the head has moved: CONFLICT, or with "
        "merge a three-way merge, whose conflicts are part of the answer."
    )
    async def commit_values(self, info: Info, input: CommitValuesInput) -> ValuesCommit:
        return await info.context.values.commit_values(input)

    @mutation(description="Brings an old revision, or one node of it, back as a new commit.")
    async def restore_values(self, info: Info, input: RestoreValuesInput) -> ValuesCommit:
        return await info.context.values.restore(input)

    @mutation(description="Takes the last commit back, as a new one. Twice, it is as before.")
    async def undo_values(self, info: Info, input: UndoValuesInput | None = None) -> ValuesCommit:
        return await info.context.values.undo(input or UndoValuesInput())

    @mutation(description="Commits the review's outcome, with source weekly_review.")
    async def finish_weekly_review(
        self, info: Info, input: FinishWeeklyReviewInput | None = None
    ) -> ValuesCommit:
        return await info.context.values.finish_review(input or FinishWeeklyReviewInput())

    @mutation(description="A 'what if' beside the main line. At most 50.")
    async def create_values_branch(
        self, info: Info, input: CreateValuesBranchInput
    ) -> ValuesBranch:
        return await info.context.values.create_branch(input)

    @mutation(description="Takes a branch's changes over into another, or into main.")
    async def merge_values_branch(self, info: Info, input: MergeValuesBranchInput) -> ValuesCommit:
        return await info.context.values.merge_branch(input)

    @mutation(description="Forgets a branch's name; its commits can still be read by their ids.")
    async def drop_values_branch(self, info: Info, input: DropValuesBranchInput) -> ValuesBranch:
        return await info.context.values.drop_branch(input)

    @mutation(description="Commits a day's todos and blocks.")
    async def commit_plan(self, info: Info, input: CommitPlanInput) -> DailyPlan:
        return await info.context.plans.commit_plan(input)

    @mutation(description="Brings an old revision of a day's plan back as a new commit.")
    async def restore_plan(self, info: Info, input: RestorePlanInput) -> DailyPlan:
        return await info.context.plans.restore_plan(input)

    @mutation(
        description="Adds what was left unfinished on the last planned day. What is planned "
        "already stays; twice is once."
    )
    async def rollover_plan(self, info: Info, input: RolloverPlanInput) -> DailyPlan:
        return await info.context.plans.rollover(input)

    @mutation(
        description="Completes an action in the values and in the day's plan, both or neither. "
        "If it was not planned for the day it is added there as done."
    )
    async def complete_action(self, info: Info, input: CompleteActionInput) -> CompletedAction:
        return await info.context.completion.complete_action(input)
