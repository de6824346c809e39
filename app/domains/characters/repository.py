"""The reads about characters and their goals that take more than one key."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence

from app.domains.characters import keys
from app.domains.characters.rules.attributes import SKILLS
from app.domains.characters.rules.progress import reaches_target
from app.domains.characters.types import (
    Character,
    CharacterGoal,
    DeletedGoal,
    EarliestProgress,
    GoalPointer,
    LatestProgress,
    PopularSkill,
    ProgressRecord,
)
from app.table.entity import RangeQuery
from app.table.gateway import Gateway, Position, Rows


class CharactersRepository:
    def __init__(self, table: Gateway) -> None:
        self.table = table

    async def goal(self, user_id: str, goal_id: str) -> CharacterGoal | None:
        pointer = await self.table.load(keys.goal_pointer(user_id, goal_id))
        if pointer is None:
            return None
        return await self.table.load(keys.goal(user_id, pointer.character_key, goal_id))

    async def goals(
        self,
        user_id: str,
        keep: Callable[[CharacterGoal], bool],
        *,
        limit: int,
        start: Position | None,
    ) -> Rows[CharacterGoal]:
        async def follow(pointers: list[GoalPointer]) -> Sequence[CharacterGoal | None]:
            goal_keys = [keys.goal(user_id, each.character_key, each.goal_id) for each in pointers]
            found = await self.table.get_many(goal_keys)
            return [each if each and keep(each) else None for each in found]

        query = keys.goal_pointers_of_user(user_id)
        return await self.table.query_through(query, follow, limit=limit, start=start)

    async def all_goals(self, character: Character) -> list[CharacterGoal]:
        query = keys.goals_of_character(character.user_id, character.key)
        return [each async for each in self.table.query_all(query)]

    async def earliest_and_latest(
        self, goal: CharacterGoal
    ) -> tuple[EarliestProgress | None, LatestProgress | None]:
        owner = (goal.user_id, goal.character_key, goal.id)
        return await asyncio.gather(
            self.table.load(keys.earliest_of_goal(*owner)),
            self.table.load(keys.latest_of_goal(*owner)),
        )

    async def neighbours(
        self, goal: CharacterGoal, at: str
    ) -> tuple[ProgressRecord | None, ProgressRecord | None]:
        """The records measured just before and just after."""
        owner = (goal.user_id, goal.character_key, goal.id)
        before, after = await asyncio.gather(
            self._first_other(keys.progress_of_goal(*owner, until=at, newest_first=True), at),
            self._first_other(keys.progress_of_goal(*owner, since=at), at),
        )
        return before, after

    async def outermost(
        self, goal: CharacterGoal, *, other_than: str, newest: bool
    ) -> ProgressRecord | None:
        """The newest or the oldest record that was not measured at that moment."""
        owner = (goal.user_id, goal.character_key, goal.id)
        query = keys.progress_of_goal(*owner, newest_first=newest)
        return await self._first_other(query, other_than)

    async def _first_other(
        self, records: RangeQuery[ProgressRecord], other_than: str
    ) -> ProgressRecord | None:
        rows = await self.table.query(records, limit=2)
        return next((each for each in rows.items if each.timestamp != other_than), None)

    async def first_reaching(
        self, goal: CharacterGoal, *, other_than: str | None = None
    ) -> ProgressRecord | None:
        records = keys.progress_of_goal(goal.user_id, goal.character_key, goal.id)
        async for each in self.table.query_all(records):
            if each.timestamp != other_than and reaches_target(goal, each.progress_value):
                return each
        return None

    async def record_keys(self, goal: DeletedGoal) -> list[tuple[str, str]]:
        query = keys.progress_of_goal(goal.user_id, goal.character_key, goal.goal_id)
        found = [
            keys.progress_record(e.user_id, e.character_key, e.goal_id, e.timestamp)
            async for e in self.table.query_all(query)
        ]
        return [(key.pk, key.sk) for key in found]

    async def popular_skills(self) -> list[PopularSkill]:
        """The skills are known, and so are the keys of their counters: one BatchGetItem."""
        found = await self.table.get_many([keys.popular_skill(each) for each in SKILLS])
        return [each for each in found if each and each.count > 0]


async def goals_due(
    table: Gateway, day: str, until: str, shards: Sequence[str | None]
) -> AsyncIterator[CharacterGoal]:
    """Of all users, for background work; in each shard the longest due first."""
    for shard in shards:
        async for each in table.query_all(keys.goals_due(day, until, shard)):
            if isinstance(each, CharacterGoal):
                yield each
