"""The values at one revision, a commit's outcome, and what differs between two revisions."""

from collections.abc import Iterable
from enum import Enum
from typing import Annotated

import strawberry

from app.core.enums import enum_type
from app.core.record import computed
from app.core.scalars import AWSDateTime
from app.domains.plans.types.revisions import ValuesRevision
from app.domains.plans.types.tree import NO_PARENT, NodeType, Tree, TreeNode

IncludeArchivedNodes = Annotated[
    bool, strawberry.argument(description="With archived nodes, which are never lost.")
]
OfType = Annotated[NodeType | None, strawberry.argument(description="Only of this type.")]


@enum_type(
    "Whose value a conflict takes.",
    OURS="Of your commit.",
    THEIRS="Of the head.",
)
class MergeSide(Enum):
    OURS = "OURS"
    THEIRS = "THEIRS"


@strawberry.type(description="Both sides changed it since their common ancestor.")
class MergeConflict:
    node_id: strawberry.ID | None = strawberry.field(description="Null: the order of the roots.")
    node: TreeNode | None = strawberry.field(description="As it is at the head.")
    field: str = strawberry.field(
        description="title, notes, nodeType, taskId, driverId, parentIds, order (of its children), "
        "archived (one side archived it, the other edited it) or exists (one side restored a "
        "revision without it)."
    )
    base: str | None = strawberry.field(
        description="In the common ancestor; ids separated by commas."
    )
    ours: str | None = strawberry.field(description="In your commit.")
    theirs: str | None = strawberry.field(description="At the head.")


@strawberry.type(description="A field that differs between two revisions.")
class FieldChange:
    field: str = strawberry.field(description="The name of the field.")
    before: str | None = strawberry.field(description="Its value before, as JSON.")
    after: str | None = strawberry.field(description="Its value after, as JSON.")


@strawberry.type(description="A node with other fields.")
class NodeChange:
    node_id: strawberry.ID = strawberry.field(description="The node.")
    node: TreeNode = strawberry.field(description="The node as it is in `to`.")
    fields: list[FieldChange] = strawberry.field(description="The fields that differ.")


@strawberry.type(description="A node with other parents.")
class NodeMove:
    node_id: strawberry.ID = strawberry.field(description="The node.")
    node: TreeNode = strawberry.field(description="The node as it is in `to`.")
    from_parent_ids: list[strawberry.ID] = strawberry.field(description="Its parents in `from`.")
    to_parent_ids: list[strawberry.ID] = strawberry.field(description="Its parents in `to`.")


@strawberry.type(description="A parent whose children have another order than before.")
class Reorder:
    parent_id: strawberry.ID | None = strawberry.field(description="Null: the roots.")
    before: list[strawberry.ID] = strawberry.field(
        description="The children's ids in the earlier order."
    )
    after: list[strawberry.ID] = strawberry.field(
        description="The children's ids in the later order."
    )


@strawberry.type(description="The differences between two revisions.")
class ValuesDiff:
    from_: ValuesRevision | None = strawberry.field(
        name="from", description="Null: before the first commit."
    )
    to: ValuesRevision | None = strawberry.field(
        description="The later revision; null: before the first commit."
    )
    added: list[TreeNode] = strawberry.field(description="Nodes that only `to` has.")
    removed: list[TreeNode] = strawberry.field(
        description="Nodes that only `from` has, or that are archived in `to`."
    )
    changed: list[NodeChange] = strawberry.field(description="Nodes with other fields.")
    moved: list[NodeMove] = strawberry.field(description="Nodes with other parents.")
    reordered: list[Reorder] = strawberry.field(
        description="Parents whose children have another order."
    )


@strawberry.type(description="The changes of the values since the last review.")
class WeeklyReview:
    week: str = strawberry.field(description="The ISO week of your today, e.g. 2026-W04.")
    since: ValuesRevision | None = strawberry.field(
        description="The last review; null if there was none: then all nodes are new."
    )
    head: ValuesRevision | None = strawberry.field(
        description="The revision that is the head now; null: there is none."
    )
    reviewed_at: AWSDateTime | None = strawberry.field(
        description="When the last review was finished; null: never."
    )
    completed: list[TreeNode] = strawberry.field(
        description="Actions and milestones that were completed since the last review."
    )
    added: list[TreeNode] = strawberry.field(
        description="Nodes that were added since the last review."
    )
    archived: list[TreeNode] = strawberry.field(
        description="Nodes that were archived since the last review."
    )
    moved: list[TreeNode] = strawberry.field(
        description="Nodes that were moved since the last review."
    )


@strawberry.type(description="All of a user's values at one revision; empty before the first.")
class ValuesTree:
    branch: str = strawberry.field(description="main, or the name of a branch.")
    revision: ValuesRevision | None = strawberry.field(
        description="The commit that made it; null if there is none yet."
    )
    tree: strawberry.Private[Tree]
    user_id: strawberry.Private[str]
    # The revision that the nodes belong to; with conflicts, that is the head.
    rev_id: strawberry.Private[str | None]

    def node_of(self, node_id: str) -> TreeNode:
        rev_id = self.rev_id or ""
        return TreeNode.of(self.tree.nodes[node_id], user_id=self.user_id, rev_id=rev_id)

    def children_of(self, parent: str, include_archived: bool) -> Iterable[TreeNode]:
        nodes = (self.node_of(each) for each in self.tree.children_of(parent))
        return (node for node in nodes if include_archived or not node.archived)

    @computed(description="All nodes, by default with archived ones.")
    def nodes(
        self, node_type: OfType = None, include_archived: IncludeArchivedNodes = True
    ) -> list[TreeNode]:
        return [
            self.node_of(node.id)
            for node in self.tree.nodes.values()
            if (include_archived or not node.archived)
            and (node_type is None or node.node_type == node_type.value)
        ]

    @computed(description="The nodes without a parent, in order.")
    def roots(self, include_archived: IncludeArchivedNodes = False) -> list[TreeNode]:
        return list(self.children_of(NO_PARENT, include_archived))

    def node(self, id: str) -> TreeNode | None:
        return self.node_of(id) if id in self.tree.nodes else None


@strawberry.type(
    description="The tree after a commit. With conflicts nothing was committed: revision is null, "
    "and the tree is that of the current head."
)
class ValuesCommit(ValuesTree):
    head: strawberry.ID | None = strawberry.field(
        default=None, description="The head now: send it as expectedHead of the next commit."
    )
    conflicts: list[MergeConflict] = strawberry.field(
        default_factory=list,
        description="What both sides changed. Send the same commit again, with expectedHead as it "
        "was and resolve for each of them.",
    )
