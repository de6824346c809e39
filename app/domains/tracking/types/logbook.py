"""The logbook: one entry a day."""

from enum import Enum

import strawberry

from app.core.enums import enum_type
from app.core.record import Node
from app.core.scalars import AWSDate


@enum_type(
    "How a day felt.",
    Low="A bad day.",
    Steady="A day like others.",
    High="A good day.",
)
class Mood(Enum):
    Low = "Low"
    Steady = "Steady"
    High = "High"


@strawberry.type(description="A diary entry. There is at most one a day.")
class LogbookEntry(Node):
    user_id: strawberry.Private[str]
    date: AWSDate = strawberry.field(description="The day: there is one entry a day.")
    title: str | None = strawberry.field(
        default=None,
        description="A headline for the day; null: none.",
    )
    notes: str | None = strawberry.field(
        default=None, description="Markdown. Returned exactly as it was sent."
    )
    mood: Mood | None = strawberry.field(
        default=None,
        description="How the day felt; null: not said.",
    )
    energy: int | None = strawberry.field(default=None, description="1 to 10.")
    linked_task_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list,
        description="Tasks that the entry mentions.",
    )
    linked_goal_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list,
        description="Goals that the entry mentions.",
    )
    linked_habit_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list,
        description="Habits that the entry mentions.",
    )
    linked_project_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list,
        description="Projects that the entry mentions.",
    )
