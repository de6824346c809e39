"""
AppError
└── Conflict
    └── EntryDiffers    CONFLICT    the day has an entry with another value; says currentVersion
"""

from app.core.errors import Conflict


class EntryDiffers(Conflict):
    def __init__(self, field: str, version: int) -> None:
        super().__init__(
            f"The entry of this day has another {field} already. Read it, then save the value that "
            "should stay with its version as expectedVersion.",
            field=f"input.{field}",
            currentVersion=version,
        )
