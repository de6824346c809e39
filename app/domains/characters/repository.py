"""The reads about characters and their goals."""

import asyncio
from collections.abc import Callable, Sequence

from app.domains.characters import keys
from app.domains.characters.rules.targets import SKILLS
from app.domains.characters.types import (
    Character,
    CharacterGoal,
    EarliestProgress,
    GoalPlace,
    GoalRemains,
    HiscoresPage,
    LatestProgress,
    PopularSkill,
    ProgressRecord,
)
from app.table.gateway import Gateway, Position, Rows

MOST_AT_ONCE = 100
MOST_DUE = 5_000


class CharactersRepository:
    def __init__(self, table: Gateway) -> None:
        self.table = table

    async def character(self, user_id: str, name_key: str) -> Character | None:
        return await self.table.get(keys.character(user_id, name_key))

    async def characters(
        self,
        user_id: str,
        *,
        limit: int,
        start: Position | None,
        keep: Callable[[Character], bool],
    ) -> Rows[Character]:
        query = keys.characters_of_user(user_id)
        return await self.table.query(query, limit=limit, start=start, keep=keep)

    async def every_character(self, user_id: str) -> list[Character]:
        return [each async for each in self.table.query_all(keys.characters_of_user(user_id))]

    async def goal(self, user_id: str, goal_id: str) -> CharacterGoal | None:
        place = await self.table.load(keys.goal_place(user_id, goal_id))
        if place is None:
            return None
        return await self.table.load(keys.goal(user_id, place.character_key, goal_id))

    async def goals(
        self, user_id: str, *, limit: int, start: Position | None
    ) -> Rows[CharacterGoal]:
        async def follow(places: list[GoalPlace]) -> Sequence[CharacterGoal | None]:
            wanted = [keys.goal(user_id, each.character_key, each.goal_id) for each in places]
            return await self.table.get_many(wanted)

        query = keys.goal_places_of_user(user_id)
        return await self.table.query_through(query, follow, limit=limit, start=start)

    async def goals_of_character(
        self, user_id: str, character_key: str, *, limit: int, start: Position | None = None
    ) -> Rows[CharacterGoal]:
        query = keys.goals_of_character(user_id, character_key)
        return await self.table.query(query, limit=limit, start=start)

    async def every_goal(self, character: Character) -> list[CharacterGoal]:
        query = keys.goals_of_character(character.user_id, character.key)
        return [each async for each in self.table.query_all(query)]

    async def latest(self, goal: CharacterGoal) -> LatestProgress | None:
        key = keys.latest_of_goal(goal.user_id, goal.character_key, goal.id)
        return await self.table.load(key)

    async def earliest(self, goal: CharacterGoal) -> EarliestProgress | None:
        key = keys.earliest_of_goal(goal.user_id, goal.character_key, goal.id)
        return await self.table.load(key)

    async def bounds(
        self, goal: CharacterGoal
    ) -> tuple[EarliestProgress | None, LatestProgress | None]:
        return await asyncio.gather(self.earliest(goal), self.latest(goal))

    async def record_at(self, goal: CharacterGoal, timestamp: str) -> ProgressRecord | None:
        key = keys.progress_record(goal.user_id, goal.character_key, goal.id, timestamp)
        return await self.table.get(key)

    async def progress(
        self,
        goal: CharacterGoal,
        since: str | None,
        until: str | None,
        *,
        newest_first: bool,
        limit: int,
        start: Position | None,
        keep: Callable[[ProgressRecord], bool],
    ) -> Rows[ProgressRecord]:
        query = keys.progress_of_goal(
            goal.user_id, goal.character_key, goal.id, since, until, newest_first
        )
        return await self.table.query(query, limit=limit, start=start, keep=keep)

    async def neighbours(
        self, goal: CharacterGoal, timestamp: str
    ) -> tuple[ProgressRecord | None, ProgressRecord | None]:
        """The records just before and just after a moment that has none."""
        place = (goal.user_id, goal.character_key, goal.id)
        before = keys.progress_of_goal(*place, until=timestamp, newest_first=True)
        after = keys.progress_of_goal(*place, since=timestamp)
        found = await asyncio.gather(*(self.table.query(each, limit=1) for each in (before, after)))
        first, second = (next(iter(rows.items), None) for rows in found)
        return first, second

    async def places_of_records(self, remains: GoalRemains) -> list[tuple[str, str]]:
        query = keys.progress_of_goal(remains.user_id, remains.character_key, remains.goal_id)
        found = [
            keys.progress_record(e.user_id, e.character_key, e.goal_id, e.timestamp)
            async for e in self.table.query_all(query)
        ]
        return [(key.pk, key.sk) for key in found]

    async def popular_skills(self) -> list[PopularSkill]:
        """The skills are known, so their counters are: nothing has to be searched."""
        found = await self.table.get_many([keys.popular_skill(each) for each in SKILLS])
        return [each for each in found if each and each.count > 0]

    async def hiscores_page(self, name: str) -> HiscoresPage | None:
        return await self.table.get(keys.hiscores_page(name))


async def goals_due(
    table: Gateway, day: str, until: str, shards: Sequence[str | None]
) -> list[CharacterGoal]:
    """Of everyone, for background work: the longest due first."""
    found: list[CharacterGoal] = []
    for shard in shards:
        async for each in table.query_all(keys.goals_due(day, until, shard)):
            if isinstance(each, CharacterGoal):
                found.append(each)
            if len(found) >= MOST_DUE:
                return found
    return found


async def unfinished_deletions(table: Gateway) -> list[GoalRemains]:
    return (await table.query(keys.remains(), limit=MOST_AT_ONCE)).items
