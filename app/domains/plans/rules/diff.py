"""What differs between two trees, node by node."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import strawberry

from app.domains.plans.types import (
    FieldChange,
    NodeChange,
    NodeMove,
    Reorder,
    Tree,
    TreeItem,
    TreeNode,
    ValuesDiff,
    ValuesTree,
)

FIELDS = {
    "nodeType": "node_type",
    "title": "title",
    "notes": "notes",
    "driverId": "driver_id",
    "taskId": "task_id",
    "completedAt": "completed_at",
    "archived": "archived",
}


@dataclass(frozen=True, slots=True)
class Difference:
    field: str
    before: object
    after: object


@dataclass(frozen=True, slots=True)
class TreeDiff:
    """Ids; `changed` by node, `moved` nodes, `reordered` parents ("" for the roots)."""

    added: list[str]
    removed: list[str]
    changed: dict[str, list[Difference]]
    moved: list[str]
    reordered: list[str]


def diff(old: Tree, new: Tree) -> TreeDiff:
    both = [(old.nodes[each], node) for each, node in new.nodes.items() if each in old.nodes]
    return TreeDiff(
        added=[each for each in new.nodes if each not in old.nodes],
        removed=[each for each in old.nodes if each not in new.nodes],
        changed={b.id: found for a, b in both if (found := differences(a, b))},
        moved=[b.id for a, b in both if a.parent_ids != b.parent_ids],
        reordered=[each for each in new.children if _is_reordered(old, new, each)],
    )


def differences(before: TreeItem, after: TreeItem) -> list[Difference]:
    values = ((name, getattr(before, each), getattr(after, each)) for name, each in FIELDS.items())
    return [Difference(name, old, new) for name, old, new in values if old != new]


def _is_reordered(old: Tree, new: Tree, parent: str) -> bool:
    """By the children that both trees have."""
    before, after = old.children_of(parent), new.children_of(parent)
    return _shared(before, set(after)) != _shared(after, set(before))


def _shared(some: Iterable[str], others: set[str]) -> list[str]:
    return [each for each in some if each in others]


@dataclass(frozen=True, slots=True)
class Review:
    completed: list[str]
    added: list[str]
    archived: list[str]
    moved: list[str]


def review(old: Tree, new: Tree) -> Review:
    """The changes between two reviews. A node may be in several lists: added and completed."""

    def became(attribute: str) -> list[str]:
        return [
            node.id
            for node in new.nodes.values()
            if getattr(node, attribute)
            and not (node.id in old.nodes and getattr(old.nodes[node.id], attribute))
        ]

    found = diff(old, new)
    return Review(became("completed_at"), found.added, became("archived"), found.moved)


def values_diff(old: ValuesTree, new: ValuesTree) -> ValuesDiff:
    """The differences with the nodes concerned."""
    found = diff(old.tree, new.tree)
    return ValuesDiff(
        from_=old.revision,
        to=new.revision,
        added=[new.node_of(each) for each in found.added],
        removed=[old.node_of(each) for each in found.removed],
        changed=[_node_change(new.node_of(each), fields) for each, fields in found.changed.items()],
        moved=[_node_move(old.node_of(each), new.node_of(each)) for each in found.moved],
        reordered=[_reorder(old.tree, new.tree, each) for each in found.reordered],
    )


def _node_change(node: TreeNode, fields: Sequence[Difference]) -> NodeChange:
    changes = [
        FieldChange(field=f.field, before=_text(f.before), after=_text(f.after)) for f in fields
    ]
    return NodeChange(node_id=node.id, node=node, fields=changes)


def _text(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return None if value is None else str(value)


def _node_move(old: TreeNode, new: TreeNode) -> NodeMove:
    return NodeMove(
        node_id=new.id, node=new, from_parent_ids=old.parent_ids, to_parent_ids=new.parent_ids
    )


def _reorder(old: Tree, new: Tree, parent: str) -> Reorder:
    return Reorder(
        parent_id=strawberry.ID(parent) if parent else None,
        before=[strawberry.ID(each) for each in old.children_of(parent)],
        after=[strawberry.ID(each) for each in new.children_of(parent)],
    )
