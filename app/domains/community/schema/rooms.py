"""Rooms and messages in the graph."""

from functools import partial
from typing import Annotated

import strawberry

from app.domains.community.inputs import (
    ArchiveRoomInput,
    CreateRoomInput,
    DeleteMessageInput,
    EditMessageInput,
    InviteToRoomInput,
    JoinRoomInput,
    LeaveRoomInput,
    MarkReadInput,
    MuteInRoomInput,
    RemoveFromRoomInput,
    ReportMessageInput,
    ResolveReportInput,
    RestoreRoomInput,
    SendMessageInput,
    SetRoomRoleInput,
    UpdateRoomInput,
)
from app.domains.community.types import Message, MessageReport, ReportStatus, Room
from app.graph.context import Info
from app.graph.fields import mutation, query
from app.graph.guards import moderators, readers
from app.graph.paging import Limit, NextToken, Page, page

ReportStatusArgument = Annotated[ReportStatus, strawberry.argument(description="OPEN if left out.")]


@strawberry.type
class RoomsQuery:
    @query(readers, description="A room you are a member of, or a public one; else null.")
    async def room(self, info: Info, id: strawberry.ID) -> Room | None:
        return await info.context.rooms.room(id)

    @query(description="The rooms you are a member of, the latest joined first.")
    async def rooms(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Room]:
        return await page(info, info.context.rooms.rooms, limit=limit, next_token=next_token)

    @query(readers, description="The directory of public rooms, newest first.")
    async def public_rooms(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Room]:
        fetch = info.context.rooms.public_rooms
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(moderators, description="Reported messages of all rooms, the oldest first.")
    async def reports(
        self,
        info: Info,
        status: ReportStatusArgument = ReportStatus.OPEN,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[MessageReport]:
        fetch = partial(info.context.moderation.reports, status)
        return await page(info, fetch, limit=limit, next_token=next_token)


@strawberry.type
class RoomsMutation:
    @mutation(description="You become its owner.")
    async def create_room(self, info: Info, input: CreateRoomInput) -> Room:
        return await info.context.rooms.create(input)

    @mutation(description="For its owner: changes name, description or isPublic.")
    async def update_room(self, info: Info, input: UpdateRoomInput) -> Room:
        return await info.context.rooms.update(input)

    @mutation(description="For its owner: the room can only be read, and is not listed.")
    async def archive_room(self, info: Info, input: ArchiveRoomInput) -> Room:
        return await info.context.rooms.archive(input)

    @mutation(description="For its owner: makes an archived room usable again.")
    async def restore_room(self, info: Info, input: RestoreRoomInput) -> Room:
        return await info.context.rooms.restore(input)

    @mutation(
        description="Joins a public room of at most 500 members. Joining again changes nothing."
    )
    async def join_room(self, info: Info, input: JoinRoomInput) -> Room:
        return await info.context.room_members.join(input)

    @mutation(
        description="If you own the room, the moderator, else the member, who joined first becomes "
        "its owner. The last member to leave archives it."
    )
    async def leave_room(self, info: Info, input: LeaveRoomInput) -> Room:
        return await info.context.room_members.leave(input)

    @mutation(
        description="The user becomes a member at once. To a private room only its owner and "
        "moderators invite; only they can invite a user who was removed."
    )
    async def invite_to_room(self, info: Info, input: InviteToRoomInput) -> Room:
        return await info.context.room_members.invite(input)

    @mutation(
        description="For owner and moderators: removes a member of a lower rank, who can return "
        "only by their invitation."
    )
    async def remove_from_room(self, info: Info, input: RemoveFromRoomInput) -> Room:
        return await info.context.room_members.remove(input)

    @mutation(description="For its owner: changes a member's role.")
    async def set_room_role(self, info: Info, input: SetRoomRoleInput) -> Room:
        return await info.context.room_members.set_role(input)

    @mutation(
        description="For owner and moderators: a member of a lower rank can only read for a while."
    )
    async def mute_in_room(self, info: Info, input: MuteInRoomInput) -> Room:
        return await info.context.moderation.mute(input)

    @mutation(description="Marks messages as read. Your read marker never moves back.")
    async def mark_read(self, info: Info, input: MarkReadInput) -> Room:
        return await info.context.rooms.mark_read(input)

    @mutation(
        description="At most 30 messages a minute. Marks all earlier messages as read. A repeated "
        "request with the same idempotencyKey sends nothing."
    )
    async def send_message(self, info: Info, input: SendMessageInput) -> Message:
        return await info.context.messages.send(input)

    @mutation(
        description="Your own message, for 15 minutes, at most 20 times. Earlier texts are kept."
    )
    async def edit_message(self, info: Info, input: EditMessageInput) -> Message:
        return await info.context.messages.edit(input)

    @mutation(
        description="Your own message, or as owner or moderator any. Its texts are erased; "
        "its place in the list stays."
    )
    async def delete_message(self, info: Info, input: DeleteMessageInput) -> Message:
        return await info.context.messages.delete(input)

    @mutation(
        description="Reports a message to the moderators of the room and of the site. A second "
        "report changes nothing."
    )
    async def report_message(self, info: Info, input: ReportMessageInput) -> MessageReport:
        return await info.context.moderation.report(input)

    @mutation(description="For the room's and the site's moderators.")
    async def resolve_report(self, info: Info, input: ResolveReportInput) -> MessageReport:
        return await info.context.moderation.resolve(input)
