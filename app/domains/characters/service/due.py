"""What background work finds to do, of everyone."""

from app.core.shards import every_shard
from app.domains.characters import repository
from app.domains.characters.types import CharacterGoal, GoalRemains
from app.resources import Resources


async def goals_due(resources: Resources, day: str, until: str) -> list[CharacterGoal]:
    """Those of a UTC day (yyyymmdd) that are to be looked up or told about by then."""
    shards = every_shard(resources.settings.shards)
    return await repository.goals_due(resources.table, day, until, shards)


async def unfinished_deletions(resources: Resources) -> list[GoalRemains]:
    return await repository.unfinished_deletions(resources.table)
