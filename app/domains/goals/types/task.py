"""Tasks."""

import dataclasses

import strawberry

from app.core.record import Node, computed
from app.core.scalars import AWSDate, AWSDateTime, AWSTime
from app.domains.goals.types.enums import (
    OPEN_TASK_STATUSES,
    Priority,
    RecurrenceFrequency,
    RecurrenceMode,
    TaskStatus,
)
from app.domains.goals.types.quick_add import UnderstoodPhrase


@strawberry.type(description="The recurrence of a task.")
class RecurrenceRule:
    frequency: RecurrenceFrequency = strawberry.field(
        description="The unit of the interval; null: the rrule says it."
    )
    interval: int = strawberry.field(
        default=1,
        description="Every so many days, weeks, months or years.",
    )
    end_date: AWSDate | None = strawberry.field(
        default=None, description="No occurrence after this day."
    )
    rrule: str | None = strawberry.field(
        default=None, description="The RFC 5545 rule, if it was sent as one."
    )
    mode: RecurrenceMode = strawberry.field(
        default=RecurrenceMode.DUE,
        description="From which day the next occurrence is counted.",
    )
    count: int | None = strawberry.field(
        default=None, description="Remaining occurrences, including this one. Null: no limit."
    )
    pattern: strawberry.Private[str] = ""
    # The due time, while this occurrence falls into an hour that the clocks skip.
    clock_time: strawberry.Private[AWSTime | None] = None


@strawberry.type(description="A task. It may be linked to several goals and projects.")
class Task(Node):
    user_id: strawberry.Private[str]
    title: str = strawberry.field(description="What is to be done.")
    description: str | None = strawberry.field(
        default=None,
        description="Details in a few words.",
    )
    extended_description: str | None = strawberry.field(
        default=None,
        description="Details at length, as plain text or Markdown.",
    )
    area: str | None = strawberry.field(default=None, description="Life area, e.g. Health.")
    sub_category: str | None = strawberry.field(
        default=None,
        description="A part of the area, in your own words; null: none.",
    )
    priority: Priority = strawberry.field(
        default=Priority.P3,
        description="P1 is the most urgent; it multiplies the points.",
    )
    status: TaskStatus = strawberry.field(
        default=TaskStatus.NotStarted,
        description="Blocked while a task that it depends on is not done, then its former status. "
        "A task that you set to Blocked stays Blocked.",
    )
    size: int | None = strawberry.field(default=None, description="Estimated minutes.")
    due_date: AWSDate | None = strawberry.field(default=None, description="In your time zone.")
    due_at: AWSDateTime | None = strawberry.field(
        default=None,
        description="The moment at which it is due. With only a due date: the start of that day in "
        "your present time zone.",
    )
    scheduled_date: AWSDate | None = strawberry.field(
        default=None, description="The day for which you plan it."
    )
    completed_date: AWSDateTime | None = strawberry.field(
        default=None,
        description="When it was done; null: it is open.",
    )
    is_recurring: bool = strawberry.field(
        default=False,
        description="Whether completing it makes the next occurrence.",
    )
    recurrence_rule: RecurrenceRule | None = strawberry.field(
        default=None,
        description="When it comes again; null: it does not.",
    )
    understood: list[UnderstoodPhrase] = strawberry.field(
        default_factory=list,
        description="What quickAddTask understood of its text; empty for other tasks.",
    )
    next_task_id: strawberry.ID | None = strawberry.field(
        default=None,
        description="The next occurrence. If that was deleted: the one after it, or null.",
    )
    point_value: int = strawberry.field(
        default=0,
        description="size times 3 (P1), 2 (P2), 1.5 (P3) or 1 (P4), a half rounded up. Without a "
        "size: as for 30 minutes. Fixed once it is paid.",
    )
    points_awarded: bool = strawberry.field(
        default=False, description="Whether the points were paid into your wallet."
    )
    notes: str | None = strawberry.field(
        default=None,
        description="Your notes, as plain text or Markdown.",
    )
    nlp_plan: str | None = strawberry.field(
        default=None,
        description="A plan as text or JSON.",
    )
    tags: list[str] = strawberry.field(
        default_factory=list,
        description="Words to find it by.",
    )
    goal_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list,
        description="The goals that it belongs to.",
    )
    project_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list,
        description="The projects that it belongs to.",
    )
    depends_on_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list,
        description="The tasks that must be done first.",
    )
    blocks_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="The tasks that wait for this one, at most 10."
    )
    action_id: strawberry.ID | None = strawberry.field(
        default=None, description="The action of your values tree that the task belongs to."
    )
    previous_task_id: strawberry.Private[str | None] = None
    waiting_for: strawberry.Private[list[str]] = dataclasses.field(default_factory=list)
    resume_status: strawberry.Private[TaskStatus | None] = None
    criterion_goal_ids: strawberry.Private[list[str]] = dataclasses.field(default_factory=list)
    points_paid: strawberry.Private[int] = 0
    occurrence_date: strawberry.Private[AWSDate | None] = None
    has_due_time: strawberry.Private[bool] = False
    scheduled_at: strawberry.Private[AWSDateTime | None] = None
    shard: strawberry.Private[str | None] = None

    @property
    def is_open(self) -> bool:
        return self.status in OPEN_TASK_STATUSES

    @property
    def is_done(self) -> bool:
        return self.status is TaskStatus.Done

    @property
    def due_day(self) -> str | None:
        """The UTC day of dueAt of an open task: reminders are looked up by it."""
        return self.due_at[:10].replace("-", "") if self.due_at and self.is_open else None

    @property
    def agenda(self) -> str | None:
        """Open tasks and done tasks are separate partitions of one index."""
        if self.is_done:
            return "DONE"
        return "OPEN" if self.is_open else None

    @property
    def agenda_at(self) -> str | None:
        """Open: the earlier of the due and the scheduled moment. Done: the moment of completion."""
        if self.is_done:
            return self.completed_date
        return min((each for each in (self.due_at, self.scheduled_at) if each), default=None)

    @computed(description="Whether the status is Done.")
    def done(self) -> bool:
        return self.is_done

    @computed(description="The first of goalIds.")
    def goal_id(self) -> strawberry.ID | None:
        return self.goal_ids[0] if self.goal_ids else None


@strawberry.type(description="The error of a task that was not changed.")
class TaskRefusal:
    id: strawberry.ID = strawberry.field(description="The task that was not changed.")
    code: str = strawberry.field(description="The code of the error, as in extensions.code.")
    message: str = strawberry.field(description="Why, in one sentence.")


@strawberry.type(
    description="Each task is changed on its own: some may be changed and others refused."
)
class ManyTasks:
    tasks: list[Task] = strawberry.field(description="The tasks that were changed.")
    refusals: list[TaskRefusal] = strawberry.field(
        description="The tasks that were not, each with its reason."
    )


@strawberry.type(description="How many tasks have one value.")
class TaskCount:
    key: str | None = strawberry.field(
        description="The value, in the form that the grouping names. Null: tasks without one."
    )
    count: int = strawberry.field(description="Number of tasks.")


@strawberry.type(description="Tasks, counted by one of their values.")
class TaskCounts:
    total: int = strawberry.field(description="Number of all tasks that were counted.")
    groups: list[TaskCount] = strawberry.field(
        description="In the order of their keys; the tasks without a value last. Values that no "
        "task has are left out."
    )
