"""A tree and a day's plan as the items of a snapshot, and a tree from its items."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from app.core.clock import parse_instant
from app.core.record import Record
from app.core.scalars import AWSDateTime
from app.domains.plans.types import (
    Block,
    BlockType,
    DailyPlan,
    DayPlan,
    PlanBlock,
    PlanDraft,
    PlanRevision,
    PlanTodo,
    Todo,
    TodoClassification,
    Tree,
    TreeEdge,
    TreeNode,
    ValuesDraft,
)
from app.domains.plans.types.tree import NO_PARENT

# A commit that takes longer was interrupted: no request lives that long.
ABANDONED_AFTER = timedelta(hours=1)


def tree_from_records(nodes: Sequence[TreeNode], edges: Sequence[TreeEdge]) -> Tree:
    """The edges in the order of their keys."""
    children: dict[str, list[str]] = {}
    roots = sorted((node for node in nodes if not node.parent_ids), key=_root_position)
    if roots:
        children[NO_PARENT] = [node.id for node in roots]
    for edge in edges:
        children.setdefault(edge.parent_node_id, []).append(edge.child_node_id)
    return Tree({node.id: node.to_item() for node in nodes}, children)


def _root_position(node: TreeNode) -> tuple[int, str, str]:
    return (node.rank or 0, node.created_at, node.id)


def tree_records(tree: Tree, *, user_id: str, rev_id: str, now: AWSDateTime) -> Iterator[Record]:
    ranks = {node_id: index for index, node_id in enumerate(tree.children_of(NO_PARENT))}
    for item in tree.nodes.values():
        yield TreeNode.of(item, user_id=user_id, rev_id=rev_id, rank=ranks.get(item.id))
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
                child_node_type=tree.nodes[child].node_type,
            )


def _order(index: int) -> str:
    """Every snapshot is written whole, so positions are simply counted anew, in fixed width."""
    return f"{index:06d}"


def plan_records(day: DayPlan, revision: PlanRevision) -> DailyPlan:
    owner = {
        "user_id": revision.user_id,
        "date": revision.date,
        "rev_id": revision.rev_id,
        "created_at": revision.created_at,
        "updated_at": revision.created_at,
    }
    blocks = sorted(day.blocks, key=lambda block: (block.start, block.id))
    return DailyPlan(
        date=revision.date,
        revision=revision,
        todos=[_todo_record(each, index, owner) for index, each in enumerate(day.todos)],
        blocks=[block_record(each, owner) for each in blocks],
    )


def _todo_record(todo: Todo, index: int, owner: dict[str, str]) -> PlanTodo:
    return PlanTodo(
        **owner,  # type: ignore[arg-type]
        order=_order(index),
        action_id=todo.action_id,  # type: ignore[arg-type]
        classification=TodoClassification(todo.classification),
        estimated_pomodoros=todo.estimated_pomodoros,
        notes=todo.notes,
        completed_at=todo.completed_at,  # type: ignore[arg-type]
    )


def block_record(block: Block, owner: dict[str, str]) -> PlanBlock:
    return PlanBlock(
        **owner,  # type: ignore[arg-type]
        id=block.id,  # type: ignore[arg-type]
        block_type=BlockType(block.block_type),
        start_time_iso=block.start,  # type: ignore[arg-type]
        end_time_iso=block.end,  # type: ignore[arg-type]
        title=block.title,
        action_id=block.action_id,  # type: ignore[arg-type]
        pomodoro_index=block.pomodoro_index,
    )


def is_abandoned(draft: ValuesDraft | PlanDraft, now: datetime) -> bool:
    return parse_instant(draft.created_at) <= now - ABANDONED_AFTER
