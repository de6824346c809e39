"""The rules that every committed tree must obey."""

from collections import deque

from app.core.errors import LimitExceeded
from app.domains.plans.errors import ActionNeedsDriver, ParentArchived, TreeCycle, WrongParent
from app.domains.plans.rules.tree import ACTION, DRIVER, KINDS
from app.domains.plans.types.tree import Tree, TreeItem

MOST_NODES = 10_000


def check_tree(tree: Tree) -> None:
    if len(tree.nodes) > MOST_NODES:
        raise LimitExceeded(
            f"A values tree has at most {MOST_NODES} nodes, archived ones included."
        )
    for node in tree.nodes.values():
        _check_place(tree, node)
    _check_no_cycle(tree)
    for node in tree.nodes.values():
        if not node.archived:
            _check_live(tree, node)


def _check_place(tree: Tree, node: TreeItem) -> None:
    if node.node_type == DRIVER and node.parent_ids:
        raise WrongParent(f"The driver {node.title!r} cannot have a parent.", node.id)
    for parent_id in node.parent_ids:
        parent = tree.nodes.get(parent_id)
        if parent is None:
            raise WrongParent(f"A parent of {node.title!r} does not exist.", node.id)
        if parent.node_type == ACTION and node.node_type in KINDS:
            raise WrongParent(
                f"The action {parent.title!r} cannot be the parent of {node.title!r}: only drivers "
                "and milestones can.",
                node.id,
            )


def _check_live(tree: Tree, node: TreeItem) -> None:
    if node.node_type == ACTION and not is_live_driver(tree, node.driver_id):
        raise ActionNeedsDriver(node.id, node.title)
    if node.parent_ids and all(tree.nodes[each].archived for each in node.parent_ids):
        raise ParentArchived(node.id, node.title)


def is_live_driver(tree: Tree, node_id: str | None) -> bool:
    driver = tree.nodes.get(node_id or "")
    return driver is not None and driver.node_type == DRIVER and not driver.archived


def _check_no_cycle(tree: Tree) -> None:
    """Removes nodes whose parents are all removed, in rounds (Kahn); what remains is in a cycle."""
    waiting_for = {node.id: len(node.parent_ids) for node in tree.nodes.values()}
    free = deque(node_id for node_id, count in waiting_for.items() if count == 0)
    while free:
        for child in tree.children_of(free.popleft()):
            waiting_for[child] -= 1
            if waiting_for[child] == 0:
                free.append(child)
    for node_id, count in waiting_for.items():
        if count > 0:
            raise TreeCycle(node_id, tree.nodes[node_id].title)
