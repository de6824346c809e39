"""Lists of quests. What an index finds is read again from the table before it is shown."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from app.core.record import Record
from app.core.shards import every_shard
from app.domains.quests import keys
from app.domains.quests.repository.late import (
    MOST_LATE,
    STORED_BEFORE,
    ListPosition,
    merge_late,
    position_in,
)
from app.domains.quests.types import (
    FailedReward,
    Quest,
    QuestListing,
    QuestSeat,
    QuestStatus,
    QuestTag,
)
from app.table.entity import NO_FIELDS, FieldNames, RangeQuery
from app.table.gateway import Gateway, Position, Rows
from app.table.merge import query_merged

QuestPredicate = Callable[[Quest], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestPage:
    """Which quests to read: those that `keep` accepts, `without` fields that nobody selected."""

    keep: QuestPredicate = lambda quest: True
    without: FieldNames = NO_FIELDS
    limit: int
    start: Position | None


class QuestsRepository:
    def __init__(self, table: Gateway, shards: int) -> None:
        self.table = table
        self.shards = every_shard(shards)

    async def quests_by_status(
        self, status: QuestStatus, page: QuestPage, *, now: str
    ) -> Rows[Quest]:
        queries = [keys.quests_by_status(status, shard) for shard in self.shards]
        return await self._with_late(queries, status, page, now)

    async def quests_of_category(
        self, category_id: str, status: QuestStatus, page: QuestPage, *, now: str
    ) -> Rows[Quest]:
        queries = [keys.quests_of_category(category_id, status, shard) for shard in self.shards]
        return await self._with_late(queries, status, page, now)

    async def _with_late(
        self, queries: Sequence[RangeQuery[Quest]], status: QuestStatus, page: QuestPage, now: str
    ) -> Rows[Quest]:
        place = ListPosition.parse(page.start)
        stored, late = await asyncio.gather(
            self._merged(queries, replace(page, start=place.stored)),
            self._late_quests(status, page, now),
        )
        return merge_late(
            place,
            stored,
            late,
            limit=page.limit,
            position_of=partial(position_in, queries, status),
        )

    async def _late_quests(self, status: QuestStatus, page: QuestPage, now: str) -> list[Quest]:
        queries = [
            keys.quests_past_deadline(stored, now, shard)
            for stored in STORED_BEFORE.get(status, ())
            for shard in self.shards
        ]
        found = await asyncio.gather(*(self.table.query(q, limit=MOST_LATE) for q in queries))
        ids = [quest.id for rows in found for quest in rows.items]
        return [quest for quest in await self._quests(ids, page) if quest]

    async def _merged(self, every: Sequence[RangeQuery[Quest]], page: QuestPage) -> Rows[Quest]:
        async def follow(rows: list[Quest]) -> Sequence[Quest | None]:
            return await self._quests([row.id for row in rows], page)

        queries = [query.keys_only() for query in every]
        return await query_merged(self.table, queries, follow, limit=page.limit, start=page.start)

    async def quests_with_tag(self, tag: str, page: QuestPage) -> Rows[Quest]:
        async def follow(rows: list[QuestTag]) -> Sequence[Quest | None]:
            return await self._quests([row.quest_id for row in rows], page)

        queries = [keys.quests_with_tag(tag, shard) for shard in self.shards]
        return await query_merged(self.table, queries, follow, limit=page.limit, start=page.start)

    async def quests_of_creator(self, user_id: str, page: QuestPage) -> Rows[Quest]:
        async def follow(rows: list[Quest]) -> Sequence[Quest | None]:
            return await self._quests([row.id for row in rows], page)

        query = keys.quests_of_creator(user_id).keys_only()
        return await self.table.query_through(query, follow, limit=page.limit, start=page.start)

    async def quests_of_performer(self, user_id: str, page: QuestPage) -> Rows[Quest]:
        async def follow(rows: list[Record]) -> Sequence[Quest | None]:
            return await self._quests([_quest_id(row) for row in rows], page)

        query = keys.quests_of_performer(user_id)
        return await self.table.query_through(query, follow, limit=page.limit, start=page.start)

    async def quests_of_listings(
        self, listings: RangeQuery[QuestListing], page: QuestPage
    ) -> Rows[Quest]:
        async def follow(rows: list[QuestListing]) -> Sequence[Quest | None]:
            return await self._quests([row.id for row in rows], page)

        return await self.table.query_through(listings, follow, limit=page.limit, start=page.start)

    async def _quests(self, ids: Sequence[str], page: QuestPage) -> Sequence[Quest | None]:
        found = await self.table.get_many([keys.quest(each).without(page.without) for each in ids])
        return [quest if quest and page.keep(quest) else None for quest in found]

    async def seats_of_quest(self, quest_id: str) -> list[QuestSeat]:
        return [each async for each in self.table.query_all(keys.seats_of_quest(quest_id))]

    async def failed_rewards(
        self, keep: Callable[[FailedReward], bool], *, limit: int, start: Position | None
    ) -> Rows[FailedReward]:
        async def follow(rows: list[FailedReward]) -> Sequence[FailedReward | None]:
            return [row if keep(row) else None for row in rows]

        queries = [keys.failed_rewards(shard) for shard in self.shards]
        return await query_merged(self.table, queries, follow, limit=limit, start=start)

    async def due_records(self, day: str, until: str) -> list[Record]:
        queries = [keys.due_records(day, until, shard) for shard in self.shards]
        return [each for query in queries async for each in self.table.query_all(query)]


def _quest_id(row: Record) -> str:
    if isinstance(row, QuestSeat):
        return row.quest_id
    assert isinstance(row, Quest), "nothing else has performers"
    return row.id
