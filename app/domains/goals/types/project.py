"""Projects."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from app.core.record import Node, computed
from app.core.scalars import AWSDate
from app.domains.goals.rules.states import Health, Priority, ProjectStatus
from app.domains.goals.types.task import Task
from app.graph.paging import Limit, NextToken, Page, page

if TYPE_CHECKING:
    from app.domains.goals.types.goal import Goal
    from app.graph.context import Info
else:
    from strawberry import Info

LazyGoals = list[Annotated["Goal", strawberry.lazy("app.domains.goals.types.goal")]]


@strawberry.type(description="How a project is doing today, and why.")
class ProjectHealth:
    health: Health | None = strawberry.field(description="Null while it is on hold or cancelled.")
    progress: int = strawberry.field(description="Percentage of its tasks that are done.")
    expected: int | None = strawberry.field(
        description="Percentage of its time that has passed; null without both dates."
    )
    overdue: int = strawberry.field(description="Open tasks past their due date.")
    reason: str


@strawberry.type(description="Tasks that lead to one result.")
class Project(Node):
    user_id: strawberry.Private[str]
    name: str
    description: str | None = None
    area: str | None = None
    sub_category: str | None = None
    priority: Priority = Priority.P3
    status: ProjectStatus = ProjectStatus.Planning
    impact: int | None = strawberry.field(default=None, description="1 (little) to 5 (much).")
    start_date: AWSDate | None = None
    end_date: AWSDate | None = strawberry.field(default=None, description="When it shall end.")
    completed_date: AWSDate | None = strawberry.field(
        default=None, description="Set when it becomes Completed."
    )
    notes: str | None = None
    cached_health: Health | None = strawberry.field(
        default=None, description="As of its last change; `health` is as of now."
    )
    cached_progress: int = strawberry.field(
        default=0,
        description="Percentage of its tasks that are done; cancelled ones do not count.",
    )
    goal_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="At most 10."
    )
    tasks_in_order: strawberry.Private[bool] = False
    tasks_total: strawberry.Private[int] = 0
    tasks_done: strawberry.Private[int] = 0

    @computed(description="How it is doing today, and why.", reads=[])
    async def health(self, info: Info) -> ProjectHealth:
        return await info.context.as_owner_of(self).projects.health(self)

    @computed(
        description="Its tasks by due date, the earliest first; those without one last.", reads=[]
    )
    async def tasks(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Task]:
        fetch = info.context.tasks.of_project(self)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(description="The goals that it serves.", reads=[])
    async def goals(self, info: Info) -> LazyGoals:
        return await info.context.goals.goals_by_ids(self.goal_ids)
