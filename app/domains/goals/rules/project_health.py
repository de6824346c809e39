"""Health and progress of a project."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from app.domains.goals.rules.progress import to_percent
from app.domains.goals.types import Health, Project, ProjectHealth, ProjectStatus, Task

# Percentage points behind the expected progress.
GREEN_UP_TO = 10
YELLOW_UP_TO = 20
# Of a project without dates: the largest share of overdue tasks among the open ones.
YELLOW_UP_TO_OVERDUE = Fraction(1, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Assessment:
    health: Health | None
    reason: str
    expected: int | None = None
    points_behind: float | None = None


def project_progress(project: Project) -> int:
    """The percentage of its tasks that are done. The counts leave out cancelled tasks."""
    done, total = project.tasks_done, project.tasks_total
    return to_percent(Fraction(done, total)) if total else 0


def has_both_dates(project: Project) -> bool:
    return project.start_date is not None and project.end_date is not None


def project_health(project: Project, *, overdue: int, today: date) -> ProjectHealth:
    """`overdue`: the number of its overdue tasks; used only without a start or end date."""
    found = _assess(project, overdue, today)
    return ProjectHealth(
        health=found.health,
        progress=project_progress(project),
        expected=found.expected,
        overdue=overdue,
        tasks_done=project.tasks_done,
        tasks_total=project.tasks_total,
        points_behind=found.points_behind,
        reason=found.reason,
    )


def with_health(project: Project, health: ProjectHealth) -> Project:
    """The project with its health and progress cached."""
    return replace(project, cached_health=health.health, cached_progress=health.progress)


def count_overdue(tasks: Iterable[Task], *, now: str, today: str) -> int:
    return sum(is_overdue(each, now=now, today=today) for each in tasks)


def is_overdue(task: Task, *, now: str, today: str) -> bool:
    """A due date is over when its day is; `today` is the owner's."""
    if not task.is_open or task.due_at is None:
        return False
    return task.due_at < now if task.has_due_time else (task.due_date or "") < today


def _assess(project: Project, overdue: int, today: date) -> _Assessment:
    if project.status is ProjectStatus.Completed:
        return _Assessment(health=Health.green, reason="It is completed.")
    if project.status in (ProjectStatus.OnHold, ProjectStatus.Cancelled):
        return _Assessment(health=None, reason="It is on hold or cancelled.")
    start, end = _parse_date(project.start_date), _parse_date(project.end_date)
    if end and today > end:
        return _Assessment(health=Health.red, reason="Its end date is past and it is open.")
    if start and end:
        return _by_dates(project, start, end, today)
    return _by_overdue_tasks(project, overdue)


def _by_dates(project: Project, start: date, end: date, today: date) -> _Assessment:
    days, elapsed = (end - start).days, (today - start).days
    share = min(max(Fraction(elapsed, days), Fraction(0)), Fraction(1)) if days else Fraction(0)
    expected = to_percent(share)
    done, total = project.tasks_done, project.tasks_total
    points_behind = share * 100 - (Fraction(done * 100, total) if total else 0)
    if points_behind <= GREEN_UP_TO:
        health = Health.green
    else:
        health = Health.yellow if points_behind <= YELLOW_UP_TO else Health.red
    reason = f"{project_progress(project)} % is done; by now {expected} % is expected."
    behind = round(float(points_behind), 2)
    return _Assessment(health=health, reason=reason, expected=expected, points_behind=behind)


def _by_overdue_tasks(project: Project, overdue: int) -> _Assessment:
    open_tasks = project.tasks_total - project.tasks_done
    reason = f"It has no dates; {overdue} of {open_tasks} open tasks are overdue."
    if not overdue:
        return _Assessment(health=Health.green, reason=reason)
    few = Fraction(overdue, max(open_tasks, 1)) <= YELLOW_UP_TO_OVERDUE
    return _Assessment(health=Health.yellow if few else Health.red, reason=reason)


def _parse_date(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
