"""The next commit of the values: the snapshot first, then the writes that make it the head, with
the tasks and plans that follow it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.core.scalars import AWSDateTime
from app.domains.plans.errors import HeadMoved
from app.domains.plans.repository import items_of_tree
from app.domains.plans.rules.branches import BranchTip, CommitNote, new_revision, next_head
from app.domains.plans.rules.tree import with_versions
from app.domains.plans.service.plan_commits import StoredPlan
from app.domains.plans.service.plan_links import PlanLinks
from app.domains.plans.service.task_links import TaskLinks
from app.domains.plans.service.values_reader import ValuesReader
from app.domains.plans.types import (
    PlanRevision,
    Tree,
    ValuesBranch,
    ValuesDraft,
    ValuesHead,
    ValuesRevision,
)
from app.domains.service import Decision, uses
from app.table.conditions import absent, attr
from app.table.writes import Put, Write, put_if_absent

# Revision, head and draft.
WRITES_OF_VALUES = 3


@dataclass(frozen=True, slots=True)
class NewCommit:
    """A commit and the plans that it changes, with the writes that make them the heads."""

    revision: ValuesRevision
    plans: Sequence[PlanRevision]
    writes: Sequence[Write]


class ValuesCommits(ValuesReader):
    links = uses(TaskLinks)
    plan_links = uses(PlanLinks)

    async def add_commit(
        self, tip: BranchTip, tree: Tree, note: CommitNote
    ) -> Decision[ValuesRevision]:
        commit = await self.new_commit(tip, tree, note)
        return Decision(commit.revision, commit.writes)

    async def new_commit(self, tip: BranchTip, tree: Tree, note: CommitNote) -> NewCommit:
        """Stores the snapshots; the writes that make them the heads are left for the transaction.
        Only main has tasks and plans."""
        before = await self.snapshot(tip.head_id)
        tree = with_versions(before, tree)
        tasks: list[Write] = []
        plans: list[StoredPlan] = []
        if tip.branch is None:
            tasks = await self.links.writes(before, tree)
            besides = WRITES_OF_VALUES + len(tasks)
            plans = await self.plan_links.store_changes(before, tree, besides=besides)
        revision = new_revision(tip, note, now=self.resources.clock.now(), ids=self.resources.ids)
        self._trees[revision.rev_id] = tree
        draft = ValuesDraft(**self.stamp(), rev_id=revision.rev_id)
        final = await self.write_snapshot(draft, items_of_tree(tree, before, revision))
        moved = [self.plan_links.to_head(each) for each in plans]
        head = self._to_head(tip, revision)
        writes = [*head.writes, final, *tasks, *(each for plan in moved for each in plan.writes)]
        return NewCommit(head.answer, [each.answer for each in moved], writes)

    def _to_head(self, tip: BranchTip, revision: ValuesRevision) -> Decision[ValuesRevision]:
        """The commit, and the head that moves to it unless it has moved meanwhile."""
        moved_at = AWSDateTime(max(self.now, revision.rev_ts))
        revision = replace(revision, moved_at=moved_at)
        unmoved = attr("headRevId").equals(tip.head_id) if tip.head else absent()
        writes: list[Write] = [
            put_if_absent(revision, otherwise=HeadMoved(tip.head_id)),
            Put(next_head(tip, revision, moved_at), when=unmoved, otherwise=_head_moved),
        ]
        return Decision(revision, writes)


def _head_moved(now: ValuesHead | ValuesBranch | None) -> HeadMoved:
    return HeadMoved(now.head_rev_id if now else None)
