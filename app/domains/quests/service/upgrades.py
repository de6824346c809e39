"""Entries of indexes that older versions kept otherwise, brought into the present order."""

from dataclasses import replace

from app.domains.quests import keys
from app.domains.quests.types import QuestSeat, QuestTag
from app.resources import Resources


async def date_tag(resources: Resources, tag: QuestTag) -> QuestTag:
    """It was made with the date of its quest."""
    return replace(tag, dated=True)


async def place_seat(resources: Resources, seat: QuestSeat) -> QuestSeat:
    """Where the quest stands now. If that moves meanwhile, so does the seat, and it is looked at
    again."""
    quest = await resources.table.get(keys.quest(seat.quest_id))
    return seat.beside(quest) if quest else replace(seat, placed=True)
