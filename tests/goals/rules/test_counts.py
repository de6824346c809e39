"""Counts of tasks."""

from app.domains.goals.rules.counts import task_counts
from app.domains.goals.types import TaskStatus


def test_cancelled_tasks_do_not_count() -> None:
    statuses = [TaskStatus.Done, TaskStatus.Cancelled, TaskStatus.NotStarted, TaskStatus.Blocked]
    counts = [task_counts(each) for each in statuses]
    assert (sum(c[0] for c in counts), sum(c[1] for c in counts)) == (3, 1)
    assert task_counts(None) == (0, 0)
