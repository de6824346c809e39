"""
AppError
├── NotActive       NOT_ACTIVE    archived things take no logs
└── NoFreeze        NO_FREEZE     buy one first: buyFreeze
"""

from app.core.errors import AppError


class NotActive(AppError):
    code = "NOT_ACTIVE"

    def __init__(self, what: str) -> None:
        super().__init__(f"This {what} is archived. Set its status to Active, then log again.")


class NoFreeze(AppError):
    code = "NO_FREEZE"

    def __init__(self) -> None:
        super().__init__("You hold no freeze. Buy one with buyFreeze.")
