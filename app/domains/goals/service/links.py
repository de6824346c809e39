"""Linking things to goals, and tasks to projects; each link is seen from both sides."""

from functools import partial

import strawberry

from app.core.caller import Caller
from app.core.errors import BadInput
from app.domains.goals.inputs import (
    LinkToGoalInput,
    LinkToProjectInput,
    UnlinkFromGoalInput,
    UnlinkFromProjectInput,
)
from app.domains.goals.service.base import GoalsService
from app.domains.goals.service.measures import carrying, measuring, not_carrying, not_measuring
from app.domains.goals.service.progress import GoalKeeper, Happened
from app.domains.goals.service.projects import Projects
from app.domains.goals.service.tasks import MOST_GOALS, Tasks
from app.domains.goals.types import ActivityType, Goal, Project
from app.domains.people.service import Profiles
from app.domains.service import Decision
from app.resources import Resources

MOST_PROJECTS = 5
KINDS = ("task_id", "metric_id", "habit_id", "project_id")


class Links(GoalsService):
    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        profiles: Profiles,
        keeper: GoalKeeper,
        tasks: Tasks,
        projects: Projects,
    ) -> None:
        super().__init__(resources, caller, profiles)
        self.keeper = keeper
        self.tasks = tasks
        self.projects = projects

    async def link(self, request: LinkToGoalInput) -> Goal:
        kind, id = _one(request)
        await self.commit(partial(getattr(self, f"_link_{kind}"), request.goal_id, id))
        await self.keeper.catch_up()
        return await self.own_goal(request.goal_id)

    async def unlink(self, request: UnlinkFromGoalInput) -> Goal:
        kind, id = _one(request)
        await self.commit(partial(getattr(self, f"_unlink_{kind}"), request.goal_id, id))
        return await self.own_goal(request.goal_id)

    async def _link_task(self, goal_id: str, task_id: str) -> Decision[object]:
        goal, task = await self.own_goal(goal_id), await self.own_task(task_id)
        if goal.id in task.goal_ids:
            return Decision(task)
        changed = await self.tasks.changed(task, {"goal_ids": more(task.goal_ids, goal.id)})
        return Decision(changed.answer, changed.writes)

    async def _unlink_task(self, goal_id: str, task_id: str) -> Decision[object]:
        goal, task = await self.own_goal(goal_id), await self.own_task(task_id)
        if goal.id not in task.goal_ids:
            return Decision(task)
        changed = await self.tasks.changed(task, {"goal_ids": less(task.goal_ids, goal.id)})
        return Decision(changed.answer, changed.writes)

    async def _link_metric(self, goal_id: str, metric_id: str) -> Decision[object]:
        old = await self.own_goal(goal_id)
        metric = await self.keeper.metrics.known(metric_id)
        if metric.id in old.metric_ids:
            return Decision(old)
        new, links = await measuring(self.keeper, old.evolve(self.now), metric.id)
        story = _told(ActivityType.metric_linked, metric.name, "Metric", metric.id)
        new, writes = await self.keeper.change(old, new, [story])
        return Decision(new, [*writes, *links])

    async def _unlink_metric(self, goal_id: str, metric_id: str) -> Decision[object]:
        old = await self.own_goal(goal_id)
        metric = await self.keeper.metrics.known(metric_id)
        if metric.id not in old.metric_ids:
            return Decision(old)
        new, links = await not_measuring(self.keeper, old.evolve(self.now), metric.id)
        story = _told(ActivityType.metric_unlinked, metric.name, "Metric", metric.id)
        new, writes = await self.keeper.change(old, new, [story])
        return Decision(new, [*writes, *links])

    async def _link_habit(self, goal_id: str, habit_id: str) -> Decision[object]:
        old = await self.own_goal(goal_id)
        habit = await self.keeper.habits.known(habit_id)
        if habit.id in old.habit_ids:
            return Decision(old)
        new, links = await carrying(self.keeper, old.evolve(self.now), habit.id)
        story = _told(ActivityType.habit_linked, habit.name, "Habit", habit.id)
        new, writes = await self.keeper.change(old, new, [story])
        return Decision(new, [*writes, *links])

    async def _unlink_habit(self, goal_id: str, habit_id: str) -> Decision[object]:
        old = await self.own_goal(goal_id)
        habit = await self.keeper.habits.known(habit_id)
        if habit.id not in old.habit_ids:
            return Decision(old)
        new, links = await not_carrying(self.keeper, old.evolve(self.now), habit.id)
        story = _told(ActivityType.habit_unlinked, habit.name, "Habit", habit.id)
        new, writes = await self.keeper.change(old, new, [story])
        return Decision(new, [*writes, *links])

    async def _link_project(self, goal_id: str, project_id: str) -> Decision[object]:
        goal, project = await self.own_goal(goal_id), await self.own_project(project_id)
        if goal.id in project.goal_ids:
            return Decision(project)
        ids = more(project.goal_ids, goal.id)
        changed = await self.projects.changed(project, {"goal_ids": ids})
        return Decision(changed.answer, changed.writes)

    async def _unlink_project(self, goal_id: str, project_id: str) -> Decision[object]:
        goal, project = await self.own_goal(goal_id), await self.own_project(project_id)
        if goal.id not in project.goal_ids:
            return Decision(project)
        ids = less(project.goal_ids, goal.id)
        changed = await self.projects.changed(project, {"goal_ids": ids})
        return Decision(changed.answer, changed.writes)

    async def link_to_project(self, request: LinkToProjectInput) -> Project:
        async def decide() -> Decision[object]:
            project = await self.own_project(request.project_id)
            task = await self.own_task(request.task_id)
            if project.id in task.project_ids:
                return Decision(task)
            ids = more(task.project_ids, project.id, MOST_PROJECTS)
            changed = await self.tasks.changed(task, {"project_ids": ids})
            return Decision(changed.answer, changed.writes)

        await self.commit(decide)
        return await self.own_project(request.project_id)

    async def unlink_from_project(self, request: UnlinkFromProjectInput) -> Project:
        async def decide() -> Decision[object]:
            project = await self.own_project(request.project_id)
            task = await self.own_task(request.task_id)
            if project.id not in task.project_ids:
                return Decision(task)
            ids = less(task.project_ids, project.id)
            changed = await self.tasks.changed(task, {"project_ids": ids})
            return Decision(changed.answer, changed.writes)

        await self.commit(decide)
        return await self.own_project(request.project_id)


def more(
    ids: list[strawberry.ID], id: strawberry.ID, most: int = MOST_GOALS
) -> list[strawberry.ID]:
    if len(ids) >= most:
        raise BadInput(f"It has {most} such links already.", field="input")
    return [*ids, id]


def less(ids: list[strawberry.ID], id: strawberry.ID) -> list[strawberry.ID]:
    return [each for each in ids if each != id]


def _one(request: LinkToGoalInput | UnlinkFromGoalInput) -> tuple[str, str]:
    given = request.given()
    named = [(name.removesuffix("_id"), given[name]) for name in KINDS if given.get(name)]
    if len(named) != 1:
        raise BadInput("Name exactly one of taskId, metricId, habitId, projectId.", field="input")
    return named[0]


def _told(kind: ActivityType, title: str, entity: str, id: str) -> Happened:
    return Happened(type=kind, title=title, entity=entity, id=id)
