"""
AppError
├── Conflict
│   └── NextOccurrenceChanged  CONFLICT         the next occurrence is in use; names it
├── DependencyOpen             DEPENDENCY_OPEN  it depends on tasks that are not done; lists them
└── Circular                   CIRCULAR         the edge would close a cycle
"""

from collections.abc import Sequence

from app.core.errors import AppError, Conflict
from app.domains.goals.types import Task


class NextOccurrenceChanged(Conflict):
    def __init__(self, following: Task) -> None:
        due = f", due {following.due_date}," if following.due_date else ""
        super().__init__(
            f"The next occurrence, “{following.title}”{due} was changed or done already. "
            "Delete it first, or go on with it.",
            nextTaskId=following.id,
        )


class DependencyOpen(AppError):
    code = "DEPENDENCY_OPEN"

    def __init__(self, waiting_for: Sequence[str]) -> None:
        super().__init__(
            "Another task must be done first. Complete it, or remove the dependency.",
            waitingFor=list(waiting_for),
        )


class Circular(AppError):
    code = "CIRCULAR"
