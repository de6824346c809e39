"""Effects of changed tasks on goals and projects."""

from dataclasses import replace

import pytest
from strawberry import ID

from app.core.scalars import AWSDateTime
from app.domains.goals.rules.task_effects import (
    CountDelta,
    affected_goal_ids,
    apply_to_goal,
    apply_to_project,
    goal_delta,
    link_due,
    needs_link_write,
    project_delta,
)
from app.domains.goals.types import ActivityType, Task, TaskStatus
from tests.goals.rules.records import NOW, make_criterion, make_goal, make_project, make_task

OPEN = make_task(goal_ids=["g"], project_ids=["p"])
DONE = replace(OPEN, status=TaskStatus.Done)
CANCELLED = replace(OPEN, status=TaskStatus.Cancelled)
UNLINKED = replace(OPEN, goal_ids=[], project_ids=[])


@pytest.mark.parametrize(
    ("old", "new", "total", "done", "activities"),
    [
        (None, OPEN, 1, 0, [ActivityType.task_linked]),
        (None, DONE, 1, 1, [ActivityType.task_linked, ActivityType.task_completed]),
        (OPEN, DONE, 0, 1, [ActivityType.task_completed]),
        (DONE, OPEN, 0, -1, [ActivityType.task_reopened]),
        (OPEN, CANCELLED, -1, 0, [ActivityType.task_cancelled]),
        (DONE, UNLINKED, -1, -1, [ActivityType.task_unlinked]),
        (DONE, None, -1, -1, [ActivityType.task_deleted]),
    ],
)
def test_a_goal_counts_its_tasks(
    old: Task | None, new: Task | None, total: int, done: int, activities: list[ActivityType]
) -> None:
    delta = goal_delta("g", old, new, "because")
    assert delta is not None
    assert (delta.total, delta.done) == (total, done)
    assert [each.type for each in delta.activities] == activities
    assert {each.description for each in delta.activities} == {"because"}
    assert delta.is_new_link == (old is None)


def test_a_change_without_meaning_for_a_goal_has_no_delta() -> None:
    assert goal_delta("g", OPEN, replace(OPEN, title="Other"), None) is None
    assert goal_delta("g", OPEN, replace(OPEN, status=TaskStatus.InProgress), None) is None


def test_a_goal_with_only_a_criterion_is_affected_by_completion() -> None:
    open_task = make_task(criterion_goal_ids=["c"])
    done = replace(open_task, status=TaskStatus.Done)
    assert affected_goal_ids(open_task, done) == ["c"]
    delta = goal_delta("c", open_task, done, None)
    assert delta == CountDelta(tasks={"t": done})
    goal = make_goal(id="c", success_criteria=[make_criterion("a", linked_task_id="t")])
    new, activities = apply_to_goal(goal, delta, NOW)
    assert (new.success_criteria[0].is_completed, new.version) == (True, goal.version + 1)
    assert [each.type for each in activities] == [ActivityType.criterion_completed]


def test_a_project_is_affected_by_status_and_due_moment() -> None:
    assert project_delta("p", OPEN, replace(OPEN, title="Other")) is None
    moved = replace(OPEN, due_at=AWSDateTime("2026-01-08T00:00:00.000Z"))
    assert project_delta("p", OPEN, moved) == CountDelta(tasks={"t": moved})
    removed = project_delta("p", DONE, UNLINKED)
    assert removed == CountDelta(total=-1, done=-1, tasks={"t": None})
    project = apply_to_project(make_project(tasks_total=3, tasks_done=2), removed, NOW)
    assert (project.tasks_total, project.tasks_done) == (2, 1)


def test_deltas_of_two_tasks_add_up() -> None:
    other = replace(OPEN, id=ID("u"))
    first, second = goal_delta("g", OPEN, DONE, None), goal_delta("g", None, other, None)
    assert first is not None
    assert second is not None
    both = first + second
    assert (both.total, both.done, both.is_new_link) == (1, 1, True)
    assert both.tasks == {"t": DONE, "u": other}
    assert len(both.activities) == 2


def test_a_link_is_written_when_its_place_changes() -> None:
    due = replace(OPEN, due_at=AWSDateTime("2026-01-08T00:00:00.000Z"))
    assert needs_link_write(None, OPEN)
    assert needs_link_write(OPEN, due)
    assert not needs_link_write(OPEN, DONE)
    assert link_due(due) < link_due(OPEN) == link_due(None)
