"""Writes to a room or a thread: one order for all readers.

A message is written together with the count of its conversation, under the condition that no other
was written meanwhile; its time is later than that of the message before, whatever the clocks of the
servers say. So no message ever sorts before one that a reader has already passed.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from app.core.errors import Conflict
from app.core.locks import KeyedLock
from app.domains.community.types import Conversation, ConversationMessage
from app.domains.service import Decision, Service
from app.table.conditions import Condition, attr, present, version_is
from app.table.entity import Key
from app.table.writes import Otherwise, Put, Update, Write, put_if_absent, stale

C = TypeVar("C", bound=Conversation)
T = TypeVar("T")
LOCKS = KeyedLock()


@dataclass(eq=False)
class ConversationWriter(Service):
    """Writers of one process wait for each other, instead of making each other retry. The lock
    guarantees nothing: the condition on the conversation decides, also between servers."""

    attempts = 12

    conversation: Key[Any]

    async def commit(
        self,
        decide: Callable[[], Awaitable[Decision[T]]],
        receipt: Callable[[T], Write] | None = None,
    ) -> T:
        async with LOCKS.hold(self.conversation.pk):
            return await super().commit(decide, receipt)

    def put(self, new: C, old: C, what: str) -> Put[C]:
        """The counters rise without a new version: they, too, must be as they were read."""
        gap = attr("gapNumber")
        same = (
            attr("messageCount").equals(old.message_count)
            & attr("memberCount").equals(old.member_count)
            & (gap.absent() if old.gap_number is None else gap.equals(old.gap_number))
        )
        return Put(new, when=version_is(old.version) & same, otherwise=stale(what))

    def change_member_count(self, by: int, when: Condition, otherwise: Otherwise) -> Update[Any]:
        return Update(
            self.conversation,
            add={"memberCount": by},
            when=present() & when,
            otherwise=otherwise,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SendConditions:
    """Under which conditions somebody's message is written, and the errors their failure means."""

    conversation: Key[Any]
    member: Key[Any]
    is_open: Condition
    closed: Otherwise
    may_write: Condition
    silenced: Otherwise

    def message_writes(self, message: ConversationMessage) -> list[Write]:
        """The sender has read everything before the message."""
        read = Update(
            self.member,
            put={"readNumber": message.number, "readAt": message.created_at},
            when=present() & self.may_write,
            otherwise=self.silenced,
        )
        exists = Conflict("There is a message with this id already.")
        return [put_if_absent(message, otherwise=exists), read]

    def count_update(
        self, before: Conversation, messages: Sequence[ConversationMessage]
    ) -> Update[Any]:
        """The messages follow each other, if none was written since `before` was read."""
        last = messages[-1]
        expiring = [each.number for each in messages if each.is_ephemeral]
        known = before.gap_number is not None
        return Update(
            self.conversation,
            put={
                "lastMessageAt": last.created_at,
                "lastMessageId": last.id,
                **({"gapNumber": expiring[-1]} if expiring and known else {}),
            },
            add={"messageCount": len(messages)},
            when=attr("messageCount").equals(before.message_count) & self.is_open,
            otherwise=self.closed,
        )
