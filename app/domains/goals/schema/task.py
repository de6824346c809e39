"""Queries and mutations of tasks."""

from functools import partial
from typing import Annotated

import strawberry

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
    TaskFilter,
    ToggleTaskInput,
    UpdateTaskInput,
    UpdateTasksInput,
)
from app.domains.goals.schema.arguments import (
    AreaArgument,
    DueAfterArgument,
    DueBeforeArgument,
    SubCategoryArgument,
    TagArgument,
    TextArgument,
)
from app.domains.goals.schema.list_filters import task_filter
from app.domains.goals.types import (
    ManyTasks,
    QuickAddPreview,
    Task,
    TaskCounts,
    TaskGrouping,
    TaskOrder,
    TaskStatus,
)
from app.graph.context import Info
from app.graph.fields import mutation, query
from app.graph.ordering import DirectionArgument, OrderDirection
from app.graph.paging import Limit, NextToken, Page, page, page_size


@strawberry.type
class TasksQuery:
    @query(description="One of your tasks. Null if you have none with this id.")
    async def task(self, info: Info, id: strawberry.ID) -> Task | None:
        return await info.context.tasks.task(id)

    @query(
        description="Your tasks. A status, an area, a tag, a goal, a project or due dates are "
        "looked up; for other conditions at most 5,000 tasks are read at once, and a page may then "
        "be short though there is a nextToken."
    )
    async def tasks(
        self,
        info: Info,
        status: TaskStatus | None = None,
        area: AreaArgument = None,
        sub_category: SubCategoryArgument = None,
        tag: TagArgument = None,
        due_before: DueBeforeArgument = None,
        due_after: DueAfterArgument = None,
        text: TextArgument = None,
        filter: TaskFilter | None = None,
        order_by: TaskOrder = TaskOrder.CREATED,
        direction: DirectionArgument = OrderDirection.ASC,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Task]:
        tasks = info.context.tasks
        found = task_filter(
            filter,
            status=status,
            area=area,
            sub_category=sub_category,
            tag=tag,
            due_after=due_after,
            due_before=due_before,
            text=text,
        )
        is_descending = direction is OrderDirection.DESC
        fetch = partial(tasks.tasks, found, order=order_by, is_descending=is_descending)
        count = partial(tasks.count, found)
        return await page(info, fetch, limit=limit, next_token=next_token, count=count)

    @query(
        description="How many of your tasks have each status, area, priority or due day: for "
        "badges. Counts at most 5,000 tasks; beyond that LIMIT_EXCEEDED: narrow the filter."
    )
    async def task_counts(
        self,
        info: Info,
        group_by: Annotated[
            TaskGrouping, strawberry.argument(description="What to count the tasks by.")
        ],
        filter: TaskFilter | None = None,
    ) -> TaskCounts:
        return await info.context.tasks.counts(task_filter(filter), group_by)

    @query(description="Your open tasks, the most urgent first. Ranks at most 1,000 of them.")
    async def urgent_tasks(self, info: Info, limit: Limit = 20) -> list[Task]:
        return await info.context.tasks.urgent_tasks(page_size(limit))

    @query(
        description="What quickAddTask would make of a text, and what it understands of it. "
        "Nothing is stored: ask it while somebody types."
    )
    async def quick_add_preview(
        self,
        info: Info,
        text: Annotated[str, strawberry.argument(description="1 to 500 characters.")],
    ) -> QuickAddPreview:
        request = QuickAddTaskInput(text=text).validate()
        return await info.context.tasks.preview_quick_add(request)


@strawberry.type
class TasksMutation:
    @mutation(description="Creates a task.")
    async def create_task(self, info: Info, input: CreateTaskInput) -> Task:
        return await info.context.tasks.create(input)

    @mutation(description="Creates a task from one sentence.")
    async def quick_add_task(
        self,
        info: Info,
        text: Annotated[
            str | None,
            strawberry.argument(
                description="The sentence.", deprecation_reason="Send input: {text: …} instead."
            ),
        ] = None,
        input: QuickAddTaskInput | None = None,
    ) -> Task:
        return await info.context.tasks.quick_add(
            QuickAddTaskInput.from_argument_or_input(input, text=text)
        )

    @mutation(
        description="Changes the fields that are sent; null clears one. Setting status to Done "
        "completes the task."
    )
    async def update_task(self, info: Info, input: UpdateTaskInput) -> Task:
        return await info.context.tasks.update(input)

    @mutation(
        description="Pays its points into your wallet, once. A recurring task gets its next "
        "occurrence (nextTaskId). No effect if it is done already."
    )
    async def complete_task(self, info: Info, input: CompleteTaskInput) -> Task:
        return await info.context.tasks.complete(input)

    @mutation(
        description="Takes its points back from your wallet. Refused with INSUFFICIENT_POINTS if "
        "they are spent. The next occurrence of a recurring task is removed, if nobody changed it; "
        "else CONFLICT with its id (nextTaskId). No effect if it is not done."
    )
    async def reopen_task(self, info: Info, input: ReopenTaskInput) -> Task:
        return await info.context.tasks.reopen(input)

    @mutation(description="done: true is completeTask, done: false is reopenTask.")
    async def toggle_task(self, info: Info, input: ToggleTaskInput) -> Task:
        return await info.context.tasks.toggle(input)

    @mutation(description="Its points stay in your wallet. Returns the task as it was.")
    async def delete_task(self, info: Info, input: DeleteTaskInput) -> Task:
        return await info.context.removals.delete_task(input)

    @mutation(
        description="Moves an open, recurring task to its next day without paying points. After "
        "the last day the task is Cancelled."
    )
    async def skip_occurrence(self, info: Info, input: SkipOccurrenceInput) -> Task:
        return await info.context.tasks.skip_occurrence(input)

    @mutation(description="1 to 25 tasks. Each is changed on its own.")
    async def complete_tasks(self, info: Info, input: CompleteTasksInput) -> ManyTasks:
        return await info.context.bulk.complete(input)

    @mutation(description="1 to 25 tasks. Each is changed on its own.")
    async def update_tasks(self, info: Info, input: UpdateTasksInput) -> ManyTasks:
        return await info.context.bulk.update(input)

    @mutation(description="The task is Blocked until the other one is done.")
    async def add_task_dependency(self, info: Info, input: AddTaskDependencyInput) -> Task:
        return await info.context.dependencies.add(input)

    @mutation(description="The task no longer waits for the other one.")
    async def remove_task_dependency(self, info: Info, input: RemoveTaskDependencyInput) -> Task:
        return await info.context.dependencies.remove(input)
