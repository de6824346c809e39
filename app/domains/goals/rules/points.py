"""Points of a task."""

from app.domains.goals.types import PointsExplanation, Priority, Task

DEFAULT_SIZE = 30
LARGEST_SIZE = 100_000
# Points per two minutes, so that all numbers are whole.
POINTS_PER_TWO_MINUTES = {Priority.P1: 6, Priority.P2: 4, Priority.P3: 3, Priority.P4: 2}


def point_value(size: int | None, priority: Priority) -> int:
    """Minutes times 3, 2, 1.5 or 1, a half rounded up: 60 minutes at P2 are 120 points."""
    minutes = DEFAULT_SIZE if size is None else size
    return (minutes * POINTS_PER_TWO_MINUTES[priority] + 1) // 2


def explain_points(task: Task) -> PointsExplanation:
    return PointsExplanation(
        minutes=DEFAULT_SIZE if task.size is None else task.size,
        is_default_size=task.size is None,
        multiplier=POINTS_PER_TWO_MINUTES[task.priority] / 2,
        value=point_value(task.size, task.priority),
        is_fixed=task.points_awarded,
    )
