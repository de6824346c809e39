"""Records whose time has come, for the background jobs."""

from app.core.record import Record
from app.domains.quests.repository import QuestsRepository
from app.domains.quests.types import FailedReward, PendingTaskChange, Quest
from app.resources import Resources


async def due_quests(resources: Resources, day: str, now: str) -> list[Quest]:
    return [each for each in await _due(resources, day, now) if isinstance(each, Quest)]


async def due_rewards(resources: Resources, day: str, now: str) -> list[FailedReward]:
    return [each for each in await _due(resources, day, now) if isinstance(each, FailedReward)]


async def due_task_changes(resources: Resources, day: str, now: str) -> list[PendingTaskChange]:
    return [each for each in await _due(resources, day, now) if isinstance(each, PendingTaskChange)]


async def _due(resources: Resources, day: str, now: str) -> list[Record]:
    repository = QuestsRepository(resources.table, resources.settings.shards)
    return await repository.due_records(day, now)
