"""Index entries of older versions, for the migration."""

from dataclasses import replace

from app.domains.quests import keys
from app.domains.quests.rules.quest import reindexed_for
from app.domains.quests.types import QuestSeat, QuestTag
from app.resources import Resources


async def date_tag(resources: Resources, tag: QuestTag) -> QuestTag:
    """Its created_at is that of its quest already."""
    return replace(tag, dated=True)


async def place_seat(resources: Resources, seat: QuestSeat) -> QuestSeat:
    """If the quest changes meanwhile, so does the seat, and it is migrated again."""
    quest = await resources.table.get(keys.quest(seat.quest_id))
    return reindexed_for(seat, quest) if quest else replace(seat, placed=True)
