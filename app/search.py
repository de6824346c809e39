"""Searches the caller's own records: which records are searched, and which of their texts.

DynamoDB has no full-text index. A search reads the records themselves, newest first, at most 5,000
in a request (decision 024).
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import Any

from app.core.clock import to_day
from app.core.enums import enum_type
from app.core.scalars import AWSDate
from app.core.search import Match, SearchedText, match, search_words
from app.domains.people.service import Profiles
from app.domains.plans.service import DailyPlans, Values
from app.domains.plans.types import DailyPlan
from app.domains.quests.service import Quests
from app.domains.service import Scope, Service
from app.domains.tracking.service import Habits
from app.table.gateway import Position, Rows

MOST_READ = 5_000
READ_AT_ONCE = 1_000
MOST_ROUNDS = 20
PLANNED_DAYS = 7
# Between two of these parts other requests have their turn.
MATCHED_AT_ONCE = 100
# The attributes that are searched, wherever a record has them.
WEIGHTS = {
    "title": 10,
    "name": 10,
    "tags": 6,
    "sub_category": 4,
    "area": 4,
    "description": 3,
    "extended_description": 2,
    "notes": 2,
    "reflection": 2,
    "gratitude": 2,
    "trigger": 1,
    "action": 1,
    "reward": 1,
}


@enum_type(
    "What can be searched. All are your own; messages are not searched.",
    GOAL="Goals.",
    TASK="Tasks.",
    MILESTONE="Milestones of goals.",
    PROJECT="Projects.",
    METRIC="Metrics.",
    HABIT="Habits.",
    REWARD="Rewards.",
    LOGBOOK="Entries of the logbook.",
    QUEST="Quests that you created or perform.",
    VALUE="Drivers, milestones and actions of the values tree that are not archived.",
    PLAN="Todos and blocks of the plans from 7 days ago to 7 days ahead.",
)
class SearchKind(Enum):
    GOAL = "GOAL"
    TASK = "TASK"
    MILESTONE = "MILESTONE"
    PROJECT = "PROJECT"
    METRIC = "METRIC"
    HABIT = "HABIT"
    REWARD = "REWARD"
    LOGBOOK = "LOGBOOK"
    QUEST = "QUEST"
    VALUE = "VALUE"
    PLAN = "PLAN"


@dataclass(frozen=True, slots=True)
class Found:
    """A record that matches."""

    kind: SearchKind
    record: Any
    match: Match


@dataclass(frozen=True, slots=True)
class PlannedText:
    """A todo or block of a plan."""

    id: str
    title: str
    notes: str | None
    date: AWSDate
    updated_at: str


Read = Callable[[Scope, int, Position | None], Awaitable[Rows[Any]]]


def _timeline(name: str) -> Read:
    async def read(scope: Scope, limit: int, start: Position | None) -> Rows[Any]:
        return await scope.get(Profiles).timeline([name], limit=limit, start=start)

    return read


async def _read_created(scope: Scope, limit: int, start: Position | None) -> Rows[Any]:
    return await scope.get(Quests).created(limit=min(limit, 100), start=start)


async def _read_performed(scope: Scope, limit: int, start: Position | None) -> Rows[Any]:
    return await scope.get(Quests).performed(limit=min(limit, 100), start=start)


async def _read_values(scope: Scope, _limit: int, _start: Position | None) -> Rows[Any]:
    tree = await scope.get(Values).tree(None, None, None)
    nodes = tree.nodes(include_archived=False) if tree else []
    return Rows(nodes)


async def _read_plans(scope: Scope, _limit: int, _start: Position | None) -> Rows[Any]:
    plans = scope.get(DailyPlans)
    today = await scope.get(Habits).today()
    first, last = (
        AWSDate(to_day(today + timedelta(days=each))) for each in (-PLANNED_DAYS, PLANNED_DAYS)
    )
    days = await plans.planned_days(first, last, limit=2 * PLANNED_DAYS + 1, start=None)
    found = await asyncio.gather(
        *(plans.plan(AWSDate(each.date), None, None) for each in days.items)
    )
    return Rows([text for plan in found if plan for text in _texts_of_plan(plan)])


def _texts_of_plan(plan: DailyPlan) -> Iterator[PlannedText]:
    for todo in plan.todos:
        yield PlannedText(todo.action_id, todo.notes or "", None, plan.date, todo.updated_at)
    for block in plan.blocks:
        yield PlannedText(block.id, block.title or "", None, plan.date, block.updated_at)


# A kind may have several sources. The names stand in page tokens.
SOURCES: dict[str, tuple[SearchKind, Read]] = {
    "goals": (SearchKind.GOAL, _timeline("Goal")),
    "tasks": (SearchKind.TASK, _timeline("Task")),
    "milestones": (SearchKind.MILESTONE, _timeline("Milestone")),
    "projects": (SearchKind.PROJECT, _timeline("Project")),
    "metrics": (SearchKind.METRIC, _timeline("Metric")),
    "habits": (SearchKind.HABIT, _timeline("Habit")),
    "rewards": (SearchKind.REWARD, _timeline("Reward")),
    "logbook": (SearchKind.LOGBOOK, _timeline("LogbookEntry")),
    "created": (SearchKind.QUEST, _read_created),
    "performed": (SearchKind.QUEST, _read_performed),
    "values": (SearchKind.VALUE, _read_values),
    "plans": (SearchKind.PLAN, _read_plans),
}


class Search(Service):
    async def search(
        self,
        text: str,
        kinds: Sequence[SearchKind],
        *,
        limit: int,
        start: Position | None,
    ) -> Rows[Any]:
        """The best first, among the records that one request reads; then those of older records.
        The position says where that reading began, and how many of its matches were shown."""
        places: Position = start["places"] if start else {}
        shown: int = start["shown"] if start else 0
        read, further = await self._read(kinds, places)
        found = await _matches(search_words(text), read)
        found.sort(key=_rank)
        page = found[shown : shown + limit]
        if shown + limit < len(found):
            return Rows(page, {"places": places, "shown": shown + limit})
        return Rows(page, {"places": further, "shown": 0} if further else None)

    async def _read(
        self, kinds: Sequence[SearchKind], places: Position
    ) -> tuple[list[tuple[SearchKind, Any]], Position | None]:
        """Up to 5,000 records, shared evenly among the sources; what one does not need goes to the
        others. Also where the next reading begins."""
        names = [name for name, (kind, _) in SOURCES.items() if not kinds or kind in kinds]
        places = {**places}
        unread = [name for name in names if places.get(name, {}) is not None]
        found: list[tuple[SearchKind, Any]] = []
        for _ in range(MOST_ROUNDS):
            if not unread or len(found) >= MOST_READ:
                break
            share = max((MOST_READ - len(found)) // len(unread), 1)
            size = min(share, READ_AT_ONCE)
            reads = [self._read_source(name, size, places.get(name)) for name in unread]
            for name, rows in zip(unread, await asyncio.gather(*reads), strict=True):
                places[name] = rows.next
                found += [(SOURCES[name][0], each) for each in rows.items]
            unread = [name for name in unread if places[name] is not None]
        return found, places if unread else None

    async def _read_source(self, name: str, size: int, place: Position | None) -> Rows[Any]:
        _, read = SOURCES[name]
        return await read(self.scope, size, place or None)


async def _matches(words: list[str], read: Sequence[tuple[SearchKind, Any]]) -> list[Found]:
    found: dict[tuple[SearchKind, str], Found] = {}
    for start in range(0, len(read), MATCHED_AT_ONCE):
        for kind, record in read[start : start + MATCHED_AT_ONCE]:
            matched = match(words, _texts(record)) if words else None
            if matched:
                found.setdefault((kind, _id_of(record)), Found(kind, record, matched))
        await asyncio.sleep(0)
    return list(found.values())


def _texts(record: Any) -> Iterator[SearchedText]:
    for name, weight in WEIGHTS.items():
        value = getattr(record, name, None)
        if isinstance(value, str):
            yield SearchedText(value, weight)
        elif isinstance(value, list):
            yield SearchedText(" ".join(map(str, value)), weight)


def _id_of(record: Any) -> str:
    return f"{getattr(record, 'date', '')}{getattr(record, 'id', '')}"


def _rank(found: Found) -> tuple[int, int, str]:
    """The best first, then what was changed last."""
    changed = "".join(sign for sign in found.record.updated_at if sign.isdigit())
    return (-found.match.score, -int(changed or 0), _id_of(found.record))
