"""Inputs of tasks."""

from typing import Annotated

import strawberry
from pydantic import Field, StringConstraints

from app.core.ids import CLIENT_ID, ClientId
from app.core.inputs import Input
from app.core.text import DocumentText, IdempotencyKey, LifeArea, LongText, ShortText
from app.domains.goals.inputs.field_types import (
    EXPECTED_VERSION,
    IDEMPOTENCY_KEY,
    BulkIds,
    InputDate,
    InputMoment,
    Minutes,
    PlanText,
    SubCategoryName,
    TaskTags,
    UpToFiveIds,
    UpToTenIds,
)
from app.domains.goals.rules.recurrence import LARGEST_INTERVAL, LONGEST_RULE
from app.domains.goals.types import Priority, RecurrenceFrequency, RecurrenceMode, TaskStatus

Interval = Annotated[int, Field(ge=1, le=LARGEST_INTERVAL)]
RruleText = Annotated[str, StringConstraints(max_length=LONGEST_RULE)]
QuickAddText = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)
]


@strawberry.input(description="Either a frequency with an interval, or an rrule.")
class RecurrenceRuleInput(Input):
    frequency: RecurrenceFrequency | None = strawberry.field(
        default=strawberry.UNSET,
        description="The unit of the interval; not together with an rrule.",
    )
    interval: Interval | None = strawberry.field(
        default=strawberry.UNSET, description="1 if left out."
    )
    end_date: InputDate | None = strawberry.field(
        default=strawberry.UNSET,
        description="The last day on which it may come again.",
    )
    rrule: RruleText | None = strawberry.field(
        default=strawberry.UNSET,
        description="RFC 5545, e.g. FREQ=MONTHLY;BYDAY=3TU. Supported: FREQ (DAILY to YEARLY), "
        "INTERVAL, UNTIL, COUNT, BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS, WKST.",
    )
    mode: RecurrenceMode | None = strawberry.field(
        default=strawberry.UNSET,
        description="From which day the next occurrence is counted; DUE if left out.",
    )


@strawberry.input
class CreateTaskInput(Input):
    title: ShortText
    id: ClientId | None = strawberry.field(default=strawberry.UNSET, description=CLIENT_ID)
    description: LongText | None = strawberry.UNSET
    extended_description: DocumentText | None = strawberry.UNSET
    area: LifeArea | None = strawberry.UNSET
    sub_category: SubCategoryName | None = strawberry.UNSET
    priority: Priority | None = strawberry.field(
        default=strawberry.UNSET, description="P3 if left out."
    )
    status: TaskStatus | None = strawberry.UNSET
    size: Minutes | None = strawberry.field(
        default=strawberry.UNSET,
        description="Estimated minutes.",
    )
    due_date: InputDate | None = strawberry.UNSET
    due_at: InputMoment | None = strawberry.field(
        default=strawberry.UNSET,
        description="The moment at which it is due, instead of a due date.",
    )
    scheduled_date: InputDate | None = strawberry.UNSET
    is_recurring: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="True if left out and recurrenceRule is sent. False with a rule: the rule is "
        "kept, and completing the task makes no next occurrence.",
    )
    recurrence_rule: RecurrenceRuleInput | None = strawberry.UNSET
    notes: DocumentText | None = strawberry.UNSET
    nlp_plan: PlanText | None = strawberry.UNSET
    tags: TaskTags | None = strawberry.UNSET
    goal_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="The same as goalIds with one id."
    )
    goal_ids: UpToTenIds | None = strawberry.UNSET
    project_ids: UpToFiveIds | None = strawberry.UNSET
    depends_on_ids: UpToTenIds | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=IDEMPOTENCY_KEY
    )


@strawberry.input(description="Fields that are left out stay as they are. Null clears a field.")
class UpdateTaskInput(Input):
    id: strawberry.ID
    title: ShortText | None = strawberry.UNSET
    description: LongText | None = strawberry.UNSET
    extended_description: DocumentText | None = strawberry.UNSET
    area: LifeArea | None = strawberry.UNSET
    sub_category: SubCategoryName | None = strawberry.UNSET
    priority: Priority | None = strawberry.UNSET
    status: TaskStatus | None = strawberry.field(
        default=strawberry.UNSET, description="Done pays its points. Leaving Done takes them back."
    )
    size: Minutes | None = strawberry.UNSET
    due_date: InputDate | None = strawberry.UNSET
    due_at: InputMoment | None = strawberry.UNSET
    scheduled_date: InputDate | None = strawberry.UNSET
    is_recurring: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="True if left out and recurrenceRule is sent. False with a rule: the rule is "
        "kept, and completing the task makes no next occurrence.",
    )
    recurrence_rule: RecurrenceRuleInput | None = strawberry.UNSET
    notes: DocumentText | None = strawberry.UNSET
    nlp_plan: PlanText | None = strawberry.UNSET
    tags: TaskTags | None = strawberry.UNSET
    goal_ids: UpToTenIds | None = strawberry.UNSET
    project_ids: UpToFiveIds | None = strawberry.UNSET
    expected_version: int | None = strawberry.field(
        default=strawberry.UNSET, description=EXPECTED_VERSION
    )
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=IDEMPOTENCY_KEY
    )


@strawberry.input
class TaskChange(Input):
    id: strawberry.ID
    expected_version: int | None = strawberry.field(
        default=strawberry.UNSET, description=EXPECTED_VERSION
    )
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=IDEMPOTENCY_KEY
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
    text: QuickAddText = strawberry.field(
        description="E.g. Pay rent every month on the 1st at 9 p1 #Wealth. Recognized: days and "
        "times, every …, p1 to p4, ~30m, #Area, @tag."
    )
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=IDEMPOTENCY_KEY
    )


@strawberry.input
class CompleteTasksInput(Input):
    ids: BulkIds = strawberry.field(
        description="Your tasks.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(
    description="The same change of each task. Fields that are left out stay as they are."
)
class UpdateTasksInput(Input):
    ids: BulkIds = strawberry.field(
        description="Your tasks.",
    )
    area: LifeArea | None = strawberry.field(
        default=strawberry.UNSET,
        description="The life area of all of them; null clears it.",
    )
    sub_category: SubCategoryName | None = strawberry.field(
        default=strawberry.UNSET,
        description="The subcategory of all of them; null clears it.",
    )
    priority: Priority | None = strawberry.field(
        default=strawberry.UNSET,
        description="The priority of all of them.",
    )
    status: TaskStatus | None = strawberry.field(
        default=strawberry.UNSET,
        description="The status of all of them.",
    )
    size: Minutes | None = strawberry.field(
        default=strawberry.UNSET,
        description="The estimate of each, in minutes; null clears it.",
    )
    due_date: InputDate | None = strawberry.field(
        default=strawberry.UNSET,
        description="The day on which all of them are due; null clears it.",
    )
    scheduled_date: InputDate | None = strawberry.field(
        default=strawberry.UNSET,
        description="The day for which all of them are planned; null clears it.",
    )
    tags: TaskTags | None = strawberry.field(
        default=strawberry.UNSET,
        description="The tags of all of them, instead of those they have.",
    )
    goal_ids: UpToTenIds | None = strawberry.field(
        default=strawberry.UNSET,
        description="The goals of all of them, instead of those they have.",
    )
    project_ids: UpToFiveIds | None = strawberry.field(
        default=strawberry.UNSET,
        description="The projects of all of them, instead of those they have.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class AddTaskDependencyInput(Input):
    task_id: strawberry.ID = strawberry.field(description="The task that waits.")
    depends_on_task_id: strawberry.ID = strawberry.field(
        description="The task that must be done first."
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class RemoveTaskDependencyInput(Input):
    task_id: strawberry.ID
    depends_on_task_id: strawberry.ID = strawberry.field(
        description="The task that it no longer waits for."
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET
