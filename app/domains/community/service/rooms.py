"""Rooms and who is in them."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import strawberry

from app.core.caller import Caller
from app.core.errors import AppError, BadInput, Forbidden, NotFound, StaleVersion
from app.domains.community import keys
from app.domains.community.errors import Banned, NotAMember, RoomArchived, RoomFull
from app.domains.community.inputs import (
    ArchiveRoomInput,
    CreateRoomInput,
    InviteToRoomInput,
    JoinRoomInput,
    LeaveRoomInput,
    MarkReadInput,
    RemoveFromRoomInput,
    RestoreRoomInput,
    SetRoomRoleInput,
    UpdateRoomInput,
)
from app.domains.community.repository import RoomRepository
from app.domains.community.rules import MOST_MEMBERS, moderates, outranks, successor
from app.domains.community.service.conversation import InTurn, read_up_to, resized, rewritten
from app.domains.community.types import (
    ModerationAction,
    ModerationEntry,
    Room,
    RoomBan,
    RoomMember,
    RoomRole,
)
from app.domains.people.service import Profiles
from app.domains.service import Decision, Service, expect_version
from app.resources import Resources
from app.table.conditions import Condition, absent, attr, present
from app.table.gateway import Position, Rows
from app.table.writes import Check, Delete, Put, Update, Write, create

NEVER_NULL = ("name", "is_public")


class Rooms(Service):
    def __init__(self, resources: Resources, caller: Caller, profiles: Profiles) -> None:
        super().__init__(resources, caller)
        self.profiles = profiles
        self.repository = RoomRepository(resources.table)

    def in_turn(self, room_id: str) -> InTurn:
        return InTurn(self.resources, self.caller, keys.room(room_id))

    async def room(self, room_id: str) -> Room | None:
        """Public rooms are seen by all, from outside; others by those who are in."""
        if self.caller.id is None:
            room, seat = await self.repository.room(room_id), None
        else:
            room, seat = await self.repository.room_and_member(room_id, self.caller.id)
        return room if room and (seat or room.listed_at) else None

    async def rooms(self, *, limit: int, start: Position | None) -> Rows[Room]:
        return await self.repository.rooms_of_user(self.caller.user_id, limit=limit, start=start)

    async def public_rooms(self, *, limit: int, start: Position | None) -> Rows[Room]:
        return await self.repository.public_rooms(limit=limit, start=start)

    async def my_seat(self, room_id: str) -> RoomMember | None:
        """Everything in a room asks here who may see it."""
        return await self.repository.member(room_id, self.caller.id) if self.caller.id else None

    async def members(
        self, room_id: str, *, limit: int, start: Position | None
    ) -> Rows[RoomMember]:
        rows = await self.repository.members(room_id, limit=limit, start=start)
        return rows if await self.my_seat(room_id) else Rows([])

    async def standing(self, room_id: str) -> tuple[Room, RoomMember]:
        """The room and the caller's seat in it, or the refusal that fits."""
        return inside(*await self.repository.room_and_member(room_id, self.caller.user_id))

    async def moderated(self, room_id: str) -> tuple[Room, RoomMember]:
        room, seat = await self.standing(room_id)
        if not moderates(seat.role):
            raise Forbidden("This is for the room's owner and moderators.")
        return room, seat

    async def owned(self, room_id: str) -> tuple[Room, RoomMember]:
        room, seat = await self.standing(room_id)
        if seat.role is not RoomRole.OWNER:
            raise Forbidden("This is for the room's owner.")
        return room, seat

    async def create(self, request: CreateRoomInput) -> Room:
        return await self.once(request, Room, partial(self._create, request))

    async def _create(self, request: CreateRoomInput) -> Decision[Room]:
        others = [each for each in request.member_ids or [] if each != self.caller.user_id]
        await self.must_exist(others)
        room = Room(
            id=self.resources.ids.new(),
            created_at=self.now,
            updated_at=self.now,
            name=request.name,
            description=request.description or None,
            is_public=bool(request.is_public),
            member_count=1 + len(others),
        )
        seats = [self._seat(room, self.caller.user_id, RoomRole.OWNER)]
        seats += [self._seat(room, each, RoomRole.MEMBER) for each in others]
        taken = NotFound("room")
        return Decision(room, [create(each, otherwise=taken) for each in (room, *seats)])

    async def must_exist(self, user_ids: Sequence[str]) -> None:
        if None in await asyncio.gather(*(self.profiles.user(each) for each in user_ids)):
            raise NotFound("user")

    def _seat(self, room: Room, user_id: str, role: RoomRole) -> RoomMember:
        return RoomMember(
            created_at=self.now,
            updated_at=self.now,
            room_id=room.id,
            user_id=strawberry.ID(user_id),
            role=role,
            read_number=room.message_count,
            read_at=room.last_message_at,
        )

    async def update(self, request: UpdateRoomInput) -> Room:
        changes = request.changes(NEVER_NULL)
        changes.pop("room_id")

        async def decide() -> Decision[Room]:
            old, _ = await self.owned(request.room_id)
            expect_version(request, old, "room")
            new = old.evolve(self.now, **changes)
            return Decision(new, [rewritten(new, old, "room"), self._still(RoomRole.OWNER, old)])

        return await self.in_turn(request.room_id).commit(decide)

    async def archive(self, request: ArchiveRoomInput) -> Room:
        reason = request.reason or None
        return await self._shelve(request.room_id, ModerationAction.ARCHIVE, reason)

    async def restore(self, request: RestoreRoomInput) -> Room:
        return await self._shelve(request.room_id, ModerationAction.RESTORE, None)

    async def _shelve(self, room_id: str, action: ModerationAction, reason: str | None) -> Room:
        archived_at = self.now if action is ModerationAction.ARCHIVE else None

        async def decide() -> Decision[Room]:
            old, _ = await self.owned(room_id)
            if bool(old.archived_at) == bool(archived_at):
                return Decision(old)
            new = old.evolve(self.now, archived_at=archived_at)
            entry = self.entry(room_id, action, reason=reason)
            return Decision(
                new, [rewritten(new, old, "room"), entry, self._still(RoomRole.OWNER, old)]
            )

        return await self.in_turn(room_id).commit(decide)

    async def join(self, request: JoinRoomInput) -> Room:
        return await self.in_turn(request.room_id).commit(partial(self._join, request.room_id))

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
        return await self.in_turn(request.room_id).commit(partial(self._invite, request))

    async def _invite(self, request: InviteToRoomInput) -> Decision[Room]:
        room, mine = await self.standing(request.room_id)
        if not room.is_public and not moderates(mine.role):
            raise Forbidden("Only its owner and moderators invite people to a private room.")
        if await self.repository.member(room.id, request.user_id):
            return Decision(room)
        await self.must_exist([request.user_id])
        writes: list[Write] = [self._still(mine.role, room)]
        ban = keys.room_ban(room.id, request.user_id)
        writes.append(Delete(ban) if moderates(mine.role) else Check(ban, absent(), Banned()))
        return self._seated(room, request.user_id, writes, present())

    def _seated(
        self, room: Room, user_id: str, more: list[Write], when: Condition
    ) -> Decision[Room]:
        seat = self._seat(room, user_id, RoomRole.MEMBER)
        bigger = replace(room, member_count=room.member_count + 1)
        space = attr("archivedAt").absent() & attr("memberCount").below(MOST_MEMBERS) & when
        grown = resized(keys.room(room.id), 1, space, _no_space)
        again = StaleVersion("room", None)
        return Decision(bigger, [grown, create(seat, otherwise=again), *more])

    async def leave(self, request: LeaveRoomInput) -> Room:
        decide = partial(self._leave, request.room_id)
        return await self.in_turn(request.room_id).commit(decide)

    async def _leave(self, room_id: str) -> Decision[Room]:
        """The owner's place goes to the next in rank; the last one to leave closes the room."""
        room, seat = await self.standing(room_id)
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
        return await self.in_turn(request.room_id).commit(partial(self._remove, request))

    async def _remove(self, request: RemoveFromRoomInput) -> Decision[Room]:
        room, mine = await self.moderated(request.room_id)
        seat = await self.below(room, mine, request.user_id)
        ban = RoomBan(
            created_at=self.now, updated_at=self.now, room_id=room.id, user_id=seat.user_id
        )
        smaller = replace(room, member_count=room.member_count - 1)
        entry = self.entry(
            room.id,
            ModerationAction.REMOVE_MEMBER,
            subject_id=seat.user_id,
            reason=request.reason or None,
        )
        shrunk = resized(keys.room(room.id), -1, present(), NotFound("room"))
        still = self._still(mine.role, room)
        return Decision(smaller, [self._unseat(seat), shrunk, Put(ban), entry, still])

    async def below(self, room: Room, mine: RoomMember, user_id: str) -> RoomMember:
        """Somebody whom the caller may remove or mute."""
        if user_id == self.caller.user_id:
            raise BadInput(
                "This is for others. To go yourself, use leaveRoom.", field="input.userId"
            )
        seat = await self.repository.member(room.id, user_id)
        if seat is None:
            raise NotFound("member")
        if not outranks(mine.role, seat.role):
            raise Forbidden("They have as much to say in this room as you.")
        return seat

    def _unseat(self, seat: RoomMember) -> Delete[RoomMember]:
        return Delete(
            keys.room_member(seat.room_id, seat.user_id),
            when=attr("role").equals(seat.role),
            otherwise=StaleVersion("room", None),
        )

    def _still(self, role: RoomRole, room: Room) -> Check[RoomMember]:
        """What the caller may do, they may do until the very moment of writing."""
        return Check(
            keys.room_member(room.id, self.caller.user_id),
            attr("role").equals(role),
            StaleVersion("room", None),
        )

    async def set_role(self, request: SetRoomRoleInput) -> Room:
        return await self.commit(partial(self._set_role, request))

    async def _set_role(self, request: SetRoomRoleInput) -> Decision[Room]:
        room, mine = await self.owned(request.room_id)
        seat = await self.below(room, mine, request.user_id)
        if seat.role is request.role:
            return Decision(room)
        entry = self.entry(
            room.id,
            ModerationAction.SET_ROLE,
            subject_id=seat.user_id,
            reason=request.role.value,
        )
        writes: list[Write] = [self.promotion(room.id, seat.user_id, request.role), entry]
        if request.role is RoomRole.OWNER:
            writes.append(self.promotion(room.id, mine.user_id, RoomRole.MODERATOR))
        else:
            writes.append(self._still(RoomRole.OWNER, room))
        return Decision(room, writes)

    def promotion(self, room_id: str, user_id: str, role: RoomRole) -> Update[RoomMember]:
        return Update(
            keys.room_member(room_id, user_id),
            put={"role": role, "updatedAt": self.now},
            add={"version": 1},
            otherwise=StaleVersion("room", None),
        )

    async def mark_read(self, request: MarkReadInput) -> Room:
        return await self.commit(partial(self._mark_read, request))

    async def _mark_read(self, request: MarkReadInput) -> Decision[Room]:
        room, seat = await self.standing(request.room_id)
        number, at = room.message_count, room.last_message_at
        if request.message_id:
            message = await self.repository.message(room.id, request.message_id)
            if message is None:
                raise NotFound("message")
            number, at = message.number, message.created_at
        if number <= seat.read_number:
            return Decision(room)
        mark = read_up_to(
            keys.room_member(room.id, seat.user_id), number, at, StaleVersion("room", None)
        )
        return Decision(room, [mark])

    def entry(
        self,
        room_id: str,
        action: ModerationAction,
        *,
        subject_id: str | None = None,
        message_id: str | None = None,
        reason: str | None = None,
    ) -> Put[ModerationEntry]:
        record = ModerationEntry(
            id=self.resources.ids.new(),
            created_at=self.now,
            updated_at=self.now,
            room_id=strawberry.ID(room_id),
            action=action,
            moderator_id=strawberry.ID(self.caller.user_id),
            subject_id=strawberry.ID(subject_id) if subject_id else None,
            message_id=strawberry.ID(message_id) if message_id else None,
            reason=reason,
        )
        return create(record, otherwise=StaleVersion("room", None))

    async def leave_everything(self) -> None:
        """When the account goes."""
        for seat in await self.repository.memberships(self.caller.user_id):
            try:
                await self.leave(LeaveRoomInput(room_id=seat.room_id))
            except (NotFound, NotAMember):
                continue


def inside(room: Room | None, seat: RoomMember | None) -> tuple[Room, RoomMember]:
    if room and seat:
        return room, seat
    raise NotAMember("room") if room and room.listed_at else NotFound("room")


def _no_space(room: Room | None) -> AppError:
    if room is None:
        return NotFound("room")
    if room.archived_at:
        return RoomArchived()
    if room.member_count >= MOST_MEMBERS:
        return RoomFull(MOST_MEMBERS)
    return StaleVersion("room", room.version)
