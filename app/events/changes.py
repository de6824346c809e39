"""Reads someone's list of changes, and puts into it what was noted meanwhile."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.core.clock import Clock, epoch, instant
from app.core.errors import AppError, BadInput, Conflict
from app.core.ids import Ids, milliseconds_of
from app.events.journal import (
    CHANGE_NOTE,
    SECONDS_KEPT,
    ChangeEnd,
    ChangeList,
    ChangeNote,
    Mark,
    changes_of_user,
    end_of_changes,
    notes_of_user,
)
from app.table.conditions import absent, version_is
from app.table.gateway import Gateway
from app.table.writes import Delete, Put

BEGINNING = "0"
MOST_NOTES = 90
MOST_MARKS = 500
ATTEMPTS = 20


class CursorExpired(AppError):
    code = "CURSOR_EXPIRED"

    def __init__(self) -> None:
        super().__init__(
            "Changes are kept for 7 days, and this cursor is older. "
            "Read everything anew, then go on without a cursor."
        )


@dataclass(frozen=True, slots=True)
class Cursor:
    """After the mark `index` of the list at `place`."""

    place: str
    index: int = 0

    @classmethod
    def read(cls, text: str) -> "Cursor":
        if text == BEGINNING:
            return cls(BEGINNING)
        place, _, index = text.partition(".")
        if milliseconds_of(place) is None or not index.isdecimal() or len(index) > 4:
            raise BadInput("This is no cursor of changes.", field="since")
        return cls(place.upper(), int(index))

    def __str__(self) -> str:
        return BEGINNING if self.place == BEGINNING else f"{self.place}.{self.index}"


@dataclass(frozen=True, slots=True)
class Marked:
    cursor: Cursor
    mark: Mark


@dataclass(frozen=True, slots=True)
class Changes:
    items: list[Marked]
    more: bool


class ChangesOfUser:
    def __init__(self, table: Gateway, clock: Clock, ids: Ids, user_id: str) -> None:
        self._table = table
        self._clock = clock
        self._ids = ids
        self._user_id = user_id

    async def after(self, cursor: Cursor, *, limit: int) -> Changes:
        """Oldest first, each once."""
        self._must_be_kept(cursor)
        while True:
            found = await self._listed(cursor, limit + 1)
            if len(found) > limit or not await self._settle():
                return Changes(found[:limit], len(found) > limit)

    async def end(self) -> Cursor:
        """Where the list ends by now."""
        while await self._settle():
            pass
        end = await self._table.get(end_of_changes(self._user_id))
        return Cursor(end.place, MOST_MARKS) if end else Cursor(BEGINNING)

    def _must_be_kept(self, cursor: Cursor) -> None:
        made = milliseconds_of(cursor.place)
        if made is not None and made < (epoch(self._clock.now()) - SECONDS_KEPT) * 1000:
            raise CursorExpired

    async def _listed(self, cursor: Cursor, limit: int) -> list[Marked]:
        query = changes_of_user(self._user_id, cursor.place)
        # One more: all of the first may have been read.
        rows = await self._table.query(query, limit=limit + 1)
        return [each for row in rows.items for each in _marks(row, cursor)][:limit]

    async def _settle(self) -> bool:
        """Moves notes to the end of the list; False: there are none."""
        for _ in range(ATTEMPTS):
            # The end first: if notes were moved since, the write below is refused.
            end = await self._table.get(end_of_changes(self._user_id))
            rows = await self._table.query(notes_of_user(self._user_id), limit=MOST_NOTES)
            if not rows.items:
                return False
            try:
                await self._move(end, _as_many_as_fit(rows.items))
            except Conflict:
                continue
            return True
        raise Conflict("Too many read these changes at once. Try again.")

    async def _move(self, end: ChangeEnd | None, notes: list[ChangeNote]) -> None:
        now = self._clock.now()
        moment, place = instant(now), self._next_place(end)
        listed = ChangeList(
            created_at=moment,
            updated_at=moment,
            user_id=self._user_id,
            place=place,
            marks=_last_of_each([mark for note in notes for mark in note.marks]),
            ttl=epoch(now) + SECONDS_KEPT,
        )
        version = end.version if end else 0
        moved = ChangeEnd(
            created_at=moment,
            updated_at=moment,
            user_id=self._user_id,
            place=place,
            version=version + 1,
        )
        await self._table.write(
            Put(moved, when=version_is(version) if end else absent()),
            Put(listed, when=absent()),
            *(Delete(CHANGE_NOTE.key_of(note)) for note in notes),
        )

    def _next_place(self, end: ChangeEnd | None) -> str:
        place = self._ids.new()
        if end is None or place > end.place:
            return place
        return self._ids.at((milliseconds_of(end.place) or 0) + 1)


def _marks(row: ChangeList, cursor: Cursor) -> Iterator[Marked]:
    passed = cursor.index if row.place == cursor.place else 0
    for index, mark in enumerate(row.marks[passed:], passed + 1):
        yield Marked(Cursor(row.place, index), mark)


def _as_many_as_fit(notes: Sequence[ChangeNote]) -> list[ChangeNote]:
    chosen: list[ChangeNote] = []
    total = 0
    for note in notes:
        total += len(note.marks)
        if chosen and total > MOST_MARKS:
            break
        chosen.append(note)
    return chosen


def _last_of_each(marks: list[Mark]) -> list[Mark]:
    """What changed several times stands once, at its last place: there is one state to read."""
    last: dict[tuple[str, str], Mark] = {}
    for mark in marks:
        last.pop((mark.pk, mark.sk), None)
        last[mark.pk, mark.sk] = mark
    return list(last.values())
