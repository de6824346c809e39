"""What a try to send came to, and what follows from it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

import strawberry

TRIES = 3
FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(days=1)
# How long one worker may take over one message; after that its fate is unknown.
CLAIM = timedelta(minutes=2)
TRY_AGAIN = frozenset({408, 429})


@strawberry.enum(
    description="UNKNOWN: the far side did not answer, so it may or may not have arrived; "
    "it is not sent again."
)
class SendingStatus(Enum):
    PENDING = "PENDING"
    SENDING = "SENDING"
    SENT = "SENT"
    FAILED = "FAILED"
    UNKNOWN = "UNKNOWN"


class Result(Enum):
    SENT = "sent"
    REFUSED = "refused"
    TRY_AGAIN = "try again"
    NO_ANSWER = "no answer"


@dataclass(frozen=True, slots=True)
class Outcome:
    result: Result
    detail: str | None = None
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class Next:
    """`at`: when to look at the message again; None: never."""

    status: SendingStatus
    at: datetime | None = None


def outcome_of(status: int, retry_after: float | None = None) -> Outcome:
    """By the far side's HTTP status. A redirect is no success: nothing is followed."""
    if 200 <= status < 300:
        return Outcome(Result.SENT)
    again = status in TRY_AGAIN or status >= 500
    result = Result.TRY_AGAIN if again else Result.REFUSED
    return Outcome(result, f"The far side answered {status}.", retry_after if again else None)


def after_attempt(outcome: Outcome, *, attempts: int, repeatable: bool, now: datetime) -> Next:
    """`repeatable`: a message that may come twice, if there was no answer; an SMS may not."""
    if outcome.result is Result.SENT:
        return Next(SendingStatus.SENT)
    if outcome.result is Result.REFUSED:
        return Next(SendingStatus.FAILED)
    if outcome.result is Result.NO_ANSWER and not repeatable:
        return Next(SendingStatus.UNKNOWN)
    pause = max(FIRST_PAUSE * 2 ** (attempts - 1), timedelta(seconds=outcome.retry_after or 0))
    if attempts >= TRIES or pause > LONGEST_PAUSE:
        return Next(SendingStatus.FAILED)
    return Next(SendingStatus.PENDING, now + pause)
