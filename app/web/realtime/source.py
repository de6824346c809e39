"""Where a subscription's events come from, and what of them the subscriber may see."""

from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import Any, Generic, Self, TypeVar

import strawberry
from strawberry.utils.str_converters import to_snake_case

from app.core.record import Record
from app.events.bus import Mailbox
from app.events.event import Event, channel
from app.graph.context import Info
from app.web.filters import passes

T = TypeVar("T")
R = TypeVar("R", bound=Record)
Show = Callable[[Event], Awaitable[Sequence[T]]]
MOST_REMEMBERED = 1_000


class Source(Generic[T]):
    """An iterator, not a generator: one that never began would not close its mailbox."""

    def __init__(
        self, mailbox: Mailbox, show: Show[T], *, before: AsyncGenerator[T, None] | None = None
    ) -> None:
        """`before`: what comes first; meanwhile events wait in the mailbox."""
        self._mailbox = mailbox
        self._show = show
        self._before = before
        self._ready: deque[T] = deque()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        if self._before is not None:
            async for earlier in self._before:
                return earlier
            self._before = None
        while not self._ready:
            event = await self._mailbox.next()
            if event is None:
                raise StopAsyncIteration
            self._ready.extend(await self._show(event))
        return self._ready.popleft()

    async def aclose(self) -> None:
        self._mailbox.close()
        if self._before is not None:
            await self._before.aclose()


class Versions:
    """The last version shown of each record: what was overtaken on its way is left out."""

    def __init__(self) -> None:
        self._last: OrderedDict[tuple[str, str], int] = OrderedDict()

    def is_new(self, event: Event, version: int) -> bool:
        key = (event.pk, event.sk)
        if version <= self._last.get(key, 0):
            return False
        self._last[key] = version
        self._last.move_to_end(key)
        if len(self._last) > MOST_REMEMBERED:
            self._last.popitem(last=False)
        return True

    def forget(self, event: Event) -> None:
        self._last.pop((event.pk, event.sk), None)


def is_written(event: Event) -> bool:
    return not event.gone


def is_created(event: Event) -> bool:
    return event.new


def is_updated(event: Event) -> bool:
    return not (event.new or event.gone)


def is_deleted(event: Event) -> bool:
    return event.gone


async def own(
    info: Info,
    cls: type[R],
    filter: Any = None,
    *,
    when: Callable[[Event], bool] = is_written,
    **arguments: object,
) -> Source[R]:
    """The caller's own records of a kind, whenever one is written."""
    wanted = channel(cls.__name__, user_id=info.context.caller.user_id)
    mailbox = await info.context.resources.events.subscribe(wanted)
    table, versions = info.context.resources.table, Versions()

    async def show(event: Event) -> Sequence[R]:
        record = await seen(event)
        if record is None or not matches(record, arguments):
            return []
        return [record] if passes(record, filter) else []

    async def seen(event: Event) -> R | None:
        if event.gone:
            versions.forget(event)
        if not when(event):
            return None
        stored = event.record(cls)
        if stored is None:
            return None if event.gone else await table.load(event.key)
        return stored if event.gone or versions.is_new(event, stored.version) else None

    return Source(mailbox, show)


def matches(record: Any, arguments: dict[str, object]) -> bool:
    """As AppSync: what is left out is not looked at, null means only null."""
    return all(
        getattr(record, to_snake_case(name)) == value
        for name, value in arguments.items()
        if value is not strawberry.UNSET
    )
