"""Messages in rooms."""

from functools import partial

import strawberry

from app.core.clock import epoch_seconds, instant
from app.core.errors import BadInput, Forbidden, NotFound
from app.core.scalars import AWSDateTime
from app.domains.community import keys
from app.domains.community.errors import MessageGone
from app.domains.community.inputs import DeleteMessageInput, EditMessageInput, SendMessageInput
from app.domains.community.repository import RoomRepository
from app.domains.community.rules.messages import (
    MESSAGES_A_MINUTE,
    edit_fields,
    epoch_milliseconds,
    is_expired,
    just_after,
    next_send_time,
    sent_at,
)
from app.domains.community.rules.rooms import (
    as_resolved,
    expect_may_write,
    expect_member,
    may_moderate,
    send_refusal,
    sender_refusal,
)
from app.domains.community.service.conversation import SendConditions
from app.domains.community.service.message_editor import MessageEditor
from app.domains.community.service.message_sender import MessageSender
from app.domains.community.service.read_markers import count_unread
from app.domains.community.service.rooms import Rooms
from app.domains.community.types import (
    Message,
    MessageAnchor,
    MessageEdit,
    MessageOrder,
    MessageReport,
    ModerationAction,
    ReportStatus,
    Room,
    RoomMember,
    RoomRole,
)
from app.domains.service import Decision, Service, required, uses
from app.table.conditions import attr, present
from app.table.entity import RangeQuery
from app.table.gateway import Position, Rows
from app.table.writes import Check, Write, put_if_unchanged

BEFORE_ALL_MESSAGES = "0"
# Beside the message, its earlier texts and the log.
MOST_REPORTS = 50


class Messages(Service):
    rooms = uses(Rooms)
    editor = uses(MessageEditor)

    @property
    def repository(self) -> RoomRepository:
        return RoomRepository(self.table)

    async def message(self, room_id: str, message_id: str) -> Message | None:
        """For members; null if it has expired."""
        message = await self.repository.message(room_id, message_id)
        if message is None or not self._is_visible(message):
            return None
        return message if await self.rooms.my_membership(room_id) else None

    async def edits(self, message: Message) -> list[MessageEdit] | None:
        query = self._edits_of(message)
        found = [each async for each in self.table.query_all(query)] if message.edit_count else []
        return found if await self.rooms.my_membership(message.room_id) else None

    async def history(
        self,
        room_id: str,
        order: MessageOrder,
        around: MessageAnchor | None,
        *,
        limit: int,
        start: Position | None,
    ) -> Rows[Message]:
        """The membership is read last: messages sent after the caller's removal never reach
        them."""
        newest_first = order is MessageOrder.NEWEST_FIRST
        query = keys.messages_of_room(room_id, newest_first=newest_first)
        if around and start is None:
            query = await self._query_around(room_id, around, newest_first)
        rows = await self.table.query(query, limit=limit, start=start, keep=self._is_visible)
        return rows if await self.rooms.my_membership(room_id) else Rows([])

    async def unread_count(self, room: Room) -> int | None:
        """None unless the caller is a member."""
        member = await self.rooms.my_membership(room.id)
        if member is None:
            return None
        return await count_unread(
            self.table,
            room,
            member,
            messages_since=partial(keys.messages_of_room, room.id),
            is_readable=lambda message: not message.deleted_at and self._is_visible(message),
        )

    async def _query_around(
        self, room_id: str, around: MessageAnchor, newest_first: bool
    ) -> RangeQuery[Message]:
        since: str | None = self._anchor_time(around)
        until = since
        if around.first_unread:
            membership = await self.rooms.my_membership(room_id)
            read = membership.read_at if membership else None
            since, until = (
                (instant(just_after(read)), read) if read else (None, BEFORE_ALL_MESSAGES)
            )
        if newest_first:
            return keys.messages_of_room(room_id, until=until, newest_first=True)
        return keys.messages_of_room(room_id, since=since, newest_first=False)

    def _anchor_time(self, around: MessageAnchor) -> AWSDateTime | None:
        if not around.message_id:
            return around.date or None
        sent = sent_at(around.message_id)
        if sent is None:
            raise BadInput("This is no id of a message.", field="around.messageId")
        return sent

    def _is_visible(self, message: Message) -> bool:
        return not is_expired(message.ttl, self.resources.clock.now())

    async def send(self, request: SendMessageInput) -> Message:
        await self.resources.limiter.count(
            "messages", self.caller.user_id, limit=MESSAGES_A_MINUTE, seconds=60
        )
        conditions = self._send_conditions(request.room_id)
        sender = MessageSender(
            self.scope,
            conditions.conversation,
            conditions,
            compose=partial(self._compose, request),
            check=partial(self._check_reply, request),
        )
        return await sender.send(request, Message)

    async def _check_reply(self, request: SendMessageInput) -> None:
        if request.reply_to_id:
            room, _ = await self.rooms.joined_room(request.room_id)
            await self._existing(room.id, request.reply_to_id)

    def _compose(
        self, request: SendMessageInput, found: Room | None, mine: RoomMember | None
    ) -> Message:
        room, membership = expect_member(found, mine)
        expect_may_write(room, membership, self.now)
        sent = next_send_time(self.resources.clock.now(), room.last_message_at)
        return Message(
            id=self.resources.ids.at(epoch_milliseconds(sent)),
            created_at=instant(sent),
            updated_at=instant(sent),
            room_id=room.id,
            user_id=strawberry.ID(self.caller.user_id),
            text=request.text,
            number=room.message_count + 1,
            reply_to_id=request.reply_to_id or None,
            ttl=epoch_seconds(sent) + request.expires_in if request.expires_in else None,
        )

    def _send_conditions(self, room_id: str) -> SendConditions:
        not_muted = attr("mutedUntil").absent() | attr("mutedUntil").at_most(self.now)
        is_owner = attr("role").equals(RoomRole.OWNER)
        return SendConditions(
            conversation=keys.room(room_id),
            member=keys.room_member(room_id, self.caller.user_id),
            is_open=attr("archivedAt").absent(),
            closed=send_refusal,
            may_write=not_muted | is_owner,
            silenced=sender_refusal,
        )

    async def _existing(self, room_id: str, message_id: str) -> Message:
        message = await self.repository.message(room_id, message_id)
        if message is None or not self._is_visible(message):
            raise NotFound("message")
        if message.deleted_at:
            raise MessageGone
        return message

    async def edit(self, request: EditMessageInput) -> Message:
        edited = await self.do_once(request, partial(self._edit, request))
        return edited or await self._message_now(request)

    async def _edit(self, request: EditMessageInput) -> Decision[Message]:
        room, membership = await self.rooms.joined_room(request.room_id)
        old = await self._existing(room.id, request.message_id)
        expect_may_write(room, membership, self.now)
        kept = MessageEdit(room_id=room.id, ttl=old.ttl, **edit_fields(old, self.now))
        decision = self.editor.edit(old, request, kept)
        writes = [*decision.writes, self._membership_check(room)]
        return Decision(decision.answer, writes if decision.writes else [])

    def _membership_check(self, room: Room) -> Check[RoomMember]:
        member = keys.room_member(room.id, self.caller.user_id)
        return Check(member, present(), NotFound("room"))

    async def delete(self, request: DeleteMessageInput) -> Message:
        """By its sender, or by a moderator of the room, which is logged."""
        deleted = await self.do_once(request, partial(self._delete, request))
        return deleted or await self._message_now(request)

    async def _message_now(self, request: EditMessageInput | DeleteMessageInput) -> Message:
        """No receipt keeps its words: they may have been taken back since."""
        return required(await self.message(request.room_id, request.message_id), "message")

    async def _delete(self, request: DeleteMessageInput) -> Decision[Message]:
        room, membership = await self.rooms.joined_room(request.room_id)
        old = await self.repository.message(room.id, request.message_id)
        if old is None or not self._is_visible(old):
            raise NotFound("message")
        if old.deleted_at:
            return Decision(old)
        if old.user_id == self.caller.user_id:
            new, writes = await self.editor.tombstone(old, self._edits_of(old))
            return Decision(new, [*writes, self._membership_check(room)])
        if not may_moderate(membership.role):
            raise Forbidden("Only the sender of a message, or a moderator, can delete it.")
        new, writes = await self.removal(old, request.reason or None)
        return Decision(new, [*writes, self.rooms.role_check(membership.role, room)])

    async def removal(
        self, old: Message, reason: str | None, *, resolved: MessageReport | None = None
    ) -> tuple[Message, list[Write]]:
        """The message as a moderator leaves it, and the writes. Open reports of it are resolved by
        it; `resolved` is one that the caller writes."""
        new, writes = await self.editor.tombstone(old, self._edits_of(old), is_removed=True)
        entry = self.rooms.moderation_entry(
            old.room_id,
            ModerationAction.REMOVE_MESSAGE,
            subject_id=old.user_id,
            message_id=old.id,
            reason=reason,
        )
        return new, [*writes, entry, *await self.resolve_reports(old, besides=resolved)]

    async def resolve_reports(
        self, message: Message, *, besides: MessageReport | None = None
    ) -> list[Write]:
        """As many as one transaction takes. The others are found when one of them is resolved."""
        listed = self.table.query_all(keys.reports_of_room(message.room_id, ReportStatus.OPEN))
        reporters = [r.user_id async for r in listed if r.message_id == message.id]
        some = [each for each in reporters if besides is None or each != besides.user_id]
        found = await self.table.get_many(
            [keys.report(each, message.id) for each in some[:MOST_REPORTS]]
        )
        return [
            put_if_unchanged(as_resolved(report, self.now), report, "report")
            for report in found
            if report and report.status is ReportStatus.OPEN
        ]

    def _edits_of(self, message: Message) -> RangeQuery[MessageEdit]:
        return keys.edits_of_message(message.room_id, message.id)

    async def anonymize_all(self) -> None:
        """When the account is deleted."""
        query = keys.messages_of_user(self.caller.user_id)
        for message in [each async for each in self.table.query_all(query)]:
            await self.commit(partial(self._anonymize, message))

    async def _anonymize(self, found: Message) -> Decision[None]:
        old = await self.repository.message(found.room_id, found.id)
        return await self.editor.anonymize(old, self._edits_of(found))
