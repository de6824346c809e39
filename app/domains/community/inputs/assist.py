"""Inputs of the mutations about assist threads."""

import strawberry

from app.core.inputs import Input
from app.core.text import IdempotencyKey, LongText, ShortText
from app.domains.community.inputs.constraints import HelpRating, MemberIds, MessageText
from app.domains.community.types import SubjectKind


@strawberry.input
class OpenAssistThreadInput(Input):
    title: ShortText
    description: LongText | None = strawberry.UNSET
    subject_kind: SubjectKind
    subject_id: strawberry.ID = strawberry.field(
        description="Your goal or task, or a quest. Participants may read it."
    )
    is_public: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="true if left out: everybody may join. false: only helperIds take part.",
    )
    helper_ids: MemberIds | None = strawberry.field(
        default=strawberry.UNSET,
        description="The first helpers.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class JoinAssistThreadInput(Input):
    thread_id: strawberry.ID
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class LeaveAssistThreadInput(Input):
    thread_id: strawberry.ID
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class RemoveFromAssistThreadInput(Input):
    thread_id: strawberry.ID
    user_id: strawberry.ID
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class SendAssistMessageInput(Input):
    thread_id: strawberry.ID
    text: MessageText
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class EditAssistMessageInput(Input):
    thread_id: strawberry.ID
    message_id: strawberry.ID
    text: MessageText
    expected_version: int | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class DeleteAssistMessageInput(Input):
    thread_id: strawberry.ID
    message_id: strawberry.ID
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class MarkAssistThreadReadInput(Input):
    thread_id: strawberry.ID = strawberry.field(description="A thread that you take part in.")
    message_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="The last message you have read; left out: all."
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class ResolveAssistThreadInput(Input):
    thread_id: strawberry.ID
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class ReopenAssistThreadInput(Input):
    thread_id: strawberry.ID
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class RateHelpInput(Input):
    thread_id: strawberry.ID
    user_id: strawberry.ID = strawberry.field(description="The helper.")
    rating: HelpRating = strawberry.field(description="How good the help was.")
    comment: LongText | None = strawberry.field(
        default=strawberry.UNSET,
        description="What you say about the help.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET
