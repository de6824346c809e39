"""Goals."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from app.core.record import Node, computed
from app.core.scalars import AWSDate, AWSDateTime
from app.domains.goals.rules.states import GoalStatus, Priority, TimeHorizon
from app.domains.goals.types.milestone import GoalActivity, Milestone
from app.domains.goals.types.task import Task
from app.domains.tracking.types import Habit, Metric
from app.graph.paging import Limit, NextToken, Page, page

if TYPE_CHECKING:
    from app.domains.goals.types.project import Project
    from app.graph.context import Info
else:
    from strawberry import Info

LazyProjects = list[Annotated["Project", strawberry.lazy("app.domains.goals.types.project")]]


@strawberry.type(description="What must be true when the goal is reached.")
class SuccessCriterion:
    id: strawberry.ID
    text: str
    is_completed: bool = False
    completed_at: AWSDateTime | None = None
    linked_metric_id: strawberry.ID | None = strawberry.field(
        default=None, description="Completed by itself while this metric is at its target."
    )
    linked_task_id: strawberry.ID | None = strawberry.field(
        default=None, description="Completed by itself while this task is Done."
    )
    target_date: AWSDate | None = None
    order: int = strawberry.field(default=0, description="Its place, from 1.")


@strawberry.type(description="How progress is weighed. Only what the goal has is counted.")
class ProgressConfig:
    criteria_weight: int = 40
    tasks_weight: int = 30
    metrics_weight: int = 20
    habits_weight: int = 10
    manual_override: int | None = strawberry.field(
        default=None, description="0 to 100: the progress, whatever the parts say; null: computed."
    )


@strawberry.type
class ProgressPart:
    name: str = strawberry.field(description="criteria, tasks, metrics or habits")
    weight: int
    value: float = strawberry.field(description="0 to 100.")
    count: int = strawberry.field(description="How many are done or reached.")
    total: int = strawberry.field(description="Of how many; a part with 0 is not counted.")


@strawberry.type(description="How far a goal is, and why.")
class GoalProgress:
    percent: int = strawberry.field(
        description="The weighted mean of the parts that have members, or the manual override."
    )
    is_manual: bool = strawberry.field(description="Whether the override decides.")
    parts: list[ProgressPart]


@strawberry.type(description="A goal with all goals below it; abandoned ones are left out.")
class RollUp:
    percent: int = strawberry.field(
        description="Mean of the cachedProgress of the lowest goals below it; its own if none."
    )
    goals: int = strawberry.field(description="How many goals lie below it.")
    achieved: int = strawberry.field(description="How many of them are Achieved.")


@strawberry.type(description="What you want to reach.")
class Goal(Node):
    user_id: strawberry.Private[str]
    title: str
    description: str | None = None
    area: str | None = strawberry.field(default=None, description="Life area, e.g. Health.")
    sub_category: str | None = None
    time_horizon: TimeHorizon | None = None
    priority: Priority = Priority.P3
    status: GoalStatus = GoalStatus.Planning
    target_date: AWSDate | None = None
    completed_date: AWSDate | None = strawberry.field(
        default=None, description="Set when it becomes Achieved, in your time zone."
    )
    success_criteria: list[SuccessCriterion] = strawberry.field(
        default_factory=list, description="At most 50, in their order."
    )
    progress_config: ProgressConfig = strawberry.field(default_factory=ProgressConfig)
    cached_progress: int = strawberry.field(
        default=0, description="0 to 100, as of the last change; `progress` is as of now."
    )
    parent_goal_id: strawberry.ID | None = None
    last_activity_at: AWSDateTime | None = None
    notes: str | None = None
    tags: list[str] = strawberry.field(default_factory=list, description="At most 20.")
    metric_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="At most 20."
    )
    habit_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="At most 20."
    )
    tasks_in_order: strawberry.Private[bool] = False
    tasks_total: strawberry.Private[int] = 0
    tasks_done: strawberry.Private[int] = 0
    milestone_count: strawberry.Private[int] = 0
    child_count: strawberry.Private[int] = 0

    # To whom it is shared, the numbers are its owner's, and the lists of other records are empty.

    @computed(
        description="Its tasks by due date, the earliest first; those without one last.", reads=[]
    )
    async def tasks(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Task]:
        fetch = info.context.tasks.of_goal(self)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(description="How far it is as of now, and why.", reads=["success_criteria"])
    async def progress(self, info: Info) -> GoalProgress:
        return await info.context.as_owner_of(self).goals.progress(self)

    @computed(description="What happened to it, newest first.", reads=[])
    async def activity(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[GoalActivity]:
        fetch = info.context.goals.activity_of(self)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(description="Its milestones by percentage.", reads=[])
    async def milestones(self, info: Info) -> list[Milestone]:
        return await info.context.milestones.of_goal(self)

    @computed(description="The goal that it is a part of.", reads=[])
    async def parent(self, info: Info) -> "Goal | None":
        if self.parent_goal_id is None:
            return None
        return await info.context.goals.goal(self.parent_goal_id)

    @computed(description="The goals that are parts of it.", reads=[])
    async def children(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page["Goal"]:
        fetch = info.context.goals.children_of(self)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(description="Its progress together with all goals below it.", reads=[])
    async def roll_up(self, info: Info) -> RollUp:
        return await info.context.as_owner_of(self).goals.roll_up(self)

    @computed(description="The projects that serve it.", reads=[])
    async def projects(self, info: Info) -> LazyProjects:
        return await info.context.projects.of_goal(self)

    @computed(description="The metrics that measure it.", reads=[])
    async def metrics(self, info: Info) -> list[Metric]:
        return await info.context.goals.metrics_of(self)

    @computed(description="The habits that carry it.", reads=[])
    async def habits(self, info: Info) -> list[Habit]:
        return await info.context.goals.habits_of(self)
