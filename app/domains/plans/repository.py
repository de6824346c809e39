"""The reads about values and plans that take more than one key."""

from collections.abc import Iterable
from heapq import heappop, heappush

from app.core.ids import ulid_milliseconds
from app.domains.plans import keys
from app.domains.plans.rules.revisions import parents_of, revision_time
from app.domains.plans.rules.snapshots import tree_from_records
from app.domains.plans.types import (
    DailyPlan,
    PlanRevision,
    PlanTodo,
    Tree,
    TreeEdge,
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
        run: RangeQuery[ValuesRevision] = keys.values_history(self.user_id, since, until)
        if branch:
            # A branch of the same name may have been dropped before this one was created.
            since = max(since or "", branch.created_at)
            run = keys.branch_history(self.user_id, branch.name, since, until)

        def has_source(revision: ValuesRevision) -> bool:
            return revision.source is source

        keep = has_source if source else None
        return await self.table.query(run, limit=limit, start=start, keep=keep)

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
        run = keys.snapshot_of_values(self.user_id, rev_id)
        nodes: list[TreeNode] = []
        edges: list[TreeEdge] = []
        async for record in self.table.query_all(run, page=WHOLE_SNAPSHOT):
            if isinstance(record, TreeEdge):
                edges.append(record)
            else:
                nodes.append(record)
        return tree_from_records(nodes, edges)

    async def nodes(self, rev_id: str, ids: Iterable[str]) -> list[TreeNode | None]:
        return await self.table.load_many(keys.node(self.user_id, rev_id, each) for each in ids)

    async def children(
        self, rev_id: str, parent: str, *, limit: int, start: Position | None
    ) -> Rows[TreeNode]:
        run = keys.children_of_node(self.user_id, rev_id, parent)
        edges = await self.table.query(run, limit=limit, start=start)
        found = await self.nodes(rev_id, [edge.child_node_id for edge in edges.items])
        return Rows([node for node in found if node], edges.next)


class PlansRepository:
    def __init__(self, table: Gateway, user_id: str) -> None:
        self.table = table
        self.user_id = user_id

    async def revision(self, date: str, rev_id: str) -> PlanRevision | None:
        rev_ts = revision_time(rev_id)
        if rev_ts is None or branch_of(rev_id):
            return None
        return await self.table.get(keys.plan_revision(self.user_id, date, rev_ts, rev_id))

    async def snapshot(self, revision: PlanRevision) -> DailyPlan:
        run = keys.snapshot_of_plan(self.user_id, revision.date, revision.rev_id)
        plan = DailyPlan(date=revision.date, revision=revision, todos=[], blocks=[])
        async for record in self.table.query_all(run):
            if isinstance(record, PlanTodo):
                plan.todos.append(record)
            else:
                plan.blocks.append(record)
        return plan
