"""What follows from the shape of a values tree, the driver above each node, and from the tree
before: the versions."""

from dataclasses import replace

from app.domains.plans.types.tree import Tree, TreeItem

DRIVER, MILESTONE, ACTION = "DRIVER", "MILESTONE", "ACTION"
KINDS = frozenset({DRIVER, MILESTONE, ACTION})


def with_derived_fields(tree: Tree) -> Tree:
    """The same tree with the fields that follow from its shape. It must have no cycle."""
    roots: dict[str, str | None] = {}
    for node_id in tree.nodes:
        _find_root(tree, node_id, roots)
    nodes = {each.id: _with_derived_fields_of(tree, each, roots) for each in tree.nodes.values()}
    return Tree(nodes, tree.children)


def _with_derived_fields_of(tree: Tree, node: TreeItem, roots: dict[str, str | None]) -> TreeItem:
    first = tree.nodes.get(node.parent_ids[0]) if node.parent_ids else None
    milestone = first.id if first and first.node_type == MILESTONE else None
    root = node.driver_id if node.node_type == ACTION else roots[node.id]
    driver = root if node.node_type == MILESTONE else node.driver_id
    driver = None if node.node_type == DRIVER else driver
    found = (milestone, root, driver)
    if found == (node.parent_milestone_id, node.root_driver_id, node.driver_id):
        return node
    return replace(node, parent_milestone_id=milestone, root_driver_id=root, driver_id=driver)


def with_versions(before: Tree, after: Tree) -> Tree:
    """The tree with the next version of each node that differs from the tree before. A node that
    does not differ is the same object as before, so that it is stored as it was read."""
    nodes = {id: _with_version(before.nodes.get(id), node) for id, node in after.nodes.items()}
    return Tree(nodes, after.children)


def _with_version(before: TreeItem | None, node: TreeItem) -> TreeItem:
    if node == before:
        return before
    return replace(node, version=max(node.version, before.version if before else 0) + 1)


def open_actions(tree: Tree, driver_id: str | None, milestone_id: str | None) -> list[TreeItem]:
    """Neither done nor archived, in the order of the tree; of a driver and below a milestone, if
    given."""
    below = set(tree.below(milestone_id)) if milestone_id else None
    return [
        node
        for node in tree.in_order()
        if node.node_type == ACTION
        and not node.archived
        and node.completed_at is None
        and driver_id in (None, node.driver_id)
        and (below is None or node.id in below)
    ]


def root_driver(tree: Tree, node_id: str) -> str | None:
    """The driver at the end of the chain of first parents."""
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
