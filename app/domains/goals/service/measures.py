"""What measures and carries a goal: metrics and habits of the domain below."""

from dataclasses import replace

import strawberry

from app.core.errors import BadInput
from app.domains.goals import keys
from app.domains.goals.service.progress import GoalKeeper
from app.domains.goals.types import Goal, GoalHabit, GoalMetric
from app.table.writes import Delete, Put, Write

MOST_MEASURES = 20


async def measuring(keeper: GoalKeeper, goal: Goal, metric_id: str) -> tuple[Goal, list[Write]]:
    """The goal with this metric, and the link seen from both sides."""
    _check(goal.metric_ids, "metrics")
    theirs = await keeper.metrics.link_goal(metric_id, goal.id)
    link = GoalMetric(**keeper.stamp(), goal_id=goal.id, metric_id=metric_id)  # type: ignore[arg-type]
    ids = [*goal.metric_ids, strawberry.ID(metric_id)]
    return replace(goal, metric_ids=ids), [*theirs, Put(link)]


async def carrying(keeper: GoalKeeper, goal: Goal, habit_id: str) -> tuple[Goal, list[Write]]:
    _check(goal.habit_ids, "habits")
    theirs = await keeper.habits.link_goal(habit_id, goal.id)
    link = GoalHabit(**keeper.stamp(), goal_id=goal.id, habit_id=habit_id)  # type: ignore[arg-type]
    ids = [*goal.habit_ids, strawberry.ID(habit_id)]
    return replace(goal, habit_ids=ids), [*theirs, Put(link)]


async def not_measuring(keeper: GoalKeeper, goal: Goal, metric_id: str) -> tuple[Goal, list[Write]]:
    """Without this metric; a criterion that hung on it is free."""
    theirs = await keeper.metrics.unlink_goal(metric_id, goal.id)
    ids = [each for each in goal.metric_ids if each != metric_id]
    criteria = [
        replace(each, linked_metric_id=None) if each.linked_metric_id == metric_id else each
        for each in goal.success_criteria
    ]
    goal = replace(goal, metric_ids=ids, success_criteria=criteria)
    return goal, [*theirs, Delete(keys.goal_metric(goal.id, metric_id))]


async def not_carrying(keeper: GoalKeeper, goal: Goal, habit_id: str) -> tuple[Goal, list[Write]]:
    theirs = await keeper.habits.unlink_goal(habit_id, goal.id)
    ids = [each for each in goal.habit_ids if each != habit_id]
    goal = replace(goal, habit_ids=ids)
    return goal, [*theirs, Delete(keys.goal_habit(goal.id, habit_id))]


def _check(ids: list[strawberry.ID], what: str) -> None:
    if len(ids) >= MOST_MEASURES:
        raise BadInput(f"A goal has at most {MOST_MEASURES} {what}.", field="input")
