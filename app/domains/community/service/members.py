"""Who comes into a room, who goes, and what they may do there."""

from dataclasses import replace
from functools import partial

from app.core.caller import Caller
from app.core.errors import AppError, Forbidden, NotFound, StaleVersion
from app.domains.community import keys
from app.domains.community.errors import Banned, NotAMember, RoomArchived, RoomFull
from app.domains.community.inputs import (
    InviteToRoomInput,
    JoinRoomInput,
    LeaveRoomInput,
    RemoveFromRoomInput,
    SetRoomRoleInput,
)
from app.domains.community.repository import RoomRepository
from app.domains.community.rules import MOST_MEMBERS, moderates, successor
from app.domains.community.service.conversation import resized, rewritten
from app.domains.community.service.rooms import Rooms
from app.domains.community.types import ModerationAction, Room, RoomBan, RoomMember, RoomRole
from app.domains.service import Decision, Service
from app.resources import Resources
from app.table.conditions import Condition, absent, attr, present
from app.table.writes import Check, Delete, Put, Update, Write, create


class RoomMembers(Service):
    def __init__(self, resources: Resources, caller: Caller, rooms: Rooms) -> None:
        super().__init__(resources, caller)
        self.rooms = rooms
        self.repository = RoomRepository(resources.table)

    async def join(self, request: JoinRoomInput) -> Room:
        return await self.rooms.in_turn(request.room_id).commit(
            partial(self._join, request.room_id)
        )

    async def _join(self, room_id: str) -> Decision[Room]:
        room, seat = await self.repository.room_and_member(room_id, self.caller.user_id)
        if room and seat:
            return Decision(room)
        if room is None or not room.listed_at:
            raise NotFound("room")
        not_banned = Check(keys.room_ban(room_id, self.caller.user_id), absent(), Banned())
        public = attr("isPublic").equals(True)
        return self._seated(room, self.caller.user_id, [not_banned], public)

    async def invite(self, request: InviteToRoomInput) -> Room:
        """Whoever is invited is in; they may leave."""
        return await self.rooms.in_turn(request.room_id).commit(partial(self._invite, request))

    async def _invite(self, request: InviteToRoomInput) -> Decision[Room]:
        room, mine = await self.rooms.standing(request.room_id)
        if not room.is_public and not moderates(mine.role):
            raise Forbidden("Only its owner and moderators invite people to a private room.")
        if await self.repository.member(room.id, request.user_id):
            return Decision(room)
        await self.rooms.must_exist([request.user_id])
        writes: list[Write] = [self.rooms.still(mine.role, room)]
        ban = keys.room_ban(room.id, request.user_id)
        writes.append(Delete(ban) if moderates(mine.role) else Check(ban, absent(), Banned()))
        return self._seated(room, request.user_id, writes, present())

    def _seated(
        self, room: Room, user_id: str, more: list[Write], when: Condition
    ) -> Decision[Room]:
        seat = self.rooms.seat_of(room, user_id, RoomRole.MEMBER)
        bigger = replace(room, member_count=room.member_count + 1)
        space = attr("archivedAt").absent() & attr("memberCount").below(MOST_MEMBERS) & when
        grown = resized(keys.room(room.id), 1, space, _no_space)
        again = StaleVersion("room", None)
        return Decision(bigger, [grown, create(seat, otherwise=again), *more])

    async def leave(self, request: LeaveRoomInput) -> Room:
        decide = partial(self._leave, request.room_id)
        return await self.rooms.in_turn(request.room_id).commit(decide)

    async def _leave(self, room_id: str) -> Decision[Room]:
        """The owner's place goes to the next in rank; the last one to leave closes the room."""
        room, seat = await self.rooms.standing(room_id)
        gone = self._unseat(seat)
        if room.member_count <= 1:
            archived = room.archived_at or self.now
            empty = room.evolve(self.now, member_count=0, archived_at=archived)
            return Decision(empty, [gone, rewritten(empty, room, "room")])
        smaller = replace(room, member_count=room.member_count - 1)
        shrunk = resized(
            keys.room(room_id), -1, attr("memberCount").above(1), StaleVersion("room", None)
        )
        heir = await self._inheritance(room, seat)
        return Decision(smaller, [gone, shrunk, *heir])

    async def _inheritance(self, room: Room, leaving: RoomMember) -> list[Write]:
        if leaving.role is not RoomRole.OWNER:
            return []
        heir = successor(await self.repository.all_members(room.id), leaving.user_id)
        if heir is None:
            raise StaleVersion("room", None)
        return [self.promotion(room.id, heir.user_id, RoomRole.OWNER)]

    async def remove(self, request: RemoveFromRoomInput) -> Room:
        return await self.rooms.in_turn(request.room_id).commit(partial(self._remove, request))

    async def _remove(self, request: RemoveFromRoomInput) -> Decision[Room]:
        room, mine = await self.rooms.moderated(request.room_id)
        seat = await self.rooms.below(room, mine, request.user_id)
        ban = RoomBan(
            created_at=self.now, updated_at=self.now, room_id=room.id, user_id=seat.user_id
        )
        smaller = replace(room, member_count=room.member_count - 1)
        entry = self.rooms.entry(
            room.id,
            ModerationAction.REMOVE_MEMBER,
            subject_id=seat.user_id,
            reason=request.reason or None,
        )
        shrunk = resized(keys.room(room.id), -1, present(), NotFound("room"))
        still = self.rooms.still(mine.role, room)
        return Decision(smaller, [self._unseat(seat), shrunk, Put(ban), entry, still])

    def _unseat(self, seat: RoomMember) -> Delete[RoomMember]:
        return Delete(
            keys.room_member(seat.room_id, seat.user_id),
            when=attr("role").equals(seat.role),
            otherwise=StaleVersion("room", None),
        )

    async def set_role(self, request: SetRoomRoleInput) -> Room:
        return await self.commit(partial(self._set_role, request))

    async def _set_role(self, request: SetRoomRoleInput) -> Decision[Room]:
        room, mine = await self.rooms.owned(request.room_id)
        seat = await self.rooms.below(room, mine, request.user_id)
        if seat.role is request.role:
            return Decision(room)
        entry = self.rooms.entry(
            room.id,
            ModerationAction.SET_ROLE,
            subject_id=seat.user_id,
            reason=request.role.value,
        )
        writes: list[Write] = [self.promotion(room.id, seat.user_id, request.role), entry]
        if request.role is RoomRole.OWNER:
            writes.append(self.promotion(room.id, mine.user_id, RoomRole.MODERATOR))
        else:
            writes.append(self.rooms.still(RoomRole.OWNER, room))
        return Decision(room, writes)

    def promotion(self, room_id: str, user_id: str, role: RoomRole) -> Update[RoomMember]:
        return Update(
            keys.room_member(room_id, user_id),
            put={"role": role, "updatedAt": self.now},
            add={"version": 1},
            otherwise=StaleVersion("room", None),
        )

    async def leave_everything(self) -> None:
        """When the account goes."""
        for seat in await self.repository.memberships(self.caller.user_id):
            try:
                await self.leave(LeaveRoomInput(room_id=seat.room_id))
            except (NotFound, NotAMember):
                continue


def _no_space(room: Room | None) -> AppError:
    if room is None:
        return NotFound("room")
    if room.archived_at:
        return RoomArchived()
    if room.member_count >= MOST_MEMBERS:
        return RoomFull(MOST_MEMBERS)
    return StaleVersion("room", room.version)
