"""Filters of the lists of goals, tasks and projects."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from app.core.clock import instant, parse_instant
from app.core.errors import BadInput
from app.core.text import is_same_name, to_search_text
from app.domains.goals.rules.calendar import UserCalendar
from app.domains.goals.types import (
    Goal,
    GoalStatus,
    Project,
    ProjectStatus,
    Task,
    TaskStatus,
    TimeHorizon,
)

AFTER_ALL_DATES = "9"
# Time zones differ by up to 26 hours, and a day may begin as late as 6 o'clock.
LARGEST_DAY_SHIFT = timedelta(hours=32)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFilter:
    """`text` is a part of the title, in any letter case. `predicate`: a further condition.
    `newest_first`: in the opposite order."""

    area: str | None = None
    sub_category: str | None = None
    text: str | None = None
    predicate: Callable[[Any], bool] | None = None
    newest_first: bool = False

    def _matches_common(self, record: Goal | Task | Project, title: str) -> bool:
        return (
            (self.area is None or is_same_name(self.area, record.area))
            and (self.sub_category is None or is_same_name(self.sub_category, record.sub_category))
            and (not self.text or to_search_text(self.text) in to_search_text(title))
            and (self.predicate is None or self.predicate(record))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskListFilter(ListFilter):
    """`due_after`, `due_before`: first and last due date. `due_from`, `due_to`: the moments at
    which they begin and end for the owner (see `with_due_range`). `has_due`: only tasks with, or
    only tasks without a due date."""

    status: TaskStatus | None = None
    tag: str | None = None
    due_after: str | None = None
    due_before: str | None = None
    due_from: datetime | None = None
    due_to: datetime | None = None
    has_due: bool | None = None

    @property
    def is_by_due(self) -> bool:
        return bool(self.due_after or self.due_before or self.has_due)

    def matches(self, task: Task) -> bool:
        return (
            self.status in (None, task.status)
            and (self.tag is None or self.tag in task.tags)
            and (not self.is_by_due or self._is_due_in_range(task))
            and (self.has_due is not False or task.due_at is None)
            and self._matches_common(task, task.title)
        )

    def _is_due_in_range(self, task: Task) -> bool:
        """A due moment is compared as a moment. A due date is compared as a date: it does not
        change when its owner moves to another time zone."""
        if task.due_at is None or task.due_date is None:
            return False
        if not task.has_due_time:
            last = self.due_before or AFTER_ALL_DATES
            return (self.due_after or "") <= task.due_date <= last
        due = parse_instant(task.due_at)
        is_after = self.due_from is None or self.due_from <= due
        return is_after and (self.due_to is None or due <= self.due_to)


def with_due_range(filter: TaskListFilter, calendar: UserCalendar) -> TaskListFilter:
    first, last = filter.due_after, filter.due_before
    try:
        result = replace(
            filter,
            due_from=calendar.start_of(date.fromisoformat(first)) if first else None,
            due_to=calendar.end_of(date.fromisoformat(last)) if last else None,
        )
        due_search_range(result)
    except OverflowError:
        raise BadInput("This day is out of range.", field="dueBefore") from None
    return result


def due_search_range(filter: TaskListFilter) -> tuple[str | None, str | None]:
    """The range of `dueAt` that holds every match, whatever the owner's time zone was when the
    due date was set."""
    since = instant(filter.due_from - LARGEST_DAY_SHIFT) if filter.due_from else None
    until = instant(filter.due_to + LARGEST_DAY_SHIFT) if filter.due_to else None
    return since, until


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalListFilter(ListFilter):
    status: GoalStatus | None = None
    time_horizon: TimeHorizon | None = None
    tag: str | None = None

    def matches(self, goal: Goal) -> bool:
        return (
            self.status in (None, goal.status)
            and self.time_horizon in (None, goal.time_horizon)
            and (self.tag is None or self.tag in goal.tags)
            and self._matches_common(goal, goal.title)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectListFilter(ListFilter):
    status: ProjectStatus | None = None

    def matches(self, project: Project) -> bool:
        return self.status in (None, project.status) and self._matches_common(project, project.name)
