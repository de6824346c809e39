"""The reads about values and plans, and snapshots in and out of their items."""

from collections.abc import Iterable, Iterator, Sequence

from app.core.record import Record
from app.core.scalars import AWSDateTime
from app.domains.plans import keys
from app.domains.plans.rules.day import Block, Day, Todo
from app.domains.plans.rules.revisions import branch_of, revision_time
from app.domains.plans.rules.tree import NOBODY, Node, Tree
from app.domains.plans.types import (
    BlockType,
    DailyPlan,
    DraftsOfDay,
    PlanBlock,
    PlanDay,
    PlanDraft,
    PlanHead,
    PlanRevision,
    PlanTodo,
    TodoClassification,
    TreeEdge,
    TreeNode,
    ValuesBranch,
    ValuesDraft,
    ValuesHead,
    ValuesRevision,
    ValuesSource,
)
from app.table.entity import Query
from app.table.gateway import Gateway, Position, Rows

# DynamoDB ends a page at 1 MB; no other end is wanted.
WHOLE_SNAPSHOT = 100_000
MOST_BRANCHES = 100


class ValuesRepository:
    def __init__(self, table: Gateway, user_id: str) -> None:
        self.table = table
        self.user_id = user_id

    async def head(self) -> ValuesHead | None:
        return await self.table.get(keys.values_head(self.user_id))

    async def branch(self, name: str) -> ValuesBranch | None:
        return await self.table.get(keys.values_branch(self.user_id, name))

    async def branches(self) -> list[ValuesBranch]:
        rows = await self.table.query(keys.branches_of_user(self.user_id), limit=MOST_BRANCHES)
        return rows.items

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
        run: Query[ValuesRevision] = keys.values_history(self.user_id, since, until)
        if branch:
            # A branch of the same name may have been dropped before this one was made.
            since = max(since or "", branch.created_at)
            run = keys.branch_history(self.user_id, branch.name, since, until)

        def is_wanted(revision: ValuesRevision) -> bool:
            return revision.source is source

        keep = is_wanted if source else None
        return await self.table.query(run, limit=limit, start=start, keep=keep)

    async def last_of_branch(self, name: str) -> ValuesRevision | None:
        rows = await self.table.query(keys.branch_history(self.user_id, name), limit=1)
        return rows.items[0] if rows.items else None

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
        return _tree(nodes, edges)

    async def nodes(self, rev_id: str, ids: Iterable[str]) -> list[TreeNode | None]:
        wanted = [keys.node(self.user_id, rev_id, each) for each in ids]
        return await self.table.load_many(wanted)

    async def children(
        self, rev_id: str, parent: str, *, limit: int, start: Position | None
    ) -> Rows[TreeNode]:
        run = keys.children_of_node(self.user_id, rev_id, parent)
        edges = await self.table.query(run, limit=limit, start=start)
        found = await self.nodes(rev_id, [edge.child_node_id for edge in edges.items])
        return Rows([node for node in found if node], edges.next)


def _tree(nodes: Sequence[TreeNode], edges: Sequence[TreeEdge]) -> Tree:
    children: dict[str, list[str]] = {}
    roots = sorted((node for node in nodes if not node.parent_ids), key=_place_of_root)
    if roots:
        children[NOBODY] = [node.id for node in roots]
    for edge in edges:
        children.setdefault(edge.parent_node_id, []).append(edge.child_node_id)
    return Tree({node.id: node.content() for node in nodes}, children)


def _place_of_root(node: TreeNode) -> tuple[int, str, str]:
    return (node.rank or 0, node.created_at, node.id)


def tree_records(tree: Tree, *, user_id: str, rev_id: str, now: AWSDateTime) -> Iterator[Record]:
    ranks = {node_id: index for index, node_id in enumerate(tree.children_of(NOBODY))}
    for node in tree.nodes.values():
        yield TreeNode.of(node, user_id=user_id, rev_id=rev_id, rank=ranks.get(node.id))
    for parent, children in tree.children.items():
        for index, child in enumerate(children if parent else ()):
            yield TreeEdge(
                created_at=now,
                updated_at=now,
                user_id=user_id,
                rev_id=rev_id,
                parent_node_id=parent,
                order=_order(index),
                child_node_id=child,
                child_node_type=_type_of(tree, child),
            )


def _type_of(tree: Tree, node_id: str) -> str:
    node: Node = tree.nodes[node_id]
    return node.node_type


def _order(index: int) -> str:
    """Every snapshot is written whole, so places are simply counted anew, in fixed width."""
    return f"{index:06d}"


class PlansRepository:
    def __init__(self, table: Gateway, user_id: str) -> None:
        self.table = table
        self.user_id = user_id

    async def head(self, date: str) -> PlanHead | None:
        return await self.table.get(keys.plan_head(self.user_id, date))

    async def revision(self, date: str, rev_id: str) -> PlanRevision | None:
        rev_ts = revision_time(rev_id)
        if rev_ts is None or branch_of(rev_id):
            return None
        return await self.table.get(keys.plan_revision(self.user_id, date, rev_ts, rev_id))

    async def history(
        self, date: str, *, until: str | None = None, limit: int, start: Position | None = None
    ) -> Rows[PlanRevision]:
        run = keys.plan_history(self.user_id, date, until)
        return await self.table.query(run, limit=limit, start=start)

    async def snapshot(self, revision: PlanRevision) -> DailyPlan:
        run = keys.snapshot_of_plan(self.user_id, revision.date, revision.rev_id)
        plan = DailyPlan(date=revision.date, revision=revision, todos=[], blocks=[])
        async for record in self.table.query_all(run):
            if isinstance(record, PlanTodo):
                plan.todos.append(record)
            else:
                plan.blocks.append(record)
        return plan

    async def planned_days(
        self, *, since: str, until: str, limit: int, start: Position | None = None
    ) -> Rows[PlanDay]:
        run = keys.planned_days(self.user_id, since, until)
        return await self.table.query(run, limit=limit, start=start)


def plan_of(day: Day, revision: PlanRevision) -> DailyPlan:
    where = {
        "user_id": revision.user_id,
        "date": revision.date,
        "rev_id": revision.rev_id,
        "created_at": revision.created_at,
        "updated_at": revision.created_at,
    }
    return DailyPlan(
        date=revision.date,
        revision=revision,
        todos=[_todo(each, index, where) for index, each in enumerate(day.todos)],
        blocks=[
            block_of(each, where) for each in sorted(day.blocks, key=lambda b: (b.start, b.id))
        ],
    )


def _todo(todo: Todo, index: int, where: dict[str, str]) -> PlanTodo:
    return PlanTodo(
        **where,  # type: ignore[arg-type]
        order=_order(index),
        action_id=todo.action_id,  # type: ignore[arg-type]
        classification=TodoClassification(todo.classification),
        estimated_pomodoros=todo.estimated_pomodoros,
        notes=todo.notes,
        completed_at=todo.completed_at,  # type: ignore[arg-type]
    )


def block_of(block: Block, where: dict[str, str]) -> PlanBlock:
    return PlanBlock(
        **where,  # type: ignore[arg-type]
        id=block.id,  # type: ignore[arg-type]
        block_type=BlockType(block.block_type),
        start_time_iso=block.start,  # type: ignore[arg-type]
        end_time_iso=block.end,  # type: ignore[arg-type]
        title=block.title,
        action_id=block.action_id,  # type: ignore[arg-type]
        pomodoro_index=block.pomodoro_index,
    )


class DraftsRepository:
    def __init__(self, table: Gateway) -> None:
        self.table = table

    async def drafts_of_user(self, user_id: str) -> list[ValuesDraft | PlanDraft]:
        return [each async for each in self.table.query_all(keys.drafts_of_user(user_id))]

    async def users_with_drafts(self, day: str) -> list[DraftsOfDay]:
        return [each async for each in self.table.query_all(keys.users_with_drafts(day))]
