"""What a list of goals, tasks or projects is narrowed by, and the key that serves it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from app.core.clock import instant, moment_of
from app.core.text import folded
from app.domains.goals import keys
from app.domains.goals.types import (
    Goal,
    GoalStatus,
    Project,
    ProjectStatus,
    Task,
    TaskStatus,
    TimeHorizon,
)
from app.table.entity import WHOLE, Fields, Query

# Between two time zones lie 26 hours at most, and a day may begin at 6.
FARTHEST_MOVE = timedelta(hours=32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What all lists can be narrowed by. `text` is part of the title, in any letter case.
    `without`: what of the records nobody will look at."""

    area: str | None = None
    sub_category: str | None = None
    text: str | None = None
    keep: Callable[[Any], bool] | None = None
    without: Fields = WHOLE

    def agrees(self, record: Goal | Task | Project, title: str) -> bool:
        return (
            self.area in (None, record.area)
            and self.sub_category in (None, record.sub_category)
            and (not self.text or folded(self.text) in folded(title))
            and (self.keep is None or self.keep(record))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedTasks(Wanted):
    status: TaskStatus | None = None
    tag: str | None = None
    due_from: datetime | None = None
    due_to: datetime | None = None
    first_day: str | None = None
    last_day: str | None = None
    dated: bool | None = None

    @property
    def by_due(self) -> bool:
        return bool(self.due_from or self.due_to or self.dated)

    def keeps(self, task: Task) -> bool:
        return (
            self.status in (None, task.status)
            and (self.tag is None or self.tag in task.tags)
            and (not self.by_due or self._is_due_then(task))
            and (self.dated is not False or task.due_at is None)
            and self.agrees(task, task.title)
        )

    def _is_due_then(self, task: Task) -> bool:
        """A moment is where it is; a day stays the same day, also when its owner moves."""
        if task.due_at is None or task.due_date is None:
            return False
        if not task.has_due_time:
            return (self.first_day or "") <= task.due_date <= (self.last_day or "9")
        due = moment_of(task.due_at)
        after = self.due_from is None or self.due_from <= due
        return after and (self.due_to is None or due <= self.due_to)

    def _span(self) -> tuple[str | None, str | None]:
        """What the days come to in any time zone that a task may have been dated in."""
        since = instant(self.due_from - FARTHEST_MOVE) if self.due_from else None
        until = instant(self.due_to + FARTHEST_MOVE) if self.due_to else None
        return since, until

    def query(self, user_id: str) -> Query[Any]:
        """By the key that leaves the least to be sorted out."""
        if self.tag is not None and not self.dated:
            return keys.tasks_by_tag(user_id, self.tag)
        if self.by_due:
            return keys.tasks_by_due(user_id, *self._span())
        if self.status is not None:
            return keys.tasks_by_status(user_id, self.status.value)
        if self.area is not None:
            return keys.tasks_by_area(user_id, self.area)
        return keys.tasks_of_user(user_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedGoals(Wanted):
    status: GoalStatus | None = None
    time_horizon: TimeHorizon | None = None
    tag: str | None = None

    def keeps(self, goal: Goal) -> bool:
        return (
            self.status in (None, goal.status)
            and self.time_horizon in (None, goal.time_horizon)
            and (self.tag is None or self.tag in goal.tags)
            and self.agrees(goal, goal.title)
        )

    def query(self, user_id: str) -> Query[Any]:
        if self.tag is not None:
            return keys.goals_by_tag(user_id, self.tag)
        if self.status is not None:
            return keys.goals_by_status(user_id, self.status.value)
        if self.area is not None:
            return keys.goals_by_area(user_id, self.area)
        if self.time_horizon is not None:
            return keys.goals_by_horizon(user_id, self.time_horizon.value)
        return keys.goals_of_user(user_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedProjects(Wanted):
    status: ProjectStatus | None = None

    def keeps(self, project: Project) -> bool:
        return self.status in (None, project.status) and self.agrees(project, project.name)

    def query(self, user_id: str) -> Query[Any]:
        if self.status is not None:
            return keys.projects_by_status(user_id, self.status.value)
        if self.area is not None:
            return keys.projects_by_area(user_id, self.area)
        return keys.projects_of_user(user_id)
