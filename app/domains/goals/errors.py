"""
AppError
├── DependencyOpen   DEPENDENCY_OPEN   a task that this one depends on is not done; names them
├── Circular         CIRCULAR          this edge would make something depend on itself
└── IdTaken          CONFLICT          the id that the client chose is in use
"""

from collections.abc import Sequence

from app.core.errors import AppError, Conflict


class DependencyOpen(AppError):
    code = "DEPENDENCY_OPEN"

    def __init__(self, waiting_for: Sequence[str]) -> None:
        super().__init__(
            "Another task must be done first. Finish it, or remove the dependency.",
            waitingFor=list(waiting_for),
        )


class Circular(AppError):
    code = "CIRCULAR"


class IdTaken(Conflict):
    def __init__(self, what: str) -> None:
        super().__init__(f"The id of this {what} is in use. Choose another, or leave it out.")
