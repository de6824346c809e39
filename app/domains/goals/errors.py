"""
AppError
├── DependencyOpen   DEPENDENCY_OPEN   tasks that this one depends on are not done; lists them
└── Circular         CIRCULAR          the edge would close a cycle
"""

from collections.abc import Sequence

from app.core.errors import AppError


class DependencyOpen(AppError):
    code = "DEPENDENCY_OPEN"

    def __init__(self, waiting_for: Sequence[str]) -> None:
        super().__init__(
            "Another task must be done first. Complete it, or remove the dependency.",
            waitingFor=list(waiting_for),
        )


class Circular(AppError):
    code = "CIRCULAR"
