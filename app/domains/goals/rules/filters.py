"""Filters of the lists of goals, tasks and projects."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from app.core.clock import instant, parse_instant
from app.core.errors import BadInput
from app.core.text import is_same_name, to_search_text
from app.domains.goals.rules.calendar import UserCalendar
from app.domains.goals.types import (
    CLOSED_GOAL_STATUSES,
    CLOSED_PROJECT_STATUSES,
    OPEN_TASK_STATUSES,
    Goal,
    GoalStatus,
    Priority,
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
    """`text` is a part of the title, in any letter case. `is_open`: only open, or only closed
    records. `predicate`: a further condition. Ranges include both ends. `newest_first`: in the
    opposite order."""

    area: str | None = None
    sub_category: str | None = None
    text: str | None = None
    priorities: Sequence[Priority] | None = None
    is_open: bool | None = None
    updated_from: str | None = None
    updated_to: str | None = None
    predicate: Callable[[Any], bool] | None = None
    newest_first: bool = False

    def _matches_common(self, record: Goal | Task | Project, title: str) -> bool:
        return (
            (self.area is None or is_same_name(self.area, record.area))
            and (self.sub_category is None or is_same_name(self.sub_category, record.sub_category))
            and (not self.text or to_search_text(self.text) in to_search_text(title))
            and (self.priorities is None or record.priority in self.priorities)
            and _is_within(record.updated_at, self.updated_from, self.updated_to)
            and (self.predicate is None or self.predicate(record))
        )


def _is_within(moment: str | None, first: str | None, last: str | None) -> bool:
    """Without bounds, also if there is no moment."""
    if first is None and last is None:
        return True
    if moment is None:
        return False
    at = parse_instant(moment)
    is_after = first is None or parse_instant(first) <= at
    return is_after and (last is None or at <= parse_instant(last))


def _is_day_within(day: str | None, first: str | None, last: str | None) -> bool:
    if first is None and last is None:
        return True
    return day is not None and (first or "") <= day <= (last or AFTER_ALL_DATES)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskListFilter(ListFilter):
    """`due_after`, `due_before`: first and last due date. `due_from`, `due_to`: the moments at
    which they begin and end for the owner (see `with_due_range`). `has_due`: only tasks with, or
    only tasks without a due date."""

    status: TaskStatus | None = None
    statuses: Sequence[TaskStatus] | None = None
    tag: str | None = None
    goal_id: str | None = None
    project_id: str | None = None
    due_after: str | None = None
    due_before: str | None = None
    due_from: datetime | None = None
    due_to: datetime | None = None
    has_due: bool | None = None
    scheduled_from: str | None = None
    scheduled_to: str | None = None
    completed_from: str | None = None
    completed_to: str | None = None

    @property
    def is_by_due(self) -> bool:
        return bool(self.due_after or self.due_before or self.has_due)

    @property
    def possible_statuses(self) -> list[TaskStatus]:
        """All but those that are excluded."""
        return [
            each
            for each in TaskStatus
            if self.status in (None, each)
            and (self.statuses is None or each in self.statuses)
            and self.is_open in (None, each in OPEN_TASK_STATUSES)
        ]

    def matches(self, task: Task) -> bool:
        return (
            self.status in (None, task.status)
            and (self.statuses is None or task.status in self.statuses)
            and self.is_open in (None, task.is_open)
            and (self.tag is None or self.tag in task.tags)
            and self._is_linked(task)
            and self._is_dated(task)
            and self._matches_common(task, task.title)
        )

    def _is_linked(self, task: Task) -> bool:
        return (self.goal_id is None or self.goal_id in task.goal_ids) and (
            self.project_id is None or self.project_id in task.project_ids
        )

    def _is_dated(self, task: Task) -> bool:
        return (
            (not self.is_by_due or self._is_due_in_range(task))
            and (self.has_due is not False or task.due_at is None)
            and _is_day_within(task.scheduled_date, self.scheduled_from, self.scheduled_to)
            and _is_within(task.completed_date, self.completed_from, self.completed_to)
        )

    def _is_due_in_range(self, task: Task) -> bool:
        """A due moment is compared as a moment. A due date is compared as a date: it does not
        change when its owner moves to another time zone."""
        if task.due_at is None or task.due_date is None:
            return False
        if not task.has_due_time:
            return _is_day_within(task.due_date, self.due_after, self.due_before)
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
    statuses: Sequence[GoalStatus] | None = None
    time_horizon: TimeHorizon | None = None
    tag: str | None = None
    parent_goal_id: str | None = None
    target_from: str | None = None
    target_to: str | None = None

    def matches(self, goal: Goal) -> bool:
        is_open = goal.status not in CLOSED_GOAL_STATUSES
        return (
            self.status in (None, goal.status)
            and (self.statuses is None or goal.status in self.statuses)
            and self.is_open in (None, is_open)
            and self.time_horizon in (None, goal.time_horizon)
            and (self.tag is None or self.tag in goal.tags)
            and self.parent_goal_id in (None, goal.parent_goal_id)
            and _is_day_within(goal.target_date, self.target_from, self.target_to)
            and self._matches_common(goal, goal.title)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectListFilter(ListFilter):
    status: ProjectStatus | None = None
    statuses: Sequence[ProjectStatus] | None = None
    goal_id: str | None = None
    end_from: str | None = None
    end_to: str | None = None

    def matches(self, project: Project) -> bool:
        is_open = project.status not in CLOSED_PROJECT_STATUSES
        return (
            self.status in (None, project.status)
            and (self.statuses is None or project.status in self.statuses)
            and self.is_open in (None, is_open)
            and (self.goal_id is None or self.goal_id in project.goal_ids)
            and _is_day_within(project.end_date, self.end_from, self.end_to)
            and self._matches_common(project, project.name)
        )
