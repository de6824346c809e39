"""Members of a room: joining, leaving, roles."""

from dataclasses import replace
from functools import partial

from app.core.errors import Forbidden, NotFound, StaleVersion
from app.domains.community import keys
from app.domains.community.errors import Banned, NotAMember
from app.domains.community.inputs import (
    InviteToRoomInput,
    JoinRoomInput,
    LeaveRoomInput,
    RemoveFromRoomInput,
    SetRoomRoleInput,
)
from app.domains.community.rules.rooms import MOST_MEMBERS, join_refusal, may_moderate, next_owner
from app.domains.community.service.rooms import Rooms
from app.domains.community.types import ModerationAction, Room, RoomBan, RoomMember, RoomRole
from app.domains.service import Decision, Service, uses
from app.table.conditions import Condition, absent, attr, present
from app.table.writes import Check, Delete, Put, Update, Write, put_if_absent


class RoomMembers(Service):
    rooms = uses(Rooms)

    async def join(self, request: JoinRoomInput) -> Room:
        decide = partial(self._join, request.room_id)
        return await self.rooms.writer(request.room_id).once(request, Room, decide)

    async def _join(self, room_id: str) -> Decision[Room]:
        room, membership = await self.rooms.room_and_membership(room_id)
        if room and membership:
            return Decision(room)
        if room is None or not room.listed_at:
            raise NotFound("room")
        not_banned = Check(keys.room_ban(room_id, self.caller.user_id), absent(), Banned())
        public = attr("isPublic").equals(True)
        return self._add(room, self.caller.user_id, [not_banned], public)

    async def invite(self, request: InviteToRoomInput) -> Room:
        """An invited user is a member at once; they may leave."""
        decide = partial(self._invite, request)
        return await self.rooms.writer(request.room_id).once(request, Room, decide)

    async def _invite(self, request: InviteToRoomInput) -> Decision[Room]:
        room, mine = await self.rooms.joined_room(request.room_id)
        if not room.is_public and not may_moderate(mine.role):
            raise Forbidden("Only its owner and moderators invite people to a private room.")
        if await self.table.load(keys.room_member(room.id, request.user_id)):
            return Decision(room)
        await self.rooms.expect_users([request.user_id])
        writes: list[Write] = [self.rooms.role_check(mine.role, room)]
        ban = keys.room_ban(room.id, request.user_id)
        writes.append(Delete(ban) if may_moderate(mine.role) else Check(ban, absent(), Banned()))
        return self._add(room, request.user_id, writes, present())

    def _add(
        self, room: Room, user_id: str, writes: list[Write], when: Condition
    ) -> Decision[Room]:
        member = self.rooms.new_member(room, user_id, RoomRole.MEMBER)
        bigger = replace(room, member_count=room.member_count + 1)
        has_place = attr("archivedAt").absent() & attr("memberCount").below(MOST_MEMBERS) & when
        counted = self.rooms.writer(room.id).change_member_count(1, has_place, join_refusal)
        again = StaleVersion("room", None)
        return Decision(bigger, [counted, put_if_absent(member, otherwise=again), *writes])

    async def leave(self, request: LeaveRoomInput) -> Room:
        decide = partial(self._leave, request.room_id)
        return await self.rooms.writer(request.room_id).once(request, Room, decide)

    async def _leave(self, room_id: str) -> Decision[Room]:
        """An owner's role goes to the next in rank; the last member to leave archives the room."""
        room, membership = await self.rooms.joined_room(room_id)
        writer, removed = self.rooms.writer(room_id), self._delete(membership)
        if room.member_count <= 1:
            archived = room.archived_at or self.now
            empty = room.evolve(self.now, member_count=0, archived_at=archived)
            return Decision(empty, [removed, writer.put(empty, room, "room")])
        smaller = replace(room, member_count=room.member_count - 1)
        late = StaleVersion("room", None)
        counted = writer.change_member_count(-1, attr("memberCount").above(1), late)
        succession = await self._succession(room, membership)
        return Decision(smaller, [removed, counted, *succession])

    async def _succession(self, room: Room, leaving: RoomMember) -> list[Write]:
        if leaving.role is not RoomRole.OWNER:
            return []
        members = [each async for each in self.table.query_all(keys.members_of_room(room.id))]
        owner = next_owner(members, leaving.user_id)
        if owner is None:
            raise StaleVersion("room", None)
        return [self._change_role(room.id, owner.user_id, RoomRole.OWNER)]

    async def remove(self, request: RemoveFromRoomInput) -> Room:
        decide = partial(self._remove, request)
        return await self.rooms.writer(request.room_id).once(request, Room, decide)

    async def _remove(self, request: RemoveFromRoomInput) -> Decision[Room]:
        room, mine = await self.rooms.moderated_room(request.room_id)
        member = await self.rooms.lower_member(room, mine, request.user_id)
        ban = RoomBan(
            created_at=self.now, updated_at=self.now, room_id=room.id, user_id=member.user_id
        )
        smaller = replace(room, member_count=room.member_count - 1)
        entry = self.rooms.moderation_entry(
            room.id,
            ModerationAction.REMOVE_MEMBER,
            subject_id=member.user_id,
            reason=request.reason or None,
        )
        writer = self.rooms.writer(room.id)
        counted = writer.change_member_count(-1, present(), NotFound("room"))
        same_role = self.rooms.role_check(mine.role, room)
        return Decision(smaller, [self._delete(member), counted, Put(ban), entry, same_role])

    def _delete(self, member: RoomMember) -> Delete[RoomMember]:
        return Delete(
            keys.room_member(member.room_id, member.user_id),
            when=attr("role").equals(member.role),
            otherwise=StaleVersion("room", None),
        )

    async def set_role(self, request: SetRoomRoleInput) -> Room:
        return await self.once(request, Room, partial(self._set_role, request))

    async def _set_role(self, request: SetRoomRoleInput) -> Decision[Room]:
        room, mine = await self.rooms.owned_room(request.room_id)
        member = await self.rooms.lower_member(room, mine, request.user_id)
        if member.role is request.role:
            return Decision(room)
        entry = self.rooms.moderation_entry(
            room.id,
            ModerationAction.SET_ROLE,
            subject_id=member.user_id,
            reason=request.role.value,
        )
        writes: list[Write] = [self._change_role(room.id, member.user_id, request.role), entry]
        if request.role is RoomRole.OWNER:
            writes.append(self._change_role(room.id, mine.user_id, RoomRole.MODERATOR))
        else:
            writes.append(self.rooms.role_check(RoomRole.OWNER, room))
        return Decision(room, writes)

    def _change_role(self, room_id: str, user_id: str, role: RoomRole) -> Update[RoomMember]:
        """Whoever becomes owner is no longer muted: nobody could lift it."""
        unmuted = {"mutedUntil": None} if role is RoomRole.OWNER else {}
        return Update(
            keys.room_member(room_id, user_id),
            put={"role": role, "updatedAt": self.now, **unmuted},
            add={"version": 1},
            otherwise=StaleVersion("room", None),
        )

    async def leave_all(self) -> None:
        """When the account is deleted."""
        query = keys.rooms_of_user(self.caller.user_id)
        for member in [each async for each in self.table.query_all(query)]:
            try:
                await self.leave(LeaveRoomInput(room_id=member.room_id))
            except (NotFound, NotAMember):
                continue
