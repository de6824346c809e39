"""Committing values: all operations or none; the head only moves forward, by compare-and-swap."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import strawberry

from app.core.errors import BadInput, LimitExceeded, NotFound
from app.core.scalars import AWSDateTime
from app.domains.plans import keys
from app.domains.plans.errors import BranchExists, Clash, HeadMoved, MergeStopped, NothingToUndo
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
from app.domains.plans.repository import tree_records
from app.domains.plans.rules.merge import Choices, merge
from app.domains.plans.rules.operations import take_node
from app.domains.plans.rules.revisions import MAIN, branch_of, instant_at, next_millisecond
from app.domains.plans.rules.tree import Tree
from app.domains.plans.service.applying import apply, checked
from app.domains.plans.service.lines import (
    About,
    Line,
    common_ancestor,
    new_revision,
    writes_of,
)
from app.domains.plans.service.reading import ReadingValues
from app.domains.plans.service.snapshots import Snapshots
from app.domains.plans.types import (
    MergeConflict,
    ValuesBranch,
    ValuesCommit,
    ValuesDraft,
    ValuesRevision,
    ValuesSource,
)
from app.domains.service import Decision, Repeatable
from app.table.conditions import present
from app.table.writes import Delete, Write, create

T = TypeVar("T")
MOST_BRANCHES = 50
Make = Callable[[Line, Tree], Awaitable[Tree]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A commit to be: `make` works out the new tree from the one that the client has seen."""

    make: Make
    message: str
    branch: str | None = None
    source: ValuesSource = ValuesSource.daily_update
    expected: object = strawberry.UNSET
    merge: bool = False
    choices: Choices = field(default_factory=dict)


class Values(ReadingValues):
    async def commit_values(self, request: CommitValuesInput) -> ValuesCommit:
        if not request.operations:
            raise BadInput("A commit needs an operation.", field="input.operations")
        return await self._propose(
            request,
            Proposal(
                make=self._applied(request.operations),
                message=_given(request.message) or "",
                branch=_given(request.branch),
                source=_given(request.source) or ValuesSource.daily_update,
                expected=request.expected_head,
                merge=bool(_given(request.merge)),
                choices=_choices(request.resolve),
            ),
        )

    async def finish_review(self, request: FinishWeeklyReviewInput) -> ValuesCommit:
        return await self._propose(
            request,
            Proposal(
                make=self._applied(_given(request.operations) or []),
                message=_given(request.message) or "Weekly review",
                source=ValuesSource.weekly_review,
                expected=request.expected_head,
                merge=bool(_given(request.merge)),
                choices=_choices(request.resolve),
            ),
        )

    def _applied(self, operations: Sequence[ValuesOperationInput]) -> Make:
        async def make(line: Line, base: Tree) -> Tree:
            return apply(base, operations, now=self.now, new_id=self.resources.ids.new)

        return make

    async def restore(self, request: RestoreValuesInput) -> ValuesCommit:
        async def make(line: Line, base: Tree) -> Tree:
            wanted = await self.repository.revision(request.revision_id)
            if wanted is None:
                raise NotFound("revision")
            source = await self.snapshot(wanted.rev_id)
            node_id = _given(request.node_id)
            if node_id is None:
                return source
            tree = base.copy()
            take_node(tree, source, node_id, self.now)
            return checked(tree)

        return await self._propose(
            request,
            Proposal(
                make=make,
                message=_given(request.message) or f"Restore {request.revision_id}",
                branch=_given(request.branch),
                expected=request.expected_head,
            ),
        )

    async def undo(self, request: UndoValuesInput) -> ValuesCommit:
        """The content before the last commit, as a new one: twice is as it was."""

        async def make(line: Line, base: Tree) -> Tree:
            if line.head is None:
                raise NothingToUndo
            return await self.snapshot(line.head.parent_rev_id)

        return await self._propose(
            request,
            Proposal(
                make=make,
                message="Undo",
                branch=_given(request.branch),
                expected=request.expected_head,
            ),
        )

    async def merge_branch(self, request: MergeValuesBranchInput) -> ValuesCommit:
        branch = await self._existing_line(request.name)
        target = await self._existing_line(_given(request.into))
        if await self._has_all_of(target, branch):
            return await self._unchanged(target)

        async def make(line: Line, base: Tree) -> Tree:
            return base

        return await self._propose(
            request,
            Proposal(
                make=make,
                message=_given(request.message) or f"Merge {request.name}",
                branch=_given(request.into),
                expected=branch.head_id,
                merge=True,
                choices=_choices(request.resolve),
            ),
        )

    async def _has_all_of(self, target: Line, branch: Line) -> bool:
        if target.head_id is None or branch.head_id is None:
            return False
        ancestor = await common_ancestor(self.repository, branch.head_id, target.head_id)
        return ancestor == branch.head_id

    async def _unchanged(self, line: Line) -> ValuesCommit:
        if line.revision is None:
            raise NotFound("revision")
        return await self._committed(line.revision)

    async def _propose(self, request: Repeatable, proposal: Proposal) -> ValuesCommit:
        try:
            revision = await self.commit_once(
                request, ValuesRevision, partial(self.decide, proposal), lambda done: [done.rev_id]
            )
        except MergeStopped as stopped:
            return await self._stopped(proposal, stopped)
        await self.links.catch_up()
        return await self._committed(revision)

    async def decide(self, proposal: Proposal, snapshots: Snapshots) -> Decision[ValuesRevision]:
        line = await self._existing_line(proposal.branch)
        unseen = proposal.expected is strawberry.UNSET
        seen = line.head_id if unseen else _revision_or_none(proposal.expected)
        late = seen != line.head_id
        if late and not proposal.merge:
            raise HeadMoved(line.head_id)
        if late and seen and await self.repository.revision(seen) is None:
            raise NotFound("revision")
        tree = await proposal.make(line, await self.snapshot(seen))
        if late:
            tree = await self._merged(line, seen, tree, proposal.choices)
        about = About(
            message=proposal.message, source=proposal.source, merged=seen if late else None
        )
        return await self.written(line, tree, about, snapshots)

    async def written(
        self, line: Line, tree: Tree, about: About, snapshots: Snapshots
    ) -> Decision[ValuesRevision]:
        """The snapshot is stored; what makes it the head is left for the last transaction."""
        tasks: list[Write] = []
        if line.branch is None:
            tasks = await self.links.writes(await self.snapshot(line.head_id), tree)
        now = self.resources.clock.now()
        revision = new_revision(line, about, now=now, ids=self.resources.ids)
        self._trees[revision.rev_id] = tree
        draft = ValuesDraft(
            created_at=self.now, updated_at=self.now, user_id=line.user_id, rev_id=revision.rev_id
        )
        records = tree_records(
            tree, user_id=line.user_id, rev_id=revision.rev_id, now=revision.created_at
        )
        final = await snapshots.write(draft, records)
        return Decision(revision, [*writes_of(line, revision, self.now), final, *tasks])

    async def _merged(self, line: Line, seen: str | None, ours: Tree, choices: Choices) -> Tree:
        ancestor = seen
        if seen and line.head_id and not line.leads_through(seen):
            ancestor = await common_ancestor(self.repository, seen, line.head_id)
        base = await self.snapshot(ancestor)
        tree, clashes = merge(base, ours, await self.snapshot(line.head_id), choices)
        if clashes:
            raise MergeStopped(line.head_id, clashes)
        return checked(tree)

    async def _existing_line(self, branch: str | None) -> Line:
        line = await self.line(branch)
        if line is None:
            raise NotFound("branch")
        return line

    async def _committed(self, revision: ValuesRevision) -> ValuesCommit:
        return ValuesCommit(
            branch=branch_of(revision.rev_id) or MAIN,
            revision=revision,
            tree=await self.snapshot(revision.rev_id),
            user_id=self.caller.user_id,
            head=strawberry.ID(revision.rev_id),
        )

    async def _stopped(self, proposal: Proposal, stopped: MergeStopped) -> ValuesCommit:
        shown = ValuesCommit(
            branch=proposal.branch or MAIN,
            revision=None,
            tree=await self.snapshot(stopped.head),
            user_id=self.caller.user_id,
            head=strawberry.ID(stopped.head) if stopped.head else None,
        )
        shown.conflicts = [_conflict(shown, each) for each in stopped.conflicts]
        return shown

    async def branches(self) -> list[ValuesBranch]:
        return await self.repository.branches()

    async def create_branch(self, request: CreateValuesBranchInput) -> ValuesBranch:
        if request.name == MAIN:
            raise BranchExists(MAIN)
        start = await self.revision_or_head(_given(request.revision_id))
        if start is None:
            raise NotFound("revision")
        if len(await self.repository.branches()) >= MOST_BRANCHES:
            raise LimitExceeded(f"At most {MOST_BRANCHES} branches. Merge or drop one first.")
        branch = await self._new_branch(request.name, start)
        await self.table.write(create(branch, otherwise=BranchExists(request.name)))
        return branch

    async def _new_branch(self, name: str, start: ValuesRevision) -> ValuesBranch:
        """It begins later than whatever an earlier branch of this name has left."""
        earlier = await self.repository.last_of_branch(name)
        now = self.resources.clock.now()
        begins = next_millisecond(now, start.rev_id, earlier.rev_id if earlier else None)
        return ValuesBranch(
            created_at=AWSDateTime(instant_at(begins)),
            updated_at=self.now,
            user_id=self.caller.user_id,
            name=name,
            head_rev_id=strawberry.ID(start.rev_id),
            head_rev_ts=start.rev_ts,
            forked_rev_id=strawberry.ID(start.rev_id),
            parent_rev_id=start.parent_rev_id,
            merged_rev_id=start.merged_rev_id,
            message=start.message,
            source=start.source,
        )

    async def drop_branch(self, request: DropValuesBranchInput) -> ValuesBranch:
        """Its commits stay: only the name goes."""
        branch = await self.repository.branch(request.name)
        if branch is None:
            raise NotFound("branch")
        key = keys.values_branch(self.caller.user_id, request.name)
        await self.table.write(Delete(key, when=present(), otherwise=NotFound("branch")))
        return branch


def _given(value: T | None) -> T | None:
    return None if value is strawberry.UNSET else value


def _revision_or_none(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _choices(resolutions: Sequence[ResolveInput] | None) -> Choices:
    given = _given(resolutions) or []
    return {(_given(each.node_id) or "", each.field): each.take for each in given}


def _conflict(shown: ValuesCommit, clash: Clash) -> MergeConflict:
    return MergeConflict(
        node_id=strawberry.ID(clash.node) if clash.node else None,
        node=shown.shown.get(clash.node),
        field=clash.field,
        base=clash.base,
        ours=clash.ours,
        theirs=clash.theirs,
    )
