"""The values tree: as plain data, and as the items that a snapshot of it consists of.

A node may have several parents; the first says where it belongs. Walks never recurse: a tree may be
a thousand levels deep.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

import strawberry

from app.core.enums import enum_type
from app.core.record import Record
from app.core.scalars import AWSDateTime

# The parent of the roots, in Tree.children.
NO_PARENT = ""


@enum_type(
    "What a node of the values tree is.",
    DRIVER="A reason: the root of everything below it.",
    MILESTONE="A step; it holds milestones and actions.",
    ACTION="Something to do.",
)
class NodeType(Enum):
    DRIVER = "DRIVER"
    MILESTONE = "MILESTONE"
    ACTION = "ACTION"


# Attributes as they are stored; only the repository reads them.
StoredAttributes = Mapping[str, Any]


@dataclasses.dataclass(frozen=True, kw_only=True)
class TreeItem:
    """`unknown`: attributes that a later release stored; they survive every change.
    `stored`: the item that this very value was read from. A changed copy has none."""

    id: str
    node_type: str
    title: str
    created_at: str
    updated_at: str
    notes: str | None = None
    completed_at: str | None = None
    # The days whose plans say that it is done; None if no plan does, or before this was stored.
    completed_days: tuple[str, ...] | None = None
    archived: bool = False
    deleted_at: str | None = None
    driver_id: str | None = None
    parent_ids: tuple[str, ...] = ()
    task_id: str | None = None
    # Derived from the others by `with_derived_fields`.
    parent_milestone_id: str | None = None
    root_driver_id: str | None = None
    version: int = dataclasses.field(default=0, compare=False)
    unknown: StoredAttributes | None = None
    stored: StoredAttributes | None = dataclasses.field(
        default=None, init=False, compare=False, repr=False
    )

    @property
    def parents_or_root(self) -> tuple[str, ...]:
        return self.parent_ids or (NO_PARENT,)


@dataclasses.dataclass(slots=True)
class Tree:
    """`stored_edges`: by parent and child, the items that the edges were read from."""

    nodes: dict[str, TreeItem] = dataclasses.field(default_factory=dict)
    children: dict[str, list[str]] = dataclasses.field(default_factory=dict)
    stored_edges: Mapping[tuple[str, str], StoredAttributes] = dataclasses.field(
        default_factory=dict, compare=False, repr=False
    )

    def copy(self) -> "Tree":
        return Tree(
            dict(self.nodes), {parent: list(each) for parent, each in self.children.items()}
        )

    def children_of(self, parent: str) -> list[str]:
        return self.children.get(parent, [])

    def put(self, node: TreeItem) -> None:
        self.nodes[node.id] = node

    def change(self, node_id: str, **changes: object) -> None:
        self.nodes[node_id] = dataclasses.replace(self.nodes[node_id], **changes)  # type: ignore[arg-type]

    def attach(self, child: str, parent: str, position: int | None = None) -> None:
        siblings = self.children.setdefault(parent, [])
        siblings.insert(len(siblings) if position is None else position, child)

    def detach(self, child: str, parent: str) -> None:
        self.children[parent].remove(child)
        if not self.children[parent]:
            del self.children[parent]

    def in_order(self) -> Iterator[TreeItem]:
        """All nodes, each once: a parent before its children, siblings in their order."""
        seen: set[str] = set()
        waiting = [*reversed(self.children_of(NO_PARENT))]
        while waiting:
            node_id = waiting.pop()
            if node_id not in seen:
                seen.add(node_id)
                yield self.nodes[node_id]
                waiting += reversed(self.children_of(node_id))

    def below(self, node_id: str) -> Iterator[str]:
        """All nodes below a node, each once, parents before children."""
        seen = {node_id}
        waiting = [node_id]
        while waiting:
            for child in self.children_of(waiting.pop()):
                if child not in seen:
                    seen.add(child)
                    waiting.append(child)
                    yield child


NOT_SHOWN = {"unknown", "stored"}
CONTENT = [each.name for each in dataclasses.fields(TreeItem) if each.name not in NOT_SHOWN]
GRAPH_TYPES = {"DRIVER": "DriverNode", "MILESTONE": "MilestoneNode", "ACTION": "ActionNode"}


@strawberry.interface(
    description="A driver, a milestone, an action, or a GenericNode of a type from a later version."
)
class TreeNode(Record):
    user_id: strawberry.Private[str]
    rev_id: strawberry.Private[str]
    rank: strawberry.Private[int | None] = None
    id: strawberry.ID = strawberry.field(description="Its id: the same in all revisions.")
    node_type: str = strawberry.field(description="DRIVER, MILESTONE or ACTION.")
    title: str = strawberry.field(description="What it is called.")
    notes: str | None = strawberry.field(
        default=None,
        description="Your notes, as plain text or Markdown.",
    )
    completed_at: AWSDateTime | None = strawberry.field(
        default=None,
        description="When it was completed; null: it is open.",
    )
    completed_days: strawberry.Private[list[str] | None] = None
    archived: bool = strawberry.field(
        default=False, description="Archived nodes are hidden, but kept in every later revision."
    )
    deleted_at: AWSDateTime | None = strawberry.field(
        default=None, description="When it was archived."
    )
    driver_id: strawberry.ID | None = strawberry.field(
        default=None, description="The driver it serves. An action always has one."
    )
    parent_milestone_id: strawberry.ID | None = strawberry.field(
        default=None, description="The first parent, if that is a milestone."
    )
    root_driver_id: strawberry.ID | None = strawberry.field(
        default=None,
        description="The driver at the end of the chain of first parents; null if there is none.",
    )
    parent_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list,
        description="All its parents. The first says where it belongs.",
    )
    task_id: strawberry.ID | None = strawberry.field(
        default=None, description="A task of yours: completing either completes both."
    )

    @classmethod
    def resolve_type(cls, node: "TreeNode", *_: object) -> str:
        return GRAPH_TYPES.get(node.node_type, "GenericNode")

    @classmethod
    def of(
        cls, node: TreeItem, *, user_id: str, rev_id: str, rank: int | None = None
    ) -> "TreeNode":
        values = {name: getattr(node, name) for name in CONTENT}
        values["parent_ids"] = list(node.parent_ids)
        values["completed_days"] = list(node.completed_days) if node.completed_days else None
        return cls(user_id=user_id, rev_id=rev_id, rank=rank, **values)


@strawberry.type(
    description="A reason: what a user lives for. It has no parent and is never completed."
)
class DriverNode(TreeNode):
    pass


@strawberry.type(description="A step. Its children are milestones and actions.")
class MilestoneNode(TreeNode):
    pass


@strawberry.type(description="Something to do, for a driver. It has no children.")
class ActionNode(TreeNode):
    pass


@strawberry.type(description="A node of a type that this version of the server does not know.")
class GenericNode(TreeNode):
    pass


@strawberry.type
class TreeEdge(Record):
    """`order` has a fixed width: 10 must sort after 2."""

    user_id: str
    rev_id: str
    parent_node_id: str
    order: str
    child_node_id: str
    child_node_type: str
