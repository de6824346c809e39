"""The logbook: one entry a day."""

from enum import Enum

import strawberry

from app.core.record import Node
from app.core.scalars import AWSDate


@strawberry.enum
class Mood(Enum):
    Low = "Low"
    Steady = "Steady"
    High = "High"


@strawberry.type(description="A diary entry. There is at most one a day.")
class LogbookEntry(Node):
    user_id: strawberry.Private[str]
    date: AWSDate
    title: str | None = None
    notes: str | None = strawberry.field(
        default=None, description="Markdown. Returned exactly as it was sent."
    )
    mood: Mood | None = None
    energy: int | None = strawberry.field(default=None, description="1 to 10.")
    linked_task_ids: list[strawberry.ID] = strawberry.field(default_factory=list)
    linked_goal_ids: list[strawberry.ID] = strawberry.field(default_factory=list)
    linked_habit_ids: list[strawberry.ID] = strawberry.field(default_factory=list)
    linked_project_ids: list[strawberry.ID] = strawberry.field(default_factory=list)
