"""The same change of several tasks. Each task is a transaction of its own."""

from collections.abc import Awaitable, Callable, Sequence

import strawberry

from app.core.errors import AppError
from app.core.inputs import IdempotentInput
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
            key = _key_of_one(request, id)
            return await self.tasks.complete(CompleteTaskInput(id=id, idempotency_key=key))

        return await _for_each(request.ids, complete_one)

    async def update(self, request: UpdateTasksInput) -> ManyTasks:
        changes = request.sent_fields()
        changes.pop("ids")
        changes.pop("idempotency_key", None)

        async def update_one(id: strawberry.ID) -> Task:
            key = _key_of_one(request, id)
            return await self.tasks.update(UpdateTaskInput(id=id, idempotency_key=key, **changes))

        return await _for_each(request.ids, update_one)


def _key_of_one(request: IdempotentInput, id: strawberry.ID) -> str | None:
    """Each task has a receipt of its own: a repeated request goes on where the first stopped."""
    key = request.idempotency_key
    return f"{key}:{id}" if isinstance(key, str) else None


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
