"""Editing and deleting messages: the same in a room and in a thread."""

from typing import Protocol, TypeVar

from app.core.errors import StaleVersion
from app.domains.community import keys
from app.domains.community.rules.messages import expect_editable, expect_edits_left, expect_sender
from app.domains.community.types import (
    AssistMsg,
    Conversation,
    ConversationMessage,
    ConversationMessageEdit,
    Message,
)
from app.domains.service import Decision, Service, expect_version
from app.table.conditions import attr
from app.table.entity import Key, RangeQuery, entity_of
from app.table.writes import Delete, Update, Write, put_if_absent, put_if_unchanged

M = TypeVar("M", bound=ConversationMessage)


class EditRequest(Protocol):
    text: str
    expected_version: int | None


class MessageEditor(Service):
    def edit(self, old: M, request: EditRequest, kept: ConversationMessageEdit) -> Decision[M]:
        """`kept`: the text that the message has had."""
        expect_sender(old, self.caller.user_id, "edit")
        expect_version(request, old, "message")
        expect_editable(old, self.resources.clock.now())
        if old.text == request.text:
            return Decision(old)
        expect_edits_left(old)
        new = old.evolve(
            self.now, text=request.text, edited_at=self.now, edit_count=old.edit_count + 1
        )
        again = StaleVersion("message", None)
        return Decision(
            new, [put_if_unchanged(new, old, "message"), put_if_absent(kept, otherwise=again)]
        )

    async def tombstone(
        self, old: M, edits: RangeQuery[ConversationMessageEdit], **changes: object
    ) -> tuple[M, list[Write]]:
        """The message without its texts. Its place stays, so that readers can page on from it."""
        deleted_at = old.deleted_at or self.now
        new = old.evolve(self.now, text=None, deleted_at=deleted_at, edit_count=0, **changes)
        kept = [each async for each in self.table.query_all(edits)] if old.edit_count else []
        deletes = [Delete(entity_of(each).key_of(each)) for each in kept]
        writes: list[Write] = [put_if_unchanged(new, old, "message"), *deletes]
        return new, [*writes, *await self._gap_writes(old)]

    async def _gap_writes(self, message: ConversationMessage) -> list[Write]:
        """Readers who are behind the gap must look which messages are left."""
        key = _conversation_of(message)
        conversation = await self.table.get(key)
        known = conversation.gap_number if conversation else None
        if known is None or known >= message.number:
            return []
        lower = attr("gapNumber").below(message.number)
        late = StaleVersion("message", None)
        return [Update(key, put={"gapNumber": message.number}, when=lower, otherwise=late)]

    async def anonymize(
        self, old: M | None, edits: RangeQuery[ConversationMessageEdit]
    ) -> Decision[None]:
        """When the sender's account is deleted: a tombstone without a sender."""
        if old is None or old.user_id is None:
            return Decision(None)
        _, writes = await self.tombstone(old, edits, user_id=None)
        return Decision(None, writes)


def _conversation_of(message: ConversationMessage) -> Key[Conversation]:
    if isinstance(message, Message):
        return keys.room(message.room_id)
    assert isinstance(message, AssistMsg), "there is no third kind"
    return keys.assist_thread(message.thread_id)
