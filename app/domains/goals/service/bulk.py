"""The same change of several tasks. Each task is a transaction of its own."""

from collections.abc import Awaitable, Callable, Sequence

import strawberry

from app.core.errors import AppError
from app.domains.goals.inputs import (
    CompleteTaskInput,
    CompleteTasksInput,
    UpdateTaskInput,
    UpdateTasksInput,
)
from app.domains.goals.service.base import GoalsService
from app.domains.goals.service.tasks import Tasks
from app.domains.goals.types import ManyTasks, Task, TaskRefusal
from app.domains.service import uses


class Bulk(GoalsService):
    tasks = uses(Tasks)

    async def complete(self, request: CompleteTasksInput) -> ManyTasks:
        async def complete_one(id: strawberry.ID) -> Task:
            return await self.tasks.complete(CompleteTaskInput(id=id))

        return await _for_each(request.ids, complete_one)

    async def update(self, request: UpdateTasksInput) -> ManyTasks:
        changes = request.sent_fields()
        changes.pop("ids")

        async def update_one(id: strawberry.ID) -> Task:
            return await self.tasks.update(UpdateTaskInput(id=id, **changes))

        return await _for_each(request.ids, update_one)


async def _for_each(
    ids: Sequence[strawberry.ID], change: Callable[[strawberry.ID], Awaitable[Task]]
) -> ManyTasks:
    """One after another, since the tasks may belong to the same goal."""
    tasks: list[Task] = []
    refusals: list[TaskRefusal] = []
    for id in ids:
        try:
            tasks.append(await change(id))
        except AppError as error:
            refusals.append(TaskRefusal(id=id, code=error.code, message=error.message))
    return ManyTasks(tasks=tasks, refusals=refusals)
