"""Links of goals to tasks, metrics, habits and projects, and of projects to tasks."""

from functools import partial

from app.domains.goals.inputs import (
    LinkToGoalInput,
    LinkToProjectInput,
    UnlinkFromGoalInput,
    UnlinkFromProjectInput,
)
from app.domains.goals.rules.activities import habit_activity, metric_activity
from app.domains.goals.rules.links import (
    MOST_GOALS,
    MOST_PROJECTS,
    add_link,
    only_link,
    remove_link,
)
from app.domains.goals.service.base import GoalsService
from app.domains.goals.service.goal_writer import GoalWriter
from app.domains.goals.service.projects import Projects
from app.domains.goals.service.tasks import Tasks
from app.domains.goals.service.tracking_links import TrackingLinks
from app.domains.goals.types import ActivityType, Goal, Project, Task
from app.domains.service import Decision, uses
from app.domains.tracking.service import Habits, Metrics


class Links(GoalsService):
    goal_writer = uses(GoalWriter)
    tracking_links = uses(TrackingLinks)
    metrics = uses(Metrics)
    habits = uses(Habits)
    tasks = uses(Tasks)
    projects = uses(Projects)

    async def link_to_goal(self, request: LinkToGoalInput) -> Goal:
        link = {
            "task_id": self._link_task,
            "metric_id": self._link_metric,
            "habit_id": self._link_habit,
            "project_id": self._link_project,
        }
        field, id = only_link(request.values())
        await self.do_once(request, partial(link[field], request.goal_id, id))
        await self.goal_writer.finish_pending_milestones()
        return await self.own_goal(request.goal_id)

    async def unlink_from_goal(self, request: UnlinkFromGoalInput) -> Goal:
        unlink = {
            "task_id": self._unlink_task,
            "metric_id": self._unlink_metric,
            "habit_id": self._unlink_habit,
            "project_id": self._unlink_project,
        }
        field, id = only_link(request.values())
        await self.do_once(request, partial(unlink[field], request.goal_id, id))
        return await self.own_goal(request.goal_id)

    async def _link_task(self, goal_id: str, task_id: str) -> Decision[object]:
        goal, task = await self.own_goal(goal_id), await self.own_task(task_id)
        if goal.id in task.goal_ids:
            return Decision(task)
        goal_ids = add_link(task.goal_ids, goal.id, MOST_GOALS)
        changed = await self.tasks.apply_change(task, {"goal_ids": goal_ids})
        return Decision(changed.answer, changed.writes)

    async def _unlink_task(self, goal_id: str, task_id: str) -> Decision[object]:
        goal, task = await self.own_goal(goal_id), await self.own_task(task_id)
        if goal.id not in task.goal_ids:
            return Decision(task)
        goal_ids = remove_link(task.goal_ids, goal.id)
        changed = await self.tasks.apply_change(task, {"goal_ids": goal_ids})
        return Decision(changed.answer, changed.writes)

    async def _link_metric(self, goal_id: str, metric_id: str) -> Decision[object]:
        old = await self.own_goal(goal_id)
        metric = await self.metrics.require(metric_id)
        if metric.id in old.metric_ids:
            return Decision(old)
        new, links = await self.tracking_links.link_metric(old.evolve(self.now), metric.id)
        activity = metric_activity(ActivityType.metric_linked, metric)
        new, writes = await self.goal_writer.apply_change(old, new, [activity])
        return Decision(new, [*writes, *links])

    async def _unlink_metric(self, goal_id: str, metric_id: str) -> Decision[object]:
        old = await self.own_goal(goal_id)
        metric = await self.metrics.require(metric_id)
        if metric.id not in old.metric_ids:
            return Decision(old)
        new, links = await self.tracking_links.unlink_metric(old.evolve(self.now), metric.id)
        activity = metric_activity(ActivityType.metric_unlinked, metric)
        new, writes = await self.goal_writer.apply_change(old, new, [activity])
        return Decision(new, [*writes, *links])

    async def _link_habit(self, goal_id: str, habit_id: str) -> Decision[object]:
        old = await self.own_goal(goal_id)
        habit = await self.habits.require(habit_id)
        if habit.id in old.habit_ids:
            return Decision(old)
        new, links = await self.tracking_links.link_habit(old.evolve(self.now), habit.id)
        activity = habit_activity(ActivityType.habit_linked, habit)
        new, writes = await self.goal_writer.apply_change(old, new, [activity])
        return Decision(new, [*writes, *links])

    async def _unlink_habit(self, goal_id: str, habit_id: str) -> Decision[object]:
        old = await self.own_goal(goal_id)
        habit = await self.habits.require(habit_id)
        if habit.id not in old.habit_ids:
            return Decision(old)
        new, links = await self.tracking_links.unlink_habit(old.evolve(self.now), habit.id)
        activity = habit_activity(ActivityType.habit_unlinked, habit)
        new, writes = await self.goal_writer.apply_change(old, new, [activity])
        return Decision(new, [*writes, *links])

    async def _link_project(self, goal_id: str, project_id: str) -> Decision[object]:
        goal, project = await self.own_goal(goal_id), await self.own_project(project_id)
        if goal.id in project.goal_ids:
            return Decision(project)
        goal_ids = add_link(project.goal_ids, goal.id, MOST_GOALS)
        changed = await self.projects.apply_change(project, {"goal_ids": goal_ids})
        return Decision(changed.answer, changed.writes)

    async def _unlink_project(self, goal_id: str, project_id: str) -> Decision[object]:
        goal, project = await self.own_goal(goal_id), await self.own_project(project_id)
        if goal.id not in project.goal_ids:
            return Decision(project)
        goal_ids = remove_link(project.goal_ids, goal.id)
        changed = await self.projects.apply_change(project, {"goal_ids": goal_ids})
        return Decision(changed.answer, changed.writes)

    # Tasks of projects.

    async def link_to_project(self, request: LinkToProjectInput) -> Project:
        async def decide() -> Decision[Task]:
            project = await self.own_project(request.project_id)
            task = await self.own_task(request.task_id)
            if project.id in task.project_ids:
                return Decision(task)
            ids = add_link(task.project_ids, project.id, MOST_PROJECTS)
            return await self.tasks.apply_change(task, {"project_ids": ids})

        await self.do_once(request, decide)
        return await self.own_project(request.project_id)

    async def unlink_from_project(self, request: UnlinkFromProjectInput) -> Project:
        async def decide() -> Decision[Task]:
            project = await self.own_project(request.project_id)
            task = await self.own_task(request.task_id)
            if project.id not in task.project_ids:
                return Decision(task)
            ids = remove_link(task.project_ids, project.id)
            return await self.tasks.apply_change(task, {"project_ids": ids})

        await self.do_once(request, decide)
        return await self.own_project(request.project_id)
