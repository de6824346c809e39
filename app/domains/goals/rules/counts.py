"""How tasks count towards the goals and projects that they belong to."""

from app.domains.goals.types import TaskStatus


def task_counts(status: TaskStatus | None) -> tuple[int, int]:
    """(total, done) of one task. A cancelled or missing task counts as (0, 0)."""
    if status is None or status is TaskStatus.Cancelled:
        return 0, 0
    return 1, int(status is TaskStatus.Done)
