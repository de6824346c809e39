"""Committing values: all operations or none; the head only moves forward, by compare-and-swap."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

import strawberry

from app.core.errors import BadInput, LimitExceeded, NotFound
from app.core.inputs import IdempotentInput
from app.domains.goals.service import GoalWriter
from app.domains.plans import keys
from app.domains.plans.errors import BranchExists, HeadMoved, MergeStopped, NothingToUndo
from app.domains.plans.inputs import (
    CommitValuesInput,
    CreateValuesBranchInput,
    DropValuesBranchInput,
    FinishWeeklyReviewInput,
    MergeValuesBranchInput,
    ResolveInput,
    RestoreValuesInput,
    UndoValuesInput,
    ValuesOperationInput,
)
from app.domains.plans.rules.applying import apply_operations, checked_tree
from app.domains.plans.rules.branches import (
    BranchTip,
    CommitNote,
    new_branch,
)
from app.domains.plans.rules.merge import merge, merge_conflict
from app.domains.plans.rules.operations import restore_node
from app.domains.plans.rules.three_way import Choices
from app.domains.plans.service.values_commits import ValuesCommits
from app.domains.plans.types import (
    Tree,
    ValuesBranch,
    ValuesCommit,
    ValuesRevision,
    ValuesSource,
)
from app.domains.plans.types.revisions import MAIN, branch_of
from app.domains.service import Decision, required, uses
from app.table.conditions import present
from app.table.writes import Delete, put_if_absent

T = TypeVar("T")
MOST_BRANCHES = 50
BuildTree = Callable[[BranchTip, Tree], Awaitable[Tree]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A commit that is asked for: `build` makes the new tree of the one that the client has
    seen. `ancestor`: what to merge from; left out: the newest common one."""

    build: BuildTree
    message: str
    branch: str | None = None
    source: ValuesSource = ValuesSource.daily_update
    expected: object = strawberry.UNSET
    merge: bool = False
    ancestor: object = strawberry.UNSET
    choices: Choices = field(default_factory=dict)


class Values(ValuesCommits):
    goal_writer = uses(GoalWriter)

    async def commit_values(self, request: CommitValuesInput) -> ValuesCommit:
        if not request.operations:
            raise BadInput("A commit needs an operation.", field="input.operations")
        return await self._propose(
            request,
            Proposal(
                build=self._applying(request.operations),
                message=_or_none(request.message) or "",
                branch=_or_none(request.branch),
                source=_or_none(request.source) or ValuesSource.daily_update,
                expected=request.expected_head,
                merge=bool(_or_none(request.merge)),
                choices=_choices(request.resolve),
            ),
        )

    async def finish_review(self, request: FinishWeeklyReviewInput) -> ValuesCommit:
        return await self._propose(
            request,
            Proposal(
                build=self._applying(_or_none(request.operations) or []),
                message=_or_none(request.message) or "Weekly review",
                source=ValuesSource.weekly_review,
                expected=request.expected_head,
                merge=bool(_or_none(request.merge)),
                choices=_choices(request.resolve),
            ),
        )

    def _applying(self, operations: Sequence[ValuesOperationInput]) -> BuildTree:
        async def build(tip: BranchTip, base: Tree) -> Tree:
            return apply_operations(base, operations, now=self.now, new_id=self.resources.ids.new)

        return build

    async def restore(self, request: RestoreValuesInput) -> ValuesCommit:
        async def build(tip: BranchTip, base: Tree) -> Tree:
            found = required(await self.repository.revision(request.revision_id), "revision")
            source = await self.snapshot(found.rev_id)
            node_id = _or_none(request.node_id)
            if node_id is None:
                return source
            tree = base.copy()
            restore_node(tree, source, node_id, self.now)
            return checked_tree(tree)

        return await self._propose(
            request,
            Proposal(
                build=build,
                message=_or_none(request.message) or f"Restore {request.revision_id}",
                branch=_or_none(request.branch),
                expected=request.expected_head,
            ),
        )

    async def undo(self, request: UndoValuesInput) -> ValuesCommit:
        """The tree before the last commit, as a new commit. A second undo redoes it."""

        async def build(tip: BranchTip, base: Tree) -> Tree:
            if tip.head is None:
                raise NothingToUndo
            return await self.snapshot(tip.head.parent_rev_id)

        return await self._propose(
            request,
            Proposal(
                build=build,
                message="Undo",
                branch=_or_none(request.branch),
                expected=request.expected_head,
            ),
        )

    async def merge_branch(self, request: MergeValuesBranchInput) -> ValuesCommit:
        branch = required(await self.tip(request.name), "branch")
        target = required(await self.tip(_or_none(request.into)), "branch")
        ancestor = await self._ancestor_to_merge_from(target, branch)
        if ancestor and ancestor == branch.head_id:
            return await self._committed(required(target.revision, "revision"))

        async def build(tip: BranchTip, base: Tree) -> Tree:
            return base

        return await self._propose(
            request,
            Proposal(
                build=build,
                message=_or_none(request.message) or f"Merge {request.name}",
                branch=_or_none(request.into),
                expected=branch.head_id,
                merge=True,
                ancestor=ancestor,
                choices=_choices(request.resolve),
            ),
        )

    async def _ancestor_to_merge_from(self, target: BranchTip, branch: BranchTip) -> str | None:
        """The newest commit that both descend from, unless it came into the target by a merge that
        was undone since: then where they had parted before that merge."""
        if target.head_id is None or branch.head_id is None:
            return None
        shared = await self.repository.common_ancestor(branch.head_id, target.head_id)
        if shared is None:
            return None
        fork = await self._fork_of(target, shared)
        return fork if await self._was_taken_back(target, shared, fork) else shared

    async def _fork_of(self, target: BranchTip, rev_id: str) -> str | None:
        """Seen from the target's last commit that is older, so that no merge of it counts."""
        before = await self.revision_before(target, rev_id)
        return await self.repository.common_ancestor(rev_id, before.rev_id) if before else None

    async def _was_taken_back(self, target: BranchTip, merged: str, fork: str | None) -> bool:
        """Whether the target lacks something that the merged revision changed since the fork. What
        the target changed otherwise since then is its own."""
        if fork == merged:
            return False
        theirs = await self.snapshot(target.head_id)
        base, ours = await self.snapshot(fork), await self.snapshot(merged)
        return merge(base, ours, theirs, {})[0] != theirs

    async def _propose(self, request: IdempotentInput, proposal: Proposal) -> ValuesCommit:
        try:
            revision = await self.commit_once(
                request, ValuesRevision, partial(self._decide, proposal)
            )
        except MergeStopped as stopped:
            return await self._stopped(proposal, stopped)
        await self.goal_writer.finish_pending_milestones()
        return await self._committed(revision)

    async def _decide(self, proposal: Proposal) -> Decision[ValuesRevision]:
        tip = required(await self.tip(proposal.branch), "branch")
        unseen = proposal.expected is strawberry.UNSET
        seen = tip.head_id if unseen else _revision_or_none(proposal.expected)
        late = seen != tip.head_id
        if late and not proposal.merge:
            raise HeadMoved(tip.head_id)
        if late and seen:
            required(await self.repository.revision(seen), "revision")
        tree = await proposal.build(tip, await self.snapshot(seen))
        if late:
            tree = await self._merge_into_head(tip, seen, tree, proposal)
        note = CommitNote(
            message=proposal.message, source=proposal.source, merged=seen if late else None
        )
        return await self.add_commit(tip, tree, note)

    async def _merge_into_head(
        self, tip: BranchTip, seen: str | None, ours: Tree, proposal: Proposal
    ) -> Tree:
        ancestor = seen
        if proposal.ancestor is not strawberry.UNSET:
            ancestor = _revision_or_none(proposal.ancestor)
        elif seen and tip.head_id and not tip.has_ancestor(seen):
            ancestor = await self.repository.common_ancestor(seen, tip.head_id)
        base = await self.snapshot(ancestor)
        tree, clashes = merge(base, ours, await self.snapshot(tip.head_id), proposal.choices)
        if clashes:
            raise MergeStopped(tip.head_id, clashes)
        return checked_tree(tree)

    async def _committed(self, revision: ValuesRevision) -> ValuesCommit:
        return ValuesCommit(
            branch=branch_of(revision.rev_id) or MAIN,
            revision=revision,
            tree=await self.snapshot(revision.rev_id),
            user_id=self.caller.user_id,
            rev_id=revision.rev_id,
            head=strawberry.ID(revision.rev_id),
        )

    async def _stopped(self, proposal: Proposal, stopped: MergeStopped) -> ValuesCommit:
        """Nothing was committed: the tree at the head, with the conflicts."""
        current = ValuesCommit(
            branch=proposal.branch or MAIN,
            revision=None,
            tree=await self.snapshot(stopped.head),
            user_id=self.caller.user_id,
            rev_id=stopped.head,
            head=strawberry.ID(stopped.head) if stopped.head else None,
        )
        conflicts = [merge_conflict(current, each) for each in stopped.conflicts]
        return replace(current, conflicts=conflicts)

    async def create_branch(self, request: CreateValuesBranchInput) -> ValuesBranch:
        return await self.once(request, ValuesBranch, partial(self._create_branch, request))

    async def _create_branch(self, request: CreateValuesBranchInput) -> Decision[ValuesBranch]:
        if request.name == MAIN:
            raise BranchExists(MAIN)
        start = required(await self.revision_or_head(_or_none(request.revision_id)), "revision")
        if len(await self.branches()) >= MOST_BRANCHES:
            raise LimitExceeded(f"At most {MOST_BRANCHES} branches. Merge or drop one first.")
        earlier = await self.repository.last_of_branch(request.name)
        branch = new_branch(request.name, start, earlier, self.resources.clock.now())
        return Decision(branch, [put_if_absent(branch, otherwise=BranchExists(request.name))])

    async def drop_branch(self, request: DropValuesBranchInput) -> ValuesBranch:
        """Its commits stay; only the name is removed."""
        key = keys.values_branch(self.caller.user_id, request.name)

        async def decide() -> Decision[ValuesBranch]:
            branch = required(await self.table.get(key), "branch")
            return Decision(branch, [Delete(key, when=present(), otherwise=NotFound("branch"))])

        return await self.once(request, ValuesBranch, decide)


def _or_none(value: T | None) -> T | None:
    return None if value is strawberry.UNSET else value


def _revision_or_none(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _choices(resolutions: Sequence[ResolveInput] | None) -> Choices:
    given = _or_none(resolutions) or []
    return {(_or_none(each.node_id) or "", each.field): each.take for each in given}
