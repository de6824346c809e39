"""Dependencies between tasks, stored on both sides and without cycles."""

from collections.abc import Sequence

from app.domains.goals import keys
from app.domains.goals.errors import Circular
from app.domains.goals.inputs import AddTaskDependencyInput, RemoveTaskDependencyInput
from app.domains.goals.rules.dependencies import (
    with_blocked_task,
    with_dependency,
    without_blocked_task,
    without_dependency,
)
from app.domains.goals.service.base import GoalsService, put_or_retry
from app.domains.goals.service.edge_lock import take_edge_lock
from app.domains.goals.types import Task, TaskBlocks, TaskDependency
from app.domains.service import Decision
from app.table.writes import Delete, Put, Write

LARGEST_DEPENDENCY_GRAPH = 1_000


class Dependencies(GoalsService):
    async def add(self, request: AddTaskDependencyInput) -> Task:
        async def decide() -> Decision[Task]:
            lock = await take_edge_lock(self, "DEPENDENCIES")
            task = await self.own_task(request.task_id)
            blocker = await self.own_task(request.depends_on_task_id)
            if blocker.id in task.depends_on_ids:
                return Decision(task)
            new = with_dependency(task, blocker).evolve(self.now)
            await self._check_no_cycle(task, blocker)
            writes = self.dependency_writes(new, [blocker])
            return Decision(new, [lock, put_or_retry(new, task, "task"), *writes])

        return await self.once(request, Task, decide)

    async def remove(self, request: RemoveTaskDependencyInput) -> Task:
        async def decide() -> Decision[Task]:
            task = await self.own_task(request.task_id)
            blocker = await self.own_task(request.depends_on_task_id)
            if blocker.id not in task.depends_on_ids:
                return Decision(task)
            new = without_dependency(task, blocker.id).evolve(self.now)
            new_blocker = without_blocked_task(blocker, task.id, self.now)
            writes: list[Write] = [
                put_or_retry(new, task, "task"),
                put_or_retry(new_blocker, blocker, "task"),
                Delete(keys.dependency(task.id, blocker.id)),
                Delete(keys.blocks(blocker.id, task.id)),
            ]
            return Decision(new, writes)

        return await self.once(request, Task, decide)

    def dependency_writes(self, task: Task, blockers: Sequence[Task]) -> list[Write]:
        """Three per blocker: the blocker itself, and the link from either side."""
        writes: list[Write] = []
        for each in blockers:
            new = with_blocked_task(each, task.id, self.now)
            link = TaskDependency(**self.stamp(), task_id=task.id, depends_on_task_id=each.id)
            reverse = TaskBlocks(**self.stamp(), task_id=each.id, blocked_task_id=task.id)
            writes += [put_or_retry(new, each, "task"), Put(link), Put(reverse)]
        return writes

    async def _check_no_cycle(self, task: Task, blocker: Task) -> None:
        """Breadth-first from the blocker along its dependencies: the task must not be there."""
        seen: set[str] = {blocker.id}
        level = [blocker]
        while level and task.id not in seen:
            ids = {id for each in level for id in each.depends_on_ids} - seen
            seen |= ids
            if len(seen) > LARGEST_DEPENDENCY_GRAPH:
                raise Circular(
                    f"At most {LARGEST_DEPENDENCY_GRAPH} tasks may depend on each other."
                )
            level = await self.load_existing(keys.task, sorted(ids))
        if task.id in seen:
            raise Circular("These tasks would wait for each other.")
