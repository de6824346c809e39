"""Filters of lists."""

from datetime import date

import pytest

from app.core.errors import BadInput
from app.domains.goals.rules.calendar import UserCalendar
from app.domains.goals.rules.filters import (
    GoalListFilter,
    ProjectListFilter,
    TaskListFilter,
    due_search_range,
    with_due_range,
)
from app.domains.goals.types import GoalStatus, ProjectStatus, TaskStatus
from tests.goals.rules.records import make_goal, make_project, make_task

AUCKLAND = UserCalendar("Pacific/Auckland")


def test_an_empty_filter_matches_everything() -> None:
    assert TaskListFilter().matches(make_task())
    assert GoalListFilter().matches(make_goal())
    assert ProjectListFilter().matches(make_project())


def test_all_conditions_must_hold() -> None:
    task = make_task(title="Éclair", area="Home", tags=["a"], status=TaskStatus.OnHold)
    assert TaskListFilter(text="éCL", area="Home", tag="a", status=TaskStatus.OnHold).matches(task)
    assert not TaskListFilter(text="x").matches(task)
    assert TaskListFilter(area="home").matches(task)
    assert not TaskListFilter(area="garden").matches(task)
    assert not TaskListFilter(tag="b").matches(task)
    assert not TaskListFilter(status=TaskStatus.Done).matches(task)
    assert not TaskListFilter(predicate=lambda _: False).matches(task)
    assert not GoalListFilter(status=GoalStatus.Achieved).matches(make_goal())
    assert not ProjectListFilter(status=ProjectStatus.OnHold).matches(make_project())


def test_a_due_date_is_compared_as_a_date_in_every_time_zone() -> None:
    task = make_task(due_date="2026-01-08", due_at="2026-01-08T00:00:00.000Z")
    for calendar in (UserCalendar(), AUCKLAND):
        day = TaskListFilter(due_after="2026-01-08", due_before="2026-01-08")
        assert with_due_range(day, calendar).matches(task)
        assert not with_due_range(TaskListFilter(due_after="2026-01-09"), calendar).matches(task)


def test_a_due_moment_is_compared_with_the_owners_day() -> None:
    task = make_task(due_date="2026-01-08", due_at="2026-01-07T12:00:00.000Z", has_due_time=True)
    eighth = TaskListFilter(due_after="2026-01-08", due_before="2026-01-08")
    assert with_due_range(eighth, AUCKLAND).matches(task)
    assert not with_due_range(eighth, UserCalendar()).matches(task)


def test_tasks_without_a_due_date() -> None:
    due = make_task(due_date="2026-01-08", due_at="2026-01-08T00:00:00.000Z")
    assert TaskListFilter(has_due=True).matches(due)
    assert not TaskListFilter(has_due=False).matches(due)
    assert TaskListFilter(has_due=False).matches(make_task())
    assert not TaskListFilter(has_due=True).matches(make_task())


def test_the_search_range_is_wider_than_the_days() -> None:
    filter = with_due_range(TaskListFilter(due_after="2026-01-08"), UserCalendar())
    assert due_search_range(filter) == ("2026-01-06T16:00:00.000Z", None)


@pytest.mark.parametrize("day", [date.min.isoformat(), date.max.isoformat()])
def test_a_day_at_the_end_of_the_calendar_is_refused(day: str) -> None:
    with pytest.raises(BadInput):
        with_due_range(TaskListFilter(due_after=day, due_before=day), AUCKLAND)
