"""An action may point to a task of the goals: completing either completes both, in one write."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from app.core.errors import NotFound
from app.domains.goals.service import Tasks
from app.domains.goals.types import Task
from app.domains.plans.rules.task_links import actions_by_task, changed_task_ids, task_changes
from app.domains.plans.types import Tree, TreeItem
from app.domains.service import Service, uses
from app.table.writes import Write


@dataclass(eq=False)
class TaskLinks(Service):
    tasks = uses(Tasks)
    _changing: set[str] = field(default_factory=set, init=False, repr=False)

    @contextmanager
    def changing(self, task_id: str) -> Iterator[None]:
        """While one side changes a task and its action, it does not notify the other."""
        self._changing.add(task_id)
        try:
            yield
        finally:
            self._changing.discard(task_id)

    def is_changing(self, task_id: str) -> bool:
        return task_id in self._changing

    async def writes(self, old: Tree, new: Tree) -> list[Write]:
        """What a commit on main changes about tasks: which action is theirs, whether it is done."""
        before, after = actions_by_task(old), actions_by_task(new)
        changed = changed_task_ids(before, after)
        found = await self.tasks.tasks_by_ids(changed) if changed else []
        known = {task.id for task in found}
        if any(each in after and each not in before and each not in known for each in changed):
            raise NotFound("task")
        writes: list[Write] = []
        for task in found:
            writes += await self._task_writes(task, before.get(task.id), after.get(task.id))
        return writes

    async def _task_writes(
        self, task: Task, before: TreeItem | None, after: TreeItem | None
    ) -> list[Write]:
        changes = task_changes(task, before, after)
        if not changes or self.is_changing(task.id):
            return []
        with self.changing(task.id):
            return list((await self.tasks.apply_change(task, changes)).writes)
