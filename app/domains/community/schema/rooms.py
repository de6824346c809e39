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
from app.domains.community.types import Message, Report, ReportStatus, Room
from app.graph.context import Info
from app.graph.fields import moderators, mutation, query, readers
from app.graph.paging import Limit, NextToken, Page, page

Status = Annotated[ReportStatus, strawberry.argument(description="OPEN if left out.")]


@strawberry.type
class RoomsQuery:
    @query(readers, description="A room you are in, or a public one; null for all others.")
    async def room(self, info: Info, id: strawberry.ID) -> Room | None:
        return await info.context.rooms.room(id)

    @query(description="The rooms you are in, the latest joined first.")
    async def rooms(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Room]:
        return await page(info, info.context.rooms.rooms, limit=limit, next_token=next_token)

    @query(readers, description="The directory of rooms that everybody may join, newest first.")
    async def public_rooms(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Room]:
        fetch = info.context.rooms.public_rooms
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(moderators, description="Reported messages of all rooms, the oldest first.")
    async def reports(
        self,
        info: Info,
        status: Status = ReportStatus.OPEN,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Report]:
        fetch = partial(info.context.moderation.reports, status)
        return await page(info, fetch, limit=limit, next_token=next_token)


@strawberry.type
class RoomsMutation:
    @mutation(description="You own it.")
    async def create_room(self, info: Info, input: CreateRoomInput) -> Room:
        return await info.context.rooms.create(input)

    @mutation(description="For its owner: the name, the description, who may find it.")
    async def update_room(self, info: Info, input: UpdateRoomInput) -> Room:
        return await info.context.rooms.update(input)

    @mutation(description="For its owner: from now on it can only be read, and is not listed.")
    async def archive_room(self, info: Info, input: ArchiveRoomInput) -> Room:
        return await info.context.rooms.archive(input)

    @mutation(description="For its owner: it is in use again.")
    async def restore_room(self, info: Info, input: RestoreRoomInput) -> Room:
        return await info.context.rooms.restore(input)

    @mutation(description="A public room; again is once. At most 500 members.")
    async def join_room(self, info: Info, input: JoinRoomInput) -> Room:
        return await info.context.room_members.join(input)

    @mutation(
        description="If you own it, it goes to the longest-standing moderator or member; "
        "the last one to leave archives it."
    )
    async def leave_room(self, info: Info, input: LeaveRoomInput) -> Room:
        return await info.context.room_members.leave(input)

    @mutation(
        description="They are in it from now on. To a private room only its owner and moderators "
        "invite; they may also bring back somebody who was removed."
    )
    async def invite_to_room(self, info: Info, input: InviteToRoomInput) -> Room:
        return await info.context.room_members.invite(input)

    @mutation(
        description="For owner and moderators: they see nothing of it from now on, and come back "
        "only if they are invited."
    )
    async def remove_from_room(self, info: Info, input: RemoveFromRoomInput) -> Room:
        return await info.context.room_members.remove(input)

    @mutation(description="For its owner.")
    async def set_room_role(self, info: Info, input: SetRoomRoleInput) -> Room:
        return await info.context.room_members.set_role(input)

    @mutation(description="For owner and moderators: they can only read for a while.")
    async def mute_in_room(self, info: Info, input: MuteInRoomInput) -> Room:
        return await info.context.moderation.mute(input)

    @mutation(description="Your marker only goes forward.")
    async def mark_read(self, info: Info, input: MarkReadInput) -> Room:
        return await info.context.rooms.mark_read(input)

    @mutation(
        description="At most 30 a minute. It also marks as read what was there before. "
        "With an idempotencyKey, a repeated request sends nothing more."
    )
    async def send_message(self, info: Info, input: SendMessageInput) -> Message:
        return await info.context.messages.send(input)

    @mutation(description="Your own, for 15 minutes and at most 20 times; earlier texts are kept.")
    async def edit_message(self, info: Info, input: EditMessageInput) -> Message:
        return await info.context.messages.edit(input)

    @mutation(
        description="Your own, or as owner or moderator any: its texts are erased, its place stays."
    )
    async def delete_message(self, info: Info, input: DeleteMessageInput) -> Message:
        return await info.context.messages.delete(input)

    @mutation(description="Tells the room's and the site's moderators; again is once.")
    async def report_message(self, info: Info, input: ReportMessageInput) -> Report:
        return await info.context.moderation.report(input)

    @mutation(description="For the room's and the site's moderators.")
    async def resolve_report(self, info: Info, input: ResolveReportInput) -> Report:
        return await info.context.moderation.resolve(input)
