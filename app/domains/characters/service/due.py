"""What background work finds to do, of all users."""

from collections.abc import AsyncIterator

from app.core.shards import every_shard
from app.domains.characters import keys, repository
from app.domains.characters.types import CharacterGoal, DeletedGoal
from app.resources import Resources

MOST_AT_ONCE = 100


def goals_due(resources: Resources, day: str, until: str) -> AsyncIterator[CharacterGoal]:
    """Those of a UTC day (yyyymmdd) that are to be polled or need a message by then."""
    shards = every_shard(resources.settings.shards)
    return repository.goals_due(resources.table, day, until, shards)


async def unfinished_deletions(resources: Resources) -> list[DeletedGoal]:
    return (await resources.table.query(keys.deleted_goals(), limit=MOST_AT_ONCE)).items
