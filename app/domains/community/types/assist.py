"""Assist threads: requests for help with one goal, task or quest."""

from enum import Enum

import strawberry

from app.core.enums import enum_type
from app.core.scalars import AWSDateTime
from app.domains.community.types.conversation import (
    Conversation,
    ConversationMessage,
    ConversationMessageEdit,
    Participant,
)


@enum_type(
    "The kind of record that a thread is about.",
    GOAL="A goal.",
    TASK="A task.",
    QUEST="A quest.",
)
class SubjectKind(Enum):
    GOAL = "GOAL"
    TASK = "TASK"
    QUEST = "QUEST"


@enum_type(
    "Whether a thread still takes messages.",
    OPEN="It takes messages and helpers.",
    RESOLVED="Read-only, until its opener reopens it.",
)
class AssistStatus(Enum):
    OPEN = "OPEN"
    RESOLVED = "RESOLVED"


@enum_type(
    "What somebody is in a thread.",
    OPENER="Asked the question.",
    HELPER="Joined to help.",
)
class AssistRole(Enum):
    OPENER = "OPENER"
    HELPER = "HELPER"


@enum_type(
    "Which threads are listed.",
    MINE="Threads that you take part in.",
    OPEN="Public threads that are open.",
)
class AssistScope(Enum):
    MINE = "MINE"
    OPEN = "OPEN"


@strawberry.type(description="A text that a message had before it was edited.")
class AssistMsgEdit(ConversationMessageEdit):
    thread_id: strawberry.Private[str]


@strawberry.type(description="A message in a thread. createdAt rises strictly within the thread.")
class AssistMsg(ConversationMessage):
    thread_id: strawberry.ID = strawberry.field(description="The thread that it belongs to.")


@strawberry.type(description="A participant of a thread. createdAt is when they joined.")
class AssistMember(Participant):
    thread_id: strawberry.ID = strawberry.field(description="The thread.")
    role: AssistRole = strawberry.field(description="OPENER asked, HELPER answers.")
    rating: int | None = strawberry.field(
        default=None, description="1 to 5: how helpful they were, rated by the opener."
    )
    rating_comment: str | None = strawberry.field(
        default=None,
        description="What the opener wrote with the rating; null: nothing.",
    )


@strawberry.type(
    description="A request for help with one record, which the participants may read. Only they "
    "read messages; a resolved thread can only be read."
)
class AssistThread(Conversation):
    user_id: strawberry.ID | None = strawberry.field(
        default=None, description="The user who opened it; null once their account is deleted."
    )
    title: str = strawberry.field(description="The question in one line.")
    description: str | None = strawberry.field(
        default=None,
        description="The question in full.",
    )
    subject_kind: SubjectKind = strawberry.field(
        description="What kind of record the question is about; null: none."
    )
    subject_id: strawberry.ID = strawberry.field(
        description="The id of the record that the question is about; null: none."
    )
    status: AssistStatus = strawberry.field(
        default=AssistStatus.OPEN,
        description="A RESOLVED thread is read-only until its opener reopens it.",
    )
    is_public: bool = strawberry.field(
        default=True,
        description="Whether it is listed for everybody who wants to help.",
    )
    resolved_at: AWSDateTime | None = strawberry.field(
        default=None,
        description="When it was resolved; null: it is open.",
    )

    @property
    def listed_at(self) -> str | None:
        waiting = self.is_public and self.status is AssistStatus.OPEN
        return self.created_at if waiting else None
