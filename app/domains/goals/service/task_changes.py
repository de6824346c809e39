"""What becomes of a task when it is changed: without any I/O."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

import strawberry

from app.core.clock import day, instant, moment_of
from app.core.errors import BadInput
from app.core.scalars import AWSDateTime
from app.domains.goals.errors import DependencyOpen
from app.domains.goals.inputs import RecurrenceRuleInput
from app.domains.goals.rules.days import Days
from app.domains.goals.rules.points import point_value
from app.domains.goals.rules.recurrence import (
    Pattern,
    next_day,
    pattern_of_map,
    pattern_of_rule,
)
from app.domains.goals.types import (
    RecurrenceFrequency,
    RecurrenceMode,
    RecurrenceRule,
    Task,
    TaskStatus,
)

NEVER_NULL = ("title", "priority", "status", "tags", "goal_ids", "project_ids", "is_recurring")
# A client may name the day where it is, and not where its user lives.
ANOTHER_ZONE = timedelta(days=1)


def dated(changes: Mapping[str, Any], days: Days) -> dict[str, Any]:
    """Due date and due moment go together: the one that is given decides on the other."""
    result = dict(changes)
    if "due_at" in changes and (changes["due_at"] or "due_date" not in changes):
        due_at = changes["due_at"]
        local = days.of(moment_of(due_at)) if due_at else None
        due = changes.get("due_date")
        if due and local and abs(date.fromisoformat(due) - local) > ANOTHER_ZONE:
            raise BadInput("dueDate is not the day of dueAt. Give one.", field="input.dueDate")
        result["due_date"] = due or (day(local) if local else None)
        result["has_due_time"] = due_at is not None
    elif "due_date" in changes:
        due = changes["due_date"]
        result["due_at"] = instant(days.start(date.fromisoformat(due))) if due else None
        result["has_due_time"] = False
    if "scheduled_date" in changes:
        planned = changes["scheduled_date"]
        result["scheduled_at"] = (
            instant(days.start(date.fromisoformat(planned))) if planned else None
        )
    return result


def ruled(task: Task, wish: RecurrenceRuleInput | None, today: date) -> Task:
    """The task with this rule; its days are counted from when it is due."""
    if wish is None:
        return replace(task, recurrence_rule=None, is_recurring=False, occurrence_date=None)
    given = wish.given()
    start = date.fromisoformat(task.due_date or task.scheduled_date or today.isoformat())
    end = given.get("end_date")
    pattern = _pattern(given, start, date.fromisoformat(end) if end else None)
    parts = pattern.parts
    rule = RecurrenceRule(
        frequency=RecurrenceFrequency(parts["FREQ"]),
        interval=int(parts.get("INTERVAL", "1")),
        end_date=day(pattern.end) if pattern.end else None,
        rrule=given.get("rrule"),
        mode=given.get("mode") or RecurrenceMode.DUE,
        count=pattern.count,
        pattern=pattern.text,
    )
    return replace(task, recurrence_rule=rule, is_recurring=True, occurrence_date=day(start))


def _pattern(given: Mapping[str, Any], start: date, end: date | None) -> Pattern:
    frequency, rrule = given.get("frequency"), given.get("rrule")
    if (frequency is None) == (rrule is None):
        raise BadInput(
            "Give either a frequency or an rrule.", field="input.recurrenceRule.frequency"
        )
    if end is not None and end < start:
        raise BadInput(
            "endDate lies before the first occurrence.", field="input.recurrenceRule.endDate"
        )
    if frequency is not None:
        interval = given.get("interval") or 1
        return pattern_of_map(frequency.value, interval, start=start, end=end)
    if given.get("interval") is not None:
        raise BadInput("Say the interval inside the rrule.", field="input.recurrenceRule.interval")
    return pattern_of_rule(str(rrule), start=start, end=end)


def settled(old: Task | None, new: Task, now: AWSDateTime) -> Task:
    """The task with all that follows from its status, size and priority."""
    was_done = old is not None and old.is_done
    if new.waiting_for and new.status in (TaskStatus.InProgress, TaskStatus.Done) and not was_done:
        raise DependencyOpen(new.waiting_for)
    new = waiting(new, new.waiting_for)
    if new.is_done and not was_done:
        new = _worth(new)
        return replace(new, completed_date=now, points_awarded=True, points_paid=new.point_value)
    if was_done and not new.is_done:
        new = replace(new, completed_date=None, points_awarded=False, points_paid=0)
    return new if new.points_awarded else _worth(new)


def _worth(task: Task) -> Task:
    return replace(task, point_value=point_value(task.size, task.priority))


def waiting(task: Task, waiting_for: list[str]) -> Task:
    """The task when it waits for these: blocked, or as it was before it was blocked. What was
    blocked by hand, and so has nothing to resume, stays blocked."""
    idle = (TaskStatus.NotStarted, TaskStatus.InProgress)
    if waiting_for and task.status in idle:
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


def next_occurrence_day(task: Task, today: date) -> date | None:
    rule = task.recurrence_rule
    if rule is None or not task.is_recurring or task.occurrence_date is None:
        return None
    pattern = Pattern(
        text=rule.pattern,
        end=date.fromisoformat(rule.end_date) if rule.end_date else None,
        count=rule.count,
    )
    if rule.mode is RecurrenceMode.COMPLETION:
        return next_day(pattern, anchor=today, after=today)
    anchor = date.fromisoformat(task.occurrence_date)
    return next_day(pattern, anchor=anchor, after=max(anchor, today))


def on_day(task: Task, when: date, days: Days) -> Task:
    """The same task as the occurrence of another day: all its dates move along."""
    rule = task.recurrence_rule
    assert rule is not None, "only a recurring task moves"
    assert task.occurrence_date is not None, "a recurring task has its day"
    by = when - date.fromisoformat(task.occurrence_date)
    left = None if rule.count is None else rule.count - 1
    return replace(
        task,
        recurrence_rule=replace(rule, count=left),
        occurrence_date=day(when),
        **_moved_due(task, when, by, days),
        **dated({"scheduled_date": _moved(task.scheduled_date, by)}, days),
    )


def _moved(text: str | None, by: timedelta) -> Any:
    return day(date.fromisoformat(text) + by) if text else None


def _moved_due(task: Task, when: date, by: timedelta, days: Days) -> dict[str, Any]:
    if task.due_at is None and task.scheduled_date is not None:
        return {}
    if task.due_at is None or not task.has_due_time:
        due = when
        return {"due_date": day(due), "due_at": instant(days.start(due))}
    moment: datetime = moment_of(task.due_at)
    return {"due_date": day(when), "due_at": instant(days.at(when, days.clock_of(moment)))}


def following(task: Task, when: date, days: Days, *, id: strawberry.ID, now: AWSDateTime) -> Task:
    """A new task for the next occurrence."""
    fresh = replace(
        on_day(task, when, days),
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
    )
    return settled(None, fresh, now)
