"""A values tree as the items of its snapshot, and back.

A commit writes the whole tree, and most of it is as it was: an unchanged node or edge is the item
that was read, under another partition key (decisions/017).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from app.core.scalars import AWSDateTime
from app.domains.plans import keys
from app.domains.plans.rules.snapshots import fixed_width
from app.domains.plans.types import Tree, TreeEdge, TreeItem, TreeNode, ValuesRevision
from app.domains.plans.types.tree import NO_PARENT, StoredAttributes
from app.table.codec import Wire, attributes_of, decoder_of
from app.table.writes import item_of

EDGE = {"S": keys.TREE_EDGE.name}
KNOWN = frozenset({"PK", "SK", "entityType", *(stored for _, stored in attributes_of(TreeNode))})


def tree_of(items: Iterable[Wire]) -> Tree:
    """`items`: a whole snapshot, by sort key: so the edges of a parent are in order."""
    nodes: dict[str, TreeItem] = {}
    children: dict[str, list[str]] = {}
    edges: dict[tuple[str, str], StoredAttributes] = {}
    for item in items:
        if item["entityType"] == EDGE:
            parent, child = item["parentNodeId"]["S"], item["childNodeId"]["S"]
            children.setdefault(parent, []).append(child)
            edges[parent, child] = item
        else:
            node = _node_of(item)
            nodes[node.id] = node
    roots = sorted((node for node in nodes.values() if not node.parent_ids), key=_root_position)
    if roots:
        children[NO_PARENT] = [node.id for node in roots]
    return Tree(nodes, children, edges)


def _node_of(item: Wire) -> TreeItem:
    node = decoder_of(TreeItem)(item)
    object.__setattr__(node, "stored", item)
    if unknown := item.keys() - KNOWN:
        object.__setattr__(node, "unknown", {name: item[name] for name in unknown})
    return node


def _root_position(node: TreeItem) -> tuple[int, str, str]:
    rank = (node.stored or {}).get("rank", {})
    return (int(rank.get("N", 0)), node.created_at, node.id)


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """Where a tree is to be stored."""

    user_id: str
    rev_id: str
    now: AWSDateTime
    place: Wire

    def moved(self, item: StoredAttributes) -> Wire:
        return {**item, **self.place}

    def node(self, node: TreeItem, rank: int | None) -> Wire:
        if node.stored and node.stored.get("rank") == (None if rank is None else {"N": str(rank)}):
            return self.moved(node.stored)
        record = TreeNode.of(node, user_id=self.user_id, rev_id=self.rev_id, rank=rank)
        return {**(node.unknown or {}), **item_of(record)}

    def edge(
        self, parent: str, index: int, child: TreeItem, stored: StoredAttributes | None
    ) -> Wire:
        order = fixed_width(index)
        facts = {"order": {"S": order}, "childNodeType": {"S": child.node_type}}
        if stored and all(stored.get(name) == value for name, value in facts.items()):
            return self.moved(stored)
        return item_of(
            TreeEdge(
                created_at=self.now,
                updated_at=self.now,
                user_id=self.user_id,
                rev_id=self.rev_id,
                parent_node_id=parent,
                order=order,
                child_node_id=child.id,
                child_node_type=child.node_type,
            )
        )


def items_of_tree(tree: Tree, before: Tree, revision: ValuesRevision) -> Iterator[Wire]:
    """`before`: the tree whose unchanged parts it has, as it was read."""
    partition = keys.snapshot_of_values(revision.user_id, revision.rev_id).pk
    place = {"PK": {"S": partition}, "revId": {"S": revision.rev_id}}
    snapshot = _Snapshot(revision.user_id, revision.rev_id, revision.created_at, place)
    ranks = {node_id: index for index, node_id in enumerate(tree.children_of(NO_PARENT))}
    for node in tree.nodes.values():
        yield snapshot.node(node, ranks.get(node.id))
    for parent, children in tree.children.items():
        for index, child in enumerate(children if parent else ()):
            stored = before.stored_edges.get((parent, child))
            yield snapshot.edge(parent, index, tree.nodes[child], stored)
