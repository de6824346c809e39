"""Tasks in the graph."""

from functools import partial

import strawberry

from app.core.text import normal_words
from app.domains.goals.inputs import (
    AddTaskDependencyInput,
    CompleteTaskInput,
    CompleteTasksInput,
    CreateTaskInput,
    DeleteTaskInput,
    QuickAddTaskInput,
    RemoveTaskDependencyInput,
    ReopenTaskInput,
    SkipOccurrenceInput,
    ToggleTaskInput,
    UpdateTaskInput,
    UpdateTasksInput,
)
from app.domains.goals.schema.arguments import (
    Area,
    DueAfter,
    DueBefore,
    SubCategory,
    Tag,
    Text,
    tag_of,
)
from app.domains.goals.types import ManyTasks, Task, TaskOrder, TaskStatus
from app.graph.context import Info
from app.graph.fields import mutation, query
from app.graph.paging import Limit, NextToken, Page, page
from app.graph.selection import unneeded


@strawberry.type
class TasksQuery:
    @query(description="One of your tasks; null if there is none with this id.")
    async def task(self, info: Info, id: strawberry.ID) -> Task | None:
        return await info.context.tasks.task(id, without=unneeded(info, Task))

    @query(description="Your tasks, in the order they were made; with a due day, by due date.")
    async def tasks(
        self,
        info: Info,
        status: TaskStatus | None = None,
        area: Area = None,
        sub_category: SubCategory = None,
        tag: Tag = None,
        due_before: DueBefore = None,
        due_after: DueAfter = None,
        text: Text = None,
        order_by: TaskOrder = TaskOrder.CREATED,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Task]:
        tasks = info.context.tasks
        wanted = await tasks.wanted(
            status=status,
            area=area and normal_words(area),
            sub_category=sub_category and normal_words(sub_category),
            tag=tag_of(tag),
            due_after=due_after,
            due_before=due_before,
            text=text,
            without=unneeded(info, Task),
        )
        by_due = order_by is TaskOrder.DUE
        fetch = partial(tasks.tasks_by_due if by_due else tasks.tasks, wanted)
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="Your open tasks, the most urgent first. Looks at up to 1,000 of them.")
    async def urgent_tasks(self, info: Info, limit: Limit = 20) -> list[Task]:
        return await info.context.tasks.urgent(limit)


@strawberry.type
class TasksMutation:
    @mutation()
    async def create_task(self, info: Info, input: CreateTaskInput) -> Task:
        return await info.context.tasks.create(input)

    @mutation(description="A task out of plain words. Give either argument.")
    async def quick_add_task(
        self, info: Info, text: str | None = None, input: QuickAddTaskInput | None = None
    ) -> Task:
        return await info.context.tasks.quick_add(QuickAddTaskInput.said(input, text=text))

    @mutation()
    async def update_task(self, info: Info, input: UpdateTaskInput) -> Task:
        return await info.context.tasks.update(input)

    @mutation(
        description="Pays its points into your wallet, once. A recurring task makes way for its "
        "next occurrence (nextTaskId). Of a task that is done already, nothing changes."
    )
    async def complete_task(self, info: Info, input: CompleteTaskInput) -> Task:
        return await info.context.tasks.complete(input)

    @mutation(
        description="Takes the points that it was paid back out of your wallet; refused with "
        "INSUFFICIENT_POINTS if they are spent. Of a task that is not done, nothing changes."
    )
    async def reopen_task(self, info: Info, input: ReopenTaskInput) -> Task:
        return await info.context.tasks.reopen(input)

    @mutation(description="done: true is completeTask, false is reopenTask.")
    async def toggle_task(self, info: Info, input: ToggleTaskInput) -> Task:
        return await info.context.tasks.toggle(input)

    @mutation(description="Points that it was paid stay yours. Answers with the task as it was.")
    async def delete_task(self, info: Info, input: DeleteTaskInput) -> Task:
        return await info.context.removals.delete_task(input)

    @mutation(
        description="Moves a recurring task on to its next day, unpaid. After the last it is "
        "Cancelled."
    )
    async def skip_occurrence(self, info: Info, input: SkipOccurrenceInput) -> Task:
        return await info.context.tasks.skip_occurrence(input)

    @mutation(description="Up to 25 at once, each by itself.")
    async def complete_tasks(self, info: Info, input: CompleteTasksInput) -> ManyTasks:
        return await info.context.bulk.complete(input)

    @mutation(description="Up to 25 at once, each by itself.")
    async def update_tasks(self, info: Info, input: UpdateTasksInput) -> ManyTasks:
        return await info.context.bulk.update(input)

    @mutation(description="The task waits for the other, and shows as Blocked until it is done.")
    async def add_task_dependency(self, info: Info, input: AddTaskDependencyInput) -> Task:
        return await info.context.dependencies.add(input)

    @mutation()
    async def remove_task_dependency(self, info: Info, input: RemoveTaskDependencyInput) -> Task:
        return await info.context.dependencies.remove(input)
