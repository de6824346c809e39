"""How far a member of a room or thread has read, and how many messages are left to read."""

from collections.abc import Callable
from typing import TypeVar

from app.core.clock import instant
from app.core.errors import StaleVersion
from app.domains.community.rules.messages import just_after
from app.domains.community.types import Conversation, ConversationMessage, Participant
from app.table.conditions import attr, present
from app.table.entity import Key, RangeQuery
from app.table.gateway import Gateway
from app.table.writes import Update, Write

M = TypeVar("M", bound=ConversationMessage)
P = TypeVar("P", bound=Participant)
# Of each conversation, the newest first.
MOST_EXAMINED = 500


def marker_writes(
    member: P, key: Key[P], conversation: Conversation, message: ConversationMessage | None
) -> list[Write]:
    """Up to this message, or all. A marker never moves back."""
    number, at = conversation.message_count, conversation.last_message_at
    if message:
        number, at = message.number, message.created_at
    if number <= member.read_number:
        return []
    return [
        Update(
            key,
            put={"readNumber": number, "readAt": at},
            when=present() & attr("readNumber").below(number),
            otherwise=StaleVersion("read marker", None),
        )
    ]


async def count_unread(
    table: Gateway,
    conversation: Conversation,
    member: Participant,
    *,
    messages_since: Callable[[str | None], RangeQuery[M]],
    is_readable: Callable[[M], bool],
) -> int:
    """Without messages that were deleted or have expired; of more than MOST_EXAMINED unread
    messages the oldest are all counted."""
    unread = conversation.message_count - member.read_number
    if unread <= 0:
        return 0
    if conversation.gap_number is not None and conversation.gap_number <= member.read_number:
        return unread
    since = instant(just_after(member.read_at)) if member.read_at else None
    rows = await table.query(messages_since(since), limit=min(unread, MOST_EXAMINED))
    examined = [each for each in rows.items if each.number > member.read_number]
    readable = sum(is_readable(each) for each in examined)
    return readable + max(0, unread - MOST_EXAMINED)
