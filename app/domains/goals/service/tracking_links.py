"""Links of goals to metrics and habits of the tracking domain, stored on both sides."""

from dataclasses import replace

import strawberry

from app.core.errors import LimitExceeded
from app.domains.goals import keys
from app.domains.goals.rules.criteria import MOST_GOALS_OF_METRIC, linked_ids
from app.domains.goals.rules.links import MOST_MEASURES, add_link, remove_link
from app.domains.goals.service.base import GoalsService
from app.domains.goals.types import CriterionMetric, Goal, GoalHabit, GoalMetric
from app.domains.service import uses
from app.domains.tracking.service import Habits, Metrics
from app.table.writes import Delete, Put, Write


class TrackingLinks(GoalsService):
    """Each method returns the changed goal and the writes of both link items. The goal itself is
    written by the caller."""

    metrics = uses(Metrics)
    habits = uses(Habits)

    async def link_metric(self, goal: Goal, metric_id: str) -> tuple[Goal, list[Write]]:
        ids = add_link(goal.metric_ids, strawberry.ID(metric_id), MOST_MEASURES)
        metric_writes = await self.metrics.link_goal(metric_id, goal.id)
        link = GoalMetric(**self.stamp(), goal_id=goal.id, metric_id=metric_id)
        return replace(goal, metric_ids=ids), [*metric_writes, Put(link)]

    async def link_habit(self, goal: Goal, habit_id: str) -> tuple[Goal, list[Write]]:
        ids = add_link(goal.habit_ids, strawberry.ID(habit_id), MOST_MEASURES)
        habit_writes = await self.habits.link_goal(habit_id, goal.id)
        link = GoalHabit(**self.stamp(), goal_id=goal.id, habit_id=habit_id)
        return replace(goal, habit_ids=ids), [*habit_writes, Put(link)]

    async def unlink_metric(self, goal: Goal, metric_id: str) -> tuple[Goal, list[Write]]:
        """A criterion of the goal that follows the metric goes on to follow it."""
        new = replace(goal, metric_ids=remove_link(goal.metric_ids, metric_id))
        writes = await self.metric_unlink_writes(goal.id, metric_id)
        if metric_id in linked_ids(goal.success_criteria, "linked_metric_id"):
            # Goals of release 0.1 have no such item until they are migrated.
            writes.append(Put(self._criterion_metric(goal.id, metric_id)))
        return new, writes

    async def follow_metric(self, goal_id: str, metric_id: str) -> list[Write]:
        """A criterion of the goal follows the metric from now on."""
        if len(await self.following(metric_id)) >= MOST_GOALS_OF_METRIC:
            raise LimitExceeded(
                f"Criteria of at most {MOST_GOALS_OF_METRIC} goals can follow a metric."
            )
        touched = await self.metrics.touch(metric_id)
        return [touched, Put(self._criterion_metric(goal_id, metric_id))]

    def stop_following(self, goal_id: str, metric_id: str) -> Write:
        return Delete(keys.criterion_metric(self.caller.user_id, metric_id, goal_id))

    async def following(self, metric_id: str) -> list[str]:
        """The goals with a criterion that follows the metric."""
        query = keys.goals_following_metric(self.caller.user_id, metric_id)
        return [each.goal_id for each in await self.read_all(query)]

    def _criterion_metric(self, goal_id: str, metric_id: str) -> CriterionMetric:
        return CriterionMetric(**self.stamp(), goal_id=goal_id, metric_id=metric_id)

    async def unlink_habit(self, goal: Goal, habit_id: str) -> tuple[Goal, list[Write]]:
        new = replace(goal, habit_ids=remove_link(goal.habit_ids, habit_id))
        return new, await self.habit_unlink_writes(goal.id, habit_id)

    async def metric_unlink_writes(self, goal_id: str, metric_id: str) -> list[Write]:
        metric_writes = await self.metrics.unlink_goal(metric_id, goal_id)
        return [*metric_writes, Delete(keys.goal_metric(goal_id, metric_id))]

    async def habit_unlink_writes(self, goal_id: str, habit_id: str) -> list[Write]:
        habit_writes = await self.habits.unlink_goal(habit_id, goal_id)
        return [*habit_writes, Delete(keys.goal_habit(goal_id, habit_id))]
