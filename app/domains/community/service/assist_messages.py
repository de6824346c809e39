"""Messages in assist threads."""

from functools import partial

import strawberry

from app.core.clock import instant
from app.core.errors import NotFound
from app.domains.community import keys
from app.domains.community.errors import MessageGone
from app.domains.community.inputs import (
    DeleteAssistMessageInput,
    EditAssistMessageInput,
    MarkAssistThreadReadInput,
    SendAssistMessageInput,
)
from app.domains.community.repository import AssistRepository
from app.domains.community.rules.assist import expect_open, expect_participant, thread_refusal
from app.domains.community.rules.messages import (
    MESSAGES_A_MINUTE,
    edit_fields,
    epoch_milliseconds,
    expect_sender,
    next_send_time,
)
from app.domains.community.service.assist import IS_OPEN, Assist
from app.domains.community.service.conversation import SendConditions
from app.domains.community.service.message_editor import MessageEditor
from app.domains.community.service.message_sender import MessageSender
from app.domains.community.service.read_markers import count_unread, marker_writes
from app.domains.community.types import (
    AssistMember,
    AssistMsg,
    AssistMsgEdit,
    AssistThread,
    MessageOrder,
)
from app.domains.service import Decision, Service, required, uses
from app.table.conditions import present
from app.table.entity import RangeQuery
from app.table.gateway import Position, Rows
from app.table.writes import Check


class AssistMessages(Service):
    assist = uses(Assist)
    editor = uses(MessageEditor)

    @property
    def repository(self) -> AssistRepository:
        return AssistRepository(self.table)

    async def history(
        self, thread_id: str, order: MessageOrder, *, limit: int, start: Position | None
    ) -> Rows[AssistMsg]:
        """As in rooms, the membership is read last."""
        newest_first = order is MessageOrder.NEWEST_FIRST
        query = keys.messages_of_assist_thread(thread_id, newest_first=newest_first)
        rows = await self.table.query(query, limit=limit, start=start)
        return rows if await self.assist.my_membership(thread_id) else Rows([])

    async def unread_count(self, thread: AssistThread) -> int | None:
        """None unless the caller takes part."""
        member = await self.assist.my_membership(thread.id)
        if member is None:
            return None
        return await count_unread(
            self.table,
            thread,
            member,
            messages_since=partial(keys.messages_of_assist_thread, thread.id),
            is_readable=lambda message: not message.deleted_at,
        )

    async def mark_read(self, request: MarkAssistThreadReadInput) -> AssistThread:
        return await self.once(request, AssistThread, partial(self._mark_read, request))

    async def _mark_read(self, request: MarkAssistThreadReadInput) -> Decision[AssistThread]:
        thread, member = await self.assist.joined_thread(request.thread_id)
        message = None
        if request.message_id:
            found = await self.repository.message(thread.id, request.message_id)
            message = required(found, "message")
        key = keys.assist_member(thread.id, member.user_id)
        return Decision(thread, marker_writes(member, key, thread, message))

    async def edits(self, message: AssistMsg) -> list[AssistMsgEdit] | None:
        query = self._edits_of(message)
        found = [each async for each in self.table.query_all(query)] if message.edit_count else []
        return found if await self.assist.my_membership(message.thread_id) else None

    async def send(self, request: SendAssistMessageInput) -> AssistMsg:
        await self.resources.limiter.count(
            "messages", self.caller.user_id, limit=MESSAGES_A_MINUTE, seconds=60
        )
        conditions = self._send_conditions(request.thread_id)
        sender = MessageSender(
            self.scope,
            conditions.conversation,
            conditions,
            compose=partial(self._compose, request),
        )
        return await sender.send(request, AssistMsg)

    def _compose(
        self,
        request: SendAssistMessageInput,
        found: AssistThread | None,
        mine: AssistMember | None,
    ) -> AssistMsg:
        thread, _ = expect_participant(found, mine)
        expect_open(thread)
        sent = next_send_time(self.resources.clock.now(), thread.last_message_at)
        return AssistMsg(
            id=self.resources.ids.at(epoch_milliseconds(sent)),
            created_at=instant(sent),
            updated_at=instant(sent),
            thread_id=thread.id,
            user_id=strawberry.ID(self.caller.user_id),
            text=request.text,
            number=thread.message_count + 1,
        )

    def _send_conditions(self, thread_id: str) -> SendConditions:
        return SendConditions(
            conversation=keys.assist_thread(thread_id),
            member=keys.assist_member(thread_id, self.caller.user_id),
            is_open=IS_OPEN,
            closed=thread_refusal,
            may_write=present(),
            silenced=NotFound("thread"),
        )

    async def edit(self, request: EditAssistMessageInput) -> AssistMsg:
        edited = await self.do_once(request, partial(self._edit, request))
        return edited or await self._message_now(request)

    async def _edit(self, request: EditAssistMessageInput) -> Decision[AssistMsg]:
        thread, _ = await self.assist.joined_thread(request.thread_id)
        old = required(await self.repository.message(thread.id, request.message_id), "message")
        if old.deleted_at:
            raise MessageGone
        expect_open(thread)
        kept = AssistMsgEdit(thread_id=thread.id, **edit_fields(old, self.now))
        decision = self.editor.edit(old, request, kept)
        still_open = Check(keys.assist_thread(thread.id), IS_OPEN, thread_refusal)
        writes = [*decision.writes, still_open, self._membership_check(thread)]
        return Decision(decision.answer, writes if decision.writes else [])

    async def delete(self, request: DeleteAssistMessageInput) -> AssistMsg:
        """By its sender, also in a resolved thread."""
        deleted = await self.do_once(request, partial(self._delete, request))
        return deleted or await self._message_now(request)

    async def _message_now(
        self, request: EditAssistMessageInput | DeleteAssistMessageInput
    ) -> AssistMsg:
        """No receipt keeps its words: they may have been taken back since."""
        thread, _ = await self.assist.joined_thread(request.thread_id)
        return required(await self.repository.message(thread.id, request.message_id), "message")

    async def _delete(self, request: DeleteAssistMessageInput) -> Decision[AssistMsg]:
        thread, _ = await self.assist.joined_thread(request.thread_id)
        old = required(await self.repository.message(thread.id, request.message_id), "message")
        expect_sender(old, self.caller.user_id, "delete")
        if old.deleted_at:
            return Decision(old)
        new, writes = await self.editor.tombstone(old, self._edits_of(old))
        return Decision(new, [*writes, self._membership_check(thread)])

    def _membership_check(self, thread: AssistThread) -> Check[AssistMember]:
        member = keys.assist_member(thread.id, self.caller.user_id)
        return Check(member, present(), NotFound("thread"))

    def _edits_of(self, message: AssistMsg) -> RangeQuery[AssistMsgEdit]:
        return keys.edits_of_assist_message(message.thread_id, message.id)

    async def anonymize_all(self) -> None:
        """When the account is deleted."""
        query = keys.assist_messages_of_user(self.caller.user_id)
        for message in [each async for each in self.table.query_all(query)]:
            await self.commit(partial(self._anonymize, message))

    async def _anonymize(self, found: AssistMsg) -> Decision[None]:
        old = await self.repository.message(found.thread_id, found.id)
        return await self.editor.anonymize(old, self._edits_of(found))
