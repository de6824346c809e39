"""From what was understood to the fields of a task, and to what a client is shown."""

from dataclasses import replace
from datetime import datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from app.core.clock import instant, to_day
from app.core.scalars import AWSTime
from app.domains.goals.rules.calendar import UserCalendar
from app.domains.goals.rules.occurrences import with_due_time
from app.domains.goals.rules.quick_add.task import QuickTask
from app.domains.goals.types import Priority, QuickAddPreview, Task, UnderstoodPhrase

LAST_MINUTE = time(23, 59)


def users_now(moment: datetime, calendar: UserCalendar) -> datetime:
    """The user's date and time. Whoever is up before their day begins is at the end of the last."""
    local = moment.astimezone(ZoneInfo(calendar.time_zone))
    day = calendar.day_of(moment)
    clock = local.time() if local.date() == day else LAST_MINUTE
    return datetime.combine(day, clock, local.tzinfo)


def task_values(task: QuickTask, calendar: UserCalendar) -> dict[str, Any]:
    """The fields of a new task, without the recurrence rule."""
    values: dict[str, Any] = {
        "title": task.title,
        "tags": task.tags,
        "priority": Priority(task.priority) if task.priority else None,
        "area": task.area,
        "size": task.size,
    }
    if task.due:
        values["due_date"] = to_day(task.due)
        if task.at:
            values["due_at"] = instant(calendar.moment_at(task.due, task.at))
    return {name: value for name, value in values.items() if value is not None}


def rule_values(task: QuickTask) -> dict[str, Any] | None:
    if task.rule is None:
        return None
    end = {"end_date": to_day(task.rule_end)} if task.rule_end else {}
    return {"rrule": task.rule, **end}


def with_quick_task(task: Task, quick_task: QuickTask, calendar: UserCalendar) -> Task:
    """A new task with what the text says beyond its input: which words were understood, and the
    time of a recurring task, also if the clocks skip it on the first day."""
    task = replace(task, understood=understood_phrases(quick_task))
    if task.recurrence_rule is None or quick_task.due is None or quick_task.at is None:
        return task
    return with_due_time(task, quick_task.due, quick_task.at, calendar)


def understood_phrases(task: QuickTask) -> list[UnderstoodPhrase]:
    return [
        UnderstoodPhrase(
            text=each.text, start=each.start, end=each.end, kind=each.kind, meaning=each.value
        )
        for each in task.understood
    ]


def preview(task: QuickTask) -> QuickAddPreview:
    return QuickAddPreview(
        title=task.title,
        due_date=to_day(task.due) if task.due else None,
        due_time=AWSTime(task.at.isoformat()) if task.at else None,
        rrule=task.rule,
        recurrence_end=to_day(task.rule_end) if task.rule_end else None,
        priority=Priority(task.priority) if task.priority else None,
        area=task.area,
        tags=task.tags,
        size=task.size,
        understood=understood_phrases(task),
    )
