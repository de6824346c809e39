"""Records around a quest: its performers, their tasks, its tags."""

from enum import Enum

import strawberry

from app.core.record import STORED_AS, Record


@strawberry.type
class QuestSeat(Record):
    """One performer of a quest, with the claim slot that it takes and their own task for it."""

    quest_id: str
    user_id: str
    slot: int | None = None
    task_id: str | None = None
    moved_at: str | None = None
    placed: bool = False


class TaskOutcome(Enum):
    """What becomes of a performer's task."""

    DONE = "DONE"
    DROPPED = "DROPPED"
    RESUMED = "RESUMED"


@strawberry.type
class PendingTaskChange(Record):
    """A change of a performer's own task that follows from its quest and is not yet done."""

    user_id: str
    task_id: str
    quest_id: str
    outcome: TaskOutcome = strawberry.field(metadata={STORED_AS: "turn"})
    reason: str = strawberry.field(metadata={STORED_AS: "why"})
    shard: str | None = None

    @property
    def due_day(self) -> str:
        return self.created_at[:10].replace("-", "")


@strawberry.type
class ClaimSlot(Record):
    """One of the few quests that a user may have claimed at a time."""

    user_id: str
    number: int
    quest_id: str


@strawberry.type
class QuestTag(Record):
    """A tag of a quest, for the list by tag."""

    quest_id: str
    tag: str
    user_id: str
    shard: str | None = None
    dated: bool = False

    @property
    def place(self) -> str:
        """By age. Entries of older versions are sorted by id until they are migrated."""
        return self.created_at if self.dated else self.quest_id

    @property
    def dated_id(self) -> str | None:
        return self.quest_id if self.dated else None
