"""An action may point to a task of the goals: completing either completes both, in one write."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import strawberry

from app.core.caller import Caller
from app.core.errors import BadInput, NotFound
from app.domains.goals.service import Tasks
from app.domains.goals.types import Task, TaskStatus
from app.domains.plans.rules.tree import Node, Tree
from app.domains.service import Service
from app.resources import Resources
from app.table.writes import Write

MOST_TASKS = 20


class TaskLinks(Service):
    def __init__(self, resources: Resources, caller: Caller, tasks: Tasks) -> None:
        super().__init__(resources, caller)
        self.tasks = tasks
        self._turning: set[str] = set()

    @contextmanager
    def turning(self, task_id: str) -> Iterator[None]:
        """The task is being seen to: neither side calls the other again."""
        self._turning.add(task_id)
        try:
            yield
        finally:
            self._turning.discard(task_id)

    def is_turning(self, task_id: str) -> bool:
        return task_id in self._turning

    async def writes(self, old: Tree, new: Tree) -> list[Write]:
        """What a commit on the main line means for tasks: whose they are, whether they are done."""
        before, after = _linked(old), _linked(new)
        wanted = [each for each in {**before, **after} if _differs(before, after, each)]
        if len(wanted) > MOST_TASKS:
            raise BadInput(
                f"At most {MOST_TASKS} linked tasks change in one commit.", field="input.operations"
            )
        found = {task.id: task for task in await self.tasks.tasks_by_ids(wanted)} if wanted else {}
        if any(each in after and each not in before and each not in found for each in wanted):
            raise NotFound("task")
        writes: list[Write] = []
        for task in found.values():
            writes += await self._changed(task, before, after)
        return writes

    async def _changed(
        self, task: Task, before: Mapping[str, Node], after: Mapping[str, Node]
    ) -> list[Write]:
        if self.is_turning(task.id):
            return []
        node = after.get(task.id)
        changes: dict[str, object] = {}
        if task.action_id != (node.id if node else None):
            changes["action_id"] = strawberry.ID(node.id) if node else None
        if (
            node
            and _is_done(node) != _is_done(before.get(task.id))
            and _is_done(node) != task.is_done
        ):
            changes["status"] = TaskStatus.Done if _is_done(node) else TaskStatus.NotStarted
        if not changes:
            return []
        with self.turning(task.id):
            return list((await self.tasks.changed(task, changes)).writes)

    async def catch_up(self) -> None:
        await self.tasks.goals.catch_up()


def _linked(tree: Tree) -> dict[str, Node]:
    """The live action of each task."""
    found: dict[str, Node] = {}
    for node in tree.nodes.values():
        if node.task_id and not node.archived:
            if node.task_id in found:
                raise BadInput(
                    f"The task {node.task_id} is that of another action.", field="input.operations"
                )
            found[node.task_id] = node
    return found


def _differs(before: Mapping[str, Node], after: Mapping[str, Node], task_id: str) -> bool:
    old, new = before.get(task_id), after.get(task_id)
    same = old is not None and new is not None and old.id == new.id
    return not same or _is_done(old) != _is_done(new)


def _is_done(node: Node | None) -> bool:
    return node is not None and node.completed_at is not None
