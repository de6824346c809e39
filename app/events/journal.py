"""Turns committed writes into events and into entries of the change list.

Commits of several servers have no common order, so the list is written in two steps. A transaction
stores its pending changes as part of itself: they are stored exactly if the transaction commits.
A reader of the list first moves the pending changes to its end. There they get their final sequence
id, so nothing new ever appears before a position that a reader has passed.
"""

from collections.abc import Sequence

from app.core.clock import Clock, epoch_seconds, instant
from app.core.ids import Ids
from app.events.bus import Bus
from app.events.event import Event, channel
from app.events.publish_rules import channels_of, publish_rule_of, users_to_notify
from app.events.types import ChangedKey, PendingChanges
from app.table.codec import Wire
from app.table.conditions import absent
from app.table.writes import Delete, Put, Write, item_of

SECONDS_KEPT = 7 * 24 * 3600


def changes_channel(user_id: str) -> str:
    return channel("Change", user_id=user_id)


class Journal:
    """The gateway's observer: it sees every transaction."""

    def __init__(self, bus: Bus, clock: Clock, ids: Ids) -> None:
        self._bus = bus
        self._clock = clock
        self._ids = ids

    def accompanying_writes(self, writes: Sequence[Write]) -> list[Write]:
        keys: dict[str, list[ChangedKey]] = {}
        for write in writes:
            rule = publish_rule_of(write)
            if rule is not None:
                for user_id in users_to_notify(write, rule, writes):
                    keys.setdefault(user_id, []).append(_changed_key(write))
        return [Put(self._pending(user_id, each)) for user_id, each in keys.items()]

    def _pending(self, user_id: str, keys: list[ChangedKey]) -> PendingChanges:
        now = self._clock.now()
        return PendingChanges(
            created_at=instant(now),
            updated_at=instant(now),
            user_id=user_id,
            id=self._ids.new(),
            keys=keys,
            ttl=epoch_seconds(now) + SECONDS_KEPT,
        )

    def on_committed(self, writes: Sequence[Write]) -> None:
        self._bus.publish(event for write in writes if (event := _event(write, writes)))


def _changed_key(write: Write) -> ChangedKey:
    key = write.key
    return ChangedKey(kind=key.entity.name, pk=key.pk, sk=key.sk, deleted=isinstance(write, Delete))


def _event(write: Write, writes: Sequence[Write]) -> Event | None:
    rule = publish_rule_of(write)
    if rule is None:
        return None
    key = write.key
    change_lists = (changes_channel(user_id) for user_id in users_to_notify(write, rule, writes))
    return Event(
        channels=(*channels_of(write, rule), *change_lists),
        kind=key.entity.name,
        pk=key.pk,
        sk=key.sk,
        item=_item(write),
        deleted=isinstance(write, Delete),
        created=isinstance(write, Put) and write.when == absent(),
    )


def _item(write: Write) -> Wire | None:
    record = write.record if isinstance(write, Put | Delete) else None
    return item_of(record) if record is not None else None
