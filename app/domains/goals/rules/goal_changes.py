"""The fields of a goal or project that follow from its other fields."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from app.core.clock import to_day
from app.core.errors import BadInput
from app.domains.goals.types import Goal, GoalStatus, ProgressConfig, Project, ProjectStatus


def change_progress_config(
    config: ProgressConfig, changes: Mapping[str, Any] | None
) -> ProgressConfig:
    """Only the override may be null."""
    for name, value in (changes or {}).items():
        if value is None and name != "manual_override":
            raise BadInput(
                "A weight cannot be null; 0 leaves the part out.", field="input.progressConfig"
            )
    return replace(config, **(changes or {}))


def goal_achievement_changes(old: Goal | None, new: Goal) -> bool:
    was_achieved = old is not None and old.status is GoalStatus.Achieved
    return was_achieved != (new.status is GoalStatus.Achieved)


def project_completion_changes(old: Project | None, new: Project) -> bool:
    was_completed = old is not None and old.status is ProjectStatus.Completed
    return was_completed != (new.status is ProjectStatus.Completed)


def with_goal_completed_date(goal: Goal, today: date) -> Goal:
    is_achieved = goal.status is GoalStatus.Achieved
    return replace(goal, completed_date=to_day(today) if is_achieved else None)


def with_project_completed_date(project: Project, today: date) -> Project:
    is_completed = project.status is ProjectStatus.Completed
    return replace(project, completed_date=to_day(today) if is_completed else None)


def check_project_dates(project: Project) -> None:
    if project.start_date and project.end_date and project.end_date < project.start_date:
        raise BadInput("endDate lies before startDate.", field="input.endDate")
