"""From committed writes to events, and to the list of changes that a client can go on from.

The list is written in two steps, since commits of several servers have no common order. A
transaction leaves a note of what it changed, as part of itself: nothing is forgotten, nothing is
told that did not happen. Whoever reads the list first moves the notes into it: only there they get
their place, for ever, so a reader who has passed a place never finds something new before it.
"""

from collections.abc import Sequence

import strawberry

from app.core.clock import Clock, epoch, instant
from app.core.ids import Ids
from app.core.record import Record
from app.events.bus import Bus
from app.events.event import Event, channel
from app.events.observed import channels_of, look_at, noted_for, observed
from app.table.codec import Wire
from app.table.conditions import absent
from app.table.entity import Entity, Key, Query
from app.table.writes import Delete, Put, Write, item_of

SECONDS_KEPT = 7 * 24 * 3600


@strawberry.type
class Mark:
    """One changed record, by its key."""

    kind: str
    pk: str
    sk: str
    gone: bool = False


@strawberry.type
class ChangeNote(Record):
    """What one transaction changed, not yet in its place."""

    user_id: str
    id: str
    marks: list[Mark]
    ttl: int


@strawberry.type
class ChangeList(Record):
    """Changes in their place: `place` rises with every one of these, as ULIDs do."""

    user_id: str
    place: str
    marks: list[Mark]
    ttl: int


@strawberry.type
class ChangeEnd(Record):
    """Where the list ends: whoever adds to it moves this."""

    user_id: str
    place: str


CHANGE_NOTE = Entity(ChangeNote, pk="USER#{user_id}", sk="CHANGE#NOTE#{id}", secret=True)
CHANGE_LIST = Entity(ChangeList, pk="USER#{user_id}", sk="CHANGE#LIST#{place}", secret=True)
CHANGE_END = Entity(ChangeEnd, pk="USER#{user_id}", sk="CHANGE#END", secret=True)


def notes_of_user(user_id: str) -> Query[ChangeNote]:
    """What someone's transactions changed that is not in the list yet"""
    return CHANGE_NOTE.within(user_id=user_id)


def changes_of_user(user_id: str, since: str) -> Query[ChangeList]:
    """What happened to someone's records since a place"""
    return CHANGE_LIST.span(user_id=user_id, since=since, until="Z")


def end_of_changes(user_id: str) -> Key[ChangeEnd]:
    """Where someone's list of changes ends"""
    return CHANGE_END.key(user_id=user_id)


def changes_channel(user_id: str) -> str:
    return channel("Change", user_id=user_id)


class Journal:
    """What the gateway tells of every transaction."""

    def __init__(self, bus: Bus, clock: Clock, ids: Ids) -> None:
        self._bus = bus
        self._clock = clock
        self._ids = ids

    def notes(self, writes: Sequence[Write]) -> list[Write]:
        marks: dict[str, list[Mark]] = {}
        for write in writes:
            seen = observed(write)
            if seen is not None:
                for user_id in noted_for(write, seen, writes):
                    marks.setdefault(user_id, []).append(_mark(write))
        return [Put(self._note(user_id, each)) for user_id, each in marks.items()]

    def _note(self, user_id: str, marks: list[Mark]) -> ChangeNote:
        now = self._clock.now()
        return ChangeNote(
            created_at=instant(now),
            updated_at=instant(now),
            user_id=user_id,
            id=self._ids.new(),
            marks=marks,
            ttl=epoch(now) + SECONDS_KEPT,
        )

    def committed(self, writes: Sequence[Write]) -> None:
        self._bus.publish(event for write in writes if (event := _event(write, writes)))


def _mark(write: Write) -> Mark:
    key = write.key
    return Mark(kind=key.entity.name, pk=key.pk, sk=key.sk, gone=isinstance(write, Delete))


def _event(write: Write, writes: Sequence[Write]) -> Event | None:
    seen = observed(write)
    if seen is None:
        return None
    key = write.key
    changed = (changes_channel(user_id) for user_id in noted_for(write, seen, writes))
    return Event(
        channels=(*channels_of(key.entity.name, seen, look_at(write)), *changed),
        kind=key.entity.name,
        pk=key.pk,
        sk=key.sk,
        item=_item(write),
        gone=isinstance(write, Delete),
        new=isinstance(write, Put) and write.when == absent(),
    )


def _item(write: Write) -> Wire | None:
    known = write.record if isinstance(write, Put | Delete) else None
    return item_of(known) if known is not None else None
