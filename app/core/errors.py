"""What can go wrong and be told to a client. Every error has a stable code.

AppError
├── BadInput              BAD_INPUT             the client's words are off; says which field
├── BadToken              BAD_TOKEN             a nextToken of another list or caller
├── NotFound              NOT_FOUND             absent, or not the caller's to see: the same answer
├── Conflict              CONFLICT              somebody else was first; says the current version
├── Unauthenticated       UNAUTHENTICATED       sign in (again)
├── Forbidden             FORBIDDEN             signed in, but not for this
├── RateLimited           RATE_LIMITED          too often; says retryAfter in seconds
├── LimitExceeded         LIMIT_EXCEEDED        more than the server allows at once
├── IdempotencyMismatch   IDEMPOTENCY_MISMATCH  the key was used with another input
├── Unavailable           UNAVAILABLE           try again: nothing was changed
├── OutcomeUnknown        OUTCOME_UNKNOWN       try again with the same idempotencyKey
└── the domains' own, each in its errors.py
"""

from typing import ClassVar


class AppError(Exception):
    code: ClassVar[str]

    def __init__(self, message: str, **info: object) -> None:
        super().__init__(message)
        self.message = message
        self.info = info


class BadInput(AppError):
    code = "BAD_INPUT"

    def __init__(self, message: str, *, field: str | None = None, **info: object) -> None:
        super().__init__(message, **({"field": field} if field else {}), **info)


class BadToken(AppError):
    code = "BAD_TOKEN"

    def __init__(self) -> None:
        super().__init__(
            "This nextToken does not belong to this list. "
            "Ask for the first page again, without a nextToken."
        )


class NotFound(AppError):
    code = "NOT_FOUND"

    def __init__(self, what: str) -> None:
        super().__init__(f"There is no such {what}.")


class Conflict(AppError):
    code = "CONFLICT"


class StaleVersion(Conflict):
    def __init__(self, what: str, current: int | None) -> None:
        super().__init__(
            f"This {what} was changed by someone else meanwhile. Read it again, then repeat.",
            **({} if current is None else {"currentVersion": current}),
        )


class Unauthenticated(AppError):
    code = "UNAUTHENTICATED"


class Forbidden(AppError):
    code = "FORBIDDEN"


class RateLimited(AppError):
    code = "RATE_LIMITED"

    def __init__(self, what: str, retry_after: int) -> None:
        super().__init__(
            f"Too many {what}. Try again in {retry_after} seconds.", retryAfter=retry_after
        )


class LimitExceeded(AppError):
    code = "LIMIT_EXCEEDED"


class IdempotencyMismatch(AppError):
    code = "IDEMPOTENCY_MISMATCH"

    def __init__(self) -> None:
        super().__init__("This idempotencyKey was used before with another input. Use a new one.")


class Unavailable(AppError):
    code = "UNAVAILABLE"

    def __init__(self, message: str = "The store does not answer. Nothing was changed.") -> None:
        super().__init__(message, retryable=True)


class OutcomeUnknown(AppError):
    code = "OUTCOME_UNKNOWN"

    def __init__(self) -> None:
        super().__init__(
            "The store did not confirm in time, so the change may or may not have happened. "
            "Repeat it with the same idempotencyKey.",
            retryable=True,
        )
