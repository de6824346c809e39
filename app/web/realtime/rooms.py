"""What is said in a room or thread, live: in the one order that all readers see, without gaps."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import Any, Generic, TypeVar

from app.core.errors import BadInput, NotFound
from app.core.scalars import AWSDateTime
from app.domains.community.rules import sent_at
from app.domains.community.types import AssistMsg, Message, MessageAnchor, MessageOrder, Post
from app.events.event import Event, channel
from app.graph.context import Context, Info
from app.table.gateway import Rows
from app.web.filters import passes
from app.web.realtime.source import Source

P = TypeVar("P", bound=Post)
PAGE = 100
Missed = Callable[[], Awaitable[list[P]]]


class Feed(Generic[P]):
    """Events may come late or in another order, through another process: the numbers tell, and
    what is missing is read."""

    def __init__(self, cls: type[P], what: str, *, last: int, filter: Any) -> None:
        self._cls = cls
        self._what = what
        self.filter = filter
        self.last = last

    async def show(
        self, event: Event, is_member: Callable[[], Awaitable[object]], missed: Missed[P]
    ) -> Sequence[P]:
        post = event.record(self._cls)
        # Another version than the first is an edit: nothing was sent.
        if post is None or post.version > 1 or post.number <= self.last:
            return []
        new = [post] if post.number == self.last + 1 else await missed()
        # Looked at last: what is said after somebody's removal never reaches them.
        if not await is_member():
            raise NotFound(self._what)
        shown = [each for each in new if self.last < each.number <= post.number]
        self.last = post.number
        return [each for each in shown if passes(each, self.filter)]


class Room:
    """What was said in it, from some message on, as the caller may read it."""

    def __init__(self, context: Context, room_id: str, since: AWSDateTime | None) -> None:
        self._context = context
        self._id = room_id
        self._since = MessageAnchor(date=since) if since else None

    async def page(self, start: Any) -> Rows[Message]:
        history, order = self._context.messages.history, MessageOrder.OLDEST_FIRST
        return await history(self._id, order, self._since, limit=PAGE, start=start)

    async def is_member(self) -> object:
        return await self._context.rooms.my_seat(self._id)


async def messages(info: Info, room_id: str, since: str | None, filter: Any) -> Source[Message]:
    context = info.context
    if since is not None and sent_at(since) is None:
        raise BadInput("This is no id of a message.", field="since")
    mailbox = await context.resources.events.subscribe(channel("Message", room_id=room_id))
    try:
        found, _ = await context.rooms.standing(room_id)
    except BaseException:
        mailbox.close()
        raise
    room = Room(context, room_id, found.last_message_at)
    feed = Feed(Message, "room", last=found.message_count, filter=filter)

    async def show(event: Event) -> Sequence[Message]:
        return await feed.show(event, room.is_member, lambda: everything(room.page))

    if since is None:
        return Source(mailbox, show)
    earlier = Room(context, room_id, sent_at(since))
    return Source(mailbox, show, before=_after(since.upper(), earlier, feed))


async def _after(since: str, room: Room, feed: Feed[Message]) -> AsyncGenerator[Message, None]:
    """Ids rise as the numbers do: the one that is known tells what is new."""
    start = None
    while True:
        rows = await room.page(start)
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

    async def show(event: Event) -> Sequence[AssistMsg]:
        return await feed.show(event, lambda: context.assist.my_seat(thread_id), missed)

    async def missed() -> list[AssistMsg]:
        rows = await context.assist_messages.history(
            thread_id, MessageOrder.NEWEST_FIRST, limit=PAGE, start=None
        )
        return rows.items[::-1]

    return Source(mailbox, show)


async def everything(page: Callable[[Any], Awaitable[Rows[P]]]) -> list[P]:
    found: list[P] = []
    start = None
    while True:
        rows = await page(start)
        found += rows.items
        start = rows.next
        if start is None:
            return found
