"""The logbook. A second save of a day adds to the first or is refused; it never overwrites."""

from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import Any

from app.core.clock import to_day as to_day
from app.core.errors import BadInput, NotFound
from app.core.scalars import AWSDate
from app.domains.service import Decision, expect_version, required
from app.domains.tracking import keys
from app.domains.tracking.inputs import DeleteLogbookEntryInput, SaveLogbookEntryInput
from app.domains.tracking.rules import logbook as rules
from app.domains.tracking.service.base import LOCKS, TrackingService
from app.domains.tracking.types import LogbookEntry
from app.table.conditions import present
from app.table.entity import ENTITIES
from app.table.gateway import Position, Rows
from app.table.writes import (
    Check,
    Write,
    delete_if_unchanged,
    put_if_absent,
    put_if_unchanged,
    stale,
)


class Logbook(TrackingService):
    async def entry(self, day: AWSDate) -> LogbookEntry | None:
        return await self.table.load(keys.logbook_entry(self.caller.user_id, day))

    async def entries(
        self,
        since: str | None,
        until: str | None,
        search: str | None,
        *,
        newest_first: bool,
        limit: int,
        start: Position | None,
    ) -> Rows[LogbookEntry]:
        words = rules.search_words(search)

        def matches(entry: LogbookEntry) -> bool:
            return rules.has_all_words(entry, words)

        user_id = self.caller.user_id
        query = keys.logbook_of_user(user_id, since, until, newest_first=newest_first)
        keep = matches if words else None
        return await self.table.query(query, limit=limit, start=start, keep=keep)

    async def save(self, request: SaveLogbookEntryInput) -> LogbookEntry:
        day = request.date or to_day(await self.today())
        async with LOCKS.hold(f"{self.caller.user_id} {day}"):
            return await self.once(request, LogbookEntry, partial(self._save, request, day))

    async def _save(self, request: SaveLogbookEntryInput, day: AWSDate) -> Decision[LogbookEntry]:
        old = await self.entry(day)
        sent = request.changes(rules.LINKED_ENTITIES)
        sent.pop("date", None)
        if old is None:
            return await self._create(request, day, sent)
        expect_version(request, old, "logbook entry")
        if not isinstance(request.expected_version, int):
            sent = rules.merged_fields(old, sent)
        links = self._link_checks(sent, old)
        if all(getattr(old, name) == value for name, value in sent.items()):
            return Decision(old)
        new = old.evolve(self.now, **sent)
        return Decision(new, [put_if_unchanged(new, old, "logbook entry"), *links])

    async def _create(
        self, request: SaveLogbookEntryInput, day: AWSDate, sent: dict[str, Any]
    ) -> Decision[LogbookEntry]:
        if isinstance(request.expected_version, int):
            raise NotFound("logbook entry")
        if date.fromisoformat(day).year < 1970 or day > to_day(await self.today()):
            raise BadInput("date must be between 1970 and today.", field="input.date")
        entry = LogbookEntry(id=self.new_id(), **self.stamp(), date=day, **sent)
        links = self._link_checks(sent, None)
        return Decision(entry, [put_if_absent(entry, otherwise=stale("logbook entry")), *links])

    def _link_checks(self, sent: Mapping[str, Any], old: LogbookEntry | None) -> list[Write]:
        """A newly linked record must exist and be the caller's when the entry is written."""
        return [self._check_is_own(*each) for each in rules.new_links(sent, old)]

    def _check_is_own(self, entity: str, linked_id: str) -> Write:
        if entity not in ENTITIES:
            raise NotFound(entity.lower())
        key = ENTITIES[entity].key(user_id=self.caller.user_id, id=linked_id)
        return Check(key, when=present(), otherwise=NotFound(entity.lower()))

    async def remove_links(self, kind: str, linked_id: str) -> None:
        """Removes a deleted record from every entry that links to it; can be repeated."""
        field = rules.link_field(kind)
        query = keys.logbook_of_user(self.caller.user_id)
        entries = self.table.query_all(query)
        days = [each.date async for each in entries if _has(each, field, linked_id)]
        for day in days:
            await self.commit(partial(self._remove_link, day, field, linked_id))

    async def _remove_link(self, day: AWSDate, field: str, linked_id: str) -> Decision[None]:
        old = await self.entry(day)
        if old is None or not _has(old, field, linked_id):
            return Decision(None)
        left = [each for each in getattr(old, field) if each != linked_id]
        new = old.evolve(self.now, **{field: left})
        return Decision(None, [put_if_unchanged(new, old, "logbook entry")])

    async def delete(self, request: DeleteLogbookEntryInput) -> LogbookEntry:
        async def decide() -> Decision[LogbookEntry]:
            entry = required(await self.entry(request.date), "logbook entry")
            expect_version(request, entry, "logbook entry")
            return Decision(entry, [delete_if_unchanged(entry, "logbook entry")])

        return await self.once(request, LogbookEntry, decide)


def _has(entry: LogbookEntry, field: str, linked_id: str) -> bool:
    return linked_id in getattr(entry, field)
