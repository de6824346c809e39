"""What clients send about rooms and messages."""

from typing import Annotated

import strawberry
from pydantic import Field

from app.core.ids import ClientId
from app.core.inputs import Input
from app.core.text import IdempotencyKey, Line, Paragraph
from app.domains.community.inputs.words import FewIds, MessageText
from app.domains.community.rules import LONGEST_EPHEMERAL, LONGEST_MUTE_MINUTES, RoomRole

Seconds = Annotated[int, Field(ge=1, le=LONGEST_EPHEMERAL)]
MuteMinutes = Annotated[int, Field(ge=0, le=LONGEST_MUTE_MINUTES)]


@strawberry.input
class CreateRoomInput(Input):
    id: ClientId | None = strawberry.field(
        default=strawberry.UNSET,
        description="Yours, if you made one: up to 64 letters, digits, _ or -. Else we make one.",
    )
    name: Line = strawberry.field(description="1 to 200 characters.")
    description: Paragraph | None = strawberry.UNSET
    is_public: bool | None = strawberry.field(
        default=strawberry.UNSET, description="false if left out: only members know of the room."
    )
    member_ids: FewIds | None = strawberry.field(
        default=strawberry.UNSET, description="Who is in it from the start, beside you: up to 50."
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(description="What is left out stays as it is; null clears the description.")
class UpdateRoomInput(Input):
    room_id: strawberry.ID
    name: Line | None = strawberry.UNSET
    description: Paragraph | None = strawberry.UNSET
    is_public: bool | None = strawberry.UNSET
    expected_version: int | None = strawberry.UNSET


@strawberry.input
class JoinRoomInput(Input):
    room_id: strawberry.ID


@strawberry.input
class LeaveRoomInput(Input):
    room_id: strawberry.ID


@strawberry.input
class ArchiveRoomInput(Input):
    room_id: strawberry.ID
    reason: Line | None = strawberry.UNSET


@strawberry.input
class RestoreRoomInput(Input):
    room_id: strawberry.ID


@strawberry.input
class InviteToRoomInput(Input):
    room_id: strawberry.ID
    user_id: strawberry.ID


@strawberry.input
class RemoveFromRoomInput(Input):
    room_id: strawberry.ID
    user_id: strawberry.ID
    reason: Line | None = strawberry.UNSET


@strawberry.input
class SetRoomRoleInput(Input):
    room_id: strawberry.ID
    user_id: strawberry.ID
    role: RoomRole = strawberry.field(
        description="OWNER hands the room over: you become a moderator."
    )


@strawberry.input
class MuteInRoomInput(Input):
    room_id: strawberry.ID
    user_id: strawberry.ID
    minutes: MuteMinutes = strawberry.field(description="Up to 43,200 (30 days); 0 ends it.")
    reason: Line | None = strawberry.UNSET


@strawberry.input
class MarkReadInput(Input):
    room_id: strawberry.ID
    message_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="The last one you have read; left out: all."
    )


@strawberry.input
class SendMessageInput(Input):
    room_id: strawberry.ID
    text: MessageText = strawberry.field(description="1 to 4,000 characters.")
    reply_to_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="A message of the same room that it answers."
    )
    expires_in: Seconds | None = strawberry.field(
        default=strawberry.UNSET,
        description="Seconds, up to 2,592,000 (30 days), after which nobody sees it any more.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class EditMessageInput(Input):
    room_id: strawberry.ID
    message_id: strawberry.ID
    text: MessageText = strawberry.field(description="1 to 4,000 characters.")
    expected_version: int | None = strawberry.UNSET


@strawberry.input
class DeleteMessageInput(Input):
    room_id: strawberry.ID
    message_id: strawberry.ID
    reason: Line | None = strawberry.field(
        default=strawberry.UNSET, description="Why, for the log, if it is somebody else's."
    )


@strawberry.input
class ReportMessageInput(Input):
    room_id: strawberry.ID
    message_id: strawberry.ID
    reason: Line


@strawberry.input
class ResolveReportInput(Input):
    reporter_id: strawberry.ID = strawberry.field(description="The report's userId.")
    message_id: strawberry.ID
    remove: bool = strawberry.field(description="true: remove the message; false: leave it.")
    reason: Line | None = strawberry.UNSET
