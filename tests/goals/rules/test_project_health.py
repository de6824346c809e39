"""Health of projects."""

from datetime import date
from typing import Any

import pytest

from app.domains.goals.rules.project_health import is_overdue, project_health, project_progress
from app.domains.goals.types import Health, Project, ProjectStatus, TaskStatus
from tests.goals.rules.records import make_project, make_task

JANUARY: dict[str, Any] = {"start_date": "2026-01-01", "end_date": "2026-01-31"}
MIDDLE = date(2026, 1, 16)


def project(status: ProjectStatus, done: int, total: int, **dates: Any) -> Project:
    return make_project(status=status, tasks_done=done, tasks_total=total, **dates)


def health(project: Project, today: date = MIDDLE, overdue: int = 0) -> Health | None:
    return project_health(project, overdue=overdue, today=today).health


@pytest.mark.parametrize(
    ("done", "expected_health"),
    [
        (50, Health.green),
        (40, Health.green),
        (39, Health.yellow),
        (30, Health.yellow),
        (29, Health.red),
        (0, Health.red),
        (100, Health.green),
    ],
)
def test_health_by_dates(done: int, expected_health: Health) -> None:
    half_way = project(ProjectStatus.Active, done, 100, **JANUARY)
    found = project_health(half_way, overdue=0, today=MIDDLE)
    assert (found.health, found.expected, found.progress) == (expected_health, 50, done)


def test_an_open_project_past_its_end_is_red() -> None:
    late = date(2026, 2, 1)
    for status in (ProjectStatus.Planning, ProjectStatus.Active):
        assert health(project(status, 9, 10, **JANUARY), late) is Health.red
    assert health(project(ProjectStatus.Completed, 9, 10, **JANUARY), late) is Health.green
    last_day = date(2026, 1, 31)
    assert health(project(ProjectStatus.Active, 10, 10, **JANUARY), last_day) is Health.green


@pytest.mark.parametrize("status", [ProjectStatus.OnHold, ProjectStatus.Cancelled])
def test_a_project_on_hold_or_cancelled_has_no_health(status: ProjectStatus) -> None:
    assert health(project(status, 0, 1, **JANUARY)) is None


@pytest.mark.parametrize(
    ("overdue", "expected_health"), [(0, Health.green), (1, Health.yellow), (2, Health.red)]
)
def test_health_without_dates_follows_the_overdue_tasks(
    overdue: int, expected_health: Health
) -> None:
    dateless = project(ProjectStatus.Active, 3, 8)
    found = project_health(dateless, overdue=overdue, today=MIDDLE)
    assert (found.health, found.expected) == (expected_health, None)


def test_a_project_without_tasks_has_no_progress_and_is_green() -> None:
    empty = project(ProjectStatus.Active, 0, 0, **JANUARY)
    assert project_progress(empty) == 0
    assert health(empty, date(2026, 1, 1)) is Health.green
    one_day = project(ProjectStatus.Active, 0, 0, start_date="2026-01-01", end_date="2026-01-01")
    assert health(one_day, date(2026, 1, 1)) is Health.green


def test_a_due_date_is_overdue_after_its_day_and_a_due_moment_after_it() -> None:
    by_day = make_task(due_date="2026-01-10", due_at="2026-01-10T00:00:00.000Z")
    assert not is_overdue(by_day, now="2026-01-10T12:00:00.000Z", today="2026-01-10")
    assert is_overdue(by_day, now="2026-01-11T00:00:00.000Z", today="2026-01-11")
    by_moment = make_task(
        due_date="2026-01-10", due_at="2026-01-10T09:00:00.000Z", has_due_time=True
    )
    assert is_overdue(by_moment, now="2026-01-10T12:00:00.000Z", today="2026-01-10")


def test_a_closed_task_and_one_without_a_due_date_are_never_overdue() -> None:
    done = make_task(
        due_date="2026-01-01", due_at="2026-01-01T00:00:00.000Z", status=TaskStatus.Done
    )
    for task in (done, make_task()):
        assert not is_overdue(task, now="2026-02-01T00:00:00.000Z", today="2026-02-01")
