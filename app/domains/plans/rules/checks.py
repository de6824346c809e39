"""What must hold in every tree that is committed."""

from collections import deque

from app.core.errors import LimitExceeded
from app.domains.plans.errors import ActionNeedsDriver, ParentArchived, TreeCycle, WrongParent
from app.domains.plans.rules.tree import ACTION, DRIVER, KINDS, Node, Tree

MOST_NODES = 10_000


def check(tree: Tree) -> None:
    if len(tree.nodes) > MOST_NODES:
        raise LimitExceeded(f"A values tree has at most {MOST_NODES} nodes, tombstones included.")
    for node in tree.nodes.values():
        _check_place(tree, node)
    _check_no_cycle(tree)
    for node in tree.nodes.values():
        if not node.archived:
            _check_live(tree, node)


def _check_place(tree: Tree, node: Node) -> None:
    if node.node_type == DRIVER and node.parent_ids:
        raise WrongParent(f"The driver {node.title!r} cannot be under another node.", node.id)
    for parent_id in node.parent_ids:
        parent = tree.nodes.get(parent_id)
        if parent is None:
            raise WrongParent(f"{node.title!r} is under a node that is not there.", node.id)
        if parent.node_type == ACTION and node.node_type in KINDS:
            raise WrongParent(
                f"The action {parent.title!r} cannot hold {node.title!r}: only drivers and "
                "milestones hold others.",
                node.id,
            )


def _check_live(tree: Tree, node: Node) -> None:
    if node.node_type == ACTION and not is_live_driver(tree, node.driver_id):
        raise ActionNeedsDriver(node.id, node.title)
    if node.parent_ids and all(tree.nodes[each].archived for each in node.parent_ids):
        raise ParentArchived(node.id, node.title)


def is_live_driver(tree: Tree, node_id: str | None) -> bool:
    driver = tree.nodes.get(node_id or "")
    return driver is not None and driver.node_type == DRIVER and not driver.archived


def _check_no_cycle(tree: Tree) -> None:
    """Takes away nodes whose parents are all gone; what remains goes round in a circle."""
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
