"""Tasks."""

import dataclasses
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry

from app.core.clock import moment_of
from app.core.record import Node, computed
from app.core.scalars import AWSDate, AWSDateTime
from app.domains.goals.rules.states import (
    Priority,
    RecurrenceFrequency,
    RecurrenceMode,
    TaskStatus,
    is_open,
)
from app.domains.goals.rules.urgency import urgency

if TYPE_CHECKING:
    from app.domains.goals.types.goal import Goal
    from app.domains.goals.types.project import Project
    from app.graph.context import Info
else:
    from strawberry import Info

LazyGoals = list[Annotated["Goal", strawberry.lazy("app.domains.goals.types.goal")]]
LazyProjects = list[Annotated["Project", strawberry.lazy("app.domains.goals.types.project")]]


@strawberry.type(description="How a task comes back.")
class RecurrenceRule:
    frequency: RecurrenceFrequency
    interval: int = 1
    end_date: AWSDate | None = strawberry.field(
        default=None, description="No occurrence after this day."
    )
    rrule: str | None = strawberry.field(
        default=None, description="The RFC 5545 rule, if it was given as one."
    )
    mode: RecurrenceMode = RecurrenceMode.DUE
    count: int | None = strawberry.field(
        default=None, description="How many occurrences are left, this one included; null: no end."
    )
    pattern: strawberry.Private[str] = ""


@strawberry.type(description="Something to do. It may serve several goals and projects.")
class Task(Node):
    user_id: strawberry.Private[str]
    title: str
    description: str | None = None
    extended_description: str | None = None
    area: str | None = strawberry.field(default=None, description="Life area, e.g. Health.")
    sub_category: str | None = None
    priority: Priority = Priority.P3
    status: TaskStatus = strawberry.field(
        default=TaskStatus.NotStarted,
        description="Blocked while a task that it depends on is not done, then as it was before; "
        "what you set to Blocked yourself stays so.",
    )
    size: int | None = strawberry.field(default=None, description="Estimated minutes.")
    due_date: AWSDate | None = strawberry.field(default=None, description="In your time zone.")
    due_at: AWSDateTime | None = strawberry.field(
        default=None, description="The moment it is due; of a due date, when that day begins."
    )
    scheduled_date: AWSDate | None = strawberry.field(
        default=None, description="The day on which you mean to do it."
    )
    completed_date: AWSDateTime | None = None
    is_recurring: bool = False
    recurrence_rule: RecurrenceRule | None = None
    next_task_id: strawberry.ID | None = strawberry.field(
        default=None,
        description="The occurrence that came after this one; null if it was deleted and none "
        "came after that.",
    )
    point_value: int = strawberry.field(
        default=0,
        description="size times 3 (P1), 2 (P2), 1.5 (P3) or 1 (P4), a half rounded up; "
        "without a size as for 30 minutes. Fixed once it is paid.",
    )
    points_awarded: bool = strawberry.field(
        default=False, description="Whether the points were paid into your wallet."
    )
    notes: str | None = None
    nlp_plan: str | None = strawberry.field(
        default=None, description="A plan in plain words or JSON, up to 20,000 characters."
    )
    tags: list[str] = strawberry.field(default_factory=list, description="At most 10.")
    goal_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="At most 10."
    )
    project_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="At most 5."
    )
    depends_on_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="The tasks that must be done before this, at most 10."
    )
    blocks_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="The tasks that wait for this, at most 10."
    )
    action_id: strawberry.ID | None = strawberry.field(
        default=None, description="The action of your values tree that this task carries out."
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
        return is_open(self.status)

    @property
    def is_done(self) -> bool:
        return self.status is TaskStatus.Done

    def is_overdue(self, *, now: str, today: str) -> bool:
        """A due date is over when its day is; `today` is the user's."""
        if not self.is_open or self.due_at is None:
            return False
        return self.due_at < now if self.has_due_time else (self.due_date or "") < today

    @property
    def due_day(self) -> str | None:
        """The UTC day for reminders, while it is open and due."""
        return self.due_at[:10].replace("-", "") if self.due_at and self.is_open else None

    @property
    def agenda(self) -> str | None:
        """What is to be done and what was done on a day are two runs of one index."""
        if self.is_done:
            return "DONE"
        return "OPEN" if self.is_open else None

    @property
    def agenda_at(self) -> str | None:
        """When an open task first asks for attention; when a done one was done."""
        if self.is_done:
            return self.completed_date
        return min((each for each in (self.due_at, self.scheduled_at) if each), default=None)

    @computed(description="Whether the status is Done.", reads=[])
    def done(self) -> bool:
        return self.is_done

    @computed(description="The first of goalIds.", reads=[])
    def goal_id(self) -> strawberry.ID | None:
        return self.goal_ids[0] if self.goal_ids else None

    @computed(
        description="What to do first: the higher, the sooner. 0 if it is not open.", reads=[]
    )
    def urgency(self, info: Info) -> float:
        return self.urgency_at(info.context.resources.clock.now())

    def urgency_at(self, now: datetime) -> float:
        return urgency(
            priority=self.priority,
            status=self.status,
            due=moment_of(self.due_at) if self.due_at else None,
            created=moment_of(self.created_at),
            blocks=len(self.blocks_ids),
            now=now,
        )

    @computed(description="The tasks that must be done before this one.", reads=[])
    async def depends_on(self, info: Info) -> list["Task"]:
        return await info.context.tasks.tasks_by_ids(self.depends_on_ids)

    @computed(description="The tasks that wait for this one.", reads=[])
    async def blocks(self, info: Info) -> list["Task"]:
        return await info.context.tasks.tasks_by_ids(self.blocks_ids)

    @computed(description="The goals that it serves.", reads=[])
    async def goals(self, info: Info) -> LazyGoals:
        return await info.context.goals.goals_by_ids(self.goal_ids)

    @computed(description="The projects that it belongs to.", reads=[])
    async def projects(self, info: Info) -> LazyProjects:
        return await info.context.projects.projects_by_ids(self.project_ids)


@strawberry.type
class TaskRefusal:
    """Why one of several tasks was not changed."""

    id: strawberry.ID
    code: str
    message: str


@strawberry.type(description="Each task by itself: some may have been changed and others refused.")
class ManyTasks:
    tasks: list[Task]
    refusals: list[TaskRefusal]
