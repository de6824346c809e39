"""Help among people: a thread about one goal, task or quest."""

from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Annotated

import strawberry

from app.core.record import Node, computed
from app.core.scalars import AWSDateTime
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

TAKING_PART = "Null unless you take part."
Order = Annotated[MessageOrder, strawberry.argument(description="NEWEST_FIRST if left out.")]


@strawberry.enum(description="What a thread is about.")
class SubjectKind(Enum):
    GOAL = "GOAL"
    TASK = "TASK"
    QUEST = "QUEST"


@strawberry.enum
class AssistStatus(Enum):
    OPEN = "OPEN"
    RESOLVED = "RESOLVED"


@strawberry.enum
class AssistRole(Enum):
    OPENER = "OPENER"
    HELPER = "HELPER"


@strawberry.enum(description="MINE: those you take part in. OPEN: public ones that wait for help.")
class AssistScope(Enum):
    MINE = "MINE"
    OPEN = "OPEN"


@strawberry.type(description="A text that a message had before it was edited.")
class AssistMsgEdit(PostEdit):
    thread_id: strawberry.Private[str]


@strawberry.type(description="What was said in a thread. createdAt rises strictly within it.")
class AssistMsg(Post):
    thread_id: strawberry.ID

    @computed(description=f"Its earlier texts, oldest first. {TAKING_PART}")
    async def edits(self, info: Info) -> list[AssistMsgEdit] | None:
        return await info.context.assist_messages.edits(self)


@strawberry.type(description="Somebody in a thread. createdAt is when they came.")
class AssistMember(Participant):
    thread_id: strawberry.ID
    role: AssistRole
    rating: int | None = strawberry.field(
        default=None, description="1 to 5: how much their help was worth to the opener."
    )
    rating_comment: str | None = None


@strawberry.type(
    description="Someone asks for help with one record, which those who joined may read. What is "
    "said is for them alone; a resolved thread can only be read."
)
class AssistThread(Conversation):
    user_id: strawberry.ID | None = strawberry.field(
        default=None, description="Who opened it; null once their account is deleted."
    )
    title: str
    description: str | None = None
    subject_kind: SubjectKind
    subject_id: strawberry.ID
    status: AssistStatus = AssistStatus.OPEN
    is_public: bool = True
    resolved_at: AWSDateTime | None = None

    @property
    def listed_at(self) -> str | None:
        waiting = self.is_public and self.status is AssistStatus.OPEN
        return self.created_at if waiting else None

    @computed(
        description=f"The record it is about, while the thread is open. {TAKING_PART} "
        "Null also if it was deleted."
    )
    async def subject(self, info: Info) -> Node | None:
        return await info.context.assist.subject(self)

    @computed(description=f"How much you have not read yet. {TAKING_PART}")
    async def unread_count(self, info: Info) -> int | None:
        member = await info.context.assist.my_seat(self.id)
        return max(0, self.message_count - member.read_number) if member else None

    @computed(description=f"In one order for all readers; the newest first. {TAKING_PART}")
    async def messages(
        self,
        info: Info,
        limit: Limit = 20,
        next_token: NextToken = None,
        order: Order = MessageOrder.NEWEST_FIRST,
    ) -> Page[AssistMsg] | None:
        if not await info.context.assist.my_seat(self.id):
            return None
        fetch = partial(info.context.assist_messages.history, self.id, order)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(description=TAKING_PART)
    async def members(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[AssistMember] | None:
        if not await info.context.assist.my_seat(self.id):
            return None
        fetch = partial(info.context.assist.members, self.id)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)
