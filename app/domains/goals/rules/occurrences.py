"""Occurrences of a recurring task."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import strawberry

from app.core.clock import instant, parse_instant, to_day
from app.core.scalars import AWSDate, AWSDateTime
from app.domains.goals.rules.calendar import UserCalendar
from app.domains.goals.rules.recurrence import RecurrencePattern, next_day
from app.domains.goals.rules.task_changes import with_dates, with_derived_fields
from app.domains.goals.types import RecurrenceMode, Task, TaskStatus


def next_occurrence_day(task: Task, today: date) -> date | None:
    """None after the last occurrence, and for a task that does not recur."""
    rule = task.recurrence_rule
    if rule is None or not task.is_recurring or task.occurrence_date is None:
        return None
    pattern = RecurrencePattern(
        text=rule.pattern,
        end=date.fromisoformat(rule.end_date) if rule.end_date else None,
        count=rule.count,
    )
    if rule.mode is RecurrenceMode.COMPLETION:
        return next_day(pattern, anchor=today, after=today)
    anchor = date.fromisoformat(task.occurrence_date)
    return next_day(pattern, anchor=anchor, after=max(anchor, today))


def has_next_occurrence(old: Task | None, new: Task) -> bool:
    """Whether a next occurrence was made already: only the first completion makes one."""
    was_completed = old is not None and old.is_done and old.is_recurring
    return was_completed or new.next_task_id is not None


def move_to_day(task: Task, day: date, calendar: UserCalendar) -> Task:
    """The same task as the occurrence of another day, with all its dates moved."""
    rule = task.recurrence_rule
    assert rule is not None, "only a recurring task moves"
    assert task.occurrence_date is not None, "a recurring task has a day"
    shift = day - date.fromisoformat(task.occurrence_date)
    remaining = None if rule.count is None else rule.count - 1
    return replace(
        task,
        recurrence_rule=replace(rule, count=remaining),
        occurrence_date=to_day(day),
        **_due_fields(task, day, calendar),
        **with_dates({"scheduled_date": _shift(task.scheduled_date, shift)}, calendar),
    )


def _shift(day: str | None, shift: timedelta) -> AWSDate | None:
    return to_day(date.fromisoformat(day) + shift) if day else None


def _due_fields(task: Task, day: date, calendar: UserCalendar) -> dict[str, Any]:
    if task.due_at is None and task.scheduled_date is not None:
        return {}
    if task.due_at is None or not task.has_due_time:
        return {"due_date": to_day(day), "due_at": instant(calendar.start_of(day))}
    clock = calendar.clock_time(parse_instant(task.due_at))
    return {"due_date": to_day(day), "due_at": instant(calendar.moment_at(day, clock))}


def next_occurrence(
    task: Task, day: date, calendar: UserCalendar, *, id: strawberry.ID, now: AWSDateTime
) -> Task:
    """A new task for the next day of a completed one."""
    fresh = replace(
        move_to_day(task, day, calendar),
        id=id,
        created_at=now,
        updated_at=now,
        version=1,
        status=TaskStatus.NotStarted,
        completed_date=None,
        points_awarded=False,
        points_paid=0,
        next_task_id=None,
        previous_task_id=task.id,
        depends_on_ids=[],
        blocks_ids=[],
        waiting_for=[],
        resume_status=None,
        criterion_goal_ids=[],
        action_id=None,
        understood=[],
    )
    return with_derived_fields(None, fresh, now)
