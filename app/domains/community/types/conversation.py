"""What rooms and assist threads have in common: members, and messages in one order for all."""

from enum import Enum
from typing import TYPE_CHECKING, Any

import strawberry

from app.core.record import Node, Record, computed
from app.core.scalars import AWSDateTime
from app.domains.people.types import User

if TYPE_CHECKING:
    from app.graph.context import Info
else:
    from strawberry import Info


@strawberry.enum(description="The direction in which messages are read.")
class MessageOrder(Enum):
    NEWEST_FIRST = "NEWEST_FIRST"
    OLDEST_FIRST = "OLDEST_FIRST"


@strawberry.type
class Conversation(Node):
    """`message_count` also says whether a message came meanwhile: it only rises."""

    member_count: int = 0
    message_count: int = strawberry.field(
        default=0, description="All that were ever sent, deleted and expired ones included."
    )
    last_message_at: AWSDateTime | None = None
    last_message_id: strawberry.Private[str | None] = None


@strawberry.type
class Participant(Record):
    """`read_number` and `read_at`: the last message that was read."""

    user_id: strawberry.ID
    read_number: strawberry.Private[int] = 0
    read_at: strawberry.Private[str | None] = None

    @computed(description="Null if the account is hidden or gone.")
    async def user(self, info: Info) -> User | None:
        return await info.context.profiles.user(self.user_id)


@strawberry.type
class Post(Node):
    user_id: strawberry.ID | None = strawberry.field(
        default=None, description="Who sent it; null once their account is deleted."
    )
    text: str | None = strawberry.field(
        default=None, description="As it was typed, never markup; null once it is deleted."
    )
    number: int = strawberry.field(
        description="1, 2, 3, … in the order that every reader sees, without gaps."
    )
    edited_at: AWSDateTime | None = None
    edit_count: int = 0
    deleted_at: AWSDateTime | None = None

    def kept(self, now: AWSDateTime) -> dict[str, Any]:
        """What a PostEdit keeps of it."""
        return {
            "created_at": self.edited_at or self.created_at,
            "updated_at": now,
            "message_id": self.id,
            "user_id": self.user_id,
            "number": self.edit_count,
            "text": self.text or "",
        }

    @computed(description="Null if the account is hidden or gone.")
    async def user(self, info: Info) -> User | None:
        return await info.context.profiles.user(self.user_id) if self.user_id else None


@strawberry.type
class PostEdit(Record):
    """A text that a message had before it was edited, from createdAt on."""

    message_id: strawberry.Private[str]
    user_id: strawberry.Private[str]
    number: strawberry.Private[int]
    text: str

    @property
    def place(self) -> str:
        return f"{self.number:04d}"
