"""
AppError
└── Conflict
    ├── IdTaken    CONFLICT    the id that the client chose is in use
    └── Differs    CONFLICT    the day's entry says something else; says currentVersion
"""

from app.core.errors import Conflict


class IdTaken(Conflict):
    def __init__(self, what: str) -> None:
        super().__init__(f"There is a {what} with this id already. Choose another.")


class Differs(Conflict):
    def __init__(self, field: str, version: int) -> None:
        super().__init__(
            f"This day's entry has another {field} already. Read it, then save what should stand "
            "there with its version as expectedVersion.",
            field=f"input.{field}",
            currentVersion=version,
        )
