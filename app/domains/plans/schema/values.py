"""Queries and mutations of values."""

from functools import partial

import strawberry

from app.domains.plans.inputs import (
    CommitValuesInput,
    CreateValuesBranchInput,
    DropValuesBranchInput,
    FinishWeeklyReviewInput,
    MergeValuesBranchInput,
    RestoreValuesInput,
    UndoValuesInput,
)
from app.domains.plans.schema.arguments import (
    AsOfArgument,
    BelowMilestone,
    BranchArgument,
    CommittedSince,
    CommittedUntil,
    FromRevision,
    OfDriver,
    RevisionArgument,
    SourceArgument,
    checked_id,
)
from app.domains.plans.types import (
    TreeNode,
    ValuesBranch,
    ValuesCommit,
    ValuesDiff,
    ValuesRevision,
    ValuesTree,
    WeeklyReview,
)
from app.graph.context import Info
from app.graph.fields import mutation, query
from app.graph.paging import Limit, NextToken, Page, page


@strawberry.type
class ValuesQuery:
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
        revision = checked_id("revisionId", revision_id)
        return await info.context.values.tree(revision, as_of, checked_id("branch", branch))

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
        name = checked_id("branch", branch)
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
        revision, node = checked_id("revisionId", revision_id), checked_id("nodeId", node_id)
        fetch = partial(info.context.values.children, revision, node)
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(
        description="The actions of your values that are neither done nor archived, in the order "
        "of the tree: what could be planned. All pages are of the revision that was the head when "
        "the first was read."
    )
    async def open_actions(
        self,
        info: Info,
        driver_id: OfDriver = None,
        milestone_id: BelowMilestone = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[TreeNode]:
        driver = checked_id("driverId", driver_id)
        milestone = checked_id("milestoneId", milestone_id)
        fetch = partial(info.context.values.open_actions, driver, milestone)
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="The differences between two revisions; null if one does not exist.")
    async def values_diff(
        self, info: Info, from_: FromRevision = None, to: RevisionArgument = None
    ) -> ValuesDiff | None:
        return await info.context.values.diff(checked_id("from", from_), checked_id("to", to))

    @query(description="Your branches, by name.")
    async def values_branches(self, info: Info) -> list[ValuesBranch]:
        return await info.context.values.branches()

    @query(description="What was completed, added, archived and moved since the last review.")
    async def weekly_review(self, info: Info) -> WeeklyReview:
        return await info.context.values.review()


@strawberry.type
class ValuesMutation:
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
