"""What differs between two trees, node by node."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.domains.plans.rules.tree import Node, Tree

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


def differences(before: Node, after: Node) -> list[Difference]:
    values = ((name, getattr(before, each), getattr(after, each)) for name, each in FIELDS.items())
    return [Difference(name, old, new) for name, old, new in values if old != new]


def _is_reordered(old: Tree, new: Tree, parent: str) -> bool:
    """Only by what is under it in both."""
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
    """What happened between two reviews. A node may be in several lists: added and completed."""

    def became(attribute: str) -> list[str]:
        return [
            node.id
            for node in new.nodes.values()
            if getattr(node, attribute)
            and not (node.id in old.nodes and getattr(old.nodes[node.id], attribute))
        ]

    found = diff(old, new)
    return Review(became("completed_at"), found.added, became("archived"), found.moved)
