"""What is said in a room or thread, live: in the one order that all readers see, without gaps."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from app.core.errors import BadInput, NotFound
from app.domains.community.rules import sent_at
from app.domains.community.types import AssistMsg, Message, MessageAnchor, MessageOrder, Post
from app.events.event import Event, channel
from app.graph.context import Info
from app.table.gateway import Rows
from app.web.filters import passes
from app.web.realtime.source import Source

P = TypeVar("P", bound=Post)
PAGE = 100
Newest = Callable[[Any], Awaitable[Rows[P]]]


class Feed(Generic[P]):
    """Events may come late or in another order, through another process: the numbers tell, and
    what is missing is read."""

    def __init__(self, cls: type[P], what: str, *, last: int, filter: Any) -> None:
        self._cls = cls
        self._what = what
        self.filter = filter
        self.last = last

    async def show(
        self, event: Event, is_member: Callable[[], Awaitable[object]], newest: Newest[P]
    ) -> Sequence[P]:
        post = event.record(self._cls)
        # Another version than the first is an edit: nothing was sent.
        if post is None or post.version > 1 or post.number <= self.last:
            return []
        new = [post] if post.number == self.last + 1 else await self._unseen(newest)
        # Looked at last: what is said after somebody's removal never reaches them.
        if not await is_member():
            raise NotFound(self._what)
        shown = [each for each in new if self.last < each.number <= post.number]
        self.last = post.number
        return [each for each in shown if passes(each, self.filter)]

    async def _unseen(self, newest: Newest[P]) -> list[P]:
        found: list[P] = []
        start = None
        while True:
            rows = await newest(start)
            found += rows.items
            start = rows.next
            if start is None or (found and found[-1].number <= self.last):
                return found[::-1]


async def messages(info: Info, room_id: str, since: str | None, filter: Any) -> Source[Message]:
    context = info.context
    if since is not None and sent_at(since) is None:
        raise BadInput("This is no id of a message.", field="since")
    mailbox = await context.resources.events.subscribe(channel("Message", room_id=room_id))
    try:
        room, _ = await context.rooms.standing(room_id)
    except BaseException:
        mailbox.close()
        raise
    feed = Feed(Message, "room", last=room.message_count, filter=filter)
    history = partial(context.messages.history, room_id, limit=PAGE)

    async def newest(start: Any) -> Rows[Message]:
        return await history(MessageOrder.NEWEST_FIRST, None, start=start)

    async def show(event: Event) -> Sequence[Message]:
        return await feed.show(event, lambda: context.rooms.my_seat(room_id), newest)

    if since is None:
        return Source(mailbox, show)
    earlier = partial(history, MessageOrder.OLDEST_FIRST, MessageAnchor(date=sent_at(since)))
    return Source(mailbox, show, before=_after(since.upper(), earlier, feed))


async def _after(
    since: str, history: Callable[..., Awaitable[Rows[Message]]], feed: Feed[Message]
) -> AsyncGenerator[Message, None]:
    """Ids rise as the numbers do: the one that is known tells what is new."""
    start = None
    while True:
        rows = await history(start=start)
        for each in rows.items:
            if each.id > since:
                feed.last = max(feed.last, each.number)
                if passes(each, feed.filter):
                    yield each
        start = rows.next
        if start is None:
            return


async def assist_messages(info: Info, thread_id: str, filter: Any) -> Source[AssistMsg]:
    context = info.context
    mailbox = await context.resources.events.subscribe(channel("AssistMsg", thread_id=thread_id))
    try:
        thread, _ = await context.assist.standing(thread_id)
    except BaseException:
        mailbox.close()
        raise
    feed = Feed(AssistMsg, "thread", last=thread.message_count, filter=filter)

    async def newest(start: Any) -> Rows[AssistMsg]:
        history = context.assist_messages.history
        return await history(thread_id, MessageOrder.NEWEST_FIRST, limit=PAGE, start=start)

    async def show(event: Event) -> Sequence[AssistMsg]:
        return await feed.show(event, lambda: context.assist.my_seat(thread_id), newest)

    return Source(mailbox, show)
