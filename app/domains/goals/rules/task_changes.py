"""The fields of a task that follow from its other fields."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from app.core.clock import instant, parse_instant, to_day
from app.core.errors import BadInput
from app.core.scalars import AWSDateTime
from app.domains.goals.errors import DependencyOpen
from app.domains.goals.rules.calendar import UserCalendar
from app.domains.goals.rules.points import point_value
from app.domains.goals.rules.recurrence import (
    RecurrencePattern,
    pattern_from_frequency,
    pattern_from_rrule,
)
from app.domains.goals.types import (
    RecurrenceFrequency,
    RecurrenceMode,
    RecurrenceRule,
    Task,
    TaskStatus,
)

NEVER_NULL = ("title", "priority", "status", "tags", "goal_ids", "project_ids", "is_recurring")
# The client's time zone may differ from the one in the profile.
LARGEST_ZONE_DIFFERENCE = timedelta(days=1)


def with_dates(changes: Mapping[str, Any], calendar: UserCalendar) -> dict[str, Any]:
    """The changes, with due date and due moment derived from each other."""
    result = dict(changes)
    if "due_at" in changes and (changes["due_at"] or "due_date" not in changes):
        result["due_date"] = _date_of_due_at(changes, calendar)
        result["has_due_time"] = changes["due_at"] is not None
    elif "due_date" in changes:
        result["due_at"] = _start_of(changes["due_date"], calendar)
        result["has_due_time"] = False
    if "scheduled_date" in changes:
        result["scheduled_at"] = _start_of(changes["scheduled_date"], calendar)
    return result


def with_current_due(task: Task, calendar: UserCalendar) -> Task:
    """Due on a day without a time: from the start of that day, in the time zone of now. The stored
    moment is that of the time zone when the task was last written."""
    if task.has_due_time or task.due_at is None or task.due_date is None:
        return task
    due_at = instant(calendar.start_of(date.fromisoformat(task.due_date)))
    return task if due_at == task.due_at else replace(task, due_at=due_at)


def _start_of(day: str | None, calendar: UserCalendar) -> AWSDateTime | None:
    return instant(calendar.start_of(date.fromisoformat(day))) if day else None


def _date_of_due_at(changes: Mapping[str, Any], calendar: UserCalendar) -> str | None:
    due_at, due_date = changes["due_at"], changes.get("due_date")
    local = calendar.day_of(parse_instant(due_at)) if due_at else None
    if due_date and local:
        difference = abs(date.fromisoformat(due_date) - local)
        if difference > LARGEST_ZONE_DIFFERENCE:
            raise BadInput("dueDate is not the day of dueAt. Send one.", field="input.dueDate")
    return due_date or (to_day(local) if local else None)


def with_recurrence(
    task: Task,
    rule_input: Mapping[str, Any] | None,
    today: date,
    *,
    is_recurring: bool | None = None,
) -> Task:
    """The task with this rule, counted from its due date; null removes the rule. It recurs if it
    has a rule, unless the client says otherwise: `is_recurring`."""
    if is_recurring is None:
        is_recurring = rule_input is not None
    if rule_input is None:
        return replace(task, recurrence_rule=None, is_recurring=is_recurring, occurrence_date=None)
    start = date.fromisoformat(task.due_date or task.scheduled_date or today.isoformat())
    end = rule_input.get("end_date")
    pattern = _pattern(rule_input, start, date.fromisoformat(end) if end else None)
    parts = pattern.parts
    rule = RecurrenceRule(
        frequency=RecurrenceFrequency(parts["FREQ"]),
        interval=int(parts.get("INTERVAL", "1")),
        end_date=to_day(pattern.end) if pattern.end else None,
        rrule=rule_input.get("rrule"),
        mode=rule_input.get("mode") or RecurrenceMode.DUE,
        count=pattern.count,
        pattern=pattern.text,
        clock_time=task.recurrence_rule.clock_time if task.recurrence_rule else None,
    )
    return replace(
        task, recurrence_rule=rule, is_recurring=is_recurring, occurrence_date=to_day(start)
    )


def _pattern(rule_input: Mapping[str, Any], start: date, end: date | None) -> RecurrencePattern:
    frequency, rrule = rule_input.get("frequency"), rule_input.get("rrule")
    if (frequency is None) == (rrule is None):
        raise BadInput(
            "Send either a frequency or an rrule.", field="input.recurrenceRule.frequency"
        )
    if end is not None and end < start:
        raise BadInput(
            "endDate lies before the first occurrence.", field="input.recurrenceRule.endDate"
        )
    if frequency is not None:
        interval = rule_input.get("interval") or 1
        return pattern_from_frequency(frequency.value, interval, start=start, end=end)
    if rule_input.get("interval") is not None:
        raise BadInput("Send the interval inside the rrule.", field="input.recurrenceRule.interval")
    return pattern_from_rrule(str(rrule), start=start, end=end)


def check_has_rule(task: Task) -> None:
    if task.is_recurring and task.recurrence_rule is None:
        raise BadInput("A recurring task needs a recurrenceRule.", field="input.recurrenceRule")


def with_derived_fields(old: Task | None, new: Task, now: AWSDateTime) -> Task:
    """The task with the fields that follow from its status, size and priority."""
    was_done = old is not None and old.is_done
    starts = new.status in (TaskStatus.InProgress, TaskStatus.Done) and not was_done
    if new.waiting_for and starts:
        raise DependencyOpen(new.waiting_for)
    new = with_waiting_for(new, new.waiting_for)
    if new.is_done and not was_done:
        new = _with_points(new)
        return replace(new, completed_date=now, points_awarded=True, points_paid=new.point_value)
    if was_done and not new.is_done:
        new = replace(new, completed_date=None, points_awarded=False, points_paid=0)
    return new if new.points_awarded else _with_points(new)


def _with_points(task: Task) -> Task:
    return replace(task, point_value=point_value(task.size, task.priority))


def with_waiting_for(task: Task, waiting_for: list[str]) -> Task:
    """The task while it waits for these tasks: Blocked, then again as before. A task that its
    owner set to Blocked has no status to resume and stays Blocked."""
    if waiting_for and task.status in (TaskStatus.NotStarted, TaskStatus.InProgress):
        return replace(
            task,
            waiting_for=waiting_for,
            status=TaskStatus.Blocked,
            resume_status=task.status,
        )
    if task.status is not TaskStatus.Blocked:
        return replace(task, waiting_for=waiting_for, resume_status=None)
    if not waiting_for and task.resume_status is not None:
        return replace(task, waiting_for=[], status=task.resume_status, resume_status=None)
    return replace(task, waiting_for=waiting_for)
