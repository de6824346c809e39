"""The values tree as plain data: nodes, and for each parent its children in order.

Walks never recurse: a tree may be a thousand levels deep. A node may have several parents; the
first is the one that says where it belongs.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

DRIVER, MILESTONE, ACTION = "DRIVER", "MILESTONE", "ACTION"
KINDS = frozenset({DRIVER, MILESTONE, ACTION})
# Nodes without a parent are the children of nobody, in order.
NOBODY = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    id: str
    node_type: str
    title: str
    created_at: str
    updated_at: str
    notes: str | None = None
    completed_at: str | None = None
    archived: bool = False
    deleted_at: str | None = None
    driver_id: str | None = None
    parent_ids: tuple[str, ...] = ()
    task_id: str | None = None
    # Worked out from the others by `settled`.
    parent_milestone_id: str | None = None
    root_driver_id: str | None = None

    @property
    def holders(self) -> tuple[str, ...]:
        return self.parent_ids or (NOBODY,)


@dataclass(slots=True)
class Tree:
    nodes: dict[str, Node] = field(default_factory=dict)
    children: dict[str, list[str]] = field(default_factory=dict)

    def copy(self) -> "Tree":
        return Tree(
            dict(self.nodes), {parent: list(each) for parent, each in self.children.items()}
        )

    def children_of(self, parent: str) -> list[str]:
        return self.children.get(parent, [])

    def put(self, node: Node) -> None:
        self.nodes[node.id] = node

    def change(self, node_id: str, **changes: object) -> None:
        self.nodes[node_id] = replace(self.nodes[node_id], **changes)  # type: ignore[arg-type]

    def hang(self, child: str, parent: str, position: int | None = None) -> None:
        siblings = self.children.setdefault(parent, [])
        siblings.insert(len(siblings) if position is None else position, child)

    def unhang(self, child: str, parent: str) -> None:
        self.children[parent].remove(child)
        if not self.children[parent]:
            del self.children[parent]

    def below(self, node_id: str) -> Iterator[str]:
        """Everything under a node, each once, parents before children."""
        seen = {node_id}
        waiting = [node_id]
        while waiting:
            for child in self.children_of(waiting.pop()):
                if child not in seen:
                    seen.add(child)
                    waiting.append(child)
                    yield child


def tree_of(nodes: Iterable[Node], children: dict[str, list[str]]) -> Tree:
    return Tree({node.id: node for node in nodes}, children)


def settled(tree: Tree) -> Tree:
    """The same tree with what follows from its shape put right. It must have no cycle."""
    roots: dict[str, str | None] = {}
    for node_id in tree.nodes:
        _find_root(tree, node_id, roots)
    nodes = {each.id: _settled_node(tree, each, roots) for each in tree.nodes.values()}
    return Tree(nodes, tree.children)


def _settled_node(tree: Tree, node: Node, roots: dict[str, str | None]) -> Node:
    first = tree.nodes.get(node.parent_ids[0]) if node.parent_ids else None
    milestone = first.id if first and first.node_type == MILESTONE else None
    root = node.driver_id if node.node_type == ACTION else roots[node.id]
    driver = root if node.node_type == MILESTONE else node.driver_id
    driver = None if node.node_type == DRIVER else driver
    found = (milestone, root, driver)
    if found == (node.parent_milestone_id, node.root_driver_id, node.driver_id):
        return node
    return replace(node, parent_milestone_id=milestone, root_driver_id=root, driver_id=driver)


def root_driver(tree: Tree, node_id: str) -> str | None:
    """The driver at the upper end of first parents."""
    return _find_root(tree, node_id, {})


def _find_root(tree: Tree, node_id: str, known: dict[str, str | None]) -> str | None:
    path: list[str] = []
    walked: set[str] = set()
    at: str | None = node_id
    while at is not None and at not in known and at not in walked:
        path.append(at)
        walked.add(at)
        node = tree.nodes.get(at)
        at = node.parent_ids[0] if node and node.parent_ids else None
    found = known.get(at or "") if at in known else _driver_or_none(tree, path[-1])
    known.update(dict.fromkeys(path, found))
    return found


def _driver_or_none(tree: Tree, node_id: str) -> str | None:
    node = tree.nodes.get(node_id)
    return node_id if node and node.node_type == DRIVER else None
