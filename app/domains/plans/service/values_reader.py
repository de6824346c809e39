"""Reading the values: at the head, at a revision, as of an instant; what differs between two."""

from dataclasses import dataclass, field

import strawberry

from app.core.errors import BadInput, NotFound
from app.core.scalars import AWSURL, AWSDateTime
from app.domains.people.service import Profiles
from app.domains.people.types import UserStatus
from app.domains.plans import keys
from app.domains.plans.repository import ValuesRepository
from app.domains.plans.rules.branches import BranchTip
from app.domains.plans.rules.diff import review, values_diff
from app.domains.plans.rules.drawing import svg
from app.domains.plans.rules.revisions import revision_time
from app.domains.plans.rules.tree import open_actions
from app.domains.plans.service.snapshots import SnapshotService
from app.domains.plans.types import (
    Tree,
    TreeNode,
    ValuesBranch,
    ValuesDiff,
    ValuesHead,
    ValuesRevision,
    ValuesSource,
    ValuesTree,
    WeeklyReview,
)
from app.domains.plans.types.revisions import MAIN, branch_of
from app.domains.service import uses
from app.domains.tracking.service import ChartUrls
from app.domains.tracking.types import ChartKind
from app.table.gateway import Position, Rows

CHARTS_A_MINUTE = 60
# More than can be created: no second page is needed.
MOST_BRANCHES_LISTED = 100


@dataclass(eq=False)
class ValuesReader(SnapshotService):
    profiles = uses(Profiles)
    # Snapshots never change, so within one request each is read once.
    _trees: dict[str, Tree] = field(default_factory=dict, init=False, repr=False)

    @property
    def repository(self) -> ValuesRepository:
        return ValuesRepository(self.table, self.caller.user_id)

    async def head(self) -> ValuesHead | None:
        return await self.table.get(keys.values_head(self.caller.user_id))

    async def tip(self, branch: str | None) -> BranchTip | None:
        """None if there is no such branch."""
        user_id = self.caller.user_id
        if branch in (None, MAIN, strawberry.UNSET):
            return BranchTip(user_id, None, await self.head())
        found = await self.table.get(keys.values_branch(user_id, branch))
        return BranchTip(user_id, branch, found) if found else None

    async def snapshot(self, rev_id: str | None) -> Tree:
        """Of an existing revision. None: before the first commit the tree is empty."""
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
            return await self._tree_at(revision, branch_of(revision_id)) if revision else None
        tip = await self.tip(branch)
        if tip is None:
            return None
        revision = await self._revision_as_of(tip, as_of) if as_of else tip.revision
        return await self._tree_at(revision, tip.branch)

    async def _revision_as_of(self, tip: BranchTip, as_of: AWSDateTime) -> ValuesRevision | None:
        branch = tip.head if isinstance(tip.head, ValuesBranch) else None
        if branch and as_of < branch.created_at:
            return None
        found = await self.repository.head_at(branch, as_of)
        if found is None and branch:
            return await self.repository.revision(branch.forked_rev_id)
        return found

    async def revision_before(self, tip: BranchTip, rev_id: str) -> ValuesRevision | None:
        """The newest commit of a branch that is older than another revision."""
        branch = tip.head if isinstance(tip.head, ValuesBranch) else None
        rows = await self.repository.history(branch, until=revision_time(rev_id), limit=1)
        if rows.items:
            return rows.items[0]
        return await self.repository.revision(branch.forked_rev_id) if branch else None

    async def _tree_at(self, revision: ValuesRevision | None, branch: str | None) -> ValuesTree:
        rev_id = revision.rev_id if revision else None
        return ValuesTree(
            branch=branch or MAIN,
            revision=revision,
            tree=await self.snapshot(rev_id),
            user_id=self.caller.user_id,
            rev_id=rev_id,
        )

    async def children_of(self, node: TreeNode, *, include_archived: bool) -> list[TreeNode]:
        tree = await self.snapshot(node.rev_id)
        found = [tree.nodes[each] for each in tree.children_of(node.id)]
        return [
            TreeNode.of(each, user_id=node.user_id, rev_id=node.rev_id)
            for each in found
            if include_archived or not each.archived
        ]

    async def parents_of(self, node: TreeNode) -> list[TreeNode]:
        tree = await self.snapshot(node.rev_id)
        return [
            TreeNode.of(tree.nodes[each], user_id=node.user_id, rev_id=node.rev_id)
            for each in node.parent_ids
        ]

    async def node_at_head(self, node_id: str) -> TreeNode | None:
        """Many calls within one event-loop tick take two reads: the head, then the nodes."""
        user_id = self.caller.user_id
        head = await self.table.load(keys.values_head(user_id))
        return (
            await self.table.load(keys.node(user_id, head.head_rev_id, node_id)) if head else None
        )

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
        tip = await self.tip(branch)
        if tip is None:
            return Rows([])
        head = tip.head if isinstance(tip.head, ValuesBranch) else None
        return await self.repository.history(
            head, source=source, since=since, until=until, limit=limit, start=start
        )

    async def branches(self) -> list[ValuesBranch]:
        run = keys.branches_of_user(self.caller.user_id)
        return (await self.table.query(run, limit=MOST_BRANCHES_LISTED)).items

    async def children(
        self, revision_id: str | None, node_id: str, *, limit: int, start: Position | None
    ) -> Rows[TreeNode]:
        revision = await self.revision_or_head(revision_id)
        if revision is None:
            return Rows([])
        return await self.repository.children(revision.rev_id, node_id, limit=limit, start=start)

    async def open_actions(
        self, driver_id: str | None, milestone_id: str | None, *, limit: int, start: Position | None
    ) -> Rows[TreeNode]:
        """Further pages are of the revision that the first one was read from."""
        head = None if start else await self.head()
        rev_id, offset = (start["rev"], start["offset"]) if start else (None, 0)
        rev_id = rev_id or (head.head_rev_id if head else None)
        found = open_actions(await self.snapshot(rev_id), driver_id, milestone_id)
        user_id, end = self.caller.user_id, offset + limit
        return Rows(
            [TreeNode.of(each, user_id=user_id, rev_id=rev_id or "") for each in found[offset:end]],
            {"rev": rev_id, "offset": end} if end < len(found) else None,
        )

    async def revision_or_head(self, revision_id: str | None) -> ValuesRevision | None:
        if revision_id:
            return await self.repository.revision(revision_id)
        head = await self.head()
        return head.revision if head else None

    async def diff(self, from_: str | None, to: str | None) -> ValuesDiff | None:
        """From the empty tree if `from_` is None, to the head if `to` is."""
        before = await self.repository.revision(from_) if from_ else None
        after = await self.revision_or_head(to)
        if (from_ and before is None) or (to and after is None):
            return None
        return values_diff(await self._tree_at(before, None), await self._tree_at(after, None))

    def chart_address(self, rev_id: str) -> AWSURL:
        urls = ChartUrls.of(self.resources)
        return urls.signed_url(ChartKind.values, rev_id, self.caller.user_id)

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
        head = await self.head()
        last = head.last_review_rev_id if head else None
        since = await self.repository.revision(last) if last else None
        current = await self._tree_at(head.revision if head else None, None)
        found = review(await self.snapshot(last), current.tree)
        year, week, _ = self.profiles.today(await self.profiles.me()).isocalendar()

        def nodes(ids: list[str]) -> list[TreeNode]:
            return [current.node_of(each) for each in ids]

        return WeeklyReview(
            week=f"{year}-W{week:02d}",
            since=since,
            head=current.revision,
            reviewed_at=since.created_at if since else None,
            completed=nodes(found.completed),
            added=nodes(found.added),
            archived=nodes(found.archived),
            moved=nodes(found.moved),
        )
