"""Assist threads: requests for help with one goal, task or quest."""

from enum import Enum

import strawberry

from app.core.scalars import AWSDateTime
from app.domains.community.types.conversation import (
    Conversation,
    ConversationMessage,
    ConversationMessageEdit,
    Participant,
)


@strawberry.enum(description="The kind of record that a thread is about.")
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


@strawberry.enum(description="MINE: threads you take part in. OPEN: public threads that are open.")
class AssistScope(Enum):
    MINE = "MINE"
    OPEN = "OPEN"


@strawberry.type(description="A text that a message had before it was edited.")
class AssistMsgEdit(ConversationMessageEdit):
    thread_id: strawberry.Private[str]


@strawberry.type(description="A message in a thread. createdAt rises strictly within the thread.")
class AssistMsg(ConversationMessage):
    thread_id: strawberry.ID


@strawberry.type(description="A participant of a thread. createdAt is when they joined.")
class AssistMember(Participant):
    thread_id: strawberry.ID
    role: AssistRole
    rating: int | None = strawberry.field(
        default=None, description="1 to 5: how helpful they were, rated by the opener."
    )
    rating_comment: str | None = None


@strawberry.type(
    description="A request for help with one record, which the participants may read. Only they "
    "read messages; a resolved thread can only be read."
)
class AssistThread(Conversation):
    user_id: strawberry.ID | None = strawberry.field(
        default=None, description="The user who opened it; null once their account is deleted."
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
