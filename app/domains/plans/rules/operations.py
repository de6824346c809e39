"""The operations of a commit. Each changes the tree in place; the result is checked as a whole."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from app.core.clock import parse_instant
from app.core.errors import BadInput, NotFound
from app.domains.plans.errors import TreeCycle
from app.domains.plans.rules.tree import ACTION, DRIVER, root_driver
from app.domains.plans.types.tree import NO_PARENT, Tree, TreeItem

# A client's clock may be a little ahead of ours.
MOST_AHEAD = timedelta(minutes=5)


def node_in(tree: Tree, node_id: str) -> TreeItem:
    node = tree.nodes.get(node_id)
    if node is None:
        raise NotFound("node in the values tree")
    return node


def add(tree: Tree, node: TreeItem, *, position: int | None = None) -> None:
    """Below its parents; without any, its driver becomes the parent."""
    if node.id in tree.nodes:
        raise BadInput(f"The node {node.id} exists already.", field="input.operations")
    parents = node.parent_ids
    if not parents and node.driver_id and node.node_type != DRIVER:
        parents = (node.driver_id,)
    _expect_nodes(tree, parents)
    driver = node.driver_id
    if driver is None and node.node_type == ACTION and parents:
        driver = root_driver(tree, parents[0])
    added = replace(node, parent_ids=tuple(dict.fromkeys(parents)), driver_id=driver)
    tree.put(added)
    for parent in added.parents_or_root:
        tree.attach(node.id, parent, position)


def update(tree: Tree, node_id: str, changes: Mapping[str, object], now: str) -> None:
    node_in(tree, node_id)
    tree.change(node_id, **changes, updated_at=now)


def move(
    tree: Tree,
    node_id: str,
    parents: Sequence[str],
    now: str,
    *,
    position: int | None = None,
    driver_id: str | None = None,
) -> None:
    """To other parents. Actions that had the old driver get the new one."""
    node = node_in(tree, node_id)
    if not parents and node.node_type == ACTION:
        parents = [each for each in (driver_id or node.driver_id,) if each]
    _expect_nodes(tree, parents)
    if node_id in parents or any(each in parents for each in tree.below(node_id)):
        raise TreeCycle(node.id, node.title)
    old_root = node.driver_id if node.node_type == ACTION else root_driver(tree, node_id)
    for parent in node.parents_or_root:
        tree.detach(node_id, parent)
    moved = replace(node, parent_ids=tuple(dict.fromkeys(parents)), updated_at=now)
    tree.put(moved)
    for parent in moved.parents_or_root:
        tree.attach(node_id, parent, position)
    _follow(tree, node_id, old_root, driver_id or root_driver(tree, node_id), now)


def _follow(tree: Tree, node_id: str, old: str | None, new: str | None, now: str) -> None:
    for each in [node_id, *tree.below(node_id)]:
        node = tree.nodes[each]
        if node.node_type == ACTION and node.driver_id == old and new and old != new:
            tree.change(each, driver_id=new, updated_at=now)


def reorder(tree: Tree, parent_id: str | None, child_ids: Sequence[str]) -> None:
    """The named children come first, in this order; the others follow in their present order."""
    if parent_id is not None:
        node_in(tree, parent_id)
    parent = parent_id or NO_PARENT
    children = tree.children_of(parent)
    if strangers := set(child_ids) - set(children):
        raise BadInput(
            f"{sorted(strangers)[0]} is not a child of this parent.", field="input.operations"
        )
    first = list(dict.fromkeys(child_ids))
    rest = [each for each in children if each not in set(first)]
    if children:
        tree.children[parent] = [*first, *rest]


def check_not_in_the_future(at: str, now: str, field: str) -> None:
    if parse_instant(at) > parse_instant(now) + MOST_AHEAD:
        raise BadInput(
            f"completedAt {at} is in the future: now is {now}. Send a time that is past, or none.",
            field=field,
        )


def complete(tree: Tree, node_id: str, at: str, now: str, day: str | None = None) -> None:
    """A second completion keeps the first time. `day`: the day whose plan says so."""
    node = node_in(tree, node_id)
    if node.node_type == DRIVER:
        raise BadInput(
            "A driver cannot be completed: complete milestones and actions.", field="input"
        )
    days = node.completed_days or ()
    if node.completed_at is None:
        days = (day,) if day else ()
    elif day and day not in days:
        days = (*days, day)
    else:
        return
    at = node.completed_at or at
    tree.change(node_id, completed_at=at, completed_days=days or None, updated_at=now)


def reopen(tree: Tree, node_id: str, now: str) -> None:
    if node_in(tree, node_id).completed_at is not None:
        tree.change(node_id, completed_at=None, completed_days=None, updated_at=now)


def archive(tree: Tree, node_id: str, now: str) -> None:
    """With all nodes below it that have no other live parent. They stay in the tree."""
    if node_in(tree, node_id).archived:
        return
    waiting = [node_id]
    while waiting:
        each = waiting.pop()
        tree.change(each, archived=True, deleted_at=now, updated_at=now)
        for child in tree.children_of(each):
            node = tree.nodes[child]
            held = any(not tree.nodes[parent].archived for parent in node.parent_ids)
            if not node.archived and not held:
                waiting.append(child)


def restore(tree: Tree, node_id: str, now: str) -> None:
    """With all nodes below it that were archived at the same instant."""
    node = node_in(tree, node_id)
    if not node.archived:
        return
    waiting = [node_id]
    while waiting:
        each = waiting.pop()
        tree.change(each, archived=False, deleted_at=None, updated_at=now)
        waiting += [
            child
            for child in tree.children_of(each)
            if tree.nodes[child].archived and tree.nodes[child].deleted_at == node.deleted_at
        ]


def restore_node(tree: Tree, source: Tree, node_id: str, now: str) -> None:
    """One node as it was in another revision, below the parents it had."""
    wanted = node_in(source, node_id)
    _expect_nodes(tree, wanted.parent_ids)
    old = tree.nodes.get(node_id)
    for parent in old.parents_or_root if old else ():
        tree.detach(node_id, parent)
    tree.put(replace(wanted, updated_at=now))
    for parent in wanted.parents_or_root:
        before = source.children_of(parent).index(node_id)
        tree.attach(node_id, parent, min(before, len(tree.children_of(parent))))


def _expect_nodes(tree: Tree, node_ids: Sequence[str]) -> None:
    for each in node_ids:
        node_in(tree, each)
