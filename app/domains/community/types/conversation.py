"""The base of rooms and assist threads: members, and messages in one order for all readers."""

from enum import Enum

import strawberry

from app.core.enums import enum_type
from app.core.record import Node, Record
from app.core.scalars import AWSDateTime


@enum_type(
    "The direction in which messages are read.",
    NEWEST_FIRST="The last message first.",
    OLDEST_FIRST="The first message first.",
)
class MessageOrder(Enum):
    NEWEST_FIRST = "NEWEST_FIRST"
    OLDEST_FIRST = "OLDEST_FIRST"


@strawberry.type
class Conversation(Node):
    """`message_count` only rises: a write on the condition that it is unchanged detects every
    new message. `gap_number`: the last message that was deleted or expires; None: not known, the
    conversation is older."""

    member_count: int = strawberry.field(
        default=0,
        description="How many members it has.",
    )
    message_count: int = strawberry.field(
        default=0, description="All messages ever sent, deleted and expired ones included."
    )
    last_message_at: AWSDateTime | None = strawberry.field(
        default=None,
        description="When the last message was sent; null: there is none.",
    )
    last_message_id: strawberry.Private[str | None] = None
    gap_number: strawberry.Private[int | None] = None


@strawberry.type
class Participant(Record):
    """A member. `read_number` and `read_at`: the last message that they have read."""

    user_id: strawberry.ID = strawberry.field(description="The member.")
    read_number: strawberry.Private[int] = 0
    read_at: strawberry.Private[str | None] = None


@strawberry.type
class ConversationMessage(Node):
    user_id: strawberry.ID | None = strawberry.field(
        default=None, description="The sender; null once their account is deleted."
    )
    text: str | None = strawberry.field(
        default=None, description="As it was typed, never markup; null once it is deleted."
    )
    number: int = strawberry.field(
        description="1, 2, 3, … in the order that every reader sees, without gaps."
    )
    edited_at: AWSDateTime | None = strawberry.field(
        default=None,
        description="When it was last edited; null: never.",
    )
    edit_count: int = strawberry.field(
        default=0,
        description="How often it was edited.",
    )
    deleted_at: AWSDateTime | None = strawberry.field(
        default=None,
        description="When it was deleted; its text is then null, and it keeps its place.",
    )

    @property
    def is_ephemeral(self) -> bool:
        return False


@strawberry.type
class ConversationMessageEdit(Record):
    """A text that a message had before it was edited. createdAt: since when it had it."""

    message_id: strawberry.Private[str]
    user_id: strawberry.Private[str]
    number: strawberry.Private[int]
    text: str = strawberry.field(description="The text before the edit.")

    @property
    def place(self) -> str:
        return f"{self.number:04d}"
