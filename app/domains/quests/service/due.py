"""What the clock has to do by now, for the background jobs."""

from app.core.record import Record
from app.domains.quests.repository import QuestsRepository
from app.domains.quests.types import FailedReward, Quest, QuestErrand
from app.resources import Resources


async def due_quests(resources: Resources, day: str, now: str) -> list[Quest]:
    return [each for each in await _due(resources, day, now) if isinstance(each, Quest)]


async def due_rewards(resources: Resources, day: str, now: str) -> list[FailedReward]:
    return [each for each in await _due(resources, day, now) if isinstance(each, FailedReward)]


async def due_errands(resources: Resources, day: str, now: str) -> list[QuestErrand]:
    return [each for each in await _due(resources, day, now) if isinstance(each, QuestErrand)]


async def _due(resources: Resources, day: str, now: str) -> list[Record]:
    repository = QuestsRepository(resources.table, resources.settings.shards)
    return await repository.due(day, now)
