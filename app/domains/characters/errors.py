"""
AppError
├── CharacterExists       CHARACTER_EXISTS       you have a character of this name
├── ProgressExists        PROGRESS_EXISTS        another value of the same moment is recorded
└── HiscoresUnavailable   HISCORES_UNAVAILABLE   says retryAfter in seconds
"""

from app.core.errors import AppError


class CharacterExists(AppError):
    code = "CHARACTER_EXISTS"

    def __init__(self) -> None:
        super().__init__(
            "You have a character of this name already; - and _ count as spaces, and the letter "
            "case does not matter.",
            field="input.name",
        )


class ProgressExists(AppError):
    code = "PROGRESS_EXISTS"

    def __init__(self, value: int) -> None:
        super().__init__(
            f"At this moment {value} was recorded. Give another timestamp.",
            field="input.timestamp",
            progressValue=value,
        )


class HiscoresUnavailable(AppError):
    code = "HISCORES_UNAVAILABLE"

    def __init__(self, retry_after: int) -> None:
        super().__init__(
            f"The hiscores do not answer. Nothing was changed; try again in {retry_after} seconds.",
            retryable=True,
            retryAfter=retry_after,
        )
