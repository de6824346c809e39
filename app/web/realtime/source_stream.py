"""Source streams of subscriptions: events of the bus as records that the subscriber may see."""

from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import Any, Generic, Self, TypeVar

import strawberry
from strawberry.utils.str_converters import to_snake_case

from app.core.record import Record
from app.events.bus import SubscriptionQueue
from app.events.event import Event, channel
from app.graph.context import Info
from app.web.filters import choose_matching

T = TypeVar("T")
R = TypeVar("R", bound=Record)
ToRecords = Callable[[Event], Awaitable[Sequence[T]]]
MAX_REMEMBERED = 1_000


class SourceStream(Generic[T]):
    """An iterator, not a generator: a generator that never started would not close its queue."""

    def __init__(
        self,
        queue: SubscriptionQueue,
        to_records: ToRecords[T],
        *,
        before: AsyncGenerator[T, None] | None = None,
    ) -> None:
        """`before` is sent first; meanwhile events wait in the queue."""
        self._queue = queue
        self._to_records = to_records
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
            event = await self._queue.next()
            if event is None:
                raise StopAsyncIteration
            self._ready.extend(await self._to_records(event))
        return self._ready.popleft()

    async def aclose(self) -> None:
        self._queue.close()
        if self._before is not None:
            await self._before.aclose()


class ShownVersions:
    """The last version sent of each record. An event that arrives after a later one is dropped."""

    def __init__(self) -> None:
        self._last: OrderedDict[tuple[str, str], int] = OrderedDict()

    def is_new(self, event: Event, version: int) -> bool:
        key = (event.pk, event.sk)
        if version <= self._last.get(key, 0):
            return False
        self._last[key] = version
        self._last.move_to_end(key)
        if len(self._last) > MAX_REMEMBERED:
            self._last.popitem(last=False)
        return True

    def forget(self, event: Event) -> None:
        self._last.pop((event.pk, event.sk), None)


def is_written(event: Event) -> bool:
    return not event.deleted


def is_created(event: Event) -> bool:
    return event.created


def is_updated(event: Event) -> bool:
    return not (event.created or event.deleted)


def is_deleted(event: Event) -> bool:
    return event.deleted


async def own_record_stream(
    info: Info,
    cls: type[R],
    filter: Any = None,
    *,
    when: Callable[[Event], bool] = is_written,
    **arguments: object,
) -> SourceStream[R]:
    """The caller's own records of a type, each time one is written, or as `when` says."""
    own_channel = channel(cls.__name__, user_id=info.context.caller.user_id)
    queue = await info.context.resources.events.subscribe(own_channel)
    table, versions = info.context.resources.table, ShownVersions()

    async def to_records(event: Event) -> Sequence[R]:
        record = await current_record(event)
        if record is None or not matches_arguments(record, arguments):
            return []
        (matches,) = await choose_matching(info, [record], filter)
        return [record] if matches else []

    async def current_record(event: Event) -> R | None:
        if event.deleted:
            versions.forget(event)
        if not when(event):
            return None
        stored = event.record(cls)
        if stored is None:
            return None if event.deleted else await table.load(event.key)
        return stored if event.deleted or versions.is_new(event, stored.version) else None

    return SourceStream(queue, to_records)


def matches_arguments(record: Any, arguments: dict[str, object]) -> bool:
    """As in AppSync: an argument left out matches all values, null matches only null."""
    return all(
        getattr(record, to_snake_case(name)) == value
        for name, value in arguments.items()
        if value is not strawberry.UNSET
    )
