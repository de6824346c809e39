"""The bounds and the lists of a dashboard."""

from collections.abc import Iterable
from datetime import date, timedelta

from app.core.clock import instant
from app.core.errors import BadInput
from app.core.scalars import AWSDateTime
from app.domains.goals.rules.calendar import UserCalendar
from app.domains.goals.types import Task


def day_bounds(day: str, calendar: UserCalendar) -> tuple[AWSDateTime, AWSDateTime, AWSDateTime]:
    """The last moment before the day, its first and its last moment."""
    parsed = date.fromisoformat(day)
    try:
        begin = calendar.start_of(parsed)
        before = begin - timedelta(milliseconds=1)
        return instant(before), instant(begin), instant(calendar.end_of(parsed))
    except OverflowError:
        raise BadInput("This day is out of range.", field="date") from None


def due_on(tasks: Iterable[Task], day: str) -> list[Task]:
    return _by_due(each for each in tasks if each.due_date == day)


def due_before(tasks: Iterable[Task], day: str) -> list[Task]:
    return _by_due(each for each in tasks if each.due_date is not None and each.due_date < day)


def scheduled_on(tasks: Iterable[Task], day: str) -> list[Task]:
    return [each for each in tasks if each.scheduled_date == day]


def _by_due(tasks: Iterable[Task]) -> list[Task]:
    return sorted(tasks, key=lambda each: (each.due_at or "", each.id))
