"""What lies around a quest: who does it, and how it is found."""

from dataclasses import replace
from enum import Enum

import strawberry

from app.core.record import Record
from app.domains.quests.types.quest import Quest


@strawberry.type
class QuestSeat(Record):
    """Who does a quest, since when, and what it took: one of few claims, a task of their own."""

    quest_id: str
    user_id: str
    slot: int | None = None
    task_id: str | None = None
    moved_at: str | None = None
    placed: bool = False

    def beside(self, quest: Quest) -> "QuestSeat":
        """The index finds a quest by who joined first, and by the seats of the others: these move
        along with it."""
        is_first = self.user_id == quest.performer_id
        return replace(self, moved_at=None if is_first else quest.updated_at, placed=True)


class ErrandTurn(Enum):
    DONE = "DONE"
    DROPPED = "DROPPED"
    RESUMED = "RESUMED"


@strawberry.type
class QuestErrand(Record):
    """What a performer's own task still has to become after a step of its quest."""

    user_id: str
    task_id: str
    quest_id: str
    turn: ErrandTurn
    why: str
    shard: str | None = None

    @property
    def due_day(self) -> str:
        return self.created_at[:10].replace("-", "")


@strawberry.type
class ClaimSlot(Record):
    """One of the few quests that a person may have claimed at a time."""

    user_id: str
    number: int
    quest_id: str


@strawberry.type
class QuestTag(Record):
    quest_id: str
    tag: str
    user_id: str
    shard: str | None = None
    dated: bool = False

    @property
    def place(self) -> str:
        """By age; entries from before there was an order stay where they are, by id."""
        return self.created_at if self.dated else self.quest_id

    @property
    def dated_id(self) -> str | None:
        return self.quest_id if self.dated else None
