"""What clients send about tasks."""

from typing import Annotated

import strawberry
from pydantic import Field, StringConstraints

from app.core.ids import ClientId
from app.core.inputs import Input
from app.core.text import Area, Document, IdempotencyKey, Line, Paragraph
from app.domains.goals.inputs.words import (
    CLIENT_ID,
    EXPECTED,
    REPEAT,
    Day,
    FewIds,
    ManyIds,
    Minutes,
    Moment,
    Plan,
    ProjectIds,
    SubCategory,
    TaskTags,
)
from app.domains.goals.rules.recurrence import LARGEST_INTERVAL, LONGEST_RULE
from app.domains.goals.types import Priority, RecurrenceFrequency, RecurrenceMode, TaskStatus

Interval = Annotated[int, Field(ge=1, le=LARGEST_INTERVAL)]
Rule = Annotated[str, StringConstraints(max_length=LONGEST_RULE)]
Sentence = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


@strawberry.input(description="A frequency with an interval, or an RRULE, but not both.")
class RecurrenceRuleInput(Input):
    frequency: RecurrenceFrequency | None = strawberry.UNSET
    interval: Interval | None = strawberry.field(
        default=strawberry.UNSET, description="1 if left out: every one."
    )
    end_date: Day | None = strawberry.UNSET
    rrule: Rule | None = strawberry.field(
        default=strawberry.UNSET,
        description="RFC 5545, e.g. FREQ=MONTHLY;BYDAY=3TU. Known: FREQ (DAILY to YEARLY), "
        "INTERVAL, UNTIL, COUNT, BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS, WKST.",
    )
    mode: RecurrenceMode | None = strawberry.UNSET


@strawberry.input
class CreateTaskInput(Input):
    title: Line
    id: ClientId | None = strawberry.field(default=strawberry.UNSET, description=CLIENT_ID)
    description: Paragraph | None = strawberry.UNSET
    extended_description: Document | None = strawberry.UNSET
    area: Area | None = strawberry.UNSET
    sub_category: SubCategory | None = strawberry.UNSET
    priority: Priority | None = strawberry.field(
        default=strawberry.UNSET, description="P3 if left out."
    )
    status: TaskStatus | None = strawberry.UNSET
    size: Minutes | None = strawberry.field(
        default=strawberry.UNSET, description="Estimated minutes, 0 to 100,000."
    )
    due_date: Day | None = strawberry.UNSET
    due_at: Moment | None = strawberry.field(
        default=strawberry.UNSET, description="Instead of a due date, if it is due at a moment."
    )
    scheduled_date: Day | None = strawberry.UNSET
    is_recurring: bool | None = strawberry.UNSET
    recurrence_rule: RecurrenceRuleInput | None = strawberry.UNSET
    notes: Document | None = strawberry.UNSET
    nlp_plan: Plan | None = strawberry.UNSET
    tags: TaskTags | None = strawberry.UNSET
    goal_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="The same as goalIds with one id."
    )
    goal_ids: FewIds | None = strawberry.UNSET
    project_ids: ProjectIds | None = strawberry.UNSET
    depends_on_ids: FewIds | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=REPEAT
    )


@strawberry.input(description="What is left out stays as it is; null clears a field.")
class UpdateTaskInput(Input):
    id: strawberry.ID
    title: Line | None = strawberry.UNSET
    description: Paragraph | None = strawberry.UNSET
    extended_description: Document | None = strawberry.UNSET
    area: Area | None = strawberry.UNSET
    sub_category: SubCategory | None = strawberry.UNSET
    priority: Priority | None = strawberry.UNSET
    status: TaskStatus | None = strawberry.field(
        default=strawberry.UNSET, description="Done pays its points, leaving Done takes them back."
    )
    size: Minutes | None = strawberry.UNSET
    due_date: Day | None = strawberry.UNSET
    due_at: Moment | None = strawberry.UNSET
    scheduled_date: Day | None = strawberry.UNSET
    is_recurring: bool | None = strawberry.UNSET
    recurrence_rule: RecurrenceRuleInput | None = strawberry.UNSET
    notes: Document | None = strawberry.UNSET
    nlp_plan: Plan | None = strawberry.UNSET
    tags: TaskTags | None = strawberry.UNSET
    goal_ids: FewIds | None = strawberry.UNSET
    project_ids: ProjectIds | None = strawberry.UNSET
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=EXPECTED)
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=REPEAT
    )


@strawberry.input
class TaskChange(Input):
    id: strawberry.ID
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=EXPECTED)
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=REPEAT
    )


@strawberry.input
class CompleteTaskInput(TaskChange):
    pass


@strawberry.input
class ReopenTaskInput(TaskChange):
    pass


@strawberry.input
class ToggleTaskInput(TaskChange):
    done: bool


@strawberry.input
class DeleteTaskInput(TaskChange):
    pass


@strawberry.input
class SkipOccurrenceInput(TaskChange):
    pass


@strawberry.input
class QuickAddTaskInput(Input):
    text: Sentence = strawberry.field(
        description="e.g. Pay rent every month on the 1st at 9 p1 #Wealth. Understood: days and "
        "times, every …, p1 to p4, ~30m, #Area, @tag."
    )
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=REPEAT
    )


@strawberry.input
class CompleteTasksInput(Input):
    ids: ManyIds = strawberry.field(description="1 to 25.")


@strawberry.input(description="The same change for each; what is left out stays as it is.")
class UpdateTasksInput(Input):
    ids: ManyIds = strawberry.field(description="1 to 25.")
    area: Area | None = strawberry.UNSET
    sub_category: SubCategory | None = strawberry.UNSET
    priority: Priority | None = strawberry.UNSET
    status: TaskStatus | None = strawberry.UNSET
    size: Minutes | None = strawberry.UNSET
    due_date: Day | None = strawberry.UNSET
    scheduled_date: Day | None = strawberry.UNSET
    tags: TaskTags | None = strawberry.UNSET
    goal_ids: FewIds | None = strawberry.UNSET
    project_ids: ProjectIds | None = strawberry.UNSET


@strawberry.input
class AddTaskDependencyInput(Input):
    task_id: strawberry.ID = strawberry.field(description="The task that waits.")
    depends_on_task_id: strawberry.ID = strawberry.field(description="What it waits for.")


@strawberry.input
class RemoveTaskDependencyInput(Input):
    task_id: strawberry.ID
    depends_on_task_id: strawberry.ID
