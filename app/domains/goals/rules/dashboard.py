"""The bounds and the lists of a dashboard."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from app.core.clock import instant
from app.core.errors import BadInput
from app.core.scalars import AWSDate, AWSDateTime
from app.domains.goals.rules.calendar import UserCalendar
from app.domains.goals.rules.filters import AFTER_ALL_DATES, LARGEST_DAY_SHIFT
from app.domains.goals.rules.grouping import due_day
from app.domains.goals.types import Task


@dataclass(frozen=True, slots=True)
class DashboardDay:
    """A day of the user. Due and scheduled dates are compared as dates: the index has the moments
    at which they began in the time zone when the task was written."""

    day: AWSDate
    calendar: UserCalendar

    @property
    def bounds(self) -> tuple[AWSDateTime, AWSDateTime]:
        """Its first and its last moment."""
        return self._bounds(timedelta())

    @property
    def search_range(self) -> tuple[AWSDateTime, AWSDateTime]:
        """Holds everything of this day, whatever the user's time zone was."""
        return self._bounds(LARGEST_DAY_SHIFT)

    def _bounds(self, margin: timedelta) -> tuple[AWSDateTime, AWSDateTime]:
        parsed = date.fromisoformat(self.day)
        try:
            begin, end = self.calendar.start_of(parsed), self.calendar.end_of(parsed)
            return instant(begin - margin), instant(end + margin)
        except OverflowError:
            raise BadInput("This day is out of range.", field="date") from None

    def is_today(self, task: Task) -> bool:
        return self._agenda_day(task) == self.day

    def is_earlier(self, task: Task) -> bool:
        return self._agenda_day(task) < self.day

    def _agenda_day(self, task: Task) -> str:
        days = (self.due_day(task), task.scheduled_date)
        return min((each for each in days if each), default=AFTER_ALL_DATES)

    def due_day(self, task: Task) -> str | None:
        return due_day(task, self.calendar)

    def due(self, tasks: Iterable[Task]) -> list[Task]:
        return _by_due(each for each in tasks if self.due_day(each) == self.day)

    def overdue(self, tasks: Iterable[Task]) -> list[Task]:
        return _by_due(each for each in tasks if (self.due_day(each) or self.day) < self.day)

    def scheduled(self, tasks: Iterable[Task]) -> list[Task]:
        return [each for each in tasks if each.scheduled_date == self.day]


def _by_due(tasks: Iterable[Task]) -> list[Task]:
    return sorted(tasks, key=lambda each: (each.due_at or "", each.id))
