"""The errors that clients see, each with a stable code, and the one that operators see.

AppError
├── BadInput              BAD_INPUT             the input is not valid; names the field
├── BadToken              BAD_TOKEN             a nextToken of another list or caller
├── NotFound              NOT_FOUND             does not exist, or the caller may not see it
├── Conflict              CONFLICT              another writer was first; with the current version
│   ├── StaleVersion      CONFLICT              changed since the client read it
│   └── IdTaken           CONFLICT              the id that the client chose is in use
├── ConditionFailed       CONDITION_FAILED      the record does not match the condition sent
├── Unauthenticated       UNAUTHENTICATED       not signed in, or not any more
├── Forbidden             FORBIDDEN             signed in, but not allowed
├── RateLimited           RATE_LIMITED          too many requests; contains retryAfter in seconds
├── LimitExceeded         LIMIT_EXCEEDED        more than the server allows in one request
├── IdempotencyMismatch   IDEMPOTENCY_MISMATCH  the idempotencyKey was used with another input
├── Unavailable           UNAVAILABLE           nothing was changed; try again
├── OutcomeUnknown        OUTCOME_UNKNOWN       maybe applied; repeat with the same idempotencyKey
└── those of the domains, in their errors.py
"""

from typing import ClassVar


class OperatorError(Exception):
    """No client sees it: the operator can correct it, so a command prints its message only."""


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
            f"This {what} was changed meanwhile. Read it again, then repeat the request.",
            **({} if current is None else {"currentVersion": current}),
        )


class IdTaken(Conflict):
    def __init__(self, what: str) -> None:
        super().__init__(
            f"The id of this {what} is in use. Choose another, such as a ULID or a UUID, or leave "
            "it out.",
            field="input.id",
        )


class ConditionFailed(AppError):
    code = "CONDITION_FAILED"

    def __init__(self) -> None:
        super().__init__(
            "The conditional request failed: the record does not match `condition`. "
            "Nothing was changed."
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

    def __init__(self, message: str = "The database does not answer. Nothing was changed.") -> None:
        super().__init__(message, retryable=True)


class OutcomeUnknown(AppError):
    code = "OUTCOME_UNKNOWN"

    def __init__(self) -> None:
        super().__init__(
            "The database did not confirm in time: the change may or may not have been applied. "
            "Repeat the request with the same idempotencyKey.",
            retryable=True,
        )
