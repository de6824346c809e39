"""Rooms and who is in them."""

import asyncio
from collections.abc import Sequence
from functools import partial

import strawberry

from app.core.caller import Caller
from app.core.errors import BadInput, Forbidden, NotFound, StaleVersion
from app.domains.community import keys
from app.domains.community.errors import IdTaken, NotAMember
from app.domains.community.inputs import (
    ArchiveRoomInput,
    CreateRoomInput,
    MarkReadInput,
    RestoreRoomInput,
    UpdateRoomInput,
)
from app.domains.community.repository import RoomRepository
from app.domains.community.rules import moderates, outranks
from app.domains.community.service.conversation import InTurn, read_up_to, rewritten
from app.domains.community.types import (
    ModerationAction,
    ModerationEntry,
    Room,
    RoomMember,
    RoomRole,
)
from app.domains.people.service import Profiles
from app.domains.service import Decision, Service, expect_version
from app.resources import Resources
from app.table.conditions import attr
from app.table.gateway import Position, Rows
from app.table.writes import Check, Put, create

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
            id=request.id or self.resources.ids.new(),
            created_at=self.now,
            updated_at=self.now,
            name=request.name,
            description=request.description or None,
            is_public=bool(request.is_public),
            member_count=1 + len(others),
        )
        seats = [self.seat_of(room, self.caller.user_id, RoomRole.OWNER)]
        seats += [self.seat_of(room, each, RoomRole.MEMBER) for each in others]
        taken = IdTaken("room")
        return Decision(room, [create(each, otherwise=taken) for each in (room, *seats)])

    async def must_exist(self, user_ids: Sequence[str]) -> None:
        if None in await asyncio.gather(*(self.profiles.user(each) for each in user_ids)):
            raise NotFound("user")

    def seat_of(self, room: Room, user_id: str, role: RoomRole) -> RoomMember:
        return RoomMember(
            created_at=self.now,
            updated_at=self.now,
            room_id=room.id,
            user_id=strawberry.ID(user_id),
            role=role,
            read_number=room.message_count,
            read_at=room.last_message_at,
        )

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

    def still(self, role: RoomRole, room: Room) -> Check[RoomMember]:
        """What the caller may do, they may do until the very moment of writing."""
        return Check(
            keys.room_member(room.id, self.caller.user_id),
            attr("role").equals(role),
            StaleVersion("room", None),
        )

    async def update(self, request: UpdateRoomInput) -> Room:
        changes = request.changes(NEVER_NULL)
        changes.pop("room_id")

        async def decide() -> Decision[Room]:
            old, _ = await self.owned(request.room_id)
            expect_version(request, old, "room")
            new = old.evolve(self.now, **changes)
            return Decision(new, [rewritten(new, old, "room"), self.still(RoomRole.OWNER, old)])

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
                new, [rewritten(new, old, "room"), entry, self.still(RoomRole.OWNER, old)]
            )

        return await self.in_turn(room_id).commit(decide)

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


def inside(room: Room | None, seat: RoomMember | None) -> tuple[Room, RoomMember]:
    if room and seat:
        return room, seat
    raise NotAMember("room") if room and room.listed_at else NotFound("room")
