"""What a new tree means for the tasks that its actions point to."""

from collections.abc import Mapping

import strawberry

from app.core.errors import BadInput
from app.domains.goals.types import Task, TaskStatus
from app.domains.plans.types import Tree, TreeItem

MOST_TASKS = 20
ActionsByTask = Mapping[str, TreeItem]


def actions_by_task(tree: Tree) -> dict[str, TreeItem]:
    """The live action of each task."""
    found: dict[str, TreeItem] = {}
    for item in tree.nodes.values():
        if item.task_id and not item.archived:
            if item.task_id in found:
                raise BadInput(
                    f"The task {item.task_id} is linked to another action.",
                    field="input.operations",
                )
            found[item.task_id] = item
    return found


def changed_task_ids(before: ActionsByTask, after: ActionsByTask) -> list[str]:
    """The tasks whose action, or whether it is done, differs."""
    changed = [each for each in {**before, **after} if _differs(before, after, each)]
    if len(changed) > MOST_TASKS:
        raise BadInput(
            f"At most {MOST_TASKS} linked tasks change in one commit.", field="input.operations"
        )
    return changed


def _differs(before: ActionsByTask, after: ActionsByTask, task_id: str) -> bool:
    old, new = before.get(task_id), after.get(task_id)
    same = old is not None and new is not None and old.id == new.id
    return not same or _is_done(old) != _is_done(new)


def task_changes(task: Task, before: TreeItem | None, after: TreeItem | None) -> dict[str, object]:
    """What changes about a task whose action was `before` and is `after`."""
    changes: dict[str, object] = {}
    if task.action_id != (after.id if after else None):
        changes["action_id"] = strawberry.ID(after.id) if after else None
    done = _is_done(after)
    if after and done != _is_done(before) and done != task.is_done:
        changes["status"] = TaskStatus.Done if done else TaskStatus.NotStarted
    return changes


def _is_done(item: TreeItem | None) -> bool:
    return item is not None and item.completed_at is not None
