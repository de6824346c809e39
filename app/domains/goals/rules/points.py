"""What a task is worth."""

from app.domains.goals.rules.states import Priority

USUAL_SIZE = 30
LARGEST_SIZE = 100_000
# Per minute, in halves, so that everything stays whole.
HALVES = {Priority.P1: 6, Priority.P2: 4, Priority.P3: 3, Priority.P4: 2}


def point_value(size: int | None, priority: Priority) -> int:
    """Minutes times 3, 2, 1.5 or 1, a half rounded up: 60 minutes at P2 are 120."""
    minutes = USUAL_SIZE if size is None else size
    return (minutes * HALVES[priority] + 1) // 2
