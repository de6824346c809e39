"""Sends messages. Those that wait for the same conversation are written in one transaction: a busy
room takes many times as many messages as one after the other."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar
from weakref import WeakKeyDictionary, WeakValueDictionary

from app.core.errors import AppError, OutcomeUnknown, StaleVersion, Unavailable
from app.core.inputs import IdempotentInput
from app.domains.community.service.conversation import LOCKS, ConversationWriter, SendConditions
from app.domains.community.types import ConversationMessage
from app.domains.service import Decision
from app.table.entity import entity_of
from app.table.gateway import Gateway, backoff_seconds
from app.table.transaction import room_for
from app.table.writes import Write

M = TypeVar("M", bound=ConversationMessage)

# Each message is three writes, with its receipt and the sender's read marker.
MOST_TOGETHER = room_for(3, besides=1)
ATTEMPTS_TOGETHER = 4

# From the conversation and the sender's membership it makes the message, or refuses.
Compose = Callable[[Any, Any], ConversationMessage]


@dataclass(eq=False, slots=True)
class PendingMessage:
    sender: "MessageSender"
    receipt: Callable[[Any], Write] | None
    sent: "asyncio.Future[Any]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    def fail(self, error: BaseException) -> None:
        if not self.sent.done():
            self.sent.set_exception(error)
            # Its sender may have hung up: then asyncio would log it as never retrieved.
            self.sent.exception()

    def succeed(self, message: ConversationMessage) -> None:
        if not self.sent.done():
            self.sent.set_result(message)

    def receipt_writes(self, message: ConversationMessage) -> list[Write]:
        return [self.receipt(message)] if self.receipt else []


Composed = tuple[PendingMessage, ConversationMessage]


class SendQueue:
    """The messages of this process that wait for one conversation."""

    def __init__(self) -> None:
        self.pending: list[PendingMessage] = []

    def take(self) -> list[PendingMessage]:
        taken = self.pending[:MOST_TOGETHER]
        del self.pending[:MOST_TOGETHER]
        return taken


_QUEUES: WeakKeyDictionary[Gateway, WeakValueDictionary[str, SendQueue]] = WeakKeyDictionary()


@dataclass(eq=False)
class MessageSender(ConversationWriter):
    """`check`: runs once, before the message is queued."""

    conditions: SendConditions
    compose: Compose
    check: Callable[[], Awaitable[None]] | None = None
    queue: SendQueue = field(init=False, repr=False)

    def __post_init__(self) -> None:
        queues = _QUEUES.setdefault(self.table, WeakValueDictionary())
        self.queue = queues.setdefault(self.conversation.pk, SendQueue())

    async def send(self, request: IdempotentInput, kind: type[M]) -> M:
        """A repeated request gets the message as it is now, edited or deleted."""
        message = await self.once(request, kind, self.decide)
        if message.text is not None:
            return message
        return await self.table.get(entity_of(message).key_of(message)) or message

    def receipt_answer(self, answer: ConversationMessage) -> ConversationMessage:
        """Without the text: no copy may outlive a message that is deleted or expires."""
        return replace(answer, text=None)

    async def decide(self) -> Decision[Any]:
        """For one message alone."""
        keys = (self.conditions.conversation, self.conditions.member)
        conversation, member = await self.table.get_many(keys)
        message = self.compose(conversation, member)
        assert conversation is not None
        counted = self.conditions.count_update(conversation, [message])
        return Decision(message, [counted, *self.conditions.message_writes(message)])

    async def commit(
        self,
        decide: Callable[[], Awaitable[Decision[Any]]],
        receipt: Callable[[Any], Write] | None = None,
    ) -> Any:
        if self.check:
            await self.check()
        mine = PendingMessage(self, receipt)
        self.queue.pending.append(mine)
        try:
            async with LOCKS.hold(self.conversation.pk):
                if mine in self.queue.pending:
                    await self._drain_queue()
            return await mine.sent
        finally:
            if mine in self.queue.pending:
                self.queue.pending.remove(mine)

    async def _drain_queue(self) -> None:
        """Continues when this sender hangs up: the others wait for it."""
        taken = self.queue.take()
        sending = asyncio.create_task(self._send_all(taken))
        sending.add_done_callback(partial(_fail_unsent, taken))
        await asyncio.shield(sending)

    async def _send_all(self, taken: list[PendingMessage]) -> None:
        if len(taken) > 1:
            await self._send_together(taken)
        for each in taken:
            if not each.sent.done():
                await each.sender.send_alone(each)

    async def send_alone(self, mine: PendingMessage) -> None:
        try:
            # The lock is held already.
            commit = super(ConversationWriter, self).commit
            mine.succeed(await commit(self.decide, mine.receipt))
        except AppError as refusal:
            mine.fail(refusal)

    async def _send_together(self, taken: list[PendingMessage]) -> None:
        """A message that is refused here gets its error when it is sent alone."""
        for attempt in range(ATTEMPTS_TOGETHER):
            await asyncio.sleep(backoff_seconds(attempt) if attempt else 0)
            before, composed = await self._compose_all(taken)
            try:
                await self.table.write(*self._batch_writes(before, composed))
            except StaleVersion:
                continue
            except (OutcomeUnknown, Unavailable):
                raise
            except AppError:
                return
            for each, message in composed:
                each.succeed(message)
            return

    async def _compose_all(self, taken: list[PendingMessage]) -> tuple[Any, list[Composed]]:
        members = [each.sender.conditions.member for each in taken]
        before, *found = await self.table.get_many([self.conditions.conversation, *members])
        composed: list[Composed] = []
        conversation: Any = before
        receipts: set[tuple[str, str]] = set()
        for each, member in zip(taken, found, strict=True):
            try:
                message = each.sender.compose(conversation, member)
            except AppError:
                continue
            # Two requests with one idempotencyKey: one now, the other will find its receipt.
            own = {(write.key.pk, write.key.sk) for write in each.receipt_writes(message)}
            if not own & receipts:
                receipts |= own
                composed.append((each, message))
                conversation = replace(
                    conversation, message_count=message.number, last_message_at=message.created_at
                )
        return before, composed

    def _batch_writes(self, before: Any, composed: Sequence[Composed]) -> list[Write]:
        if not composed:
            return []
        counted = self.conditions.count_update(before, [message for _, message in composed])
        return [
            *(write for each, message in composed for write in each.receipt_writes(message)),
            counted,
            *(
                write
                for each, message in composed
                for write in each.sender.conditions.message_writes(message)
            ),
        ]


def _fail_unsent(taken: list[PendingMessage], sending: "asyncio.Task[None]") -> None:
    """No sender may wait for ever, whatever the error was."""
    if sending.cancelled():
        error: BaseException | None = Unavailable()
    else:
        error = sending.exception()
    for each in taken if error else []:
        each.fail(error or Unavailable())
