"""Occurrences of a recurring task."""

from dataclasses import replace
from datetime import date, time, timedelta

import strawberry

from app.core.clock import instant, parse_instant, to_day
from app.core.scalars import AWSDate, AWSDateTime, AWSTime
from app.domains.goals.rules.calendar import UserCalendar
from app.domains.goals.rules.recurrence import (
    RecurrencePattern,
    names_days,
    next_day,
    pattern_from_completion,
)
from app.domains.goals.rules.task_changes import with_dates, with_derived_fields
from app.domains.goals.types import RecurrenceMode, Task, TaskStatus


def next_occurrence_day(task: Task, today: date) -> date | None:
    """None after the last occurrence, and for a task that does not recur."""
    rule = task.recurrence_rule
    if rule is None or not task.is_recurring or task.occurrence_date is None:
        return None
    occurrence = date.fromisoformat(task.occurrence_date)
    end = date.fromisoformat(rule.end_date) if rule.end_date else None
    if rule.mode is RecurrenceMode.DUE:
        pattern = RecurrencePattern(text=rule.pattern, end=end, count=rule.count)
        return next_day(pattern, anchor=occurrence, after=max(occurrence, today))
    counted = pattern_from_completion(
        rule.frequency.value, rule.interval, rule.rrule, day_done=today
    )
    pattern = replace(counted, end=end, count=rule.count)
    # Done on a Monday, the task of this Friday is not followed by one for the same Friday.
    after = max(occurrence, today) if names_days(rule.rrule) else today
    return next_day(pattern, anchor=today, after=after)


def day_after_skipping(task: Task, today: date) -> date | None:
    """A skipped occurrence counts as done on its day, or today if that has passed."""
    occurrence = date.fromisoformat(task.occurrence_date) if task.occurrence_date else today
    return next_occurrence_day(task, max(occurrence, today))


def has_next_occurrence(old: Task | None, new: Task) -> bool:
    """Whether a next occurrence was made already: only the first completion makes one."""
    was_completed = old is not None and old.is_done and old.is_recurring
    return was_completed or new.next_task_id is not None


def is_untouched(occurrence: Task) -> bool:
    """Whether it is as the completion of the task before has made it."""
    return occurrence.version == 1 and occurrence.is_open


def move_to_day(task: Task, day: date, calendar: UserCalendar) -> Task:
    """The same task as the occurrence of another day, with all its dates moved."""
    rule = task.recurrence_rule
    assert rule is not None, "only a recurring task moves"
    assert task.occurrence_date is not None, "a recurring task has a day"
    shift = day - date.fromisoformat(task.occurrence_date)
    remaining = None if rule.count is None else rule.count - 1
    moved = replace(
        task,
        recurrence_rule=replace(rule, count=remaining, clock_time=None),
        occurrence_date=to_day(day),
        **with_dates({"scheduled_date": _shift(task.scheduled_date, shift)}, calendar),
    )
    if task.due_at is None and task.scheduled_date is not None:
        return moved
    if task.due_at is None or not task.has_due_time:
        return replace(moved, due_date=to_day(day), due_at=instant(calendar.start_of(day)))
    return with_due_time(moved, day, _intended_time(task, calendar), calendar)


def _shift(day: str | None, shift: timedelta) -> AWSDate | None:
    return to_day(date.fromisoformat(day) + shift) if day else None


def with_due_time(task: Task, day: date, clock: time, calendar: UserCalendar) -> Task:
    """Due at this time of the day. Where the clocks skip that time, the moment is an hour later,
    and the rule remembers the time for the days after."""
    rule, moment = task.recurrence_rule, calendar.moment_at(day, clock)
    is_skipped = calendar.clock_time(moment) != clock
    return replace(
        task,
        due_date=to_day(day),
        due_at=instant(moment),
        has_due_time=True,
        recurrence_rule=rule
        and replace(rule, clock_time=AWSTime(clock.isoformat()) if is_skipped else None),
    )


def _intended_time(task: Task, calendar: UserCalendar) -> time:
    """The time that the rule remembers, unless the task was moved to another moment since."""
    assert task.due_at is not None, "a task with a due time"
    rule, due = task.recurrence_rule, parse_instant(task.due_at)
    if rule is not None and rule.clock_time is not None and task.due_date is not None:
        remembered = time.fromisoformat(rule.clock_time)
        if calendar.moment_at(date.fromisoformat(task.due_date), remembered) == due:
            return remembered
    return calendar.clock_time(due)


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
