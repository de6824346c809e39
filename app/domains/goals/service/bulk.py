"""The same for several tasks. Each is a transaction of its own: one refusal stops no other."""

from collections.abc import Awaitable, Callable
from functools import partial

from app.core.caller import Caller
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
from app.domains.people.service import Profiles
from app.resources import Resources


class Bulk(GoalsService):
    def __init__(
        self, resources: Resources, caller: Caller, profiles: Profiles, tasks: Tasks
    ) -> None:
        super().__init__(resources, caller, profiles)
        self.tasks = tasks

    async def complete(self, request: CompleteTasksInput) -> ManyTasks:
        return await _each(
            [(id, partial(self.tasks.complete, CompleteTaskInput(id=id))) for id in request.ids]
        )

    async def update(self, request: UpdateTasksInput) -> ManyTasks:
        given = request.given()
        given.pop("ids")
        return await _each(
            [
                (id, partial(self.tasks.update, UpdateTaskInput(id=id, **given)))
                for id in request.ids
            ]
        )


async def _each(work: list[tuple[str, Callable[[], Awaitable[Task]]]]) -> ManyTasks:
    """One after another: they may belong to the same goal."""
    result = ManyTasks(tasks=[], refusals=[])
    for id, change in work:
        try:
            result.tasks.append(await change())
        except AppError as error:
            refusal = TaskRefusal(id=id, code=error.code, message=error.message)  # type: ignore[arg-type]
            result.refusals.append(refusal)
    return result
