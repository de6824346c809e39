"""Which task waits for which, in both directions and without circles."""

from collections.abc import Sequence
from dataclasses import replace

from app.core.errors import BadInput
from app.core.scalars import AWSDateTime
from app.domains.goals import keys
from app.domains.goals.errors import Circular
from app.domains.goals.inputs import AddTaskDependencyInput, RemoveTaskDependencyInput
from app.domains.goals.service.base import GoalsService, Stamp, present_only, swap
from app.domains.goals.service.structure import one_more_edge
from app.domains.goals.service.task_changes import waiting
from app.domains.goals.types import Task, TaskBlocks, TaskDependency
from app.domains.service import Decision
from app.table.writes import Delete, Put, Write

MOST_EDGES = 10
LONGEST_CHAIN = 1_000


class TooManyEdges(BadInput):
    def __init__(self) -> None:
        super().__init__(
            f"A task waits for at most {MOST_EDGES} others, and as many wait for it.",
            field="input",
        )


class Dependencies(GoalsService):
    async def add(self, request: AddTaskDependencyInput) -> Task:
        async def decide() -> Decision[Task]:
            edge = await one_more_edge(self, "DEPENDENCIES")
            task = await self.own_task(request.task_id)
            blocker = await self.own_task(request.depends_on_task_id)
            if blocker.id in task.depends_on_ids:
                return Decision(task)
            await self._check(task, blocker)
            return Decision(*self._adding(task, blocker, edge))

        return await self.commit(decide)

    async def remove(self, request: RemoveTaskDependencyInput) -> Task:
        async def decide() -> Decision[Task]:
            task = await self.own_task(request.task_id)
            blocker = await self.own_task(request.depends_on_task_id)
            if blocker.id not in task.depends_on_ids:
                return Decision(task)
            return Decision(*self._removing(task, blocker))

        return await self.commit(decide)

    def _adding(self, task: Task, blocker: Task, edge: Write) -> tuple[Task, list[Write]]:
        open_ones = [*task.waiting_for, *([] if blocker.is_done else [blocker.id])]
        depends = [*task.depends_on_ids, blocker.id]
        new = waiting(task, open_ones).evolve(self.now, depends_on_ids=depends)
        return new, [
            edge,
            swap(new, task, "task"),
            *linked_back([blocker], task, self.now),
            *dependency_writes(new, [blocker], self.stamp),
        ]

    def _removing(self, task: Task, blocker: Task) -> tuple[Task, list[Write]]:
        new = released(task, blocker.id).evolve(self.now)
        kept = [each for each in blocker.blocks_ids if each != task.id]
        return new, [
            swap(new, task, "task"),
            swap(blocker.evolve(self.now, blocks_ids=kept), blocker, "task"),
            Delete(keys.dependency(task.id, blocker.id)),
            Delete(keys.blocks(blocker.id, task.id)),
        ]

    async def _check(self, task: Task, blocker: Task) -> None:
        if len(task.depends_on_ids) >= MOST_EDGES:
            raise TooManyEdges
        if await self._waits_for(blocker, task.id):
            raise Circular("These tasks would wait for each other.")

    async def _waits_for(self, task: Task, wanted: str) -> bool:
        """Whether `task` is, or waits in the end for, the wanted one; a level at a time."""
        seen: set[str] = {task.id}
        level = [task]
        while level and wanted not in seen:
            ids = {id for each in level for id in each.depends_on_ids} - seen
            seen |= ids
            if len(seen) > LONGEST_CHAIN:
                raise Circular(f"Not more than {LONGEST_CHAIN} tasks may hang together.")
            level = present_only(await self.repository.tasks_by_ids(sorted(ids)))
        return wanted in seen


def released(task: Task, blocker_id: str) -> Task:
    """The task when it no longer depends on the other."""
    still = [each for each in task.waiting_for if each != blocker_id]
    depends = [each for each in task.depends_on_ids if each != blocker_id]
    return replace(waiting(task, still), depends_on_ids=depends)


def linked_back(blockers: Sequence[Task], task: Task, now: AWSDateTime) -> list[Write]:
    """The blockers, when they know who waits for them."""
    if any(len(each.blocks_ids) >= MOST_EDGES for each in blockers):
        raise TooManyEdges
    return [
        swap(each.evolve(now, blocks_ids=[*each.blocks_ids, task.id]), each, "task")
        for each in blockers
    ]


def dependency_writes(task: Task, blockers: Sequence[Task], stamp: Stamp) -> list[Write]:
    writes: list[Write] = []
    for each in blockers:
        there = TaskDependency(**stamp(), task_id=task.id, depends_on_task_id=each.id)  # type: ignore[arg-type]
        back = TaskBlocks(**stamp(), task_id=each.id, blocked_task_id=task.id)  # type: ignore[arg-type]
        writes += [Put(there), Put(back)]
    return writes
