"""Rooms, their members and messages, and their moderation."""

from enum import Enum

import strawberry

from app.core.enums import enum_type
from app.core.record import Node, Record, computed
from app.core.scalars import AWSDateTime, AWSTimestamp
from app.domains.community.types.conversation import (
    Conversation,
    ConversationMessage,
    ConversationMessageEdit,
    Participant,
)


@enum_type(
    "OWNER: one, may do everything. MODERATOR: may remove messages and members, mute, invite. "
    "MEMBER: reads and writes.",
    OWNER="One per room; may do everything.",
    MODERATOR="May remove messages and members, mute and invite.",
    MEMBER="Reads and writes.",
)
class RoomRole(Enum):
    OWNER = "OWNER"
    MODERATOR = "MODERATOR"
    MEMBER = "MEMBER"


@strawberry.input(
    one_of=True, description="A place among the messages of a room. Give exactly one field."
)
class MessageAnchor:
    message_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="This message, also if it was deleted."
    )
    date: AWSDateTime | None = strawberry.field(
        default=strawberry.UNSET, description="This moment."
    )
    first_unread: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="Your read marker: OLDEST_FIRST gives the messages you have not read, "
        "NEWEST_FIRST those you have read. false counts as left out.",
    )


@strawberry.type(description="A text that a message had before it was edited.")
class MessageEdit(ConversationMessageEdit):
    room_id: strawberry.Private[str]
    ttl: strawberry.Private[int | None] = None


@strawberry.type(description="A message in a room. createdAt rises strictly within the room.")
class Message(ConversationMessage):
    room_id: strawberry.ID = strawberry.field(description="The room that it belongs to.")
    reply_to_id: strawberry.ID | None = strawberry.field(
        default=None,
        description="The message that it answers; null: none.",
    )
    is_removed: bool = strawberry.field(
        default=False, description="Deleted by a moderator, not by its sender."
    )
    ttl: strawberry.Private[int | None] = None

    @property
    def is_ephemeral(self) -> bool:
        return self.ttl is not None

    @computed(description="Seconds since 1970: from then on it is hidden. Null: it never expires.")
    def expires_at(self) -> AWSTimestamp | None:
        return None if self.ttl is None else AWSTimestamp(self.ttl)


@strawberry.type(description="A member of a room. createdAt is when they joined.")
class RoomMember(Participant):
    room_id: strawberry.ID = strawberry.field(description="The room.")
    role: RoomRole = strawberry.field(description="What the member may do.")
    muted_until: AWSDateTime | None = strawberry.field(
        default=None, description="Until then they can only read."
    )


@strawberry.type
class RoomBan(Record):
    """A user who was removed from a room and may return only by invitation."""

    room_id: str
    user_id: str


@enum_type(
    "What a moderator did.",
    REMOVE_MESSAGE="A message was removed.",
    REMOVE_MEMBER="A member was removed.",
    MUTE="A member was muted.",
    UNMUTE="A member may write again.",
    SET_ROLE="A member got another role.",
    DISMISS_REPORT="A report was found unjustified.",
    ARCHIVE="The room was made read-only.",
    RESTORE="The room takes messages again.",
)
class ModerationAction(Enum):
    REMOVE_MESSAGE = "REMOVE_MESSAGE"
    REMOVE_MEMBER = "REMOVE_MEMBER"
    MUTE = "MUTE"
    UNMUTE = "UNMUTE"
    SET_ROLE = "SET_ROLE"
    DISMISS_REPORT = "DISMISS_REPORT"
    ARCHIVE = "ARCHIVE"
    RESTORE = "RESTORE"


@strawberry.type(
    description="An action of a moderator, whom it concerned and why. It is never changed."
)
class ModerationEntry(Node):
    room_id: strawberry.ID = strawberry.field(description="The room.")
    action: ModerationAction = strawberry.field(description="What was done.")
    moderator_id: strawberry.ID = strawberry.field(description="Who did it.")
    subject_id: strawberry.ID | None = strawberry.field(
        default=None, description="The user whom it concerned."
    )
    message_id: strawberry.ID | None = strawberry.field(
        default=None,
        description="The message concerned; null: none.",
    )
    reason: str | None = strawberry.field(
        default=None,
        description="Why; null: not said.",
    )


@enum_type(
    "Where a report stands.",
    OPEN="Nobody has decided yet.",
    RESOLVED="The message was removed.",
    DISMISSED="The message stays.",
)
class ReportStatus(Enum):
    OPEN = "OPEN"
    RESOLVED = "RESOLVED"
    DISMISSED = "DISMISSED"


@strawberry.type(name="Report", description="A message that a member reported.")
class MessageReport(Record):
    user_id: strawberry.ID = strawberry.field(description="The member who reported it.")
    room_id: strawberry.ID = strawberry.field(description="The room.")
    message_id: strawberry.ID = strawberry.field(description="The message that was reported.")
    reason: str = strawberry.field(description="Why it was reported.")
    status: ReportStatus = strawberry.field(
        default=ReportStatus.OPEN,
        description="OPEN until a moderator decides.",
    )
    resolved_at: AWSDateTime | None = strawberry.field(
        default=None,
        description="When it was decided; null: not yet.",
    )


@strawberry.type(
    description="A place to talk. Everybody sees a public room and may join it; a private room is "
    "visible only to its members. Only members read messages."
)
class Room(Conversation):
    name: str = strawberry.field(description="What it is called.")
    description: str | None = strawberry.field(
        default=None,
        description="What it is for; null: not said.",
    )
    is_public: bool = strawberry.field(
        default=False,
        description="Whether everybody finds it and may join.",
    )
    archived_at: AWSDateTime | None = strawberry.field(
        default=None, description="Since when it can only be read."
    )

    @property
    def listed_at(self) -> str | None:
        return self.created_at if self.is_public and not self.archived_at else None
