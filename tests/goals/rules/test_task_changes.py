"""Derived fields of tasks."""

from datetime import date

import pytest

from app.core.errors import BadInput
from app.domains.goals.errors import DependencyOpen
from app.domains.goals.rules.calendar import UserCalendar
from app.domains.goals.rules.task_changes import (
    check_has_rule,
    with_dates,
    with_derived_fields,
    with_recurrence,
    with_waiting_for,
)
from app.domains.goals.types import Priority, RecurrenceFrequency, TaskStatus
from tests.goals.rules.records import NOW, make_task

LISBON_AT_FOUR = UserCalendar("Europe/Lisbon", 4)
TODAY = date(2026, 1, 10)


def test_a_due_date_begins_with_the_owners_day() -> None:
    assert with_dates({"due_date": "2026-01-08"}, LISBON_AT_FOUR) == {
        "due_date": "2026-01-08",
        "due_at": "2026-01-08T04:00:00.000Z",
        "has_due_time": False,
    }
    assert with_dates({"due_date": None}, LISBON_AT_FOUR) == {
        "due_date": None,
        "due_at": None,
        "has_due_time": False,
    }


def test_a_due_moment_has_the_owners_date() -> None:
    changes = with_dates({"due_at": "2026-01-08T03:00:00.000Z"}, LISBON_AT_FOUR)
    assert (changes["due_date"], changes["has_due_time"]) == ("2026-01-07", True)
    with pytest.raises(BadInput):
        with_dates({"due_at": "2026-01-08T12:00:00.000Z", "due_date": "2026-01-10"}, LISBON_AT_FOUR)


def test_a_scheduled_date_has_its_moment_and_nothing_else_changes() -> None:
    assert with_dates({"scheduled_date": "2026-01-08", "size": 5}, UserCalendar()) == {
        "scheduled_date": "2026-01-08",
        "scheduled_at": "2026-01-08T00:00:00.000Z",
        "size": 5,
    }


def test_completion_pays_and_reopening_does_not() -> None:
    old = make_task(size=60, priority=Priority.P2)
    done = with_derived_fields(
        old, make_task(size=60, priority=Priority.P2, status=TaskStatus.Done), NOW
    )
    assert (done.points_paid, done.points_awarded, done.completed_date) == (120, True, NOW)
    reopened = with_derived_fields(done, make_task(size=60, priority=Priority.P2), NOW)
    assert (reopened.points_paid, reopened.points_awarded) == (0, False)
    assert reopened.completed_date is None


def test_points_are_fixed_once_paid() -> None:
    paid = make_task(status=TaskStatus.Done, points_awarded=True, points_paid=5, point_value=5)
    larger = make_task(
        size=600, status=TaskStatus.Done, points_awarded=True, points_paid=5, point_value=5
    )
    assert with_derived_fields(paid, larger, NOW).point_value == 5


@pytest.mark.parametrize("status", [TaskStatus.InProgress, TaskStatus.Done])
def test_a_waiting_task_cannot_start(status: TaskStatus) -> None:
    with pytest.raises(DependencyOpen):
        with_derived_fields(make_task(), make_task(status=status, waiting_for=["b"]), NOW)


def test_a_waiting_task_is_blocked_and_resumes() -> None:
    blocked = with_waiting_for(make_task(status=TaskStatus.InProgress), ["b"])
    assert (blocked.status, blocked.resume_status) == (TaskStatus.Blocked, TaskStatus.InProgress)
    resumed = with_waiting_for(blocked, [])
    assert (resumed.status, resumed.resume_status) == (TaskStatus.InProgress, None)


def test_a_task_that_its_owner_blocked_stays_blocked() -> None:
    blocked = make_task(status=TaskStatus.Blocked)
    assert with_waiting_for(with_waiting_for(blocked, ["b"]), []).status is TaskStatus.Blocked


def test_a_rule_counts_from_the_due_date_and_null_removes_it() -> None:
    rule = {"frequency": RecurrenceFrequency.WEEKLY}
    task = with_recurrence(make_task(due_date="2026-01-08"), rule, TODAY)
    assert (task.is_recurring, task.occurrence_date) == (True, "2026-01-08")
    assert task.recurrence_rule is not None
    assert "BYDAY=TH" in task.recurrence_rule.pattern
    assert with_recurrence(make_task(), rule, TODAY).occurrence_date == "2026-01-10"
    removed = with_recurrence(task, None, TODAY)
    assert (removed.is_recurring, removed.recurrence_rule) == (False, None)


@pytest.mark.parametrize(
    "rule",
    [
        {},
        {"frequency": RecurrenceFrequency.DAILY, "rrule": "FREQ=DAILY"},
        {"rrule": "FREQ=DAILY", "interval": 2},
        {"frequency": RecurrenceFrequency.DAILY, "end_date": "2026-01-01"},
    ],
)
def test_a_contradictory_rule_is_refused(rule: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        with_recurrence(make_task(due_date="2026-01-08"), rule, TODAY)


def test_a_recurring_task_needs_a_rule() -> None:
    with pytest.raises(BadInput):
        check_has_rule(make_task(is_recurring=True))
    check_has_rule(make_task())
