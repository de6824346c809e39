"""What is said in a room or thread, live: in the one order that all readers see, without gaps."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Generic, TypeVar

from app.core.errors import NotFound
from app.domains.community.types import AssistMsg, Message, MessageAnchor, MessageOrder, Post
from app.events.event import Event, channel
from app.graph.context import Info
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
        self._filter = filter
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
        return [each for each in shown if passes(each, self._filter)]


async def messages(info: Info, room_id: str, filter: Any) -> Source[Message]:
    context = info.context
    mailbox = await context.resources.events.subscribe(channel("Message", room_id=room_id))
    try:
        room, _ = await context.rooms.standing(room_id)
    except BaseException:
        mailbox.close()
        raise
    feed = Feed(Message, "room", last=room.message_count, filter=filter)
    since = MessageAnchor(date=room.last_message_at) if room.last_message_at else None

    async def show(event: Event) -> Sequence[Message]:
        return await feed.show(event, lambda: context.rooms.my_seat(room_id), missed)

    async def missed() -> list[Message]:
        async def page(start: Any) -> Rows[Message]:
            order = MessageOrder.OLDEST_FIRST
            history = context.messages.history
            return await history(room_id, order, since, limit=PAGE, start=start)

        return await everything(page)

    return Source(mailbox, show)


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
