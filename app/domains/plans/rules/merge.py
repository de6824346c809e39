"""Three-way merge: field by field from the common ancestor; what both sides changed is a conflict.

`ours` is what the caller wants to commit, `theirs` what is at the head. The derived fields of
all three are up to date.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import strawberry

from app.domains.plans.errors import Clash
from app.domains.plans.rules.three_way import EXISTS, Choices, Decisions, merge_orders
from app.domains.plans.rules.tree import ACTION, root_driver
from app.domains.plans.types import MergeConflict, MergeSide, ValuesCommit
from app.domains.plans.types.tree import Tree, TreeItem

ARCHIVED, PARENTS, DRIVER_ID = "archived", "parentIds", "driverId"
ATTRIBUTES = {"nodeType": "node_type", "title": "title", "notes": "notes", "taskId": "task_id"}
# Its driver is the one above its first parent, whichever that is.
FOLLOWS = "(the driver above)"

FieldValues = dict[str, object]


@dataclass(slots=True)
class Merge:
    base: Tree
    ours: Tree
    theirs: Tree
    decisions: Decisions
    followers: list[str] = field(default_factory=list)


def merge(base: Tree, ours: Tree, theirs: Tree, choices: Choices) -> tuple[Tree, list[Clash]]:
    """The merged tree, unchecked, and what could not be decided."""
    work = Merge(base, ours, theirs, Decisions(choices))
    ids = dict.fromkeys([*theirs.nodes, *ours.nodes])
    nodes = {each: node for each in ids if (node := _merged_node(work, each)) is not None}
    nodes = {each.id: _without_lost_parents(each, nodes) for each in nodes.values()}
    merged = Tree(nodes, _merged_children(work, nodes))
    for each in work.followers:
        _follow(merged, each)
    _archive_below_archived(merged)
    return merged, work.decisions.clashes


def _merged_node(work: Merge, node_id: str) -> TreeItem | None:
    base, ours, theirs = (tree.nodes.get(node_id) for tree in (work.base, work.ours, work.theirs))
    if ours is None or theirs is None:
        return _one_sided(work, base, ours, theirs)
    if ours == theirs:
        return theirs
    return _merged_fields(work, base, ours, theirs)


def _one_sided(
    work: Merge, base: TreeItem | None, ours: TreeItem | None, theirs: TreeItem | None
) -> TreeItem | None:
    """One side has no such node: it is new on the other, or an older revision was restored."""
    present = ours or theirs
    tree = work.ours if ours else work.theirs
    if present is None:
        return None
    if _values(tree, present)[DRIVER_ID] == FOLLOWS:
        work.followers.append(present.id)
    if base is None:
        return present
    if _values(tree, present) == _values(work.base, base):
        return None
    side = work.decisions.ask(base.id, EXISTS, True, ours is not None, theirs is not None)
    return ours if side is MergeSide.OURS else theirs


def _merged_fields(
    work: Merge, base: TreeItem | None, ours: TreeItem, theirs: TreeItem
) -> TreeItem:
    values = (
        _values(work.base, base) if base else {},
        _values(work.ours, ours),
        _values(work.theirs, theirs),
    )
    sides = {
        name: work.decisions.choose(theirs.id, name, *(each.get(name) for each in values))
        for name in (*ATTRIBUTES, PARENTS, DRIVER_ID)
    }
    from_ours = {name for name, side in sides.items() if side is MergeSide.OURS}
    if values[1 if DRIVER_ID in from_ours else 2][DRIVER_ID] == FOLLOWS:
        work.followers.append(theirs.id)
    kept = ours if _archived(work, base, ours, theirs) is MergeSide.OURS else theirs
    done = _completed(base, ours, theirs)
    changes = {
        ATTRIBUTES[name]: getattr(ours, ATTRIBUTES[name]) for name in from_ours & ATTRIBUTES.keys()
    }
    return replace(
        theirs,
        **changes,
        parent_ids=ours.parent_ids if PARENTS in from_ours else theirs.parent_ids,
        driver_id=ours.driver_id if DRIVER_ID in from_ours else theirs.driver_id,
        archived=kept.archived,
        deleted_at=kept.deleted_at,
        completed_at=done.completed_at,
        completed_days=done.completed_days,
        updated_at=max(ours.updated_at, theirs.updated_at),
    )


def _values(tree: Tree, node: TreeItem) -> FieldValues:
    values: FieldValues = {name: getattr(node, stored) for name, stored in ATTRIBUTES.items()}
    above = tree.nodes.get(node.parent_ids[0]) if node.parent_ids else None
    follows = node.node_type != ACTION or (above and above.root_driver_id == node.driver_id)
    return values | {
        PARENTS: node.parent_ids,
        DRIVER_ID: FOLLOWS if follows else node.driver_id,
        "completedAt": node.completed_at,
        ARCHIVED: node.archived,
    }


def _archived(work: Merge, base: TreeItem | None, ours: TreeItem, theirs: TreeItem) -> MergeSide:
    """If one side archived it and the other edited it, the client decides."""
    before = base is not None and base.archived
    if ours.archived == theirs.archived:
        return MergeSide.THEIRS
    other, tree = (theirs, work.theirs) if ours.archived else (ours, work.ours)
    if not before and (base is None or _is_edited(work, base, other, tree)):
        return work.decisions.ask(theirs.id, ARCHIVED, before, ours.archived, theirs.archived)
    return work.decisions.choose(theirs.id, ARCHIVED, before, ours.archived, theirs.archived)


def _is_edited(work: Merge, base: TreeItem, node: TreeItem, tree: Tree) -> bool:
    """Its own content, or a new child."""
    newly = set(tree.children_of(node.id)) - set(work.base.children_of(node.id))
    return bool(newly) or _values(tree, node) != _values(work.base, base)


def _completed(base: TreeItem | None, ours: TreeItem, theirs: TreeItem) -> TreeItem:
    """The side whose completion counts: the earliest. If one side removed it, it is removed, unless
    the other side completed it anew."""
    before = base.completed_at if base else None
    if ours.completed_at == before:
        return theirs
    if theirs.completed_at == before:
        return ours
    done = [each for each in (theirs, ours) if each.completed_at]
    return min(done, key=lambda each: each.completed_at or "", default=theirs)


def _without_lost_parents(node: TreeItem, nodes: Mapping[str, TreeItem]) -> TreeItem:
    kept = tuple(each for each in node.parent_ids if each in nodes)
    return node if kept == node.parent_ids else replace(node, parent_ids=kept)


def _follow(tree: Tree, node_id: str) -> None:
    node = tree.nodes.get(node_id)
    if node and node.node_type == ACTION and node.parent_ids:
        driver = root_driver(tree, node.parent_ids[0])
        if driver and driver != node.driver_id:
            tree.change(node_id, driver_id=driver)


def _archive_below_archived(tree: Tree) -> None:
    """A node whose parents are all archived by now is archived with them."""
    waiting = [node.id for node in tree.nodes.values() if node.archived]
    while waiting:
        for child in tree.children_of(each := waiting.pop()):
            node = tree.nodes[child]
            if not node.archived and all(tree.nodes[p].archived for p in node.parent_ids):
                tree.change(child, archived=True, deleted_at=tree.nodes[each].deleted_at)
                waiting.append(child)


def _merged_children(work: Merge, nodes: Mapping[str, TreeItem]) -> dict[str, list[str]]:
    wanted: dict[str, set[str]] = {}
    for node in nodes.values():
        for parent in node.parents_or_root:
            wanted.setdefault(parent, set()).add(node.id)
    return {parent: _merged_order(work, parent, each) for parent, each in wanted.items()}


def _merged_order(work: Merge, parent: str, wanted: set[str]) -> list[str]:
    lists = [tree.children_of(parent) for tree in (work.base, work.ours, work.theirs)]
    return merge_orders(work.decisions, parent, lists, wanted)


def merge_conflict(current: ValuesCommit, clash: Clash) -> MergeConflict:
    """A clash as the client sees it, with the node as it is at the head."""
    return MergeConflict(
        node_id=strawberry.ID(clash.node) if clash.node else None,
        node=current.node(clash.node),
        field=clash.field,
        base=clash.base,
        ours=clash.ours,
        theirs=clash.theirs,
    )
