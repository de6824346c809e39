"""The values by which goals, tasks and projects are sorted."""

from collections.abc import Callable
from datetime import datetime

from app.core.text import fold_case
from app.domains.goals.rules.sorting import SortValue
from app.domains.goals.rules.urgency import urgency
from app.domains.goals.types import Goal, GoalOrder, Project, ProjectOrder, Task, TaskOrder


def task_value(order: TaskOrder, now: datetime) -> Callable[[Task], SortValue | None]:
    """Lower values come first, the most urgent task as the lowest."""
    values: dict[TaskOrder, Callable[[Task], SortValue | None]] = {
        TaskOrder.CREATED: lambda task: task.created_at,
        TaskOrder.UPDATED: lambda task: task.updated_at,
        TaskOrder.DUE: lambda task: task.due_at,
        TaskOrder.PRIORITY: lambda task: task.priority.value,
        TaskOrder.URGENCY: lambda task: -urgency(task, now),
        TaskOrder.TITLE: lambda task: fold_case(task.title),
    }
    return values[order]


def goal_value(order: GoalOrder) -> Callable[[Goal], SortValue | None]:
    values: dict[GoalOrder, Callable[[Goal], SortValue | None]] = {
        GoalOrder.CREATED: lambda goal: goal.created_at,
        GoalOrder.UPDATED: lambda goal: goal.updated_at,
        GoalOrder.TARGET: lambda goal: goal.target_date,
        GoalOrder.PRIORITY: lambda goal: goal.priority.value,
        GoalOrder.PROGRESS: lambda goal: goal.cached_progress,
        GoalOrder.TITLE: lambda goal: fold_case(goal.title),
    }
    return values[order]


def project_value(order: ProjectOrder) -> Callable[[Project], SortValue | None]:
    values: dict[ProjectOrder, Callable[[Project], SortValue | None]] = {
        ProjectOrder.CREATED: lambda project: project.created_at,
        ProjectOrder.UPDATED: lambda project: project.updated_at,
        ProjectOrder.END: lambda project: project.end_date,
        ProjectOrder.PRIORITY: lambda project: project.priority.value,
        ProjectOrder.PROGRESS: lambda project: project.cached_progress,
        ProjectOrder.NAME: lambda project: fold_case(project.name),
    }
    return values[order]
