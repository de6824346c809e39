"""What is said in threads."""

from functools import partial

import strawberry

from app.core.caller import Caller
from app.core.clock import instant
from app.core.errors import Forbidden, NotFound
from app.domains.community import keys
from app.domains.community.errors import MessageGone, ThreadResolved
from app.domains.community.inputs import (
    DeleteAssistMessageInput,
    EditAssistMessageInput,
    SendAssistMessageInput,
)
from app.domains.community.repository import AssistRepository
from app.domains.community.rules import MESSAGES_A_MINUTE, milliseconds, next_moment
from app.domains.community.service.assist import IS_OPEN, Assist, inside, no_space
from app.domains.community.service.conversation import Delivery
from app.domains.community.service.sending import Sending
from app.domains.community.service.wording import Wording
from app.domains.community.types import (
    AssistMember,
    AssistMsg,
    AssistMsgEdit,
    AssistStatus,
    AssistThread,
    MessageOrder,
)
from app.domains.service import Decision, Service
from app.resources import Resources
from app.table.conditions import present
from app.table.gateway import Position, Rows
from app.table.writes import Check


class AssistMessages(Service):
    def __init__(self, resources: Resources, caller: Caller, assist: Assist) -> None:
        super().__init__(resources, caller)
        self.assist = assist
        self.repository = AssistRepository(resources.table)
        self.wording = Wording(resources, caller, self.repository.edits)

    async def history(
        self, thread_id: str, order: MessageOrder, *, limit: int, start: Position | None
    ) -> Rows[AssistMsg]:
        """As in rooms, whether the caller takes part is looked at last."""
        newest_first = order is MessageOrder.NEWEST_FIRST
        rows = await self.repository.messages(
            thread_id, newest_first=newest_first, limit=limit, start=start
        )
        return rows if await self.assist.my_seat(thread_id) else Rows([])

    async def edits(self, message: AssistMsg) -> list[AssistMsgEdit] | None:
        found = await self.repository.edits(message) if message.edit_count else []
        return found if await self.assist.my_seat(message.thread_id) else None

    async def send(self, request: SendAssistMessageInput) -> AssistMsg:
        await self.resources.limiter.count(
            "messages", self.caller.user_id, limit=MESSAGES_A_MINUTE, seconds=60
        )
        sending = Sending(
            self.resources,
            self.caller,
            self._delivery(request.thread_id),
            compose=partial(self._composed, request),
            check=_nothing,
        )
        return await sending.send(request, AssistMsg)

    def _composed(
        self,
        request: SendAssistMessageInput,
        found: AssistThread | None,
        mine: AssistMember | None,
    ) -> AssistMsg:
        thread, _ = inside(found, mine)
        if thread.status is not AssistStatus.OPEN:
            raise ThreadResolved
        sent = next_moment(self.resources.clock.now(), thread.last_message_at)
        return AssistMsg(
            id=self.resources.ids.at(milliseconds(sent)),
            created_at=instant(sent),
            updated_at=instant(sent),
            thread_id=thread.id,
            user_id=strawberry.ID(self.caller.user_id),
            text=request.text,
            number=thread.message_count + 1,
        )

    def _delivery(self, thread_id: str) -> Delivery:
        return Delivery(
            conversation=keys.assist_thread(thread_id),
            seat=keys.assist_member(thread_id, self.caller.user_id),
            is_open=IS_OPEN,
            closed=no_space,
            may_speak=present(),
            silent=NotFound("thread"),
        )

    async def edit(self, request: EditAssistMessageInput) -> AssistMsg:
        return await self.commit(partial(self._edit, request))

    async def _edit(self, request: EditAssistMessageInput) -> Decision[AssistMsg]:
        thread, _ = await self.assist.standing(request.thread_id)
        old = await self.repository.message(thread.id, request.message_id)
        if old is None:
            raise NotFound("message")
        if old.deleted_at:
            raise MessageGone
        if thread.status is not AssistStatus.OPEN:
            raise ThreadResolved
        kept = AssistMsgEdit(thread_id=thread.id, **old.kept(self.now))
        decision = self.wording.edited(old, request, kept)
        still_open = Check(keys.assist_thread(thread.id), IS_OPEN, no_space)
        writes = [*decision.writes, still_open, self._still_here(thread)]
        return Decision(decision.answer, writes if decision.writes else [])

    async def delete(self, request: DeleteAssistMessageInput) -> AssistMsg:
        """By its sender, also in a thread that is resolved: what one said, one may take back."""
        return await self.commit(partial(self._delete, request))

    async def _delete(self, request: DeleteAssistMessageInput) -> Decision[AssistMsg]:
        thread, _ = await self.assist.standing(request.thread_id)
        old = await self.repository.message(thread.id, request.message_id)
        if old is None:
            raise NotFound("message")
        if old.user_id != self.caller.user_id:
            raise Forbidden("Only who sent a message can delete it.")
        if old.deleted_at:
            return Decision(old)
        new, writes = await self.wording.tombstone(old)
        return Decision(new, [*writes, self._still_here(thread)])

    def _still_here(self, thread: AssistThread) -> Check[AssistMember]:
        seat = keys.assist_member(thread.id, self.caller.user_id)
        return Check(seat, present(), NotFound("thread"))

    async def forget_everything(self) -> None:
        """When the account goes."""
        for message in await self.repository.messages_of_user(self.caller.user_id):
            await self.commit(partial(self._forget, message))

    async def _forget(self, known: AssistMsg) -> Decision[None]:
        old = await self.repository.message(known.thread_id, known.id)
        return await self.wording.forgotten(old)


async def _nothing() -> None:
    """There is nothing to look up before a message of a thread is sent."""
