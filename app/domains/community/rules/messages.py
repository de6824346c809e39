"""Messages: limits, send times, expiry and edits."""

from datetime import UTC, datetime, timedelta
from typing import Any

from app.core.clock import epoch_seconds, instant, parse_instant
from app.core.errors import Forbidden, LimitExceeded
from app.core.ids import ulid_milliseconds
from app.core.scalars import AWSDateTime
from app.domains.community.errors import EditTooLate
from app.domains.community.types import ConversationMessage

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LONGEST_MESSAGE = 4_000
MESSAGES_A_MINUTE = 30
EDIT_MINUTES = 15
MOST_EDITS = 20
LONGEST_EPHEMERAL = 30 * 24 * 3600


def epoch_milliseconds(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(milliseconds=1)


def next_send_time(now: datetime, last: str | None) -> datetime:
    """Always later than that of the last message, whatever this server's clock says."""
    now = now.replace(microsecond=now.microsecond // 1000 * 1000)
    return max(now, just_after(last)) if last else now


def just_after(sent: str) -> datetime:
    return parse_instant(sent) + timedelta(milliseconds=1)


def sent_at(message_id: str) -> AWSDateTime | None:
    """A message's id contains its time; None: it is no id of a message."""
    made = ulid_milliseconds(message_id)
    if made is None:
        return None
    try:
        return instant(EPOCH + timedelta(milliseconds=made))
    except OverflowError:
        return None


def is_expired(ttl: int | None, now: datetime) -> bool:
    """DynamoDB deletes an expired item only days later."""
    return ttl is not None and ttl <= epoch_seconds(now)


def may_still_edit(sent: str, now: datetime) -> bool:
    return now - parse_instant(sent) <= timedelta(minutes=EDIT_MINUTES)


def expect_sender(message: ConversationMessage, user_id: str, action: str) -> None:
    if message.user_id != user_id:
        raise Forbidden(f"Only the sender of a message can {action} it.")


def expect_editable(message: ConversationMessage, now: datetime) -> None:
    if not may_still_edit(message.created_at, now):
        raise EditTooLate


def expect_edits_left(message: ConversationMessage) -> None:
    if message.edit_count >= MOST_EDITS:
        raise LimitExceeded(f"A message can be edited {MOST_EDITS} times. Send a new one.")


def edit_fields(message: ConversationMessage, now: AWSDateTime) -> dict[str, Any]:
    """The fields of the edit that keeps the present text of a message."""
    return {
        "created_at": message.edited_at or message.created_at,
        "updated_at": now,
        "message_id": message.id,
        "user_id": message.user_id,
        "number": message.edit_count,
        "text": message.text or "",
    }
