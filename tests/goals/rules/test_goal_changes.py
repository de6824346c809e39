"""Derived fields of goals and projects, and activities of goals."""

from dataclasses import replace
from datetime import date

import pytest

from app.core.errors import BadInput
from app.domains.goals.rules.activities import goal_activities
from app.domains.goals.rules.goal_changes import (
    change_progress_config,
    check_project_dates,
    goal_achievement_changes,
    project_completion_changes,
    with_goal_completed_date,
    with_project_completed_date,
)
from app.domains.goals.types import ActivityType, GoalStatus, ProgressConfig, ProjectStatus
from tests.goals.rules.records import NOW, make_goal, make_project

TODAY = date(2026, 1, 10)


def test_an_achieved_goal_has_a_completed_date() -> None:
    active, achieved = make_goal(), make_goal(status=GoalStatus.Achieved)
    assert goal_achievement_changes(None, achieved)
    assert goal_achievement_changes(achieved, active)
    assert not goal_achievement_changes(None, active)
    assert with_goal_completed_date(achieved, TODAY).completed_date == "2026-01-10"
    assert with_goal_completed_date(active, TODAY).completed_date is None


def test_a_completed_project_has_a_completed_date() -> None:
    active, completed = make_project(), make_project(status=ProjectStatus.Completed)
    assert project_completion_changes(active, completed)
    assert not project_completion_changes(completed, completed)
    assert with_project_completed_date(completed, TODAY).completed_date == "2026-01-10"
    assert with_project_completed_date(active, TODAY).completed_date is None


def test_a_project_cannot_end_before_it_starts() -> None:
    with pytest.raises(BadInput):
        check_project_dates(make_project(start_date="2026-01-02", end_date="2026-01-01"))
    check_project_dates(make_project(start_date="2026-01-01", end_date="2026-01-01"))


def test_only_the_override_may_be_null() -> None:
    config = ProgressConfig(manual_override=50)
    assert change_progress_config(config, None) == config
    changed = change_progress_config(config, {"manual_override": None, "tasks_weight": 0})
    assert (changed.manual_override, changed.tasks_weight) == (None, 0)
    with pytest.raises(BadInput):
        change_progress_config(config, {"tasks_weight": None})


def test_activities_of_a_changed_goal() -> None:
    old = make_goal()
    assert [*goal_activities(old, old.evolve(NOW))] == []
    both = old.evolve(NOW, status=GoalStatus.Active, title="Run")
    assert [(each.type, each.title) for each in goal_activities(old, both)] == [
        (ActivityType.status_changed, "Planning to Active"),
        (ActivityType.goal_updated, "Run"),
    ]
    overridden = replace(old, progress_config=ProgressConfig(manual_override=0))
    assert [(each.type, each.title) for each in goal_activities(old, overridden)] == [
        (ActivityType.progress_overridden, "0 %")
    ]
    assert [each.title for each in goal_activities(overridden, old)] == ["computed again"]
