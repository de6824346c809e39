"""Rooms: reading, creating and changing them."""

import asyncio
from collections.abc import Sequence
from functools import partial

import strawberry

from app.core.errors import BadInput, Forbidden, IdTaken, NotFound, StaleVersion
from app.domains.community import keys
from app.domains.community.inputs import (
    ArchiveRoomInput,
    CreateRoomInput,
    MarkReadInput,
    RestoreRoomInput,
    UpdateRoomInput,
)
from app.domains.community.repository import RoomRepository
from app.domains.community.rules.rooms import expect_member, may_moderate, outranks
from app.domains.community.service.conversation import ConversationWriter
from app.domains.community.service.read_markers import marker_writes
from app.domains.community.types import (
    ModerationAction,
    ModerationEntry,
    Room,
    RoomMember,
    RoomRole,
)
from app.domains.people.service import Profiles
from app.domains.service import Decision, Service, expect_version, required, uses
from app.table.conditions import attr
from app.table.gateway import Position, Rows
from app.table.writes import Check, Put, put_if_absent

NEVER_NULL = ("name", "is_public")


class Rooms(Service):
    profiles = uses(Profiles)

    @property
    def repository(self) -> RoomRepository:
        return RoomRepository(self.table)

    def writer(self, room_id: str) -> ConversationWriter:
        return ConversationWriter(self.scope, keys.room(room_id))

    async def room(self, room_id: str) -> Room | None:
        """Everybody sees a public room; only its members see any other."""
        room, membership = await self.room_and_membership(room_id)
        return room if room and (membership or room.listed_at) else None

    async def rooms(self, *, limit: int, start: Position | None) -> Rows[Room]:
        return await self.repository.rooms_of_user(self.caller.user_id, limit=limit, start=start)

    async def public_rooms(self, *, limit: int, start: Position | None) -> Rows[Room]:
        return await self.table.query(
            keys.public_rooms(),
            limit=limit,
            start=start,
            keep=lambda room: room.listed_at is not None,
        )

    async def my_membership(self, room_id: str) -> RoomMember | None:
        """Every read inside a room checks the caller's membership here."""
        if self.caller.id is None:
            return None
        return await self.table.load(keys.room_member(room_id, self.caller.id))

    async def room_and_membership(self, room_id: str) -> tuple[Room | None, RoomMember | None]:
        return await asyncio.gather(
            self.table.load(keys.room(room_id)), self.my_membership(room_id)
        )

    async def members(
        self, room_id: str, *, limit: int, start: Position | None
    ) -> Rows[RoomMember]:
        rows = await self.table.query(keys.members_of_room(room_id), limit=limit, start=start)
        return rows if await self.my_membership(room_id) else Rows([])

    async def joined_room(self, room_id: str) -> tuple[Room, RoomMember]:
        """The room and the caller's membership; NOT_A_MEMBER or NOT_FOUND if there is none."""
        return expect_member(*await self.room_and_membership(room_id))

    async def moderated_room(self, room_id: str) -> tuple[Room, RoomMember]:
        room, membership = await self.joined_room(room_id)
        if not may_moderate(membership.role):
            raise Forbidden("Only the room's owner and moderators may do this.")
        return room, membership

    async def owned_room(self, room_id: str) -> tuple[Room, RoomMember]:
        room, membership = await self.joined_room(room_id)
        if membership.role is not RoomRole.OWNER:
            raise Forbidden("Only the room's owner may do this.")
        return room, membership

    async def create(self, request: CreateRoomInput) -> Room:
        return await self.once(request, Room, partial(self._create, request))

    async def _create(self, request: CreateRoomInput) -> Decision[Room]:
        others = [each for each in request.member_ids or [] if each != self.caller.user_id]
        await self.expect_users(others)
        room = Room(
            id=self.new_id(request.id),
            created_at=self.now,
            updated_at=self.now,
            name=request.name,
            description=request.description or None,
            is_public=bool(request.is_public),
            member_count=1 + len(others),
            gap_number=0,
        )
        members = [self.new_member(room, self.caller.user_id, RoomRole.OWNER)]
        members += [self.new_member(room, each, RoomRole.MEMBER) for each in others]
        taken = IdTaken("room")
        return Decision(room, [put_if_absent(each, otherwise=taken) for each in (room, *members)])

    async def expect_users(self, user_ids: Sequence[str]) -> None:
        if None in await asyncio.gather(*(self.profiles.user(each) for each in user_ids)):
            raise NotFound("user")

    def new_member(self, room: Room, user_id: str, role: RoomRole) -> RoomMember:
        return RoomMember(
            created_at=self.now,
            updated_at=self.now,
            room_id=room.id,
            user_id=strawberry.ID(user_id),
            role=role,
            read_number=room.message_count,
            read_at=room.last_message_at,
        )

    async def lower_member(self, room: Room, mine: RoomMember, user_id: str) -> RoomMember:
        """A member whom the caller may remove or mute: one of a lower rank."""
        if user_id == self.caller.user_id:
            raise BadInput(
                "You cannot do this to yourself. To leave, use leaveRoom.", field="input.userId"
            )
        member = required(await self.table.load(keys.room_member(room.id, user_id)), "member")
        if not outranks(mine.role, member.role):
            raise Forbidden("This member's rank is not lower than yours.")
        return member

    def role_check(self, role: RoomRole, room: Room) -> Check[RoomMember]:
        """The caller has the role until the very moment of writing."""
        return Check(
            keys.room_member(room.id, self.caller.user_id),
            attr("role").equals(role),
            StaleVersion("room", None),
        )

    async def update(self, request: UpdateRoomInput) -> Room:
        changes = request.changes(NEVER_NULL)
        changes.pop("room_id")
        writer = self.writer(request.room_id)

        async def decide() -> Decision[Room]:
            old, _ = await self.owned_room(request.room_id)
            expect_version(request, old, "room")
            new = old.evolve(self.now, **changes)
            still_owner = self.role_check(RoomRole.OWNER, old)
            return Decision(new, [writer.put(new, old, "room"), still_owner])

        return await writer.once(request, Room, decide)

    async def archive(self, request: ArchiveRoomInput) -> Room:
        reason = request.reason or None
        return await self._set_archived(request, ModerationAction.ARCHIVE, reason)

    async def restore(self, request: RestoreRoomInput) -> Room:
        return await self._set_archived(request, ModerationAction.RESTORE, None)

    async def _set_archived(
        self,
        request: ArchiveRoomInput | RestoreRoomInput,
        action: ModerationAction,
        reason: str | None,
    ) -> Room:
        room_id = request.room_id
        archived_at = self.now if action is ModerationAction.ARCHIVE else None
        writer = self.writer(room_id)

        async def decide() -> Decision[Room]:
            old, _ = await self.owned_room(room_id)
            if bool(old.archived_at) == bool(archived_at):
                return Decision(old)
            new = old.evolve(self.now, archived_at=archived_at)
            entry = self.moderation_entry(room_id, action, reason=reason)
            still_owner = self.role_check(RoomRole.OWNER, old)
            return Decision(new, [writer.put(new, old, "room"), entry, still_owner])

        return await writer.once(request, Room, decide)

    async def mark_read(self, request: MarkReadInput) -> Room:
        return await self.once(request, Room, partial(self._mark_read, request))

    async def _mark_read(self, request: MarkReadInput) -> Decision[Room]:
        room, membership = await self.joined_room(request.room_id)
        message = None
        if request.message_id:
            found = await self.repository.message(room.id, request.message_id)
            message = required(found, "message")
        key = keys.room_member(room.id, membership.user_id)
        return Decision(room, marker_writes(membership, key, room, message))

    def moderation_entry(
        self,
        room_id: str,
        action: ModerationAction,
        *,
        subject_id: str | None = None,
        message_id: str | None = None,
        reason: str | None = None,
    ) -> Put[ModerationEntry]:
        record = ModerationEntry(
            id=self.new_id(),
            created_at=self.now,
            updated_at=self.now,
            room_id=strawberry.ID(room_id),
            action=action,
            moderator_id=strawberry.ID(self.caller.user_id),
            subject_id=strawberry.ID(subject_id) if subject_id else None,
            message_id=strawberry.ID(message_id) if message_id else None,
            reason=reason,
        )
        return put_if_absent(record, otherwise=StaleVersion("room", None))
