"""The operations of a commit, as the client sent them, applied to a tree."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import strawberry

from app.core.errors import AppError, BadInput
from app.core.inputs import Input
from app.domains.plans.inputs import (
    AddNodeInput,
    CompleteNodeInput,
    MoveNodeInput,
    NodeIdInput,
    ReorderNodesInput,
    UpdateNodeInput,
    ValuesOperationInput,
)
from app.domains.plans.rules import operations
from app.domains.plans.rules.checks import check_tree
from app.domains.plans.rules.tree import with_derived_fields
from app.domains.plans.types.tree import Tree, TreeItem

NEVER_NULL = ("title", "node_type")
T = TypeVar("T")
NewId = Callable[[], str]


def apply_operations(
    tree: Tree, requests: Sequence[ValuesOperationInput], *, now: str, new_id: NewId
) -> Tree:
    """A new tree, checked. An error says which operation it is about."""
    _check_completion_times(requests, now)
    result = tree.copy()
    for index, operation in enumerate(requests):
        try:
            _apply(result, _named_operation(operation), now, new_id)
        except AppError as error:
            error.info.setdefault("operation", index)
            raise
    return checked_tree(result)


def _check_completion_times(requests: Sequence[ValuesOperationInput], now: str) -> None:
    for index, request in enumerate(requests):
        sent = _or_none(request.complete)
        if sent and (at := _or_none(sent.completed_at)):
            field = f"input.operations.{index}.complete.completedAt"
            operations.check_not_in_the_future(at, now, field)


def checked_tree(tree: Tree) -> Tree:
    """With its derived fields; an error if it breaks a rule."""
    check_tree(tree)
    return with_derived_fields(tree)


def _named_operation(operation: ValuesOperationInput) -> tuple[str, Input]:
    given = list(operation.values().items())
    if len(given) != 1:
        raise BadInput(
            "An operation is exactly one of add, update, move, reorder, complete, reopen, "
            "archive and restore.",
            field="input.operations",
        )
    return given[0]


def _apply(tree: Tree, chosen: tuple[str, Input], now: str, new_id: NewId) -> None:
    name, request = chosen
    match request:
        case AddNodeInput():
            operations.add(
                tree, _new_node(request, now, new_id), position=_or_none(request.position)
            )
        case UpdateNodeInput():
            operations.update(tree, request.id, _changes(request), now)
        case MoveNodeInput():
            _move(tree, request, now)
        case ReorderNodesInput():
            operations.reorder(tree, _or_none(request.parent_id), request.child_ids)
        case CompleteNodeInput():
            at = _or_none(request.completed_at) or now
            operations.complete(tree, request.id, at, now)
        case NodeIdInput():
            by_name = {
                "reopen": operations.reopen,
                "archive": operations.archive,
                "restore": operations.restore,
            }
            by_name[name](tree, request.id, now)


def _or_none(value: T | None) -> T | None:
    return None if value is strawberry.UNSET else value


def _new_node(request: AddNodeInput, now: str, new_id: NewId) -> TreeItem:
    first = _or_none(request.parent_milestone_id)
    parents = ([first] if first else []) + list(_or_none(request.parent_ids) or [])
    return TreeItem(
        id=_or_none(request.id) or new_id(),
        node_type=request.node_type.value,
        title=request.title,
        notes=_or_none(request.notes),
        created_at=now,
        updated_at=now,
        driver_id=_or_none(request.driver_id),
        parent_ids=tuple(parents),
        task_id=_or_none(request.task_id),
    )


def _changes(request: UpdateNodeInput) -> dict[str, object]:
    changes = request.changes(NEVER_NULL)
    if kind := changes.get("node_type"):
        changes["node_type"] = kind.value
    return changes


def _move(tree: Tree, request: MoveNodeInput, now: str) -> None:
    only, all_ = _or_none(request.parent_id), _or_none(request.parent_ids)
    if only and all_ is not None:
        raise BadInput("Send parentId or parentIds, not both.", field="input.operations")
    operations.move(
        tree,
        request.id,
        [only] if only else (all_ or []),
        now,
        position=_or_none(request.position),
        driver_id=_or_none(request.driver_id),
    )
