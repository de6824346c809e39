"""Inputs of the mutations about rooms and messages."""

from typing import Annotated

import strawberry
from pydantic import Field

from app.core.ids import CLIENT_ID, ClientId
from app.core.inputs import Input
from app.core.text import IdempotencyKey, LongText, ShortText
from app.domains.community.inputs.constraints import MemberIds, MessageText
from app.domains.community.rules.messages import LONGEST_EPHEMERAL
from app.domains.community.rules.rooms import LONGEST_MUTE_MINUTES
from app.domains.community.types import RoomRole

EphemeralSeconds = Annotated[int, Field(ge=1, le=LONGEST_EPHEMERAL)]
MuteMinutes = Annotated[int, Field(ge=0, le=LONGEST_MUTE_MINUTES)]


@strawberry.input
class CreateRoomInput(Input):
    id: ClientId | None = strawberry.field(default=strawberry.UNSET, description=CLIENT_ID)
    name: ShortText
    description: LongText | None = strawberry.UNSET
    is_public: bool | None = strawberry.field(
        default=strawberry.UNSET, description="false if left out: only members see the room."
    )
    member_ids: MemberIds | None = strawberry.field(
        default=strawberry.UNSET,
        description="The first members beside you.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(
    description="Fields that are left out stay unchanged; null clears the description."
)
class UpdateRoomInput(Input):
    room_id: strawberry.ID
    name: ShortText | None = strawberry.UNSET
    description: LongText | None = strawberry.UNSET
    is_public: bool | None = strawberry.UNSET
    expected_version: int | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class JoinRoomInput(Input):
    room_id: strawberry.ID
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class LeaveRoomInput(Input):
    room_id: strawberry.ID
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class ArchiveRoomInput(Input):
    room_id: strawberry.ID
    reason: ShortText | None = strawberry.field(
        default=strawberry.UNSET,
        description="Why, for the list of moderation.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class RestoreRoomInput(Input):
    room_id: strawberry.ID
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class InviteToRoomInput(Input):
    room_id: strawberry.ID
    user_id: strawberry.ID
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class RemoveFromRoomInput(Input):
    room_id: strawberry.ID
    user_id: strawberry.ID
    reason: ShortText | None = strawberry.field(
        default=strawberry.UNSET,
        description="Why, for the list of moderation.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class SetRoomRoleInput(Input):
    room_id: strawberry.ID
    user_id: strawberry.ID
    role: RoomRole = strawberry.field(
        description="OWNER: they become the owner, and you a moderator."
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class MuteInRoomInput(Input):
    room_id: strawberry.ID
    user_id: strawberry.ID
    minutes: MuteMinutes = strawberry.field(
        description="43,200 is 30 days; 0 unmutes them.",
    )
    reason: ShortText | None = strawberry.field(
        default=strawberry.UNSET,
        description="Why, for the list of moderation.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class MarkReadInput(Input):
    room_id: strawberry.ID
    message_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="The last message you have read; left out: all."
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class SendMessageInput(Input):
    room_id: strawberry.ID
    text: MessageText
    reply_to_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="A message of the same room that it answers."
    )
    expires_in: EphemeralSeconds | None = strawberry.field(
        default=strawberry.UNSET,
        description="Seconds after which the message is hidden; 2,592,000 is 30 days.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class EditMessageInput(Input):
    room_id: strawberry.ID
    message_id: strawberry.ID
    text: MessageText
    expected_version: int | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class DeleteMessageInput(Input):
    room_id: strawberry.ID
    message_id: strawberry.ID
    reason: ShortText | None = strawberry.field(
        default=strawberry.UNSET,
        description="For the moderation log, if it is not your own message.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class ReportMessageInput(Input):
    room_id: strawberry.ID
    message_id: strawberry.ID
    reason: ShortText = strawberry.field(description="Why, for the moderators.")
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class ResolveReportInput(Input):
    reporter_id: strawberry.ID = strawberry.field(description="The report's userId.")
    message_id: strawberry.ID
    remove: bool = strawberry.field(description="true: remove the message; false: leave it.")
    reason: ShortText | None = strawberry.field(
        default=strawberry.UNSET,
        description="Why, for the list of moderation.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET
