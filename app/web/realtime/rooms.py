"""Source streams of messages in rooms and threads, in the order of their numbers, without gaps."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from app.core.errors import BadInput, NotFound
from app.domains.community.rules.messages import sent_at
from app.domains.community.types import (
    AssistMsg,
    ConversationMessage,
    Message,
    MessageAnchor,
    MessageOrder,
)
from app.events.event import Event, channel
from app.graph.context import Info
from app.table.gateway import Rows
from app.web.filters import matches_filter
from app.web.realtime.source_stream import SourceStream

P = TypeVar("P", bound=ConversationMessage)
READ_LIMIT = 100
ReadNewest = Callable[[Any], Awaitable[Rows[P]]]


class MessageFeed(Generic[P]):
    """Events of another process may be late, lost or out of order. The message numbers show gaps,
    and missing messages are read from the table. `last` is the number of the last message sent."""

    def __init__(self, cls: type[P], conversation: str, *, last: int, filter: Any) -> None:
        self._cls = cls
        self._conversation = conversation
        self.filter = filter
        self.last = last

    async def messages_of(
        self, event: Event, is_member: Callable[[], Awaitable[object]], read_newest: ReadNewest[P]
    ) -> Sequence[P]:
        message = event.record(self._cls)
        # A later version is an edit, not a new message.
        if message is None or message.version > 1 or message.number <= self.last:
            return []
        new = [message] if message.number == self.last + 1 else await self._read_unsent(read_newest)
        # Checked after reading: a removed member never gets a message sent after the removal.
        if not await is_member():
            raise NotFound(self._conversation)
        unsent = [each for each in new if self.last < each.number <= message.number]
        self.last = message.number
        return [each for each in unsent if matches_filter(each, self.filter)]

    async def _read_unsent(self, read_newest: ReadNewest[P]) -> list[P]:
        found: list[P] = []
        start = None
        while True:
            rows = await read_newest(start)
            found += rows.items
            start = rows.next
            if start is None or (found and found[-1].number <= self.last):
                return found[::-1]


async def message_stream(
    info: Info, room_id: str, since: str | None, filter: Any
) -> SourceStream[Message]:
    context = info.context
    if since is not None and sent_at(since) is None:
        raise BadInput("This is not the id of a message.", field="since")
    queue = await context.resources.events.subscribe(channel("Message", room_id=room_id))
    try:
        room, _ = await context.rooms.joined_room(room_id)
    except BaseException:
        queue.close()
        raise
    feed = MessageFeed(Message, "room", last=room.message_count, filter=filter)
    history = partial(context.messages.history, room_id, limit=READ_LIMIT)

    async def read_newest(start: Any) -> Rows[Message]:
        return await history(MessageOrder.NEWEST_FIRST, None, start=start)

    async def to_records(event: Event) -> Sequence[Message]:
        return await feed.messages_of(
            event, lambda: context.rooms.my_membership(room_id), read_newest
        )

    if since is None:
        return SourceStream(queue, to_records)
    earlier = partial(history, MessageOrder.OLDEST_FIRST, MessageAnchor(date=sent_at(since)))
    return SourceStream(queue, to_records, before=_messages_after(since.upper(), earlier, feed))


async def _messages_after(
    since: str, history: Callable[..., Awaitable[Rows[Message]]], feed: MessageFeed[Message]
) -> AsyncGenerator[Message, None]:
    """Ids rise with the numbers, so that the id of the last known message shows what is new."""
    start = None
    while True:
        rows = await history(start=start)
        for each in rows.items:
            if each.id > since:
                feed.last = max(feed.last, each.number)
                if matches_filter(each, feed.filter):
                    yield each
        start = rows.next
        if start is None:
            return


async def assist_message_stream(info: Info, thread_id: str, filter: Any) -> SourceStream[AssistMsg]:
    context = info.context
    queue = await context.resources.events.subscribe(channel("AssistMsg", thread_id=thread_id))
    try:
        thread, _ = await context.assist.joined_thread(thread_id)
    except BaseException:
        queue.close()
        raise
    feed = MessageFeed(AssistMsg, "thread", last=thread.message_count, filter=filter)

    async def read_newest(start: Any) -> Rows[AssistMsg]:
        history = context.assist_messages.history
        return await history(thread_id, MessageOrder.NEWEST_FIRST, limit=READ_LIMIT, start=start)

    async def to_records(event: Event) -> Sequence[AssistMsg]:
        return await feed.messages_of(
            event, lambda: context.assist.my_membership(thread_id), read_newest
        )

    return SourceStream(queue, to_records)
