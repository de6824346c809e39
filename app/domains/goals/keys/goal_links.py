"""Keys of the links of goals: tasks, projects, metrics, habits, children and tags."""

from app.domains.goals.types import (
    CriterionMetric,
    GoalChild,
    GoalHabit,
    GoalMetric,
    GoalProject,
    GoalTag,
    GoalTask,
)
from app.table.entity import Entity, Key, RangeQuery

GOAL_TASK = Entity(
    "GoalTask",
    GoalTask,
    pk="GOAL#{goal_id}",
    sk="TASK#{task_id}",
    gsi6=("GOAL#{goal_id}", "TASK#{due}#{task_id}"),
)
GOAL_METRIC = Entity("GoalMetric", GoalMetric, pk="GOAL#{goal_id}", sk="METRIC#{metric_id}")
CRITERION_METRIC = Entity(
    "CriterionMetric",
    CriterionMetric,
    pk="USER#{user_id}",
    sk="CRITERION#{metric_id}#{goal_id}",
)
GOAL_HABIT = Entity("GoalHabit", GoalHabit, pk="GOAL#{goal_id}", sk="HABIT#{habit_id}")
GOAL_PROJECT = Entity("GoalProject", GoalProject, pk="GOAL#{goal_id}", sk="PROJECT#{project_id}")
GOAL_CHILD = Entity("GoalChild", GoalChild, pk="GOAL#{goal_id}", sk="GOAL#{child_id}")
GOAL_TAG = Entity(
    "GoalTag",
    GoalTag,
    pk="GOAL#{goal_id}",
    sk="TAG#{tag}",
    gsi5=("USER#{user_id}#TAG#{tag}", "Goal#{goal_id}"),
)


def tasks_of_goal(goal_id: str) -> RangeQuery[GoalTask]:
    """A goal's tasks"""
    return GOAL_TASK.within(goal_id=goal_id)


def tasks_of_goal_by_due(goal_id: str) -> RangeQuery[GoalTask]:
    """A goal's tasks by due moment; those without one last"""
    return GOAL_TASK.within("GSI6", goal_id=goal_id)


def goal_task(goal_id: str, task_id: str) -> Key[GoalTask]:
    """Whether a task is linked to a goal"""
    return GOAL_TASK.key(goal_id=goal_id, task_id=task_id)


def goal_metric(goal_id: str, metric_id: str) -> Key[GoalMetric]:
    """Whether a metric is linked to a goal"""
    return GOAL_METRIC.key(goal_id=goal_id, metric_id=metric_id)


def metrics_of_goal(goal_id: str) -> RangeQuery[GoalMetric]:
    """A goal's metrics"""
    return GOAL_METRIC.within(goal_id=goal_id)


def criterion_metric(user_id: str, metric_id: str, goal_id: str) -> Key[CriterionMetric]:
    """Whether a criterion of a goal follows a metric"""
    return CRITERION_METRIC.key(user_id=user_id, metric_id=metric_id, goal_id=goal_id)


def goals_following_metric(user_id: str, metric_id: str) -> RangeQuery[CriterionMetric]:
    """The goals with a criterion that follows a metric"""
    return CRITERION_METRIC.within(user_id=user_id, metric_id=metric_id)


def goal_habit(goal_id: str, habit_id: str) -> Key[GoalHabit]:
    """Whether a habit is linked to a goal"""
    return GOAL_HABIT.key(goal_id=goal_id, habit_id=habit_id)


def habits_of_goal(goal_id: str) -> RangeQuery[GoalHabit]:
    """A goal's habits"""
    return GOAL_HABIT.within(goal_id=goal_id)


def goal_project(goal_id: str, project_id: str) -> Key[GoalProject]:
    """Whether a project is linked to a goal"""
    return GOAL_PROJECT.key(goal_id=goal_id, project_id=project_id)


def projects_of_goal(goal_id: str) -> RangeQuery[GoalProject]:
    """A goal's projects"""
    return GOAL_PROJECT.within(goal_id=goal_id)


def goal_child(goal_id: str, child_id: str) -> Key[GoalChild]:
    """Whether a goal is a child of another"""
    return GOAL_CHILD.key(goal_id=goal_id, child_id=child_id)


def children_of_goal(goal_id: str) -> RangeQuery[GoalChild]:
    """A goal's children"""
    return GOAL_CHILD.within(goal_id=goal_id)


def goal_tag(goal_id: str, tag: str) -> Key[GoalTag]:
    """Whether a goal has a tag"""
    return GOAL_TAG.key(goal_id=goal_id, tag=tag)


def goals_by_tag(user_id: str, tag: str) -> RangeQuery[GoalTag]:
    """A user's goals with a tag"""
    return GOAL_TAG.within("GSI5", user_id=user_id, tag=tag)
