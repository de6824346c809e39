"""The logbook: a second save of a day adds to the first or is refused, never wipes it out."""

from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import Any

from strawberry.utils.str_converters import to_camel_case

from app.core.clock import day as day_text
from app.core.errors import BadInput, NotFound
from app.core.scalars import AWSDate
from app.core.text import folded
from app.domains.service import Decision, expect_version
from app.domains.tracking import keys
from app.domains.tracking.errors import Differs
from app.domains.tracking.inputs import DeleteLogbookEntryInput, SaveLogbookEntryInput
from app.domains.tracking.service.tracker import TURNS, Tracker
from app.domains.tracking.types import LogbookEntry
from app.table.conditions import present, version_is
from app.table.entity import ENTITIES
from app.table.gateway import Position, Rows
from app.table.writes import Check, Delete, Write, create, replace, stale

# What may be linked, and the record that it is; each lies in its owner's partition under its id.
LINKS = {
    "linked_task_ids": "Task",
    "linked_goal_ids": "Goal",
    "linked_habit_ids": "Habit",
    "linked_project_ids": "Project",
}
LONGEST_SEARCH = 100


class Logbook(Tracker):
    async def entry(self, day: AWSDate) -> LogbookEntry | None:
        return await self.repository.logbook_entry(self.caller.user_id, day)

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
        words = _words(search)

        def has_all_words(entry: LogbookEntry) -> bool:
            text = folded(f"{entry.title or ''}\n{entry.notes or ''}")
            return all(word in text for word in words)

        return await self.repository.logbook_of_user(
            self.caller.user_id,
            since,
            until,
            newest_first=newest_first,
            limit=limit,
            start=start,
            keep=has_all_words if words else None,
        )

    async def save(self, request: SaveLogbookEntryInput) -> LogbookEntry:
        day = request.date or day_text(await self.today())
        async with TURNS.of(f"{self.caller.user_id} {day}"):
            return await self.commit(partial(self._saving, request, day))

    async def _saving(self, request: SaveLogbookEntryInput, day: AWSDate) -> Decision[LogbookEntry]:
        old = await self.entry(day)
        given = request.changes(LINKS)
        given.pop("date", None)
        if old is None:
            return await self._beginning(request, day, given)
        expect_version(request, old, "logbook entry")
        if not isinstance(request.expected_version, int):
            given = _merged(old, given)
        links = self._links(given, old)
        if all(getattr(old, name) == value for name, value in given.items()):
            return Decision(old)
        new = old.evolve(self.now, **given)
        return Decision(new, [replace(new, old, "logbook entry"), *links])

    async def _beginning(
        self, request: SaveLogbookEntryInput, day: AWSDate, given: dict[str, Any]
    ) -> Decision[LogbookEntry]:
        if isinstance(request.expected_version, int):
            raise NotFound("logbook entry")
        if date.fromisoformat(day).year < 1970 or day > day_text(await self.today()):
            raise BadInput("date must be between 1970 and today.", field="input.date")
        entry = LogbookEntry(
            id=self.resources.ids.new(),
            created_at=self.now,
            updated_at=self.now,
            user_id=self.caller.user_id,
            date=day,
            **given,
        )
        links = self._links(given, None)
        return Decision(entry, [create(entry, otherwise=stale("logbook entry")), *links])

    def _links(self, given: Mapping[str, Any], old: LogbookEntry | None) -> list[Write]:
        """What is newly linked must be there and the caller's own, still when the entry is."""
        checks: list[Write] = []
        for name, kind in LINKS.items():
            before = getattr(old, name) if old else []
            fresh = [each for each in given.get(name, []) if each not in before]
            checks += [self._is_mine(kind, each) for each in fresh]
        return checks

    def _is_mine(self, kind: str, id: str) -> Write:
        if kind not in ENTITIES:
            raise NotFound(kind.lower())
        key = ENTITIES[kind].key(user_id=self.caller.user_id, id=id)
        return Check(key, when=present(), otherwise=NotFound(kind.lower()))

    async def forget(self, kind: str, id: str) -> None:
        """Takes what is deleted out of every entry that links to it; safe to begin again."""
        name = f"linked_{kind.lower()}_ids"
        entries = keys.logbook_of_user(self.caller.user_id)
        found = [each.date async for each in self.table.query_all(entries) if _has(each, name, id)]
        for day in found:
            await self.commit(partial(self._forgetting, day, name, id))

    async def _forgetting(self, day: AWSDate, name: str, id: str) -> Decision[None]:
        old = await self.entry(day)
        if old is None or not _has(old, name, id):
            return Decision(None)
        left = [each for each in getattr(old, name) if each != id]
        new = old.evolve(self.now, **{name: left})
        return Decision(None, [replace(new, old, "logbook entry")])

    async def delete(self, request: DeleteLogbookEntryInput) -> LogbookEntry:
        async def decide() -> Decision[LogbookEntry]:
            entry = await self.entry(request.date)
            if entry is None:
                raise NotFound("logbook entry")
            expect_version(request, entry, "logbook entry")
            gone = Delete(
                keys.logbook_entry(entry.user_id, entry.date),
                when=version_is(entry.version),
                otherwise=stale("logbook entry"),
            )
            return Decision(entry, [gone])

        return await self.commit(decide)


def _has(entry: LogbookEntry, name: str, id: str) -> bool:
    return id in getattr(entry, name)


def _words(search: str | None) -> list[str]:
    if search is not None and len(search) > LONGEST_SEARCH:
        raise BadInput(f"search has at most {LONGEST_SEARCH} characters.", field="search")
    return folded(search or "").split()


def _merged(old: LogbookEntry, given: Mapping[str, Any]) -> dict[str, Any]:
    """Adds what was not there; what would be lost is a conflict."""
    merged: dict[str, Any] = {}
    for name, value in given.items():
        before = getattr(old, name)
        if name in LINKS:
            merged[name] = list(dict.fromkeys([*before, *value]))
        elif before is None:
            merged[name] = value
        elif value not in (None, before):
            raise Differs(to_camel_case(name), old.version)
    return merged
