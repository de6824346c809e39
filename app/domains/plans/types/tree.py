"""A tree in the graph: nodes that know the tree they are shown in."""

import dataclasses
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import strawberry

from app.core.record import Record, computed
from app.core.scalars import AWSURL, AWSDateTime
from app.domains.plans.rules.drawing import markdown, mermaid
from app.domains.plans.rules.tree import NOBODY, Node, Tree
from app.domains.plans.types.values import MergeConflict, NodeType, ValuesRevision

if TYPE_CHECKING:
    from app.graph.context import Info
else:
    from strawberry import Info

IncludeArchived = Annotated[
    bool, strawberry.argument(description="With what was archived, which is never lost.")
]
OfType = Annotated[NodeType | None, strawberry.argument(description="Only of this type.")]
CONTENT = [each.name for each in dataclasses.fields(Node)]


@strawberry.interface(
    description="A driver, a milestone, an action, or a GenericNode of a type from a later version."
)
class TreeNode(Record):
    user_id: strawberry.Private[str]
    rev_id: strawberry.Private[str]
    rank: strawberry.Private[int | None] = None
    id: strawberry.ID
    node_type: str = strawberry.field(description="DRIVER, MILESTONE or ACTION.")
    title: str
    notes: str | None = None
    completed_at: AWSDateTime | None = None
    archived: bool = strawberry.field(
        default=False, description="A tombstone: hidden, kept in every later revision."
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
        description="The driver at the top of its first parents; null if there is none.",
    )
    parent_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list,
        description="Every node that holds it. The first says where it belongs.",
    )
    task_id: strawberry.ID | None = strawberry.field(
        default=None, description="A task of yours: completing either completes both."
    )
    shown_in: strawberry.Private[Any] = dataclasses.field(
        init=False, default=None, repr=False, compare=False
    )

    @classmethod
    def resolve_type(cls, node: "TreeNode", *_: object) -> str:
        return GRAPH_TYPES.get(node.node_type, GenericNode).__name__

    @computed(description="What it holds, in order.")
    async def children(
        self, info: Info, include_archived: IncludeArchived = False
    ) -> list["TreeNode"]:
        if self.node_type == NodeType.ACTION.value:
            return []
        tree = self.shown_in or await info.context.values.whole_tree_of(self)
        return list(tree.children_of(self.id, include_archived))

    @computed(description="Every node that holds it.")
    async def parents(self, info: Info) -> list["TreeNode"]:
        tree = self.shown_in or await info.context.values.whole_tree_of(self)
        return [tree.shown[each] for each in self.parent_ids]

    @classmethod
    def of(cls, node: Node, *, user_id: str, rev_id: str, rank: int | None) -> "TreeNode":
        values = {name: getattr(node, name) for name in CONTENT}
        values["parent_ids"] = list(node.parent_ids)
        return cls(user_id=user_id, rev_id=rev_id, rank=rank, **values)

    def content(self) -> Node:
        values = {name: getattr(self, name) for name in CONTENT}
        values["parent_ids"] = tuple(self.parent_ids)
        return Node(**values)


@strawberry.type(description="Why: what someone lives for. It has no parent and no end.")
class DriverNode(TreeNode):
    pass


@strawberry.type(description="A step on the way. It holds milestones and actions.")
class MilestoneNode(TreeNode):
    pass


@strawberry.type(description="Something to do. It holds nothing and serves a driver.")
class ActionNode(TreeNode):
    pass


@strawberry.type(description="A node of a type that this version of the server does not know.")
class GenericNode(TreeNode):
    pass


GRAPH_TYPES: dict[str, type[TreeNode]] = {
    "DRIVER": DriverNode,
    "MILESTONE": MilestoneNode,
    "ACTION": ActionNode,
}


@strawberry.type
class TreeEdge(Record):
    """`order` has a fixed width: 10 must sort after 2."""

    user_id: str
    rev_id: str
    parent_node_id: str
    order: str
    child_node_id: str
    child_node_type: str


@strawberry.type(description="All of a user's values at one revision; empty before the first.")
class ValuesTree:
    branch: str = strawberry.field(description="main, or the name of a branch.")
    revision: ValuesRevision | None = strawberry.field(
        description="The commit that made it; null if there is none yet."
    )
    tree: strawberry.Private[Tree]
    user_id: strawberry.Private[str]
    shown: strawberry.Private[dict[str, TreeNode]] = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        rev_id = self.revision.rev_id if self.revision else ""
        self.shown = {
            node.id: TreeNode.of(node, user_id=self.user_id, rev_id=rev_id, rank=None)
            for node in self.tree.nodes.values()
        }
        for node in self.shown.values():
            node.shown_in = self

    def children_of(self, parent: str, include_archived: bool) -> Iterable[TreeNode]:
        nodes = (self.shown[each] for each in self.tree.children_of(parent))
        return (node for node in nodes if include_archived or not node.archived)

    @computed(description="Every node, tombstones too unless they are left out.")
    def nodes(
        self, node_type: OfType = None, include_archived: IncludeArchived = True
    ) -> list[TreeNode]:
        return [
            node
            for node in self.shown.values()
            if (include_archived or not node.archived)
            and (node_type is None or node.node_type == node_type.value)
        ]

    @computed(description="The nodes without a parent, in order.")
    def roots(self, include_archived: IncludeArchived = False) -> list[TreeNode]:
        return list(self.children_of(NOBODY, include_archived))

    @computed(description="One node by its id; null if it is not in this tree.")
    def node(self, id: strawberry.ID) -> TreeNode | None:
        return self.shown.get(id)

    @computed(description="What is not archived, as a Markdown document.")
    def markdown(self) -> str:
        return markdown(self.tree)

    @computed(description="What is not archived, as a flow chart in Mermaid's language.")
    def mermaid(self) -> str:
        return mermaid(self.tree)

    @computed(
        description="The address of a picture (SVG) of this revision, for whoever has it: good "
        "for a day. null before the first commit."
    )
    def chart_url(self, info: Info) -> AWSURL | None:
        return info.context.values.chart_address(self.revision.rev_id) if self.revision else None


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
