"""Reads a user's change list and appends the pending changes to it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.core.clock import Clock, epoch_seconds, instant
from app.core.errors import AppError, BadInput, Conflict
from app.core.ids import Ids, ulid_milliseconds
from app.events.journal import SECONDS_KEPT
from app.events.keys import (
    PENDING_CHANGES,
    end_of_changes,
    listed_changes_of_user,
    pending_changes_of_user,
)
from app.events.types import ChangedKey, ChangeListEnd, ListedChanges, PendingChanges
from app.table.conditions import absent, version_is
from app.table.gateway import Gateway
from app.table.transaction import room_for
from app.table.writes import Delete, Put

BEGINNING = "0"
# Besides the new part of the list and its new end.
MOST_PENDING = room_for(1, besides=2)
MOST_KEYS = 500
ATTEMPTS = 20


class CursorExpired(AppError):
    code = "CURSOR_EXPIRED"

    def __init__(self) -> None:
        super().__init__(
            "Changes are kept for 7 days, and this cursor is older. "
            "Read all records again, then read changes without a cursor."
        )


@dataclass(frozen=True, slots=True)
class Cursor:
    """The position after the first `index` keys of one part of the list."""

    sequence_id: str
    index: int = 0

    @classmethod
    def parse(cls, text: str) -> "Cursor":
        if text == BEGINNING:
            return cls(BEGINNING)
        sequence_id, _, index = text.partition(".")
        if ulid_milliseconds(sequence_id) is None or not index.isdecimal() or len(index) > 4:
            raise BadInput("This is not a cursor of changes.", field="since")
        return cls(sequence_id.upper(), int(index))

    def __str__(self) -> str:
        return BEGINNING if self.sequence_id == BEGINNING else f"{self.sequence_id}.{self.index}"


@dataclass(frozen=True, slots=True)
class ListedChange:
    cursor: Cursor
    key: ChangedKey


@dataclass(frozen=True, slots=True)
class Changes:
    items: list[ListedChange]
    more: bool


class ChangeReader:
    """The change list of one user."""

    def __init__(self, table: Gateway, clock: Clock, ids: Ids, user_id: str) -> None:
        self._table = table
        self._clock = clock
        self._ids = ids
        self._user_id = user_id

    async def after(self, cursor: Cursor, *, limit: int) -> Changes:
        """Oldest first, each change once."""
        self._check_age(cursor)
        while True:
            found = await self._read(cursor, limit + 1)
            if len(found) > limit or not await self._append_pending():
                return Changes(found[:limit], len(found) > limit)

    async def end(self) -> Cursor:
        """The position after everything that has happened so far."""
        while await self._append_pending():
            pass
        end = await self._table.get(end_of_changes(self._user_id))
        return Cursor(end.sequence_id, MOST_KEYS) if end else Cursor(BEGINNING)

    def _check_age(self, cursor: Cursor) -> None:
        made = ulid_milliseconds(cursor.sequence_id)
        if made is not None and made < (epoch_seconds(self._clock.now()) - SECONDS_KEPT) * 1000:
            raise CursorExpired

    async def _read(self, cursor: Cursor, limit: int) -> list[ListedChange]:
        query = listed_changes_of_user(self._user_id, cursor.sequence_id)
        # One more: the first part may lie wholly before the cursor.
        rows = await self._table.query(query, limit=limit + 1)
        return [each for row in rows.items for each in _after_cursor(row, cursor)][:limit]

    async def _append_pending(self) -> bool:
        """Moves pending changes to the end of the list; False: there are none."""
        for _ in range(ATTEMPTS):
            # The end is read first: if another reader appends meanwhile, the write is refused.
            end = await self._table.get(end_of_changes(self._user_id))
            query = pending_changes_of_user(self._user_id)
            rows = await self._table.query(query, limit=MOST_PENDING)
            if not rows.items:
                return False
            try:
                await self._append(end, _as_many_as_fit(rows.items))
            except Conflict:
                continue
            return True
        raise Conflict("Too many clients read these changes at the same time. Try again.")

    async def _append(self, end: ChangeListEnd | None, pending: list[PendingChanges]) -> None:
        now = self._clock.now()
        sequence_id = self._next_sequence_id(end)
        listed = ListedChanges(
            created_at=instant(now),
            updated_at=instant(now),
            user_id=self._user_id,
            sequence_id=sequence_id,
            keys=_last_of_each([key for each in pending for key in each.keys]),
            ttl=epoch_seconds(now) + SECONDS_KEPT,
        )
        version = end.version if end else 0
        new_end = ChangeListEnd(
            created_at=instant(now),
            updated_at=instant(now),
            user_id=self._user_id,
            sequence_id=sequence_id,
            version=version + 1,
        )
        await self._table.write(
            Put(new_end, when=version_is(version) if end else absent()),
            Put(listed, when=absent()),
            *(Delete(PENDING_CHANGES.key_of(each)) for each in pending),
        )

    def _next_sequence_id(self, end: ChangeListEnd | None) -> str:
        sequence_id = self._ids.new()
        if end is None or sequence_id > end.sequence_id:
            return sequence_id
        # This server's clock is behind that of the last one that appended.
        return self._ids.at((ulid_milliseconds(end.sequence_id) or 0) + 1)


def _after_cursor(row: ListedChanges, cursor: Cursor) -> Iterator[ListedChange]:
    skipped = cursor.index if row.sequence_id == cursor.sequence_id else 0
    for index, key in enumerate(row.keys[skipped:], skipped + 1):
        yield ListedChange(Cursor(row.sequence_id, index), key)


def _as_many_as_fit(pending: Sequence[PendingChanges]) -> list[PendingChanges]:
    chosen: list[PendingChanges] = []
    total = 0
    for each in pending:
        total += len(each.keys)
        if chosen and total > MOST_KEYS:
            break
        chosen.append(each)
    return chosen


def _last_of_each(keys: list[ChangedKey]) -> list[ChangedKey]:
    """A record that changed several times appears once, at its last change."""
    last: dict[tuple[str, str], ChangedKey] = {}
    for key in keys:
        last.pop((key.pk, key.sk), None)
        last[key.pk, key.sk] = key
    return list(last.values())
