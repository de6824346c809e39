"""The reads about values that take more than one key."""

from collections.abc import Iterable
from heapq import heappop, heappush

from app.core.ids import ulid_milliseconds
from app.domains.plans import keys
from app.domains.plans.repository.tree_items import tree_of
from app.domains.plans.rules.revisions import parents_of, revision_time, was_head_at
from app.domains.plans.types import (
    Tree,
    TreeNode,
    ValuesBranch,
    ValuesRevision,
    ValuesSource,
)
from app.domains.plans.types.revisions import ULID_LENGTH, branch_of
from app.table.entity import RangeQuery
from app.table.gateway import Gateway, Position, Rows

# DynamoDB ends a page at 1 MB; no other limit is needed.
WHOLE_SNAPSHOT = 100_000


class ValuesRepository:
    def __init__(self, table: Gateway, user_id: str) -> None:
        self.table = table
        self.user_id = user_id

    async def revision(self, rev_id: str) -> ValuesRevision | None:
        """By its id alone."""
        rev_ts = revision_time(rev_id)
        if rev_ts is None:
            return None
        name = branch_of(rev_id)
        if name:
            return await self.table.load(keys.branch_revision(self.user_id, name, rev_ts, rev_id))
        return await self.table.load(keys.values_revision(self.user_id, rev_ts, rev_id))

    async def history(
        self,
        branch: ValuesBranch | None,
        *,
        source: ValuesSource | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int,
        start: Position | None = None,
    ) -> Rows[ValuesRevision]:
        run = self._log_of(branch, since, until)

        def has_source(revision: ValuesRevision) -> bool:
            return revision.source is source

        keep = has_source if source else None
        return await self.table.query(run, limit=limit, start=start, keep=keep)

    def _log_of(
        self, branch: ValuesBranch | None, since: str | None, until: str | None
    ) -> RangeQuery[ValuesRevision]:
        if branch is None:
            return keys.values_history(self.user_id, since, until)
        # A branch of the same name may have been dropped before this one was created.
        since = max(since or "", branch.created_at)
        return keys.branch_history(self.user_id, branch.name, since, until)

    async def head_at(self, branch: ValuesBranch | None, moment: str) -> ValuesRevision | None:
        """The newest commit that the head had moved to by then. A commit may have begun before and
        ended after that moment."""
        run = self._log_of(branch, None, moment)
        async for revision in self.table.query_all(run, page=2):
            if was_head_at(revision, moment):
                return revision
        return None

    async def last_of_branch(self, name: str) -> ValuesRevision | None:
        rows = await self.table.query(keys.branch_history(self.user_id, name), limit=1)
        return rows.items[0] if rows.items else None

    async def common_ancestor(self, one: str, other: str) -> str | None:
        """The newest commit that both descend from. A parent is always older than its children, so
        walking both from new to old meets it first."""
        seen_from: dict[str, set[str]] = {}
        waiting: list[tuple[int, str]] = []

        def meet(rev_id: str, sides: set[str]) -> None:
            if rev_id not in seen_from:
                heappush(waiting, (-(ulid_milliseconds(rev_id[:ULID_LENGTH]) or 0), rev_id))
            seen_from.setdefault(rev_id, set()).update(sides)

        meet(one, {"one"})
        meet(other, {"other"})
        while waiting:
            _, rev_id = heappop(waiting)
            if len(seen_from[rev_id]) == 2:
                return rev_id
            for parent in parents_of(await self.revision(rev_id)):
                meet(parent, seen_from[rev_id])
        return None

    async def snapshot(self, rev_id: str) -> Tree:
        """One Query, however many pages DynamoDB makes of it."""
        partition = keys.snapshot_of_values(self.user_id, rev_id).pk
        return tree_of(
            [item async for item in self.table.partition(partition, page=WHOLE_SNAPSHOT)]
        )

    async def nodes(self, rev_id: str, ids: Iterable[str]) -> list[TreeNode | None]:
        return await self.table.load_many(keys.node(self.user_id, rev_id, each) for each in ids)

    async def children(
        self, rev_id: str, parent: str, *, limit: int, start: Position | None
    ) -> Rows[TreeNode]:
        run = keys.children_of_node(self.user_id, rev_id, parent)
        edges = await self.table.query(run, limit=limit, start=start)
        found = await self.nodes(rev_id, [edge.child_node_id for edge in edges.items])
        return Rows([node for node in found if node], edges.next)
