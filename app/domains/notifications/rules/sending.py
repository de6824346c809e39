"""Outcomes of attempts to send, and the state of a delivery after them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import Enum

from app.domains.notifications.types import NotificationChannel, OutgoingMessage, SendingStatus

MOST_ATTEMPTS = 3
FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(days=1)
# How long one worker may take over one message; after that its outcome is unknown.
CLAIM = timedelta(minutes=2)
RETRYABLE = frozenset({408, 429})


class SendResult(Enum):
    """IN_DOUBT: the message may or may not have arrived."""

    SENT = "sent"
    REFUSED = "refused"
    TRY_AGAIN = "try again"
    IN_DOUBT = "in doubt"


@dataclass(frozen=True, slots=True)
class SendOutcome:
    """`retry_after`: seconds that the channel's host asked to wait."""

    result: SendResult
    detail: str | None = None
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class DeliveryState:
    """`retry_at`: when to send the message again; None: never."""

    status: SendingStatus
    retry_at: datetime | None = None


def outcome_of_status(status: int, retry_after: float | None = None) -> SendOutcome:
    """By the HTTP status of the channel's host. A redirect is no success: nothing is followed."""
    if 200 <= status < 300:
        return SendOutcome(SendResult.SENT)
    again = status in RETRYABLE or status >= 500
    result = SendResult.TRY_AGAIN if again else SendResult.REFUSED
    detail = f"The channel's host answered with HTTP status {status}."
    return SendOutcome(result, detail, retry_after if again else None)


def retry_after_seconds(header: str | None, now: datetime) -> float | None:
    """From either of the two forms that HTTP has for Retry-After: seconds, or a date."""
    if header is None:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, (moment - now).total_seconds()) if moment.tzinfo else None


def state_after(
    outcome: SendOutcome, *, attempts: int, repeatable: bool, now: datetime
) -> DeliveryState:
    """`repeatable`: whether a message in doubt is sent again, at the risk of arriving twice."""
    if outcome.result is SendResult.SENT:
        return DeliveryState(SendingStatus.SENT)
    if outcome.result is SendResult.REFUSED:
        return DeliveryState(SendingStatus.FAILED)
    if outcome.result is SendResult.IN_DOUBT and not repeatable:
        return DeliveryState(SendingStatus.UNKNOWN)
    pause = max(FIRST_PAUSE * 2 ** (attempts - 1), timedelta(seconds=outcome.retry_after or 0))
    if attempts >= MOST_ATTEMPTS or pause > LONGEST_PAUSE:
        return DeliveryState(SendingStatus.FAILED)
    return DeliveryState(SendingStatus.PENDING, now + pause)


def may_send(channel: NotificationChannel, message: OutgoingMessage) -> bool:
    """Of the codes only the newest: the one before may have been for another address."""
    if message.is_code:
        return channel.is_active and channel.code_id == message.id
    return channel.is_usable
