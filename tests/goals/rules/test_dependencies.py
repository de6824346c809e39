"""Dependencies between tasks."""

import pytest

from app.domains.goals.rules.dependencies import (
    MOST_DEPENDENCIES,
    TooManyDependencies,
    after_blocker_change,
    with_blocked_task,
    with_dependency,
    without_blocked_task,
    without_dependency,
)
from app.domains.goals.types import TaskStatus
from tests.goals.rules.records import NOW, make_task

OPEN, DONE = make_task(id="b"), make_task(id="b", status=TaskStatus.Done)
MANY = [str(number) for number in range(MOST_DEPENDENCIES)]


def test_only_an_open_blocker_blocks() -> None:
    blocked = with_dependency(make_task(), OPEN)
    assert (blocked.status, blocked.waiting_for) == (TaskStatus.Blocked, ["b"])
    free = with_dependency(make_task(), DONE)
    assert (free.status, free.waiting_for) == (TaskStatus.NotStarted, [])
    assert blocked.depends_on_ids == free.depends_on_ids == ["b"]


def test_without_its_dependency_a_task_resumes() -> None:
    free = without_dependency(with_dependency(make_task(), OPEN), "b")
    assert (free.status, free.waiting_for, free.depends_on_ids) == (TaskStatus.NotStarted, [], [])


def test_a_dependent_task_follows_its_blocker() -> None:
    blocked = with_dependency(make_task(), OPEN)
    resumed = after_blocker_change(blocked, DONE)
    assert (resumed.status, resumed.waiting_for) == (TaskStatus.NotStarted, [])
    assert after_blocker_change(resumed, DONE) is resumed
    assert after_blocker_change(resumed, OPEN).status is TaskStatus.Blocked


def test_both_sides_have_a_limit() -> None:
    with pytest.raises(TooManyDependencies):
        with_dependency(make_task(depends_on_ids=MANY), OPEN)
    with pytest.raises(TooManyDependencies):
        with_blocked_task(make_task(blocks_ids=MANY), "t", NOW)


def test_a_blocker_knows_the_tasks_that_wait_for_it() -> None:
    blocker = with_blocked_task(OPEN, "t", NOW)
    assert (blocker.blocks_ids, blocker.version) == (["t"], OPEN.version + 1)
    assert without_blocked_task(blocker, "t", NOW).blocks_ids == []
