"""What is said in rooms."""

from functools import partial

import strawberry

from app.core.caller import Caller
from app.core.clock import epoch, instant
from app.core.errors import AppError, BadInput, Forbidden, NotFound, StaleVersion
from app.core.scalars import AWSDateTime
from app.domains.community import keys
from app.domains.community.errors import MessageGone, Muted, RoomArchived
from app.domains.community.inputs import DeleteMessageInput, EditMessageInput, SendMessageInput
from app.domains.community.repository import RoomRepository
from app.domains.community.rules import (
    MESSAGES_A_MINUTE,
    is_over,
    just_after,
    milliseconds,
    moderates,
    next_moment,
    sent_at,
)
from app.domains.community.service.conversation import Delivery
from app.domains.community.service.rooms import Rooms, inside
from app.domains.community.service.sending import Sending
from app.domains.community.service.wording import Wording
from app.domains.community.types import (
    Message,
    MessageAnchor,
    MessageEdit,
    MessageOrder,
    ModerationAction,
    Room,
    RoomMember,
)
from app.domains.service import Decision, Service
from app.resources import Resources
from app.table.conditions import attr, present
from app.table.entity import Query
from app.table.gateway import Position, Rows
from app.table.writes import Check, Write

BEFORE_ALL = "0"


class Messages(Service):
    def __init__(self, resources: Resources, caller: Caller, rooms: Rooms) -> None:
        super().__init__(resources, caller)
        self.rooms = rooms
        self.repository = RoomRepository(resources.table)
        self.wording = Wording(resources, caller, self.repository.edits)

    async def message(self, room_id: str, message_id: str) -> Message | None:
        """For members; null if it has expired."""
        message = await self.repository.message(room_id, message_id)
        if message is None or not self._is_there(message):
            return None
        return message if await self.rooms.my_seat(room_id) else None

    async def edits(self, message: Message) -> list[MessageEdit] | None:
        found = await self.repository.edits(message) if message.edit_count else []
        return found if await self.rooms.my_seat(message.room_id) else None

    async def history(
        self,
        room_id: str,
        order: MessageOrder,
        around: MessageAnchor | None,
        *,
        limit: int,
        start: Position | None,
    ) -> Rows[Message]:
        """Whether the caller is a member is looked at last: what was said after their removal
        never reaches them."""
        newest_first = order is MessageOrder.NEWEST_FIRST
        query = keys.messages_of_room(room_id, newest_first=newest_first)
        if around and start is None:
            query = await self._from(room_id, around, newest_first)
        rows = await self.repository.messages(query, self._is_there, limit=limit, start=start)
        return rows if await self.rooms.my_seat(room_id) else Rows([])

    async def _from(
        self, room_id: str, around: MessageAnchor, newest_first: bool
    ) -> Query[Message]:
        since: str | None = self._moment(around)
        until = since
        if around.first_unread:
            seat = await self.rooms.my_seat(room_id)
            read = seat.read_at if seat else None
            since, until = (instant(just_after(read)), read) if read else (None, BEFORE_ALL)
        if newest_first:
            return keys.messages_of_room(room_id, until=until, newest_first=True)
        return keys.messages_of_room(room_id, since=since, newest_first=False)

    def _moment(self, around: MessageAnchor) -> AWSDateTime | None:
        if not around.message_id:
            return around.date or None
        sent = sent_at(around.message_id)
        if sent is None:
            raise BadInput("This is no id of a message.", field="around.messageId")
        return sent

    def _is_there(self, message: Message) -> bool:
        return not is_over(message.ttl, self.resources.clock.now())

    async def send(self, request: SendMessageInput) -> Message:
        await self.resources.limiter.count(
            "messages", self.caller.user_id, limit=MESSAGES_A_MINUTE, seconds=60
        )
        sending = Sending(
            self.resources,
            self.caller,
            self._delivery(request.room_id),
            compose=partial(self._composed, request),
            check=partial(self._check_reply, request),
        )
        return await sending.send(request, Message)

    async def _check_reply(self, request: SendMessageInput) -> None:
        if request.reply_to_id:
            room, _ = await self.rooms.standing(request.room_id)
            await self._existing(room.id, request.reply_to_id)

    def _composed(
        self, request: SendMessageInput, found: Room | None, mine: RoomMember | None
    ) -> Message:
        room, seat = inside(found, mine)
        self._must_be_heard(room, seat)
        return self._new_message(room, request)

    def _new_message(self, room: Room, request: SendMessageInput) -> Message:
        sent = next_moment(self.resources.clock.now(), room.last_message_at)
        return Message(
            id=self.resources.ids.at(milliseconds(sent)),
            created_at=instant(sent),
            updated_at=instant(sent),
            room_id=room.id,
            user_id=strawberry.ID(self.caller.user_id),
            text=request.text,
            number=room.message_count + 1,
            reply_to_id=request.reply_to_id or None,
            ttl=epoch(sent) + request.expires_in if request.expires_in else None,
        )

    def _delivery(self, room_id: str) -> Delivery:
        not_muted = attr("mutedUntil").absent() | attr("mutedUntil").at_most(self.now)
        return Delivery(
            conversation=keys.room(room_id),
            seat=keys.room_member(room_id, self.caller.user_id),
            is_open=attr("archivedAt").absent(),
            closed=_closed,
            may_speak=not_muted,
            silent=lambda seat: Muted(seat.muted_until) if seat else NotFound("room"),
        )

    def _must_be_heard(self, room: Room, seat: RoomMember) -> None:
        if room.archived_at:
            raise RoomArchived
        if seat.muted_until and seat.muted_until > self.now:
            raise Muted(seat.muted_until)

    async def _existing(self, room_id: str, message_id: str) -> Message:
        message = await self.repository.message(room_id, message_id)
        if message is None or not self._is_there(message):
            raise NotFound("message")
        if message.deleted_at:
            raise MessageGone
        return message

    async def edit(self, request: EditMessageInput) -> Message:
        return await self.commit(partial(self._edit, request))

    async def _edit(self, request: EditMessageInput) -> Decision[Message]:
        room, seat = await self.rooms.standing(request.room_id)
        old = await self._existing(room.id, request.message_id)
        self._must_be_heard(room, seat)
        kept = MessageEdit(room_id=room.id, ttl=old.ttl, **old.kept(self.now))
        decision = self.wording.edited(old, request, kept)
        writes = [*decision.writes, self._still_here(room)]
        return Decision(decision.answer, writes if decision.writes else [])

    def _still_here(self, room: Room) -> Check[RoomMember]:
        seat = keys.room_member(room.id, self.caller.user_id)
        return Check(seat, present(), NotFound("room"))

    async def delete(self, request: DeleteMessageInput) -> Message:
        """By its sender, or by a moderator of the room, of which the log tells."""
        return await self.commit(partial(self._delete, request))

    async def _delete(self, request: DeleteMessageInput) -> Decision[Message]:
        room, seat = await self.rooms.standing(request.room_id)
        old = await self.repository.message(room.id, request.message_id)
        if old is None or not self._is_there(old):
            raise NotFound("message")
        if old.deleted_at:
            return Decision(old)
        if old.user_id == self.caller.user_id:
            new, writes = await self.wording.tombstone(old)
            return Decision(new, [*writes, self._still_here(room)])
        if not moderates(seat.role):
            raise Forbidden("Only who sent a message, or a moderator, can delete it.")
        new, writes = await self.removal(old, request.reason or None)
        same_role = attr("role").equals(seat.role)
        still = Check(
            keys.room_member(room.id, seat.user_id), same_role, StaleVersion("room", None)
        )
        return Decision(new, [*writes, still])

    async def removal(self, old: Message, reason: str | None) -> tuple[Message, list[Write]]:
        """By a moderator."""
        new, writes = await self.wording.tombstone(old, is_removed=True)
        entry = self.rooms.entry(
            old.room_id,
            ModerationAction.REMOVE_MESSAGE,
            subject_id=old.user_id,
            message_id=old.id,
            reason=reason,
        )
        return new, [*writes, entry]

    async def forget_everything(self) -> None:
        """When the account goes."""
        for message in await self.repository.messages_of_user(self.caller.user_id):
            await self.commit(partial(self._forget, message))

    async def _forget(self, known: Message) -> Decision[None]:
        old = await self.repository.message(known.room_id, known.id)
        return await self.wording.forgotten(old)


def _closed(room: Room | None) -> AppError:
    if room is None:
        return NotFound("room")
    return RoomArchived() if room.archived_at else StaleVersion("room", room.version)
