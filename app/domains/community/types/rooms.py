"""Rooms, who is in them, what is said there and how it is kept civil."""

from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Annotated

import strawberry

from app.core.record import Node, Record, computed
from app.core.scalars import AWSDateTime, AWSTimestamp
from app.domains.community.rules import RoomRole
from app.domains.community.types.conversation import (
    Conversation,
    MessageOrder,
    Participant,
    Post,
    PostEdit,
)
from app.graph.paging import Limit, NextToken, Page, page

if TYPE_CHECKING:
    from app.graph.context import Info
else:
    from strawberry import Info

MEMBERS_ONLY = "Null unless you are a member."
Order = Annotated[MessageOrder, strawberry.argument(description="NEWEST_FIRST if left out.")]
Around = Annotated[
    "MessageAnchor | None",
    strawberry.argument(
        description="Begin at this place instead of at the end: NEWEST_FIRST gives it and what "
        "came before it, OLDEST_FIRST it and what came after it."
    ),
]


@strawberry.input(one_of=True, description="A place among the messages of a room: give one of it.")
class MessageAnchor:
    message_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="This message, also if it was deleted."
    )
    date: AWSDateTime | None = strawberry.field(
        default=strawberry.UNSET, description="This moment."
    )
    first_unread: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="Where your reading ended: OLDEST_FIRST gives what you have not read, "
        "NEWEST_FIRST what you have. false counts as if it were left out.",
    )


@strawberry.type(description="A text that a message had before it was edited.")
class MessageEdit(PostEdit):
    room_id: strawberry.Private[str]
    ttl: strawberry.Private[int | None] = None


@strawberry.type(description="What was said in a room. createdAt rises strictly within the room.")
class Message(Post):
    room_id: strawberry.ID
    reply_to_id: strawberry.ID | None = None
    is_removed: bool = strawberry.field(
        default=False, description="Deleted by a moderator, not by its sender."
    )
    ttl: strawberry.Private[int | None] = None

    @computed(description="Seconds since 1970: from then on nobody sees it. Null: it stays.")
    def expires_at(self) -> AWSTimestamp | None:
        return None if self.ttl is None else AWSTimestamp(self.ttl)

    @computed(description="What it answers; null if that has expired or you may not see it.")
    async def reply_to(self, info: Info) -> "Message | None":
        if self.reply_to_id is None:
            return None
        return await info.context.messages.message(self.room_id, self.reply_to_id)

    @computed(description=f"Its earlier texts, oldest first. {MEMBERS_ONLY}")
    async def edits(self, info: Info) -> list[MessageEdit] | None:
        return await info.context.messages.edits(self)


@strawberry.type(description="Somebody in a room. createdAt is when they came.")
class RoomMember(Participant):
    room_id: strawberry.ID
    role: RoomRole
    muted_until: AWSDateTime | None = strawberry.field(
        default=None, description="Until then they only read."
    )


@strawberry.type
class RoomBan(Record):
    """Who was removed from a room and does not come back uninvited."""

    room_id: str
    user_id: str


@strawberry.enum
class ModerationAction(Enum):
    REMOVE_MESSAGE = "REMOVE_MESSAGE"
    REMOVE_MEMBER = "REMOVE_MEMBER"
    MUTE = "MUTE"
    UNMUTE = "UNMUTE"
    SET_ROLE = "SET_ROLE"
    DISMISS_REPORT = "DISMISS_REPORT"
    ARCHIVE = "ARCHIVE"
    RESTORE = "RESTORE"


@strawberry.type(description="What a moderator did, to whom and why. It is never changed.")
class ModerationEntry(Node):
    room_id: strawberry.ID
    action: ModerationAction
    moderator_id: strawberry.ID
    subject_id: strawberry.ID | None = strawberry.field(
        default=None, description="The user whom it concerned."
    )
    message_id: strawberry.ID | None = None
    reason: str | None = None


@strawberry.enum
class ReportStatus(Enum):
    OPEN = "OPEN"
    RESOLVED = "RESOLVED"
    DISMISSED = "DISMISSED"


@strawberry.type(description="A message that somebody found wrong.")
class Report(Record):
    user_id: strawberry.ID = strawberry.field(description="Who reported it.")
    room_id: strawberry.ID
    message_id: strawberry.ID
    reason: str
    status: ReportStatus = ReportStatus.OPEN
    resolved_at: AWSDateTime | None = None

    @computed(description="The message, also for a moderator who is not in the room.")
    async def message(self, info: Info) -> Message | None:
        return await info.context.moderation.reported_message(self)


@strawberry.type(
    description="A place to talk. Everybody sees a public room's name and may join it; a private "
    "one exists only for its members. What is said is for members alone."
)
class Room(Conversation):
    name: str
    description: str | None = None
    is_public: bool = False
    archived_at: AWSDateTime | None = strawberry.field(
        default=None, description="Since when it can only be read."
    )

    @property
    def listed_at(self) -> str | None:
        return self.created_at if self.is_public and not self.archived_at else None

    @computed(description=f"How much you have not read yet. {MEMBERS_ONLY}")
    async def unread_count(self, info: Info) -> int | None:
        member = await info.context.rooms.my_seat(self.id)
        return max(0, self.message_count - member.read_number) if member else None

    @computed(description=MEMBERS_ONLY)
    async def my_role(self, info: Info) -> RoomRole | None:
        member = await info.context.rooms.my_seat(self.id)
        return member.role if member else None

    @computed(description=f"The newest message, unless it has expired. {MEMBERS_ONLY}")
    async def last_message(self, info: Info) -> Message | None:
        if self.last_message_id is None:
            return None
        return await info.context.messages.message(self.id, self.last_message_id)

    @computed(description=f"In one order for all readers; the newest first. {MEMBERS_ONLY}")
    async def messages(
        self,
        info: Info,
        limit: Limit = 20,
        next_token: NextToken = None,
        order: Order = MessageOrder.NEWEST_FIRST,
        around: Around = None,
    ) -> Page[Message] | None:
        if not await info.context.rooms.my_seat(self.id):
            return None
        fetch = partial(info.context.messages.history, self.id, order, around)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(description=MEMBERS_ONLY)
    async def members(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[RoomMember] | None:
        if not await info.context.rooms.my_seat(self.id):
            return None
        fetch = partial(info.context.rooms.members, self.id)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(description="What was done to keep it civil, newest first. Null for members.")
    async def moderation_log(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[ModerationEntry] | None:
        if not await info.context.moderation.may_moderate(self.id):
            return None
        fetch = partial(info.context.moderation.log, self.id)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(description="Messages that were reported and wait for a decision. Null for members.")
    async def open_reports(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Report] | None:
        if not await info.context.moderation.may_moderate(self.id):
            return None
        fetch = partial(info.context.moderation.reports_of_room, self.id)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)
