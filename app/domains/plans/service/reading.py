"""Reading the values: at the head, at a revision, as of an instant; what differs between two."""

from collections.abc import Sequence

import strawberry

from app.core.caller import Caller
from app.core.errors import BadInput, NotFound
from app.core.scalars import AWSURL, AWSDateTime
from app.domains.people.service import Profiles
from app.domains.people.types import UserStatus
from app.domains.plans import keys
from app.domains.plans.repository import ValuesRepository
from app.domains.plans.rules.diff import Difference, diff, review
from app.domains.plans.rules.drawing import svg
from app.domains.plans.rules.revisions import MAIN, branch_of
from app.domains.plans.rules.tree import Tree
from app.domains.plans.service.lines import Line
from app.domains.plans.service.snapshots import Committing
from app.domains.plans.service.tasks import TaskLinks
from app.domains.plans.types import (
    FieldChange,
    NodeChange,
    NodeMove,
    Reorder,
    TreeNode,
    ValuesBranch,
    ValuesDiff,
    ValuesRevision,
    ValuesSource,
    ValuesTree,
    WeeklyReview,
)
from app.domains.tracking.service import ChartAddresses, ChartKind
from app.resources import Resources
from app.table.gateway import Position, Rows

CHARTS_A_MINUTE = 60


class ReadingValues(Committing):
    def __init__(
        self, resources: Resources, caller: Caller, profiles: Profiles, links: TaskLinks
    ) -> None:
        super().__init__(resources, caller)
        self.profiles = profiles
        self.links = links
        # Snapshots never change, so within one request each is read once.
        self._trees: dict[str, Tree] = {}

    @property
    def repository(self) -> ValuesRepository:
        return ValuesRepository(self.table, self.caller.user_id)

    async def line(self, branch: str | None) -> Line | None:
        """None if there is no such branch."""
        user_id = self.caller.user_id
        if branch in (None, MAIN, strawberry.UNSET):
            return Line(user_id, None, await self.repository.head())
        found = await self.repository.branch(branch)
        return Line(user_id, branch, found) if found else None

    async def snapshot(self, rev_id: str | None) -> Tree:
        """Of a revision that is there; before the first the tree is empty."""
        if rev_id is None:
            return Tree()
        if rev_id not in self._trees:
            self._trees[rev_id] = await self.repository.snapshot(rev_id)
        return self._trees[rev_id]

    async def tree(
        self, revision_id: str | None, as_of: AWSDateTime | None, branch: str | None
    ) -> ValuesTree | None:
        if revision_id and as_of:
            raise BadInput("Send revisionId or asOf, not both.", field="asOf")
        if revision_id:
            revision = await self.repository.revision(revision_id)
            return await self._shown(revision, branch_of(revision_id)) if revision else None
        line = await self.line(branch)
        if line is None:
            return None
        revision = await self._revision_as_of(line, as_of) if as_of else line.revision
        return await self._shown(revision, line.branch)

    async def _revision_as_of(self, line: Line, as_of: AWSDateTime) -> ValuesRevision | None:
        branch = line.head if isinstance(line.head, ValuesBranch) else None
        if branch and as_of < branch.created_at:
            return None
        rows = await self.repository.history(branch, until=as_of, limit=1)
        if rows.items:
            return rows.items[0]
        return await self.repository.revision(branch.forked_rev_id) if branch else None

    async def _shown(self, revision: ValuesRevision | None, branch: str | None) -> ValuesTree:
        return ValuesTree(
            branch=branch or MAIN,
            revision=revision,
            tree=await self.snapshot(revision.rev_id if revision else None),
            user_id=self.caller.user_id,
        )

    async def whole_tree_of(self, node: TreeNode) -> ValuesTree:
        tree = await self.tree(node.rev_id, None, None)
        if tree is None:
            raise NotFound("revision")
        return tree

    async def node_at_head(self, node_id: str) -> TreeNode | None:
        """Many at one moment make two reads: the head, and the nodes together."""
        return (await self.nodes_at_head([node_id]))[0]

    async def nodes_at_head(self, ids: Sequence[str]) -> list[TreeNode | None]:
        head = await self.table.load(keys.values_head(self.caller.user_id))
        if head is None:
            return [None] * len(ids)
        return await self.repository.nodes(head.head_rev_id, ids)

    async def history(
        self,
        branch: str | None,
        source: ValuesSource | None,
        since: AWSDateTime | None,
        until: AWSDateTime | None,
        *,
        limit: int,
        start: Position | None,
    ) -> Rows[ValuesRevision]:
        line = await self.line(branch)
        if line is None:
            return Rows([])
        head = line.head if isinstance(line.head, ValuesBranch) else None
        return await self.repository.history(
            head, source=source, since=since, until=until, limit=limit, start=start
        )

    async def children(
        self, revision_id: str | None, node_id: str, *, limit: int, start: Position | None
    ) -> Rows[TreeNode]:
        revision = await self.revision_or_head(revision_id)
        if revision is None:
            return Rows([])
        return await self.repository.children(revision.rev_id, node_id, limit=limit, start=start)

    async def revision_or_head(self, revision_id: str | None) -> ValuesRevision | None:
        if revision_id:
            return await self.repository.revision(revision_id)
        head = await self.repository.head()
        return head.revision if head else None

    async def diff(self, from_: str | None, to: str | None) -> ValuesDiff | None:
        """From nothing if `from_` is None, to the head if `to` is."""
        before = await self.repository.revision(from_) if from_ else None
        after = await self.revision_or_head(to)
        if (from_ and before is None) or (to and after is None):
            return None
        old = await self._shown(before, None)
        new = await self._shown(after, None)
        return _shown_diff(old, new)

    def chart_address(self, rev_id: str) -> AWSURL:
        addresses = ChartAddresses.of(self.resources)
        return addresses.address(ChartKind.values, rev_id, self.caller.user_id)

    async def draw(self, rev_id: str) -> bytes:
        """A revision as a picture, in SVG."""
        user_id = self.caller.user_id
        await self.resources.limiter.count("charts", user_id, limit=CHARTS_A_MINUTE, seconds=60)
        me = await self.profiles.me()
        revision = await self.repository.revision(rev_id)
        if revision is None or me.status is not UserStatus.active:
            raise NotFound("revision")
        heading = f"Values on {revision.rev_ts[:10]}"
        return svg(await self.snapshot(rev_id), heading).encode()

    async def review(self) -> WeeklyReview:
        head = await self.repository.head()
        last = head.last_review_rev_id if head else None
        since = await self.repository.revision(last) if last else None
        shown = await self._shown(head.revision if head else None, None)
        found = review(await self.snapshot(last), shown.tree)
        year, week, _ = self.profiles.today(await self.profiles.me()).isocalendar()

        def nodes(ids: list[str]) -> list[TreeNode]:
            return [shown.shown[each] for each in ids]

        return WeeklyReview(
            week=f"{year}-W{week:02d}",
            since=since,
            head=shown.revision,
            reviewed_at=since.created_at if since else None,
            completed=nodes(found.completed),
            added=nodes(found.added),
            archived=nodes(found.archived),
            moved=nodes(found.moved),
        )


def _shown_diff(old: ValuesTree, new: ValuesTree) -> ValuesDiff:
    found = diff(old.tree, new.tree)
    return ValuesDiff(
        from_=old.revision,
        to=new.revision,
        added=[new.shown[each] for each in found.added],
        removed=[old.shown[each] for each in found.removed],
        changed=[_change(new.shown[each], fields) for each, fields in found.changed.items()],
        moved=[_move(old.shown[each], new.shown[each]) for each in found.moved],
        reordered=[_reorder(old.tree, new.tree, each) for each in found.reordered],
    )


def _change(node: TreeNode, fields: Sequence[Difference]) -> NodeChange:
    changes = [
        FieldChange(field=f.field, before=_text(f.before), after=_text(f.after)) for f in fields
    ]
    return NodeChange(node_id=node.id, node=node, fields=changes)


def _text(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return None if value is None else str(value)


def _move(old: TreeNode, new: TreeNode) -> NodeMove:
    return NodeMove(
        node_id=new.id, node=new, from_parent_ids=old.parent_ids, to_parent_ids=new.parent_ids
    )


def _reorder(old: Tree, new: Tree, parent: str) -> Reorder:
    return Reorder(
        parent_id=strawberry.ID(parent) if parent else None,
        before=[strawberry.ID(each) for each in old.children_of(parent)],
        after=[strawberry.ID(each) for each in new.children_of(parent)],
    )
