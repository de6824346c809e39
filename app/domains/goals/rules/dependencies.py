"""Dependencies between tasks."""

from dataclasses import replace

from app.core.errors import BadInput
from app.core.scalars import AWSDateTime
from app.domains.goals.rules.task_changes import with_waiting_for
from app.domains.goals.types import Task

MOST_DEPENDENCIES = 10


class TooManyDependencies(BadInput):
    def __init__(self) -> None:
        super().__init__(
            f"A task waits for at most {MOST_DEPENDENCIES} others, and as many wait for it.",
            field="input",
        )


def with_dependency(task: Task, blocker: Task) -> Task:
    """The task when it depends on the blocker."""
    if len(task.depends_on_ids) >= MOST_DEPENDENCIES:
        raise TooManyDependencies
    waiting_for = [*task.waiting_for, *([] if blocker.is_done else [blocker.id])]
    return replace(
        with_waiting_for(task, waiting_for), depends_on_ids=[*task.depends_on_ids, blocker.id]
    )


def without_dependency(task: Task, blocker_id: str) -> Task:
    waiting_for = [each for each in task.waiting_for if each != blocker_id]
    depends_on = [each for each in task.depends_on_ids if each != blocker_id]
    return replace(with_waiting_for(task, waiting_for), depends_on_ids=depends_on)


def with_blocked_task(blocker: Task, task_id: str, now: AWSDateTime) -> Task:
    if len(blocker.blocks_ids) >= MOST_DEPENDENCIES:
        raise TooManyDependencies
    return blocker.evolve(now, blocks_ids=[*blocker.blocks_ids, task_id])


def without_blocked_task(blocker: Task, task_id: str, now: AWSDateTime) -> Task:
    return blocker.evolve(now, blocks_ids=[each for each in blocker.blocks_ids if each != task_id])


def after_blocker_change(task: Task, blocker: Task) -> Task:
    """A dependent task once its blocker was completed or reopened."""
    others = [id for id in task.waiting_for if id != blocker.id]
    waiting_for = others if blocker.is_done else [*others, blocker.id]
    return task if waiting_for == task.waiting_for else with_waiting_for(task, waiting_for)
