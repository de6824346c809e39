"""Dana's character: two goals, some weeks of progress, a message in her inbox."""

from datetime import datetime, timedelta

from app.core.clock import instant, to_day
from app.core.scalars import WholeNumber
from app.domains.characters.errors import CharacterExists
from app.domains.characters.inputs import (
    AddCharacterInput,
    CreateCharacterGoalInput,
    RecordProgressInput,
)
from app.domains.characters.types import CharacterGoal, TargetType
from app.domains.notifications.types import NotificationFrequency
from app.services import Services

NAME = "Dana of Hall"
DAYS = 20


async def fill(services: Services) -> None:
    try:
        await services.characters.add(AddCharacterInput(name=NAME).validate())
    except CharacterExists:
        return
    now = services.resources.clock.now()
    wood = await _goal(
        services,
        now,
        target_attribute="Woodcutting",
        target_type=TargetType.xp,
        target_value=13_034_431,
        frequency=NotificationFrequency.weekly,
    )
    fish = await _goal(
        services,
        now,
        target_attribute="Fishing",
        target_type=TargetType.level,
        target_value=70,
    )
    for number in range(DAYS + 1):
        at = now - timedelta(days=DAYS - number, hours=1)
        await _record(services, wood, 12_000_000 + 26_500 * number, at)
        await _record(services, fish, 58 + number * 3 // 5, at)
    await services.goal_messages.send_due([fish.id])


async def _goal(services: Services, now: datetime, **fields: object) -> CharacterGoal:
    request = CreateCharacterGoalInput(
        character_name=NAME,
        target_date=to_day((now + timedelta(days=60)).date()),
        **fields,  # type: ignore[arg-type]
    )
    return await services.character_goals.create(request.validate())


async def _record(services: Services, goal: CharacterGoal, value: int, at: datetime) -> None:
    request = RecordProgressInput(
        goal_id=goal.id, progress_value=WholeNumber(value), timestamp=instant(at)
    )
    await services.progress_of_goals.record(request.validate())
