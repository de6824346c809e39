"""Relations and computed fields of goals, tasks and projects."""

from functools import partial

from app.core.record import computed
from app.domains.goals.rules.points import explain_points
from app.domains.goals.rules.urgency import urgency, urgency_parts
from app.domains.goals.types import (
    Goal,
    GoalActivity,
    GoalProgress,
    Milestone,
    PointsExplanation,
    Project,
    ProjectHealth,
    RollUp,
    Task,
    UrgencyPart,
)
from app.domains.tracking.types import Habit, Metric
from app.graph.context import Info
from app.graph.fields import fields_of
from app.graph.paging import Limit, NextToken, Page, page


@fields_of(Goal)
class GoalFields(Goal):
    @computed(description="Its tasks by due date; tasks without one last.")
    async def tasks(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Task]:
        fetch = info.context.tasks.of_goal(self)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(description="Its current progress and its parts.")
    async def progress(self, info: Info) -> GoalProgress:
        return await info.context.services_of_owner(self).goal_writer.progress(self)

    @computed(description="Its history, newest first. Empty for everyone but the owner.")
    async def activity(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[GoalActivity]:
        fetch = partial(info.context.goals.activities_of, self)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(description="Its milestones by percentage.")
    async def milestones(self, info: Info) -> list[Milestone]:
        return await info.context.milestones.of_goal(self)

    @computed(description="Its parent goal.")
    async def parent(self, info: Info) -> "Goal | None":
        if self.parent_goal_id is None:
            return None
        return await info.context.goals.goal(self.parent_goal_id)

    @computed(description="Its child goals.")
    async def children(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page["Goal"]:
        fetch = info.context.goals.children_of(self)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(description="The progress over all goals below it.")
    async def roll_up(self, info: Info) -> RollUp:
        return await info.context.services_of_owner(self).goals.roll_up(self)

    @computed(description="Its projects.")
    async def projects(self, info: Info) -> list[Project]:
        return await info.context.projects.of_goal(self)

    @computed(description="Its metrics.")
    async def metrics(self, info: Info) -> list[Metric]:
        return await info.context.goals.metrics_of(self)

    @computed(description="Its habits.")
    async def habits(self, info: Info) -> list[Habit]:
        return await info.context.goals.habits_of(self)


@fields_of(Project)
class ProjectFields(Project):
    @computed(description="Its health today, and the reason.")
    async def health(self, info: Info) -> ProjectHealth:
        return await info.context.services_of_owner(self).project_writer.health(self)

    @computed(description="Its tasks by due date; tasks without one last.")
    async def tasks(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Task]:
        fetch = info.context.tasks.of_project(self)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(description="Its goals.")
    async def goals(self, info: Info) -> list[Goal]:
        return await info.context.goals.goals_by_ids(self.goal_ids)


@fields_of(Task)
class TaskFields(Task):
    @computed(description="A score: the higher, the more urgent. 0 if the task is not open.")
    def urgency(self, info: Info) -> float:
        return urgency(self, info.context.resources.clock.now())

    @computed(
        description="The parts of `urgency`; their sum is the score. Empty if it is not open."
    )
    def urgency_parts(self, info: Info) -> list[UrgencyPart]:
        return urgency_parts(self, info.context.resources.clock.now())

    @computed(description="How `pointValue` comes about.")
    def points_explanation(self) -> PointsExplanation:
        return explain_points(self)

    @computed(description="The tasks that must be done before this one.")
    async def depends_on(self, info: Info) -> list["Task"]:
        return await info.context.tasks.tasks_by_ids(self.depends_on_ids)

    @computed(description="The tasks that wait for this one.")
    async def blocks(self, info: Info) -> list["Task"]:
        return await info.context.tasks.tasks_by_ids(self.blocks_ids)

    @computed(description="Its goals.")
    async def goals(self, info: Info) -> list[Goal]:
        return await info.context.goals.goals_by_ids(self.goal_ids)

    @computed(description="The first of its goals, that of goalId. Null if it has none.")
    async def goal(self, info: Info) -> Goal | None:
        return await info.context.goals.goal(self.goal_ids[0]) if self.goal_ids else None

    @computed(description="Its projects.")
    async def projects(self, info: Info) -> list[Project]:
        return await info.context.projects.projects_by_ids(self.project_ids)
