"""Values and plans in the graph."""

from functools import partial
from typing import Annotated, TypeVar

import strawberry

from app.core.errors import BadInput
from app.core.record import computed
from app.core.scalars import AWSURL, AWSDate, AWSDateTime, AWSTime
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
from app.domains.plans.rules.drawing import markdown, mermaid
from app.domains.plans.types import (
    CompletedAction,
    DailyPlan,
    NodeType,
    PlanDay,
    PlanDiff,
    PlanRevision,
    PlanTodo,
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
from app.domains.plans.types.values import IncludeArchivedNodes
from app.graph.context import Info
from app.graph.fields import fields_of, mutation, query
from app.graph.paging import Limit, NextToken, Page, page


@fields_of(PlanTodo)
class PlanTodoFields(PlanTodo):
    @computed(description="As it is in your values now; null if it no longer exists.")
    async def action(self, info: Info) -> TreeNode | None:
        return await info.context.values.node_at_head(self.action_id)


@fields_of(DailyPlan)
class DailyPlanFields(DailyPlan):
    @computed(
        description="What may be a mistake. Each begins with a stable word: ACTION_ARCHIVED, "
        "ACTION_DONE, ACTION_REOPENED, OUTSIDE_DAY, PAST_MIDNIGHT."
    )
    async def warnings(self, info: Info) -> list[str]:
        return await info.context.plans.warnings(self)


@fields_of(TreeNode)
class TreeNodeFields(TreeNode):
    @computed(description="Its children, in order. An action has none.")
    async def children(
        self, info: Info, include_archived: IncludeArchivedNodes = False
    ) -> list["TreeNode"]:
        if self.node_type == NodeType.ACTION.value:
            return []
        return await info.context.values.children_of(self, include_archived=include_archived)

    @computed(description="All its parents. The first says where it belongs.")
    async def parents(self, info: Info) -> list["TreeNode"]:
        return await info.context.values.parents_of(self)


@fields_of(ValuesTree)
class ValuesTreeFields(ValuesTree):
    @computed(name="node", description="One node by its id; null if it is not in this tree.")
    def node_by_id(self, id: strawberry.ID) -> TreeNode | None:
        return self.node(_checked_id("id", id))

    @computed(name="markdown", description="What is not archived, as a Markdown document.")
    def as_markdown(self) -> str:
        return markdown(self.tree)

    @computed(name="mermaid", description="What is not archived, as a Mermaid flow chart.")
    def as_mermaid(self) -> str:
        return mermaid(self.tree)

    @computed(
        description="The URL of an SVG picture of this revision. It needs no token and is valid "
        "for a day. null before the first commit."
    )
    def chart_url(self, info: Info) -> AWSURL | None:
        return info.context.values.chart_address(self.revision.rev_id) if self.revision else None


def _argument(description: str, name: str | None = None) -> object:
    return strawberry.argument(description=description, name=name)


AsOfArgument = Annotated[AWSDateTime | None, _argument("What was the head at this instant.")]
BranchArgument = Annotated[str | None, _argument("The name of a branch; null: main.")]
RevisionArgument = Annotated[strawberry.ID | None, _argument("A revision; null: the head.")]
SourceArgument = Annotated[
    ValuesSource | None, _argument("Only commits with this source.", "source")
]
CommittedSince = Annotated[AWSDateTime | None, _argument("Only commits from this instant on.")]
CommittedUntil = Annotated[AWSDateTime | None, _argument("Only commits up to this instant.")]
FromRevision = Annotated[
    strawberry.ID | None, _argument("A revision; null: before the first.", "from")
]
FirstDay = Annotated[AWSDate | None, _argument("Only from this day on.", "from")]
LastDay = Annotated[AWSDate | None, _argument("Only up to this day.")]
WorkBegins = Annotated[AWSTime | None, _argument("Local; null: 09:00.", "from")]
WorkEnds = Annotated[AWSTime | None, _argument("Local; null: 18:00.")]


IdOrNull = TypeVar("IdOrNull", bound=str | None)


def _checked_id(field: str, id: IdOrNull) -> IdOrNull:
    """Null is not given; an empty id would silently mean the same."""
    if id == "":
        raise BadInput(f"{field} is empty. Send an id, or leave it out.", field=field)
    return id


def _day(date: AWSDate) -> AWSDate:
    """A date may have an offset, which is dropped."""
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
        revision_id: RevisionArgument = None,
        as_of: AsOfArgument = None,
        branch: BranchArgument = None,
    ) -> ValuesTree | None:
        revision = _checked_id("revisionId", revision_id)
        return await info.context.values.tree(revision, as_of, _checked_id("branch", branch))

    @query(description="The commits of a branch, newest first.")
    async def values_history(
        self,
        info: Info,
        branch: BranchArgument = None,
        source_: SourceArgument = None,
        since: CommittedSince = None,
        until: CommittedUntil = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[ValuesRevision]:
        name = _checked_id("branch", branch)
        fetch = partial(info.context.values.history, name, source_, since, until)
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(
        description="The children of a node, in order, with archived ones. The tree is not read."
    )
    async def values_children(
        self,
        info: Info,
        node_id: strawberry.ID,
        revision_id: RevisionArgument = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[TreeNode]:
        revision, node = _checked_id("revisionId", revision_id), _checked_id("nodeId", node_id)
        fetch = partial(info.context.values.children, revision, node)
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="The differences between two revisions; null if one does not exist.")
    async def values_diff(
        self, info: Info, from_: FromRevision = None, to: RevisionArgument = None
    ) -> ValuesDiff | None:
        return await info.context.values.diff(_checked_id("from", from_), _checked_id("to", to))

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
        self,
        info: Info,
        date: AWSDate,
        revision_id: RevisionArgument = None,
        as_of: AsOfArgument = None,
    ) -> DailyPlan | None:
        revision = _checked_id("revisionId", revision_id)
        return await info.context.plans.plan(_day(date), revision, as_of)

    @query(description="The commits of a day's plan, newest first.")
    async def plan_history(
        self, info: Info, date: AWSDate, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[PlanRevision]:
        fetch = partial(info.context.plans.history, _day(date))
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(
        description="The differences between two revisions of a day; null if one does not exist."
    )
    async def plan_diff(
        self, info: Info, date: AWSDate, from_: FromRevision = None, to: RevisionArgument = None
    ) -> PlanDiff | None:
        old, new = _checked_id("from", from_), _checked_id("to", to)
        return await info.context.plans.diff(_day(date), old, new)

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
        return await info.context.plans.suggest(_day(date), from_, to)


@strawberry.type
class PlansMutation:
    @mutation(
        description="Commits operations on the values. If the head has moved: CONFLICT, or with "
        "merge a three-way merge, whose conflicts are part of the answer."
    )
    async def commit_values(self, info: Info, input: CommitValuesInput) -> ValuesCommit:
        return await info.context.values.commit_values(input)

    @mutation(description="Restores an old revision, or one node of it, as a new commit.")
    async def restore_values(self, info: Info, input: RestoreValuesInput) -> ValuesCommit:
        return await info.context.values.restore(input)

    @mutation(
        description="Restores the tree before the last commit, as a new commit. A second undo "
        "redoes it."
    )
    async def undo_values(self, info: Info, input: UndoValuesInput | None = None) -> ValuesCommit:
        return await info.context.values.undo(input or UndoValuesInput())

    @mutation(description="Commits the result of the review, with source weekly_review.")
    async def finish_weekly_review(
        self, info: Info, input: FinishWeeklyReviewInput | None = None
    ) -> ValuesCommit:
        return await info.context.values.finish_review(input or FinishWeeklyReviewInput())

    @mutation(description="At most 50 branches.")
    async def create_values_branch(
        self, info: Info, input: CreateValuesBranchInput
    ) -> ValuesBranch:
        return await info.context.values.create_branch(input)

    @mutation(
        description="Merges a branch into another, or into main. A merge that was undone since is "
        "made anew. If there is nothing to merge, nothing is committed and the head is returned."
    )
    async def merge_values_branch(self, info: Info, input: MergeValuesBranchInput) -> ValuesCommit:
        return await info.context.values.merge_branch(input)

    @mutation(description="Removes the branch; its commits can still be read by their ids.")
    async def drop_values_branch(self, info: Info, input: DropValuesBranchInput) -> ValuesBranch:
        return await info.context.values.drop_branch(input)

    @mutation(description="Commits a day's todos and blocks.")
    async def commit_plan(self, info: Info, input: CommitPlanInput) -> DailyPlan:
        return await info.context.plans.commit_plan(input)

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
