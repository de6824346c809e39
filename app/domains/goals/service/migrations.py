"""Migrations of stored records of this domain."""

from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from app.core.caller import acting_for
from app.core.errors import Conflict
from app.domains.goals import keys
from app.domains.goals.rules.criteria import linked_ids
from app.domains.goals.rules.task_effects import link_due
from app.domains.goals.service.base import GoalsService
from app.domains.goals.service.goal_writer import GoalWriter
from app.domains.goals.service.tracking_links import TrackingLinks
from app.domains.goals.types import ActivityType, Goal, Project
from app.domains.service import Decision, Scope, uses
from app.domains.tracking.service import Metrics
from app.resources import Resources
from app.table.conditions import attr, present
from app.table.entity import RangeQuery
from app.table.writes import Put

T = TypeVar("T", Goal, Project)
METRIC_LINKS = (ActivityType.metric_linked, ActivityType.metric_unlinked)


async def add_due_to_task_links(resources: Resources, record: T) -> T:
    """Every link to a task of the goal or project gets its place by due moment."""
    table = resources.table
    links_of = keys.tasks_of_goal if isinstance(record, Goal) else keys.tasks_of_project
    query: RangeQuery[Any] = links_of(record.id)
    async for link in table.query_all(query):
        if link.due is None:
            task = await table.load(keys.task(record.user_id, link.task_id))
            placed = replace(link, due=link_due(task))
            has_no_due = present() & attr("due").absent()
            try:
                await table.write(Put(placed, when=has_no_due, otherwise=Conflict("It has moved.")))
            except Conflict:
                continue  # The task was changed or unlinked meanwhile, which wrote the link.
    return replace(record, tasks_in_order=True)


async def separate_criterion_metrics(resources: Resources, goal: Goal) -> Goal:
    """Before, a criterion that follows a metric also linked the metric to the goal. What was not
    linked by its owner, too, is a matter of the criterion alone."""
    scope = Scope(resources, acting_for(goal.user_id))
    return await scope.get(CriterionMetrics).separate(goal)


class CriterionMetrics(GoalsService):
    goal_writer = uses(GoalWriter)
    tracking_links = uses(TrackingLinks)
    metrics = uses(Metrics)

    async def separate(self, goal: Goal) -> Goal:
        followed = linked_ids(goal.success_criteria, "linked_metric_id")
        by_criterion = followed - await self._linked_by_owner(goal)
        for metric_id in sorted(await self.metrics.existing_ids(followed)):
            await self.commit(partial(self._follow, goal.id, metric_id))
            if metric_id in by_criterion:
                await self.commit(partial(self._unlink, goal.id, metric_id))
        metric_ids = [each for each in goal.metric_ids if each not in by_criterion]
        new = replace(goal, metric_ids=metric_ids, criteria_apart=True)
        return await self.goal_writer.with_progress(new)

    async def _linked_by_owner(self, goal: Goal) -> set[str]:
        """By its history: linking a metric is an activity, and a criterion's link was none."""
        last: dict[str, ActivityType] = {}
        for activity in await self.read_all(keys.activity_of_goal(goal.id)):
            if activity.type in METRIC_LINKS and activity.related_entity_id:
                last.setdefault(activity.related_entity_id, activity.type)
        return {id for id, type in last.items() if type is ActivityType.metric_linked}

    async def _follow(self, goal_id: str, metric_id: str) -> Decision[None]:
        if goal_id in await self.tracking_links.following(metric_id):
            return Decision(None)
        return Decision(None, await self.tracking_links.follow_metric(goal_id, metric_id))

    async def _unlink(self, goal_id: str, metric_id: str) -> Decision[None]:
        return Decision(None, await self.tracking_links.metric_unlink_writes(goal_id, metric_id))
