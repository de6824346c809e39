"""Editing and deleting messages: the same in a room and in a thread."""

from typing import Protocol, TypeVar

from app.core.errors import StaleVersion
from app.domains.community.rules.messages import expect_editable, expect_edits_left, expect_sender
from app.domains.community.types import ConversationMessage, ConversationMessageEdit
from app.domains.service import Decision, Service, expect_version
from app.table.entity import RangeQuery, entity_of
from app.table.writes import Delete, Write, put_if_absent, put_if_unchanged

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
        return new, [put_if_unchanged(new, old, "message"), *deletes]

    async def anonymize(
        self, old: M | None, edits: RangeQuery[ConversationMessageEdit]
    ) -> Decision[None]:
        """When the sender's account is deleted: a tombstone without a sender."""
        if old is None or old.user_id is None:
            return Decision(None)
        _, writes = await self.tombstone(old, edits, user_id=None)
        return Decision(None, writes)
