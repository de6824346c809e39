"""The reads about quests. What an index finds is read again from the table before it is shown."""

from collections.abc import Callable, Sequence
from functools import partial

from app.core.record import Record
from app.core.shards import every_shard
from app.domains.quests import keys
from app.domains.quests.rules import QuestStatus
from app.domains.quests.types import (
    ClaimSlot,
    FailedReward,
    Quest,
    QuestCategory,
    QuestErrand,
    QuestListing,
    QuestSeat,
    QuestTag,
    QuestTemplate,
    QuestTransition,
)
from app.table.entity import WHOLE, Fields, Key, Query
from app.table.gateway import Gateway, Position, Rows
from app.table.merge import query_merged

Keep = Callable[[Quest], bool]


class QuestsRepository:
    def __init__(self, table: Gateway, shards: int) -> None:
        self.table = table
        self.shards = every_shard(shards)

    async def quest(self, quest_id: str, without: Fields = WHOLE) -> Quest | None:
        """For showing: reads of one moment travel together."""
        return await self.table.load(keys.quest(quest_id).without(without))

    async def stored_quest(self, quest_id: str) -> Quest | None:
        """For deciding."""
        return await self.table.get(keys.quest(quest_id))

    async def quests_by_status(
        self,
        status: QuestStatus,
        keep: Keep,
        *,
        without: Fields,
        limit: int,
        start: Position | None,
    ) -> Rows[Quest]:
        runs = [keys.quests_by_status(status, shard).keys_only() for shard in self.shards]
        follow = partial(self._fresh, keep, without)
        return await query_merged(self.table, runs, follow, limit=limit, start=start)

    async def quests_of_category(
        self,
        category_id: str,
        status: QuestStatus,
        keep: Keep,
        *,
        without: Fields,
        limit: int,
        start: Position | None,
    ) -> Rows[Quest]:
        every = [keys.quests_of_category(category_id, status, shard) for shard in self.shards]
        runs = [run.keys_only() for run in every]
        follow = partial(self._fresh, keep, without)
        return await query_merged(self.table, runs, follow, limit=limit, start=start)

    async def quests_with_tag(
        self, tag: str, keep: Keep, *, without: Fields, limit: int, start: Position | None
    ) -> Rows[Quest]:
        async def follow(rows: list[QuestTag]) -> Sequence[Quest | None]:
            return await self._quests([row.quest_id for row in rows], keep, without)

        runs = [keys.quests_with_tag(tag, shard) for shard in self.shards]
        return await query_merged(self.table, runs, follow, limit=limit, start=start)

    async def quests_of_creator(
        self, user_id: str, keep: Keep, *, without: Fields, limit: int, start: Position | None
    ) -> Rows[Quest]:
        run = keys.quests_of_creator(user_id).keys_only()
        follow = partial(self._fresh, keep, without)
        return await self.table.query_through(run, follow, limit=limit, start=start)

    async def quests_of_performer(
        self, user_id: str, keep: Keep, *, without: Fields, limit: int, start: Position | None
    ) -> Rows[Quest]:
        async def follow(rows: list[Record]) -> Sequence[Quest | None]:
            return await self._quests([_quest_id(row) for row in rows], keep, without)

        run = keys.quests_of_performer(user_id)
        return await self.table.query_through(run, follow, limit=limit, start=start)

    async def created_quests(
        self, user_id: str, *, limit: int, start: Position | None
    ) -> Rows[Quest]:
        return await self._listed(keys.created_quests(user_id), _any, limit=limit, start=start)

    async def performed_quests(
        self, user_id: str, keep: Keep, *, limit: int, start: Position | None
    ) -> Rows[Quest]:
        return await self._listed(keys.performed_quests(user_id), keep, limit=limit, start=start)

    async def _listed(
        self, run: Query[QuestListing], keep: Keep, *, limit: int, start: Position | None
    ) -> Rows[Quest]:
        async def follow(rows: list[QuestListing]) -> Sequence[Quest | None]:
            return await self._quests([row.id for row in rows], keep)

        return await self.table.query_through(run, follow, limit=limit, start=start)

    async def _fresh(
        self, keep: Keep, without: Fields, rows: list[Quest]
    ) -> Sequence[Quest | None]:
        return await self._quests([row.id for row in rows], keep, without)

    async def _quests(
        self, ids: Sequence[str], keep: Keep, without: Fields = WHOLE
    ) -> Sequence[Quest | None]:
        found = await self.table.get_many([keys.quest(each).without(without) for each in ids])
        return [quest if quest and keep(quest) else None for quest in found]

    async def history_of_quest(
        self, quest_id: str, *, limit: int, start: Position | None
    ) -> Rows[QuestTransition]:
        return await self.table.query(keys.history_of_quest(quest_id), limit=limit, start=start)

    async def seats_of_quest(self, quest_id: str) -> list[QuestSeat]:
        return [each async for each in self.table.query_all(keys.seats_of_quest(quest_id))]

    async def seat(self, quest_id: str, user_id: str) -> QuestSeat | None:
        return await self.table.get(keys.seat(quest_id, user_id))

    async def errand(self, user_id: str, task_id: str) -> QuestErrand | None:
        return await self.table.get(keys.errand(user_id, task_id))

    async def claim_slots(self, user_id: str) -> list[ClaimSlot]:
        return [each async for each in self.table.query_all(keys.claim_slots(user_id))]

    async def failed_reward(self, key: Key[FailedReward]) -> FailedReward | None:
        return await self.table.get(key)

    async def failed_rewards(
        self, keep: Callable[[FailedReward], bool], *, limit: int, start: Position | None
    ) -> Rows[FailedReward]:
        async def follow(rows: list[FailedReward]) -> Sequence[FailedReward | None]:
            return [row if keep(row) else None for row in rows]

        runs = [keys.failed_rewards(shard) for shard in self.shards]
        return await query_merged(self.table, runs, follow, limit=limit, start=start)

    async def due(self, day: str, until: str) -> list[Record]:
        runs = [keys.due(day, until, shard) for shard in self.shards]
        return [each for run in runs async for each in self.table.query_all(run)]

    async def category(self, category_id: str) -> QuestCategory | None:
        return await self.table.load(keys.category(category_id))

    async def categories(self, *, limit: int, start: Position | None) -> Rows[QuestCategory]:
        return await self.table.query(keys.categories(), limit=limit, start=start)

    async def template(self, user_id: str, template_id: str) -> QuestTemplate | None:
        return await self.table.load(keys.template(user_id, template_id))

    async def templates_of_user(
        self, user_id: str, *, limit: int, start: Position | None
    ) -> Rows[QuestTemplate]:
        return await self.table.query(keys.templates_of_user(user_id), limit=limit, start=start)


def _any(quest: Quest) -> bool:
    return True


def _quest_id(row: Record) -> str:
    if isinstance(row, QuestSeat):
        return row.quest_id
    assert isinstance(row, Quest), "nothing else has performers"
    return row.id
